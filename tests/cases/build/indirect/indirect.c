/* Calls through pointers: of functions that synchronize, that do not, of an operation itself; recursion that
   synchronizes at its end; a loop that synchronizes now and then; computed gotos. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

typedef long Work(long);
static long add(long n) {
  pthread_mutex_lock(&lock);
  total += n;
  pthread_mutex_unlock(&lock);
  return n;
}
static long keep(long n) {
  return n * 3;
}
static long maybe(long n) {
  if (n % 4 == 0) return add(n);
  return n;
}
static long down(long n) {
  return n > 0 ? down(n - 1) + 1 : add(7);
}
static Work *table[] = {add, keep, maybe, down};
static int (*volatile lock_by)(pthread_mutex_t *) = pthread_mutex_lock;
static int (*volatile unlock_by)(pthread_mutex_t *) = pthread_mutex_unlock;

static long jumps(long n) {
  static const void *const to[] = {&&even, &&odd, &&done};
  long sum = 0;
  for (long i = 0;; ++i) {
    goto *to[i == n ? 2 : i % 2];
  even:
    sum += 1;
    continue;
  odd:
    sum += add(10);
  }
done:
  return sum;
}

static void *worker(void *p) {
  long n = (long)p, sum = 0;
  for (long i = 0; i < n; ++i) sum += table[i % 4](i);
  lock_by(&lock);
  total += sum;
  unlock_by(&lock);
  return (void *)jumps(4);
}

int main(int argc, char **argv) {
  pthread_t t[2];
  long n = argc > 1 ? atol(argv[1]) : 9, sum = 0;
  if (argc > 2) table[3] = add;
  if (argc > 3) lock_by = pthread_mutex_unlock;
  for (long i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, (void *)n);
  for (int i = 0; i < 2; ++i) {
    void *r;
    pthread_join(t[i], &r);
    sum += (long)r;
  }
  printf("total %ld, sum %ld\n", total, sum);
  return 0;
}
