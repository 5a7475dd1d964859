// A bounded queue of several producers and consumers without a lock; the output tells who got what.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
enum { SIZE = 4, EACH = 6 };
static struct {
  atomic_uint turn;
  int value;
} slot[SIZE];
static atomic_uint head, tail;
static int got[2][EACH];
static void put(int v) {
  for (;;) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    unsigned turn = atomic_load_explicit(&slot[at % SIZE].turn, memory_order_acquire);
    if (turn == at && atomic_compare_exchange_strong_explicit(&tail, &at, at + 1, memory_order_relaxed,
                                                              memory_order_relaxed)) {
      slot[at % SIZE].value = v;
      atomic_store_explicit(&slot[at % SIZE].turn, at + 1, memory_order_release);
      return;
    }
    sched_yield();
  }
}
static int take(void) {
  for (;;) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    unsigned turn = atomic_load_explicit(&slot[at % SIZE].turn, memory_order_acquire);
    if (turn == at + 1 && atomic_compare_exchange_strong_explicit(&head, &at, at + 1, memory_order_relaxed,
                                                                  memory_order_relaxed)) {
      int v = slot[at % SIZE].value;
      atomic_store_explicit(&slot[at % SIZE].turn, at + SIZE, memory_order_release);
      return v;
    }
    sched_yield();
  }
}
static void *producer(void *a) {
  for (int i = 0; i < EACH; ++i) put((int)(long)a * 100 + i);
  return NULL;
}
static void *consumer(void *a) {
  for (int i = 0; i < EACH; ++i) got[(long)a][i] = take();
  return NULL;
}
int main(void) {
  pthread_t t[4];
  for (unsigned i = 0; i < SIZE; ++i) atomic_init(&slot[i].turn, i);
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, producer, (void *)i);
  for (long i = 0; i < 2; ++i) pthread_create(&t[2 + i], NULL, consumer, (void *)i);
  for (int i = 0; i < 4; ++i) pthread_join(t[i], NULL);
  for (int c = 0; c < 2; ++c)
    for (int i = 0; i < EACH; ++i) printf("%d%c", got[c][i], i + 1 < EACH ? ' ' : '\n');
  return 0;
}
