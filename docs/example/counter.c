#include <pthread.h>
#include <stdio.h>
static int counter;
static void *worker(void *arg) {
  ++counter;
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", counter);
  return counter != 2;
}
