#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total, seen[4];
static int (*chosen)(int *, int);

static int pure(int a, int b) {
  return a > b && b ? a / b : a + b;
}

static int count(int *cell, int n) {
  int r = n > 2 || *cell > 100 ? n : 2;
  switch (n & 3) {
    case 0:
      *cell += 1;
      break;
    case 1:
      *cell += r;
      break;
    default:
      *cell += pure(r, n);
  }
  return *cell;
}

static int walk(int *cell, int n) {
  if (n <= 0) return count(cell, n);
  return walk(cell, n - 1) + count(cell, n) + (n % 5 == 0 ? chosen(cell, n) : 0);
}

static int twice(int *cell, int n) {
  return 2 * count(cell, n);
}

static int add_all(int *cell, int n, ...) {
  va_list l;
  va_start(l, n);
  for (int i = 0; i < n; ++i) *cell += va_arg(l, int);
  va_end(l);
  return *cell;
}

static void *worker(void *arg) {
  int *cell = arg, got = walk(cell, 12) + add_all(cell, 3, 5, 6, 7);
  pthread_mutex_lock(&m);
  total += got;
  pthread_mutex_unlock(&m);
  return NULL;
}

int main(int argc, char **argv) {
  pthread_t t[2];
  chosen = argc > 2 ? twice : count;
  for (int i = 0; i < 2; ++i) {
    seen[i] = argc > 1 ? argv[1][0] - '0' : i;
    pthread_create(&t[i], NULL, worker, &seen[i]);
  }
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  printf("%d %d %d\n", total, seen[0], walk(&seen[2], 6));
  return 0;
}
