/*
 * args: 5
 */
#include <alloca.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

static jmp_buf out;
static sigjmp_buf deeper;
static int depth;
static void sink(int n) {
  volatile char room[100];
  room[n] = 1;
  ++depth;
  if (n == 0) longjmp(out, 42);
  sink(n - room[n]);
}
static int classify(long x) {
  switch (x) {
    case -5: return 1;
    case 0 ... 3: return 2;
    case 4: case 400: return 3;
    case 1000000000000: return 4;
    default: return 5;
  }
}
static int many(int x) {
  switch (x) {
    case 1: return 10; case 3: return 11; case 7: return 12; case 20: return 13; case 21: return 14; case 22: return 15;
    case 90: return 16; case 91: return 17; case 100: return 18; case 1000: return 19; case -1: return 20; default: return 0;
  }
}
static int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const table[])(int) = {twice, thrice, abs};
static volatile sig_atomic_t got;
static void handler(int n) { got = n; }
static int zeros(int n) {
  int v[n], sum = 0;
  memset(v, 0, sizeof v);
  for (int i = 0; i < n; ++i) v[i] += i * i;
  for (int i = 0; i < n; ++i) sum += v[i];
  return sum + (int)(sizeof v);
}
static void at_end(void) { puts("at end"); }
static void before_end(void) { puts("before the end"); }
__attribute__((constructor)) static void early(void) { depth = 100; }
__attribute__((destructor)) static void late(void) { puts("destructor"); }

int main(int argc, char **argv) {
  volatile int n = argc > 1 ? atoi(argv[1]) : 1, tries = 0;
  atexit(at_end), atexit(before_end);
  int r = setjmp(out);
  printf("setjmp %d depth %d\n", r, depth);
  if (!r) sink(n);
  if (sigsetjmp(deeper, 1) < 3 && ++tries < 4) siglongjmp(deeper, tries);
  printf("tries %d\n", tries);
  printf("%d %d %d %d %d %d\n", classify(-5), classify(2), classify(400), classify(1000000000000), classify(5), classify(-6));
  for (int i = -2; i < 1002; ++i)
    if (many(i)) printf("%d:%d ", i, many(i));
  printf("\n%d %d\n", gcd(1071, 462), ack(2, n));
  for (int i = 0; i < 3; ++i) printf("%d ", table[i](-n));
  char *p = alloca((size_t)n + 1);
  memset(p, 'x', (size_t)n), p[n] = 0;
  printf("%s %d\n", p, zeros(n));
  signal(SIGUSR1, handler);
  raise(SIGUSR1);
  printf("signal %d\n", got == SIGUSR1);
  int i = 0;
again:
  if (i++ < n) goto again;
  printf("%d %s\n", i, strerror(ENOENT));
  do i -= 2; while (i > 0);
  for (int a = 0, b = 10; a < b; ++a, b -= 2) i += a * b;
  printf("%d\n", i);
  if (n == 99) abort();
  exit(3);
}
