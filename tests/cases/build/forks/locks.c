// The child takes a lock that the parent's threads had, and goes where the parent does not.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
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
  add(p ? 1 : 2);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  int ends[2], got = 0, status;
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, worker, i ? &lock : NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  if (pipe(ends)) return 2;
  pid_t child = fork();
  if (!child) {
    add(40);
    if (write(ends[1], &sum, sizeof sum) < 0) return 3;
    printf("child %d\n", sum);
    exit(7);
  }
  close(ends[1]);
  if (read(ends[0], &got, sizeof got) < 0) return 4;
  waitpid(child, &status, 0);
  add(100);
  printf("parent %d, the child said %d and ended with %d\n", sum, got, WEXITSTATUS(status));
  return 0;
}
