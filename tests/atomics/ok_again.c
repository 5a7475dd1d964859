// Locals and blocks of the heap that are used again: what is at one address later is another object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  atomic_int done;
  int value;
} Job;
static void *work(void *a) {
  Job *j = a;
  j->value *= 2;
  atomic_store_explicit(&j->done, 1, memory_order_release);
  return NULL;
}
static int wait_for(Job *j) {
  while (!atomic_load_explicit(&j->done, memory_order_acquire)) continue;
  return j->value;
}
static int with_local(int value) {
  Job j = {.value = value};
  pthread_t t;
  pthread_create(&t, NULL, work, &j);
  int result = wait_for(&j);
  pthread_join(t, NULL);
  return result;
}
static int with_block(int value) {
  Job *j = calloc(1, sizeof *j);
  pthread_t t;
  j->value = value;
  pthread_create(&t, NULL, work, j);
  int result = wait_for(j);
  pthread_join(t, NULL);
  free(j);
  return result;
}
int main(void) {
  for (int i = 1; i < 4; ++i) printf("%d %d\n", with_local(i), with_block(10 * i));
  return 0;
}
