/* the program writes over its arguments and the texts of its environment */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <string.h>
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
  char *e = getenv("LEVEL");
  if (e) strcpy(e, "5");                 /* changes the environment in place */
  if (argc > 1) strcpy(argv[1], "3");     /* and the arguments */
  int level = getenv("LEVEL") ? atoi(getenv("LEVEL")) : 0, a = argc > 1 ? atoi(argv[1]) : 0;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  if (level == 5) puts("five");
  if (a == 3) puts("three");
  printf("n %d level %d a %d\n", n, level, a);
  pthread_mutex_unlock(&m);
  return 0;
}
