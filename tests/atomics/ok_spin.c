// Spin locks that are made by hand; the output tells who came when.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int lock, turn;
static char order[64];
static int length;
static void *worker(void *a) {
  while (!atomic_load_explicit(&turn, memory_order_acquire)) continue;
  for (int i = 0; i < 8; ++i) {
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) continue;
    order[length++] = (char)('a' + (long)a);
    atomic_store_explicit(&lock, 0, memory_order_release);
  }
  return NULL;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  atomic_store_explicit(&turn, 1, memory_order_release);
  for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);
  puts(order);
  return 0;
}
