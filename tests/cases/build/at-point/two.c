// Two points, one behind the other, and main's entry; a value that the point cuts from its use.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  sum += *(int *)arg;
  pthread_mutex_unlock(&m);
  return 0;
}
static int twice(int x) { return 2 * x; }
int main(int argc, char *argv[]) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  int many = n * 3;
  if (many > 100) return 1;
  if (argc > 2) puts("second argument"), many += twice(atoi(argv[2]));
  int one = twice(n) +
            (n > 2 ? many : twice(many));
  pthread_t t[9];
  for (int i = 0; i < n; ++i) pthread_create(&t[i], 0, work, &one);
  for (int i = 0; i < n; ++i) pthread_join(t[i], 0);
  return printf("%d %d\n", sum, many) < 0;
}
