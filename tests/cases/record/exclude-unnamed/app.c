/* Locks on the heap: of cells, all taken in touch, with a spin lock each; of a queue that is waited for; and main's own on
   its stack. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  pthread_mutex_t m;
  pthread_spinlock_t s;
  long n, spun;
} Cell;
typedef struct {
  pthread_mutex_t m;
  pthread_cond_t filled;
  int full;
} Queue;
static Cell *cells;
static Queue *queue;
static int count, many, event;
static pthread_mutex_t named = PTHREAD_MUTEX_INITIALIZER;

static void touch(Cell *c) {
  pthread_mutex_lock(&c->m);
  c->n++;
  if (event && c == cells) pthread_mutex_lock(&named), pthread_mutex_unlock(&named);
  pthread_mutex_unlock(&c->m);
}
static void spin(Cell *c) {
  pthread_spin_lock(&c->s);
  c->spun++;
  pthread_spin_unlock(&c->s);
}
static void *worker(void *arg) {
  for (int i = 0; i < many; ++i) touch(&cells[i % count]), spin(&cells[i % count]);
  pthread_mutex_lock(&queue->m);
  ++queue->full;
  pthread_cond_signal(&queue->filled);
  pthread_mutex_unlock(&queue->m);
  return arg;
}
int main(int argc, char **argv) {
  pthread_mutex_t own;
  pthread_t t[2];
  long all = 0;
  many = argc > 1 ? atoi(argv[1]) : 6;
  count = argc > 2 ? atoi(argv[2]) : 3;
  event = argc > 3;
  cells = calloc((size_t)count, sizeof *cells);
  for (int i = 0; i < count; ++i) pthread_mutex_init(&cells[i].m, NULL), pthread_spin_init(&cells[i].s, 0);
  queue = calloc(1, sizeof *queue);
  pthread_mutex_init(&queue->m, NULL);
  pthread_mutex_init(&own, NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  pthread_mutex_lock(&queue->m);
  while (queue->full < 2) pthread_cond_wait(&queue->filled, &queue->m);
  pthread_mutex_unlock(&queue->m);
  pthread_mutex_lock(&own);
  for (int i = 0; i < count; ++i) all += cells[i].n + cells[i].spun;
  pthread_mutex_unlock(&own);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%ld\n", all);
  free(cells);
  free(queue);
  return 0;
}
