// Options before the point; locals of all kinds that the code behind it goes on with.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
  long size;
  char name[12];
  int *row;
};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *work(void *arg) {
  struct job *j = arg;
  pthread_mutex_lock(&m);
  total += j->size * j->row[1];
  pthread_mutex_unlock(&m);
  return 0;
}

int main(int argc, char **argv) {
  int threads = 2, quiet = 0;
  struct job job = {100, "none", 0};
  for (int c; (c = getopt(argc, argv, "t:n:o:q")) != -1;) {
    if (c == 't')
      threads = atoi(optarg);
    else if (c == 'n')
      job.size = atol(optarg);
    else if (c == 'o')
      strncpy(job.name, optarg, sizeof job.name - 1);
    else if (c == 'q')
      quiet = 1;
    else
      return 2;
  }
  if (threads < 1 || threads > 8) exit(3);
  int row[threads + 1], *middle = &row[1], sum = 0;
  for (int i = 0; i <= threads; ++i) row[i] = i + 3;
  job.row = row;
  short unused_later = (short)threads;
  pthread_t t[8];
  for (int i = 0; i < threads; ++i) pthread_create(&t[i], 0, work, &job);
  for (int i = 0; i < threads; ++i) {
    int scratch[i + 2];
    scratch[i + 1] = i;
    pthread_join(t[i], 0);
    sum += scratch[i + 1] + *middle;
  }
  if (!quiet) printf("%s: %d threads, sum %d, ", job.name, threads, sum + unused_later);
  printf("total %ld, %d left\n", total, argc - optind);
  return threads + 10;
}
