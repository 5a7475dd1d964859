/* which lock comes first is decided by addresses */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  pthread_mutex_t lock;
  int x;
} Account;
static Account *make(void) {
  Account *a = malloc(sizeof *a + 100);
  pthread_mutex_init(&a->lock, NULL);
  a->x = 1;
  return a;
}
static Account *a, *b;
static void *worker(void *x) {
  Account *first = a < b ? a : b, *second = a < b ? b : a;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  a->x++, b->x++;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
  if (a < b) pthread_mutex_lock(&a->lock), pthread_mutex_unlock(&a->lock);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  if (argc != 2) return 2;
  a = make(), b = make();
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  printf("%d %d\n", a->x, b->x);
  return 0;
}
