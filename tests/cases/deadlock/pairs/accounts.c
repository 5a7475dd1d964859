// args: 0 1 1 0 5
#include <pthread.h>
#include <stdlib.h>
enum { ACCOUNTS = 4 };
struct account {
  pthread_mutex_t lock;
  long balance;
};
struct order {
  pthread_t thread;
  int from, to;
};
static struct account accounts[ACCOUNTS];
static long times;
static void transfer(struct account *from, struct account *to) {
  struct account *x = from, *y = to;
#ifdef FIXED
  if (x > y) x = to, y = from;
#endif
  pthread_mutex_lock(&x->lock);
  pthread_mutex_lock(&y->lock);
  from->balance--, to->balance++;
  pthread_mutex_unlock(&y->lock);
  pthread_mutex_unlock(&x->lock);
}
static void *clerk(void *arg) {
  const struct order *o = arg;
  for (long i = 0; i < times; ++i) transfer(&accounts[o->from], &accounts[o->to]);
  return 0;
}
int main(int argc, char **argv) {
  struct order orders[2];
  times = argc > 5 ? atol(argv[5]) : 0;
  for (int i = 0; i < ACCOUNTS; ++i) pthread_mutex_init(&accounts[i].lock, 0);
  for (int i = 0; i < 2; ++i) orders[i].from = atoi(argv[1 + 2 * i]), orders[i].to = atoi(argv[2 + 2 * i]);
  for (int i = 0; i < 2; ++i) pthread_create(&orders[i].thread, 0, clerk, &orders[i]);
  for (int i = 0; i < 2; ++i) pthread_join(orders[i].thread, 0);
}
