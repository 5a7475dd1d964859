#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total, compared;
static int by_value(const void *a, const void *b) {
  pthread_mutex_lock(&m);
  compared++;
  pthread_mutex_unlock(&m);
  return *(const int *)a - *(const int *)b;
}
static int *fresh(int n) {
  pthread_mutex_lock(&m);
  int *p = malloc(n * sizeof *p);
  pthread_mutex_unlock(&m);
  return p;
}
static void *run(void *arg) {
  int *mine = fresh(2);
  mine[0] = *(int *)arg;
  mine[1] = 1;
  qsort(mine, 2, sizeof *mine, by_value);
  pthread_mutex_lock(&m);
  total += mine[0];
  pthread_mutex_unlock(&m);
  free(mine);
  return 0;
}
int main(void) {
  pthread_t t[2];
  int given[2] = {3, 4};
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], 0, run, &given[i]);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
  return total != 2;
}
