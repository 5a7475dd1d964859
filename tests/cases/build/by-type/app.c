// One pointer calls what locks, the other what does not. By type alone both may call either.
#include <pthread.h>
#include <stdio.h>

typedef long Step(long);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static long locks(long n) {
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
  return sum;
}

static long twice(long n) {
  return 2 * n;
}

static Step *busy = locks, *quiet = twice;

static void *worker(void *arg) {
  busy(quiet((long)arg));
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t;
  if (pthread_create(&t, NULL, worker, (void *)(long)argc)) return 2;
  pthread_join(t, NULL);
  busy(quiet(argc));
  printf("%ld\n", sum + (argv == NULL));
  return 0;
}
