/*
 * args: 3
 */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int V __attribute__((vector_size(16)));
typedef float F __attribute__((vector_size(16)));
typedef double D __attribute__((vector_size(32)));
typedef unsigned char B __attribute__((vector_size(8)));
struct point { double x, y; };
union both { float f; unsigned u; unsigned char c[4]; };

static V scale(V v, int n) { return v * n + (V){1, 2, 3, 4}; }
static double complex square(double complex z) { return z * z + 1; }
static struct point middle(struct point a, struct point b) { return (struct point){(a.x + b.x) / 2, (a.y + b.y) / 2}; }

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  V v = scale((V){n, n + 1, n + 2, n + 3}, n), w = v > 14;
  for (int i = 0; i < 4; ++i) printf("%d %d ", v[i], w[i]);
  v = __builtin_shufflevector(v, w, 3, 5, 0, 6);
  v[n & 3] = 77;
  for (int i = 0; i < 4; ++i) printf("%d ", v[i]);
  F f = {1.5f, 2.5f, (float)n, -1}, g = f * f - 1;
  D d = {1, 2, 3, n};
  d = d / 3 + __builtin_convertvector(v, D);
  printf("%g %g %g %g %g %g\n", g[0], g[2], g[3], d[0], d[1], d[3]);
  B b = {1, 2, 3, 250, 5, 6, 7, 8};
  b += b, b ^= 0x55;
  for (int i = 0; i < 8; ++i) printf("%d ", b[i]);
  V shifted = v << 2 | v >> 1;
  printf("%d %d\n", shifted[0], shifted[2]);
  long both;
  memcpy(&both, &b, sizeof both);
  B again = (B)both;
  printf("%lx %d\n", both, again[3]);
  double complex z = square(n + 2 * I);
  printf("%g %g\n", creal(z), cimag(z));
  struct point p = middle((struct point){n, 2}, (struct point){4, 8});
  union both u = {.f = 1.5f};
  printf("%g %g %x %d\n", p.x, p.y, u.u, u.c[3]);
  int grid[3][4] = {{1, 2}, {[2] = n}, {7, 8, 9, 10}}, sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) sum += grid[i][j] * (i + 1) * (j + n);
  printf("%d\n", sum);
  return 0;
}
