/*
 * args: 3
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

static _Thread_local int own = 5;
static _Thread_local char text[8] = "tls";
static atomic_int counter, gate;
static atomic_long wide;
static _Atomic unsigned char small;
static _Atomic double real;
static pthread_key_t key;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, again;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static sem_t start;
static int destroyed, cleaned;

static void destroy(void *p) { pthread_mutex_lock(&lock), destroyed += *(int *)p, pthread_mutex_unlock(&lock), free(p); }
static void clean(void *p) { cleaned += *(int *)p; }

static void *work(void *p) {
  long me = (long)p;
  int *v = malloc(sizeof *v);
  *v = (int)me;
  pthread_setspecific(key, v);
  sem_wait(&start);
  own += (int)me, text[0] = (char)('a' + me);
  for (int i = 0; i < 50; ++i) {
    atomic_fetch_add(&counter, 2), atomic_fetch_sub_explicit(&counter, 1, memory_order_relaxed);
    atomic_fetch_or(&wide, 1L << me), atomic_fetch_xor(&wide, 0);
    small += 3;
    double old = atomic_load(&real);
    while (!atomic_compare_exchange_weak(&real, &old, old + 0.5)) continue;
  }
  pthread_rwlock_rdlock(&table), pthread_rwlock_unlock(&table);
  pthread_mutex_lock(&again), pthread_mutex_lock(&again), pthread_mutex_unlock(&again), pthread_mutex_unlock(&again);
  if (me == 1) {
    int six = 6;
    pthread_cleanup_push(clean, &six);
    if (me) pthread_exit((void *)99L);
    pthread_cleanup_pop(0);
  }
  return (void *)(long)own;
}
static void *waits(void *p) {
  int seven = 7;
  (void)p;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
  pthread_cleanup_push(clean, &seven);
  atomic_store(&gate, 1);
  for (;;) pthread_cond_wait(&never, &lock);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}
static int c11(void *p) { return *(int *)p * 3; }

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t t[8], w;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive), pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &recursive), pthread_mutexattr_destroy(&recursive);
  pthread_key_create(&key, destroy);
  sem_init(&start, 0, 0);
  if (n < 1 || n > 8) return 2;
  for (long i = 0; i < n; ++i) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < n; ++i) sem_post(&start);
  for (int i = 0; i < n; ++i) {
    void *r;
    pthread_join(t[i], &r);
    printf("%ld ", (long)r);
  }
  printf("own %d %s counter %d wide %lx small %d real %g\n", own, text, counter, (long)wide, small, real);
  void *r;
  pthread_create(&w, NULL, waits, NULL);
  while (!atomic_load(&gate)) sched_yield();
  pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
  pthread_cancel(w), pthread_join(w, &r);
  printf("cancelled %d cleaned %d destroyed %d\n", r == PTHREAD_CANCELED, cleaned, destroyed);
  thrd_t c;
  mtx_t m;
  int five = 5, result;
  mtx_init(&m, mtx_plain), mtx_lock(&m);
  printf("%d %d ", mtx_trylock(&m) == thrd_busy, thrd_create(&c, c11, &five) == thrd_success);
  mtx_unlock(&m), thrd_join(c, &result), mtx_destroy(&m);
  printf("%d %d\n", result, pthread_equal(pthread_self(), pthread_self()));
  pthread_mutex_destroy(&again), sem_destroy(&start);
  return 0;
}
