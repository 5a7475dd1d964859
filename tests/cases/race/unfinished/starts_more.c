// Behind its wait the thread would start another one, of which the schedule knows nothing.
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go, counter, alone;
static void *late(void *x) {
  counter++;
  return x;
}
static void *starter(void *x) {
  pthread_t t;
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  alone = 3;
  pthread_mutex_unlock(&m);
  pthread_create(&t, 0, late, x);
  pthread_join(t, 0);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, starter, 0);
  usleep(20000);
  pthread_mutex_lock(&m);
  go = 1;
  alone = 1;
  pthread_mutex_unlock(&m);
  counter = 5;
  return 0;
}
