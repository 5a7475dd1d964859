#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(void) {
  pthread_t t;
  int *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  p[0] = 1;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pid_t c = fork();
  if (!c) {
    p[0] = 2;
    _exit(0);
  }
  waitpid(c, 0, 0);
  pthread_mutex_lock(&m);
  printf("n %d p %d\n", n, p[0]);
  if (p[0] == 2) puts("written by the child");
  pthread_mutex_unlock(&m);
  return 0;
}
