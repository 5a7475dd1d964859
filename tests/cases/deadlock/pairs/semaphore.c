// args:
#include <pthread.h>
#include <semaphore.h>
static sem_t slots;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
// Two of two slots each: one at a time takes both.
static void *work(void *p) {
#ifdef FIXED
  pthread_mutex_lock(&m);
#endif
  sem_wait(&slots);
  sem_wait(&slots);
#ifdef FIXED
  pthread_mutex_unlock(&m);
#endif
  sem_post(&slots);
  sem_post(&slots);
  return p;
}
int main(void) {
  pthread_t t, u;
  sem_init(&slots, 0, 2);
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
