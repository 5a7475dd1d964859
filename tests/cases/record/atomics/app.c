#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int done, passed_on;
static int data;
static void add(atomic_int *what) {
  atomic_fetch_add_explicit(what, 1, memory_order_relaxed);
}
static void *worker(void *a) {
  data = 7;
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  int expected = 5;
  add(&passed_on);
  pthread_create(&t, NULL, worker, NULL);
  while (!atomic_load_explicit(&done, memory_order_acquire)) continue;
  atomic_compare_exchange_strong(&done, &expected, 6);
  printf("%d\n", data);
  pthread_join(t, NULL);
  return 0;
}
