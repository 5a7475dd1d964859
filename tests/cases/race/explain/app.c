#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int locked, raced, early, cells[2];
static atomic_int flag;
static void *worker(void *arg) {
  int *mine = arg;
  pthread_mutex_lock(&m);
  if (early == 3)
    ++locked;
  else
    --locked;
  pthread_mutex_unlock(&m);
  ++raced;
  ++*mine;
  atomic_fetch_add(&flag, 1);
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t[2];
  early = argc > 1 ? atoi(argv[1]) : 3;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, &cells[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  if (argc > 1) pthread_mutex_lock(&m), pthread_mutex_unlock(&m);
  printf("%d\n", locked);
  return 0;
}
