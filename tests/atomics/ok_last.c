// Who takes the last reference frees it, and says so.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  atomic_int count;
  int value;
} Box;
static void drop(Box *b, int who) {
  if (atomic_fetch_sub_explicit(&b->count, 1, memory_order_acq_rel) != 1) return;
  printf("%d was last, with %d\n", who, b->value);
  free(b);
}
static Box *box;
static void *worker(void *a) {
  int who = (int)(long)a;
  if (box->value != 7) abort();
  drop(box, who);
  return NULL;
}
int main(void) {
  pthread_t t[3];
  box = malloc(sizeof *box);
  atomic_init(&box->count, 3);
  box->value = 7;
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  return 0;
}
