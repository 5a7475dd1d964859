/* the environment is changed through the third parameter of main */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;
static void *run(void *x) {
  pthread_mutex_lock(&m);
  n++;
  pthread_mutex_unlock(&m);
  return x;
}
int main(int argc, char **argv, char **envp) {
  static char nine[] = "LEVEL=9";
  pthread_t t;
  for (char **e = envp; argc > 1 && *e; ++e)
    if (!strncmp(*e, "LEVEL=", 6)) *e = nine;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  int level = atoi(getenv("LEVEL"));
  if (level == 4) puts("four");
  printf("%d %d\n", n, level);
  return 0;
}
