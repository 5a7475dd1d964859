// One thread fills a table, others find in it what they have to do, pointers and functions too.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int *from, count, (*what)(int, int);
} Job;
enum { MOST = 16 };
static int numbers[MOST * MOST], result[MOST];
static Job jobs[MOST];
static pthread_barrier_t filled;

static int add(int a, int b) {
  return a + b;
}
static int larger(int a, int b) {
  return a > b ? a : b;
}

static void *worker(void *index) {
  long i = (long)index;
  pthread_barrier_wait(&filled);
  Job *j = &jobs[i];
  int sum = 0;
  for (int k = 0; k < j->count; ++k) sum = j->what(sum, j->from[k]);
  result[i] = sum;
  return NULL;
}

int main(int argc, char *argv[]) {
  pthread_t t[MOST];
  if (argc != 3) return 2;
  int n = atoi(argv[1]), seed = atoi(argv[2]);
  if (n < 1 || n > MOST) return 2;
  pthread_barrier_init(&filled, NULL, (unsigned)n + 1);
  for (long i = 0; i < n; ++i) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < n * MOST; ++i) numbers[i] = (i * seed) % 101;
  for (int i = 0; i < n; ++i) jobs[i] = (Job){&numbers[i * MOST], MOST, i % 2 ? add : larger};
  pthread_barrier_wait(&filled);
  for (int i = 0; i < n; ++i) pthread_join(t[i], NULL);
  for (int i = 0; i < n; ++i) printf("%d ", result[i]);
  puts("");
  return 0;
}
