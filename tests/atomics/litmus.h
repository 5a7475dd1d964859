// Two or three threads that run at once, over shared atomics; and short names.
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define ACQ_REL memory_order_acq_rel
#define store(o, v, m) atomic_store_explicit(&(o), v, m)
#define load(o, m) atomic_load_explicit(&(o), m)
// What thread n does, so many tenths of a second after the start: the order of this run.
#define THREAD(n, tenths, ...)             \
  static void *thread##n(void *argument) { \
    usleep((tenths)*20000);                \
    __VA_ARGS__;                           \
    return argument;                       \
  }
#define MAIN                                                               \
  int main(void) {                                                         \
    pthread_t t[3];                                                        \
    void *(*const run[3])(void *) = {thread1, thread2, thread3};           \
    for (int i = 0; i < 3; ++i) pthread_create(&t[i], NULL, run[i], NULL); \
    for (int i = 0; i < 3; ++i) pthread_join(t[i], NULL);                  \
    return 0;                                                              \
  }
static int data;
static atomic_int x, y;
static union {
  atomic_int half[2];
  atomic_long whole;
} both;
