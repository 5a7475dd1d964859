/*
 * args: 3
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct small { int a; double b; };
struct large { long v[5]; };
struct pair { float x, y; };

static void walk(const char *kinds, va_list args) {
  for (; *kinds; ++kinds) switch (*kinds) {
    case 'i': printf("i%d ", va_arg(args, int)); break;
    case 'l': printf("l%ld ", va_arg(args, long)); break;
    case 'd': printf("d%g ", va_arg(args, double)); break;
    case 'L': printf("L%Lg ", va_arg(args, long double)); break;
    case 's': { struct small s = va_arg(args, struct small); printf("s%d,%g ", s.a, s.b); break; }
    case 'b': { struct large s = va_arg(args, struct large); printf("b%ld,%ld ", s.v[0], s.v[4]); break; }
    case 'p': { struct pair s = va_arg(args, struct pair); printf("p%g,%g ", s.x, s.y); break; }
    case 'q': { __int128 q = va_arg(args, __int128); printf("q%ld ", (long)(q >> 60)); break; }
    case 't': printf("t%s ", va_arg(args, char *)); break;
  }
  puts("");
}
static void all(const char *kinds, ...) {
  va_list args, again;
  va_start(args, kinds);
  va_copy(again, args);
  walk(kinds, args);
  walk(kinds, again);
  va_end(again);
  va_end(args);
}
static int sum(int n, double scale, ...) {
  va_list args;
  int s = 0;
  va_start(args, scale);
  while (n--) s += va_arg(args, int);
  va_end(args);
  return (int)(s * scale);
}
static struct large make(int n) { return (struct large){{n, n + 1, n + 2, n + 3, n + 4}}; }
static struct small twice(struct small s) { s.a *= 2, s.b *= 2; return s; }
static long total(struct large l, struct small s, struct pair p) { l.v[0] += 100; return l.v[0] + l.v[4] + s.a + (long)p.y; }

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1;
  struct small s = {n, n / 2.0};
  struct large l = make(n);
  struct pair p = {1.5f, (float)n};
  all("iid", 1, 2, 3.5);
  all("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  all("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
  all("sbidLt", s, l, 4, 5.5, 6.25L, "text");
  all("psbLi", p, s, l, 1.0L, 7);
  all("iiiiqsi", 1, 2, 3, 4, (__int128)5 << 61, s, 9);
  all("bbllpq", l, make(40), 1L, -1L, p, (__int128)-1);
  printf("%d %d\n", sum(3, 1.5, 10, 20, 30), sum(9, 2, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  s = twice(s);
  printf("%ld %ld %d %g\n", total(l, s, p), l.v[0], s.a, s.b);
  return 0;
}
