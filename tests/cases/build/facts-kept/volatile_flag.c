/* a volatile flag that the program never writes, and a switch whose copies leave in different places */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static volatile int flag;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  int x = 0, p = argc > 1 ? atoi(argv[1]) : 1;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  switch (p) {
    case 1: x = 1; break;
    case 2: x = 11; break;
    default: x = 21;
  }
  if (flag) pthread_mutex_lock(&m);
  if (p == 2) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); }
  printf("n %d x %d\n", n, x);
  return 0;
}
