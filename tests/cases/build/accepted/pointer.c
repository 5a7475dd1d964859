// exit is called through a table, by a function that a worker calls.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int which;
static void (*const ends[])(int) = {exit, _exit};

static void finish(int status) {
  pthread_mutex_lock(&lock);
  puts("finishing");
  pthread_mutex_unlock(&lock);
  ends[which](status);
}

static void *worker(void *arg) {
  usleep(10000);
  finish(arg ? 4 : 5);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, &t);
  pthread_join(t, NULL);
  return 0;
}
