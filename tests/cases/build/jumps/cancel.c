// Cancelled threads clean up in several frames: asleep, in a condition, in a semaphore, in a join, at a test.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, waited = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t none, ready;
static pthread_t sleeper_thread;
static int cleaned;

static void clean(void *by) {
  pthread_mutex_lock(&lock);
  cleaned += *(int *)by;
  pthread_mutex_unlock(&lock);
}
static void give_back(void *m) { pthread_mutex_unlock(m); }

static void in_frames(int depth, void (*wait)(void)) {
  int by = depth;
  pthread_cleanup_push(clean, &by);
  if (depth)
    in_frames(depth - 1, wait);
  else
    wait();
  pthread_cleanup_pop(0);
}

static void sleeps(void) {
  sem_post(&ready);
  for (;;) usleep(1000);
}
static void waits(void) {
  pthread_mutex_lock(&waited);
  pthread_cleanup_push(give_back, &waited);
  sem_post(&ready);
  for (;;) pthread_cond_wait(&never, &waited);
  pthread_cleanup_pop(1);
}
static void takes(void) {
  sem_post(&ready);
  sem_wait(&none);
}
static void joins(void) {
  sem_post(&ready);
  pthread_join(sleeper_thread, NULL);
}
static void tests(void) {
  sem_post(&ready);
  for (;;) pthread_testcancel();
}
static void (*const kinds[])(void) = {sleeps, waits, takes, joins};

static void *run(void *how) {
  in_frames(3, *(void (**)(void))how);
  return NULL;
}
static void *polls(void *arg) {
  (void)arg;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  sem_post(&ready);
  usleep(150000);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
  in_frames(1, tests);
  return NULL;
}

int main(void) {
  pthread_t t[5];
  void *result[5];
  int gone = 0;
  sem_init(&none, 0, 0), sem_init(&ready, 0, 0);
  for (int i = 0; i < 4; ++i) {
    pthread_create(&t[i], NULL, run, (void *)&kinds[i]);
    if (!i) sleeper_thread = t[0];
    sem_wait(&ready);
  }
  pthread_create(&t[4], NULL, polls, NULL);
  sem_wait(&ready);
  usleep(100000);
  for (int i = 5; i--;) pthread_cancel(t[i]);
  for (int i = 5; i--;) pthread_join(t[i], &result[i]), gone += result[i] == PTHREAD_CANCELED;
  printf("%d cancelled, cleaned %d\n", gone, cleaned);
  return 0;
}
