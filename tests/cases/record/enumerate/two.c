/* Figure 1 of Bergan et al.: five threads take one of two locks, by the input */
#include <pthread.h>
#include <stdlib.h>
static int X;
static pthread_mutex_t A = PTHREAD_MUTEX_INITIALIZER, B = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *arg) {
  for (int i = 0; i < 5; ++i) {
    if (X == 0) {
      pthread_mutex_lock(&A);
      pthread_mutex_unlock(&A);
    } else {
      pthread_mutex_lock(&B);
      pthread_mutex_unlock(&B);
    }
  }
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t;
  X = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&t, NULL, run, NULL);
  run(NULL);
  pthread_join(t, NULL);
  return 0;
}
