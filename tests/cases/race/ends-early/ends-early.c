// A thread ends in pthread_exit, and has not always been where p changes.
#include <pthread.h>
#include <stdlib.h>
static int a, b;
static int *p = &a;
static int n;
static void *chooser(void *arg) {
  if (n > 3) p = &b;
  pthread_exit(arg);
}
static void *writer(void *arg) {
  a = 2;
  return arg;
}
int main(int argc, char **argv) {
  pthread_t t, u;
  n = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&t, 0, chooser, 0);
  pthread_join(t, 0);
  pthread_create(&u, 0, writer, 0);
  *p = 5;
  pthread_join(u, 0);
  return 0;
}
