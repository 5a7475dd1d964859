// Two threads free the same block: each thinks that it is the last.
// Expected: signal 6; crash 14; cause 12.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *block;
static int users = 2;
static void *leave(void *arg) {
  pthread_mutex_lock(&lock);
  users = users - 1;
  if (users < 2)
    arg = block,
    free(block);
  pthread_mutex_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t t[2];
  block = malloc(100);
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, leave, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", users);
  return 0;
}
