// Operations in functions that are not inlined: with variable arguments, with setjmp, called back.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count, sorted[4] = {4, 3, 2, 1}, after_args, after_jump, after_sort;
void step(int n) {
  pthread_mutex_lock(&m);
  count += n;
  pthread_mutex_unlock(&m);
}
void with_args(int first, ...) {
  va_list ap;
  va_start(ap, first);
  step(va_arg(ap, int));
  va_end(ap);
}
void with_jump(void) {
  jmp_buf b;
  if (setjmp(b)) return;
  step(1);
}
int compare(const void *x, const void *y) {
  step(0);
  return *(const int *)x - *(const int *)y;
}
void *worker(void *p) {
  usleep(200000);
  step(1);
  after_args = 1;
  step(1);
  after_jump = 1;
  step(1);
  after_sort = 1;
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  with_args(1, 2);
  after_args = 2;
  with_jump();
  after_jump = 2;
  qsort(sorted, 4, sizeof *sorted, compare);
  after_sort = 2;
  pthread_join(t, 0);
  return 0;
}
