// What an operation returned is what it returned when it was recorded.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meet;
static sem_t none, some;
static int busy, serial, timed;

static void *worker(void *p) {
  if (pthread_mutex_trylock(&lock) == EBUSY)
    busy = 1;
  else
    pthread_mutex_unlock(&lock);
  if (pthread_barrier_wait(&meet) == PTHREAD_BARRIER_SERIAL_THREAD) serial = 1, sem_post(&some);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (sem_timedwait(&none, &now) == 0)
    sem_post(&none);
  else
    timed = errno == ETIMEDOUT;
  return p;
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&meet, NULL, 2);
  sem_init(&none, 0, 0), sem_init(&some, 0, 0);
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, worker, NULL);
  if (pthread_barrier_wait(&meet) == PTHREAD_BARRIER_SERIAL_THREAD) serial = 2, sem_post(&some);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  printf("busy %d, serial %d, timed out %d\n", busy, serial > 0, timed);
  return 0;
}
