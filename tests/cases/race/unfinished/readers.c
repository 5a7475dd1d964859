// It waits for a semaphore inside a call, and then reads and writes under a lock for readers.
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t again;
int table, hits, guarded;
static void look(void) {
  pthread_rwlock_rdlock(&lock);
  hits += table;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);
  guarded++;
  pthread_rwlock_unlock(&lock);
}
static void wait_for_more(void) {
  while (sem_wait(&again)) {}
}
static void *reader(void *x) {
  for (;;) {
    wait_for_more();
    look();
  }
  return x;
}
int main(void) {
  pthread_t t;
  sem_init(&again, 0, 0);
  pthread_create(&t, 0, reader, 0);
  usleep(10000);
  pthread_rwlock_wrlock(&lock);
  table = 1;
  guarded = 2;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_rdlock(&lock);
  hits = 7;
  pthread_rwlock_unlock(&lock);
  return 0;
}
