// Two processes meet at a barrier, signal each other, hand a semaphore and a robust lock over, all in shared memory.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  pthread_mutex_t lock, robust;
  pthread_rwlock_t many;
  pthread_cond_t changed;
  pthread_barrier_t meet;
  sem_t posted;
  int turn, died;
} Shared;

static Shared *s;

static void make(void) {
  pthread_mutexattr_t m;
  pthread_condattr_t c;
  pthread_barrierattr_t b;
  pthread_rwlockattr_t r;
  pthread_mutexattr_init(&m), pthread_condattr_init(&c), pthread_barrierattr_init(&b), pthread_rwlockattr_init(&r);
  pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED), pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
  pthread_barrierattr_setpshared(&b, PTHREAD_PROCESS_SHARED);
  pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(&s->lock, &m);
  pthread_mutexattr_setrobust(&m, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&s->robust, &m);
  pthread_cond_init(&s->changed, &c), pthread_barrier_init(&s->meet, &b, 3), pthread_rwlock_init(&s->many, &r);
  sem_init(&s->posted, 1, 0);
}

static void ask(int turns) {
  for (int i = 0; i < turns; ++i) {
    pthread_mutex_lock(&s->lock);
    ++s->turn;
    pthread_cond_broadcast(&s->changed);
    while (s->turn % 2) pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
  }
}

static void answer(int turns) {
  for (int i = 0; i < turns; ++i) {
    pthread_mutex_lock(&s->lock);
    while (s->turn % 2 == 0) pthread_cond_wait(&s->changed, &s->lock);
    ++s->turn;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
  }
}

static void *other(void *p) {
  pthread_barrier_wait(&s->meet);
  pthread_rwlock_rdlock(&s->many);
  pthread_rwlock_unlock(&s->many);
  return p;
}

int main(void) {
  pthread_t t;
  s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  make();
  pid_t child = fork();
  if (!child) {
    pthread_barrier_wait(&s->meet);
    answer(4);
    usleep(20000);
    sem_post(&s->posted);
    pthread_mutex_lock(&s->robust);
    _exit(0);
  }
  pthread_create(&t, NULL, other, NULL);
  pthread_barrier_wait(&s->meet);
  ask(4);
  sem_wait(&s->posted);
  waitpid(child, NULL, 0);
  s->died = pthread_mutex_lock(&s->robust) == EOWNERDEAD;
  pthread_join(t, NULL);
  printf("%d turns, the owner died: %d\n", s->turn, s->died);
  return 0;
}
