// Before the point something may return twice, or jump to it.
#include <pthread.h>
#include <setjmp.h>
static jmp_buf here;
static void *work(void *arg) { return arg; }
int main(int argc, char **argv) {
  int n = 0;
  static const void *const to[] = {&&first, &&second};
  goto *to[argc > 1];
first:
  n = 3;
second:
  if (setjmp(here)) n = 4;
  n += argv[0][0];
  pthread_t t;
  pthread_create(&t, 0, work, &n);
  pthread_join(t, 0);
  return n == 0;
}
