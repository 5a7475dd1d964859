/* a test behind the start of a thread that writes: it must not move in front of it */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(int argc, char **argv) {
  pthread_t t;
  int x = atoi(argv[1]);
  pthread_mutex_lock(&m);
  n = 1;
  pthread_mutex_unlock(&m);
  if (write(1, "before\n", 7) != 7) return 1;
  if (!x) {
    puts("left early");
    exit(3);
  }
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  if (x) puts("x");
  pthread_mutex_unlock(&m);
  return 0;
}
