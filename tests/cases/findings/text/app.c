#include <pthread.h>
#include <stdio.h>

struct job {
  int done;
};
static long counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(long n) {
  counter += n; // größer
}

static void *worker(void *arg) {
  struct job *j = arg;
  pthread_mutex_lock(&lock);
  add(1);
  pthread_mutex_unlock(&lock);
  j->done = 1;  // specialize: benign: only a hint
  return NULL;
}

int main(void) {
  struct job j = {0};
  pthread_t t;
  pthread_create(&t, NULL, worker, &j);
  add(2);
  printf("%d\n", j.done);
  pthread_join(t, NULL);
  printf("%ld\n", counter);
  return 0;
}
