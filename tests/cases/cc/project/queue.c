#include <pthread.h>
#include "parts.h"
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left_over, sum;
void queue_fill(int n) { left_over = n; }
int queue_take(void) {
  pthread_mutex_lock(&m);
  int v = left_over ? left_over-- : 0;
  pthread_mutex_unlock(&m);
  return v;
}
void queue_add(int v) {
  pthread_mutex_lock(&m);
  sum += v;
  pthread_mutex_unlock(&m);
}
int queue_sum(void) { return sum; }
