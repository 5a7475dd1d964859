// Fork is called by a comparator, through a pointer, inside pthread_once and in a handler of atexit; each child comes
// back through all that is on the stack.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int compared, children, is_child;

static void wait_for(pid_t child) {
  int status = 0;
  if (!child) {
    is_child = 1;
    return;
  }
  waitpid(child, &status, 0);
  children = children * 10 + WEXITSTATUS(status);
}

static void fork_here(void) { wait_for(fork()); }
static void (*volatile fork_by_pointer)(void) = fork_here;

static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&lock);
  if (++compared == 2 && !is_child) fork_by_pointer();
  pthread_mutex_unlock(&lock);
  return *(const int *)a - *(const int *)b;
}

static int sorted(void) {
  int n[] = {3, 1, 2, 5, 4};
  qsort(n, 5, sizeof *n, compare);
  return n[0] * 10 + n[4];
}

static void *worker(void *p) {
  int first = sorted();
  if (is_child) exit(first % 10);
  pthread_once(&once, fork_here);
  if (is_child) {
    pthread_mutex_lock(&lock);
    _exit(6);
  }
  *(int *)p = first;
  return NULL;
}

static void at_end(void) {
  if (is_child) return;
  fork_here();
  pthread_mutex_lock(&lock);
  if (is_child) _exit(7);
  pthread_mutex_unlock(&lock);
  printf("%d\n", children);
  fflush(stdout);
}

int main(void) {
  pthread_t t;
  int result = 0;
  atexit(at_end);
  pthread_create(&t, NULL, worker, &result);
  pthread_join(t, NULL);
  return result;
}
