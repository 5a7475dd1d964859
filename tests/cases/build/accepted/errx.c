// A worker ends the process through a function of the C library, while main still works.
#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void last(void) {
  pthread_mutex_lock(&lock);
  printf("%d\n", n);
  pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  n += 2;
  pthread_mutex_unlock(&lock);
  usleep(10000);
  if (arg) errx(3, "enough");
  return NULL;
}

int main(void) {
  pthread_t t;
  atexit(last);
  pthread_create(&t, NULL, worker, &n);
  for (;;) pause();
}
