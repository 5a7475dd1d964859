// All keys are used up, or all mappings, before main.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

__attribute__((constructor)) static void use_up(void) {
  pthread_key_t key;
  if (getenv("KEYS")) while (!pthread_key_create(&key, NULL)) continue;
}

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  ++n;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", n);
  return 0;
}
