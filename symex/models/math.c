// What libm does beyond plain values; the rest is the interpreter's (symex/host.def).
#include <math.h>
#include <string.h>
#include "host.h"
#undef frexp
#undef ldexp

double ldexp(double x, int n) {
  for (; n > 1000; n -= 1000) x *= 0x1p1000;
  for (; n < -1000; n += 1000) x *= 0x1p-1000;
  unsigned long bits = (unsigned long)(1023 + n / 2) << 52, rest = (unsigned long)(1023 + n - n / 2) << 52;
  double a, b;
  memcpy(&a, &bits, sizeof a), memcpy(&b, &rest, sizeof b);
  return x * a * b;
}
double scalbn(double x, int n) {
  return ldexp(x, n);
}
double scalbln(double x, long n) {
  return ldexp(x, (int)n);
}
float ldexpf(float x, int n) {
  return (float)ldexp(x, n);
}
double frexp(double x, int *n) {
  *n = 0;
  if (x == 0 || x != x || x - x != 0) return x;
  while (fabs(x) >= 1) x /= 2, ++*n;
  while (fabs(x) < 0.5) x *= 2, --*n;
  return x;
}
float frexpf(float x, int *n) {
  return (float)frexp(x, n);
}
double modf(double x, double *whole) {
  *whole = trunc(x);
  return x - x != 0 && x == x ? copysign(0, x) : copysign(x - *whole, x);
}
float modff(float x, float *whole) {
  double w;
  float r = (float)modf(x, &w);
  *whole = (float)w;
  return r;
}
void sincos(double x, double *s, double *c) {
  *s = sin(x), *c = cos(x);
}
void sincosf(float x, float *s, float *c) {
  *s = sinf(x), *c = cosf(x);
}
int ilogb(double x) {
  return (int)logb(x);
}
int finite(double x) {
  return x - x == 0;
}
int(isnan)(double x) {
  return x != x;
}
int(isinf)(double x) {
  return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0;
}
int __isnan(double x) {
  return x != x;
}
int __isinf(double x) {
  return x == __builtin_inf() ? 1 : x == -__builtin_inf() ? -1 : 0;
}
int __finite(double x) {
  return x - x == 0;
}
double nan(const char *s) {
  return (void)s, __builtin_nan("");
}
