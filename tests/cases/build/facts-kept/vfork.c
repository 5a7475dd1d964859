#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, seen = 1;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pid_t c = vfork();
  if (!c) {
    seen = 7;
    _exit(0);
  }
  waitpid(c, 0, 0);
  pthread_mutex_lock(&m);
  printf("n %d seen %d\n", n, seen);
  if (seen == 7) puts("written by the child");
  pthread_mutex_unlock(&m);
  return 0;
}
