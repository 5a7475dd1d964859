// Two locks, taken in both orders; semaphores see to it that each thread has its first.
// Expected: killed; cause 10 12 17 19.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t first, second;
static int sum;
static void *forth(void *arg) {
  pthread_mutex_lock(&a);
  sem_post(&first), sem_wait(&second);
  pthread_mutex_lock(&b);
  sum++, pthread_mutex_unlock(&b), pthread_mutex_unlock(&a);
  return arg;
}
static void *back(void *arg) {
  pthread_mutex_lock(&b);
  sem_post(&second), sem_wait(&first);
  pthread_mutex_lock(&a);
  sum++, pthread_mutex_unlock(&a), pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t t[2];
  sem_init(&first, 0, 0), sem_init(&second, 0, 0);
  pthread_create(&t[0], NULL, forth, NULL);
  pthread_create(&t[1], NULL, back, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d\n", sum);
  return 0;
}
