/* Calls that must be tail calls, jumps by labels, assembler code that jumps, and many more events than recorded. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long n, mine, asked;  /* mine: of main alone */
static long add(long x) {
  pthread_mutex_lock(&m);
  n += x;
  pthread_mutex_unlock(&m);
  return x;
}
static long twice(long x) { return add(x) + add(x); }
static long tail(long x) {
  if (asked & 1) __attribute__((musttail)) return twice(x);
  __attribute__((musttail)) return add(x);
}
static long varies(int count, ...) {
  va_list all;
  long sum = 0;
  va_start(all, count);
  for (int i = 0; i < count; ++i) {
    if (asked & 2) add(100);
    sum += add(va_arg(all, long));
  }
  va_end(all);
  return sum;
}
static void labels(long x) {
  static const void *const to[] = {&&a, &&b, &&c};
  goto *to[x % 3];
a: mine += 1; goto done;
b: mine += 2; add(5);
c: mine += 3;
done:
  add(x);
}
/* Cannot be cut, and is called where it does not synchronize: a clone leaves for it. */
static long jumps(long x) {
  __asm__ goto("test %0, %0; jz %l1" : : "r"(x) : "cc" : none);
  return add(x);
none:
  return 1;
}
typedef struct { long a[6]; } Large;
static Large large(long x, Large by) {
  Large l = {{add(x), asked & 8 ? add(2) : 0}};
  for (int i = 2; i < 6; ++i) l.a[i] = by.a[i] + l.a[0];
  by.a[0] = add(l.a[5]);
  l.a[1] += by.a[0];
  return l;
}
static void *w(void *p) {
  for (long i = 0; i < 3 + (asked & 16) * 20; ++i) add(i);
  return p;
}
int main(int argc, char **argv) {
  asked = argc > 1 ? atoi(argv[1]) : 0;
  pthread_t t;
  pthread_create(&t, NULL, w, NULL);
  long r = tail(3) + varies(3, 1L, 2L, 3L);
  labels(asked / 4 % 2 ? 1 : 2);
  Large l = large(4, (Large){{1, 2, 3, 4, 5, 6}});
  pthread_join(t, NULL);
  r += jumps(asked & 32);
  printf("%ld %ld %ld\n", r, n + mine, l.a[1] + l.a[5]);
  return 0;
}
