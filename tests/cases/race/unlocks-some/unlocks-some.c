// Which of two mutexes is unlocked depends on the input: behind that, none is held for sure.
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int g;
void *worker(void *p) {
  pthread_mutex_lock(&m);
  g = 1;
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(int argc, char **argv) {
  pthread_t t;
  int n = atoi(argv[1]);
  pthread_mutex_t *volatile first = n > 3 ? &other : &m;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  if (n > 3) pthread_mutex_lock(&other);
  g = 2;
  pthread_mutex_unlock(first);
  g = 3;
  if (n > 3) pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
