// Forks of which no handler is told.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void add(int n) {
  pthread_mutex_lock(&lock);
  sum += n;
  pthread_mutex_unlock(&lock);
}

static void *worker(void *p) {
  add(1);
  return p;
}

static int status_of(pid_t child) {
  int status = -1;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

static pid_t cloned(void) { return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0); }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pid_t child = _Fork();
  if (!child) {
    add(10);
    _exit(sum);
  }
  printf("%d", status_of(child));
  child = cloned();
  if (!child) {
    add(20);
    add(1);
    _exit(sum);
  }
  printf(" %d", status_of(child));
  add(2);
  printf(" %d\n", sum);
  return 0;
}
