/* a number of the environment */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *worker(void *x) {
  pthread_mutex_lock(&lock);
  ++done;
  pthread_mutex_unlock(&lock);
  return x;
}
int main(void) {
  pthread_t t[8];
  const char *level = getenv("LEVEL");
  int n = level ? atoi(level) : 1;
  if (n < 1 || n > 8) return 2;
  for (int i = 0; i < n; ++i) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < n; ++i) pthread_join(t[i], NULL);
  printf("%d\n", done);
  return 0;
}
