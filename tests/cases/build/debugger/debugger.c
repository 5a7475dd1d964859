#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

struct Job {
  int first, count;
};

static int add(int from, int to) {
  int local = 0;
  for (int i = from; i < to; ++i) {
    int square = i * i;
    local += square;
  }
  pthread_mutex_lock(&m);
  sum += local;
  pthread_mutex_unlock(&m);
  return local;
}

static void *worker(void *arg) {
  struct Job *job = arg;
  int part = add(job->first, job->first + job->count);
  printf("part %d\n", part);
  return NULL;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 3;
  struct Job job = {2, n};
  pthread_t t;
  pthread_create(&t, NULL, worker, &job);
  pthread_join(t, NULL);
  printf("sum %d\n", sum);
  return 0;
}
