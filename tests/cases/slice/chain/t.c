#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total, unused;
static int twice(int x) {
  return x * 2;
}
static void *add(void *p) {
  int *v = p;
  pthread_mutex_lock(&m);
  for (int i = 0; i < 3; ++i)
    total += twice(v[i]);
  pthread_mutex_unlock(&m);
  return NULL;
}
int main(int argc, char **argv) {
  int v[3] = {1, 2, argc};
  pthread_t t;
  unused = 7;
  pthread_create(&t, NULL, add, v);
  pthread_join(t, NULL);
  unused = total > 100;
  if (total > 3)
    printf("%d\n", total);
  return argv == NULL;
}
