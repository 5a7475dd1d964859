/* a worker waits for a signal, for a semaphore or at a barrier, by the input; with others the lock order
 * differs, or nothing is found */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static sem_t some;
static int ready, how;
static void *work(void *x) {
  if (how == 0) {
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
  } else if (how == 1) {
    sem_wait(&some);
  } else {
    pthread_barrier_wait(&both);
  }
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  if (argc < 2) return 2;
  how = atoi(argv[1]);
  sem_init(&some, 0, 0);
  pthread_barrier_init(&both, NULL, 2);
  pthread_create(&t, NULL, work, NULL);
  if (how == 0) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
  } else if (how == 1) {
    sem_post(&some);
  } else {
    pthread_barrier_wait(&both);
  }
  pthread_join(t, NULL);
  return 0;
}
