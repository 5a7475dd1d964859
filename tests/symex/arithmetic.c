/*
 * args: 7 -3
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <limits.h>

typedef unsigned __int128 U;
typedef __int128 S;
typedef _BitInt(37) Odd;

static void show128(const char *name, U x) { printf("%s %016llx%016llx\n", name, (unsigned long long)(x >> 64), (unsigned long long)x); }

struct bits {
  unsigned a : 3;
  int b : 5;
  unsigned long long c : 40;
  signed char d : 2;
};

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int a = atoi(argv[1]), b = atoi(argv[2]);
  printf("%d %d %d %d %d\n", a + b, a - b, a * b, a / b, a % b);
  for (int w = 0; w < 33; w += 4) printf("%x %x %x|", (unsigned)a << (w & 31), (unsigned)b >> (w & 31), b >> (w & 31));
  puts("");
  int8_t c8 = (int8_t)(a * 40);
  uint8_t u8 = (uint8_t)(b * 3);
  int16_t s16 = (int16_t)(a * 9999);
  printf("%d %u %d %lld %llu\n", c8, u8, s16, (long long)b, (unsigned long long)b);
  U big = ((U)0x123456789abcdefULL << 64) + (U)(uint64_t)b;
  S sbig = -(S)big;
  show128("add", big + (U)a), show128("mul", big * (U)b), show128("div", big / (U)a), show128("rem", big % 1000007);
  show128("sdiv", (U)(sbig / a)), show128("srem", (U)(sbig % a)), show128("shl", big << a), show128("shr", big >> (a * 9));
  show128("sar", (U)(sbig >> (a * 9))), show128("and", big & (U)sbig), show128("xor", big ^ (U)sbig);
  printf("%d %d %d %d\n", big > (U)sbig, sbig < 0, sbig == -(S)big, (S)a > sbig);
  printf("%.17g %.17g %.17g\n", (double)big, (double)sbig, (double)(float)sbig);
  show128("from", (U)(S)-1.5e30), show128("fromu", (U)1.5e30);
  Odd odd = (Odd)a * 12345678;
  odd *= b;
  printf("%lld %d\n", (long long)odd, odd < 0);
  float f = (float)a / 3, g = f * 1.1f + 0.3f;
  double d = (double)b / 7, e = d * d - a;
  long double l = (long double)a / 3.0L, m = l * l + 0.1L;
  printf("%a %a %a %a %La %La\n", f, g, d, e, l, m);
  printf("%.20f %.20g %e %E %g %G\n", d, e, d, e, 1e-7, 123456789.0);
  printf("%Lf %.25Lf %Le\n", l, m, m);
  printf("%d %d %d %d %u %ld\n", (int)g, (int)e, (signed char)d, (short)1e4, (unsigned)3e9, (long)-7.9L);
  printf("%d %d %d %d %d\n", f < g, d == e, isnan(d / 0 - d / 0), d != d, l >= m);
  double zero = a - a, nan = zero / zero, inf = 1 / zero;
  printf("%d%d%d%d%d%d %f %f %f\n", nan < 1, nan > 1, nan == nan, nan != nan, !(nan <= 1), isunordered(nan, 1.0), fabs(nan), inf, -inf);
  printf("%g %g %g %g %g %g\n", sqrt(2.0 * a), sin(d), pow(a, d), fmod(17.5, a), hypot(3, 4), floor(-2.5));
  printf("%g %g %g %ld %lld %g\n", ceil(2.1), trunc(-2.7), round(2.5), lround(-2.5), llrint(3.5), rint(2.5));
  printf("%g %g %g %g\n", fabs(d), copysign(3, d), fmax(a, b), fmin(nan, 4));
  int n;
  double ip, fr = frexp(a * 100.5, &n), md = modf(-3.75, &ip);
  printf("%g %d %g %g %g\n", fr, n, md, ip, ldexp(0.75, -1070));
  int over;
  unsigned uo;
  long lo;
  printf("%d %d\n", __builtin_add_overflow(INT_MAX, a, &over), over);
  printf("%d %d\n", __builtin_mul_overflow(a, b, &over), over);
  printf("%d %u\n", __builtin_sub_overflow(3u, (unsigned)a, &uo), uo);
  printf("%d %ld\n", __builtin_mul_overflow(LONG_MAX / 2, (long)a, &lo), lo);
  printf("%d %d %d %d\n", __builtin_popcount(0xf0f0u * (unsigned)a), __builtin_clz(a), __builtin_ctzl(96), __builtin_ffs(b));
  printf("%x %llx %x\n", __builtin_bswap32(0x12345678u + (unsigned)a), __builtin_bswap64(0x0102030405060708ull), __builtin_bswap16(0x1234));
  printf("%x %x\n", __builtin_rotateleft32(0x80000001u, (unsigned)a), __builtin_bitreverse8((unsigned char)a));
  struct bits x = {5, -3, 0xabcdef1234ull, 1};
  x.a += (unsigned)a, x.b *= 2, x.c <<= 3, x.d = (signed char)-2;
  printf("%u %d %llx %d %zu\n", x.a, x.b, (unsigned long long)x.c, x.d, sizeof x);
  _Bool t = a, u = !b;
  t += u;
  printf("%d %d %d %d\n", t, u, a ?: 9, (a, b));
  printf("%d %ld %lld\n", abs(b), labs(-5l), llabs(LLONG_MIN + 1));
  return a + b;
}
