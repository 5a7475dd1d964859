// What it does next depends on a file.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *worker(void *arg) {
  shared = 1;
  return arg;
}

int main(void) {
  FILE *f = fopen("which", "r"), *ran = fopen("ran", "a");
  int c = f ? fgetc(f) : 0;
  pthread_t t;
  if (ran) fclose(ran);
  if (f) fclose(f);
  if (c == 'l') {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
  }
  pthread_create(&t, NULL, worker, NULL);
  shared = 2;
  pthread_join(t, NULL);
  return 0;
}
