/* takes A; ends early, or takes B */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER, B = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv) {
  int x = argc > 1 ? atoi(argv[1]) : 0;
  pthread_mutex_lock(&A);
  if (x == 5) exit(3);
  pthread_mutex_lock(&B);
  pthread_mutex_unlock(&B);
  pthread_mutex_unlock(&A);
  return 0;
}
