// A thread forks while the others wait; the child makes threads of its own, which wait for each other, and forks again.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meet;
static sem_t done;
static int turns;

static void *turn(void *p) {
  for (int i = 0; i < 3; ++i) {
    pthread_mutex_lock(&lock);
    while (turns % 2 != (p != NULL)) pthread_cond_wait(&changed, &lock);
    ++turns;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_barrier_wait(&meet);
  return NULL;
}

static int both(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, turn, i ? &lock : NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  return turns;
}

static int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int in_child(void) {
  int n = both();
  pid_t grandchild = fork();
  if (!grandchild) _exit(both() + n);
  return status_of(grandchild);
}

static void *forker(void *p) {
  pid_t child = fork();
  if (!child) exit(in_child());
  *(int *)p = status_of(child);
  sem_post(&done);
  return NULL;
}

int main(void) {
  pthread_t t;
  int status = -1;
  pthread_barrier_init(&meet, NULL, 2);
  sem_init(&done, 0, 0);
  pthread_create(&t, NULL, forker, &status);
  sem_wait(&done);
  pthread_join(t, NULL);
  printf("%d turns, then %d\n", status, both());
  return 0;
}
