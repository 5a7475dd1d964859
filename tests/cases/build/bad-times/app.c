// A time that no clock shows is refused at once, whatever the recorded wait did.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t posted;
static int ready;

static void *other(void *x) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  sem_post(&posted);
  return x;
}

int main(int argc, char **argv) {
  pthread_t t;
  struct timespec until;
  int wakes = atoi(argv[1]), bad_cond, bad_sem = 0, r = 0;
  sem_init(&posted, 0, 0);
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += wakes ? 20 : 0;
  long sound = until.tv_nsec;
  pthread_mutex_lock(&m);
  if (wakes) pthread_create(&t, NULL, other, NULL);
  until.tv_nsec = argc > 2 ? atol(argv[2]) : sound;
  bad_cond = pthread_cond_timedwait(&changed, &m, &until);
  pthread_mutex_unlock(&m);
  if (wakes) pthread_join(t, NULL);
  until.tv_nsec = argc > 3 ? atol(argv[3]) : sound;
  r = sem_timedwait(&posted, &until);
  bad_sem = r ? errno : 0;
  printf("%d %d\n", bad_cond, bad_sem);
  return 0;
}
