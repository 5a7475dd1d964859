/* Cells on the heap, in a ring, with a lock each. MODE: what is done while one is held. */
#include <pthread.h>
#include <stdlib.h>

typedef struct Cell {
  long before;
  pthread_mutex_t m;
  long n;
  struct Cell *next;
  pthread_spinlock_t s;
} Cell;
enum { CELLS = 3 };
static Cell *first;
static long total;
static pthread_spinlock_t spin;

static void touch(Cell *c) {
  Cell *held = c;
  if (MODE != 6) pthread_mutex_lock(&held->m);
#if MODE == 0 /* its own members */
  c->n += ++c->before;
#elif MODE == 1 /* what the cells share */
  total++;
#elif MODE == 2 /* another's */
  c->next->n++;
#elif MODE == 3 /* another's, under a name that was its own */
  for (int i = 0; i < CELLS; ++i, c = c->next) c->n++;
#elif MODE == 4 /* given back by another name */
  Cell *volatile same = c;
  pthread_mutex_unlock(&same->m);
  c->n++;
  pthread_mutex_lock(&same->m);
#elif MODE == 5 /* as much of it as there is behind the lock */
  __builtin_memset(&c->n, 0, (size_t)(c->before + 8));
#elif MODE == 6 /* only the first of a round is locked */
  for (int i = 0; i < CELLS; ++i, c = c->next) {
    if (!i) pthread_mutex_lock(&c->m);
    c->n++;
  }
#elif MODE == 7 /* the lock of another of the same ring, and its own */
  pthread_mutex_lock(&c->next->m);
  c->n++;
  pthread_mutex_unlock(&c->next->m);
#elif MODE == 8 /* all of them, each by its own */
  for (int i = 1; i < CELLS; ++i) {
    pthread_mutex_unlock(&held->m);
    held = held->next;
    pthread_mutex_lock(&held->m);
    held->n++;
  }
#elif MODE == 9 /* what they share, under a spin lock with a name */
  pthread_spin_lock(&spin);
  total++;
  pthread_spin_unlock(&spin);
#elif MODE == 10 /* the same, under one of a cell */
  pthread_spin_lock(&c->s);
  total++;
  pthread_spin_unlock(&c->s);
#endif
  pthread_mutex_unlock(&held->m);
}
static void *worker(void *arg) {
  Cell *c = first;
  for (int i = 0; i < 2; ++i, c = c->next) touch(c);
  return arg;
}
int main(void) {
  pthread_t t[2];
  Cell *last = NULL;
  pthread_spin_init(&spin, 0);
  for (int i = 0; i < CELLS; ++i) {
    Cell *c = calloc(1, sizeof *c);
    pthread_mutex_init(&c->m, NULL);
    pthread_spin_init(&c->s, 0);
    c->next = first;
    first = c;
    if (!last) last = c;
  }
  last->next = first;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return 0;
}
