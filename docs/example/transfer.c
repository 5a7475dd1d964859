// Two threads move money between two accounts.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long account[2] = {1000, 1000};

static void *mover(void *arg) {
  long n = (long)arg;
  for (long i = 0; i < n; ++i) {
    pthread_mutex_lock(&lock);
    account[i % 2] -= 1;
    account[1 - i % 2] += 1;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000;
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, mover, (void *)n);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%ld + %ld = %ld\n", account[0], account[1], account[0] + account[1]);
  return account[0] + account[1] != 2000;
}
