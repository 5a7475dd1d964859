// Floating point is the host's: it is the machine that the program ran on. Float and double are computed in
// their own types, since rounding twice gives other numbers.
#include "number.h"
#include <assert.h>
#include <math.h>
#include <string.h>

__extension__ typedef unsigned __int128 Wide;
__extension__ typedef __int128 Signed;

static Wide read_wide(unsigned bits, const uint64_t *a) {
  return bits > 64 ? (Wide)a[1] << 64 | a[0] : a[0];
}
static void write_wide(unsigned bits, Wide x, uint64_t *to) {
  if (bits < 128) x &= ((Wide)1 << bits) - 1;
  to[0] = (uint64_t)x;
  if (bits > 64) to[1] = (uint64_t)(x >> 64);
}
static Signed read_signed(unsigned bits, const uint64_t *a) {
  return (Signed)(read_wide(bits, a) << (128 - bits)) >> (128 - bits);
}

bool number_wide(LLVMOpcode op, unsigned bits, const uint64_t *a, const uint64_t *b, uint64_t *to) {
  Wide x = read_wide(bits, a), y = read_wide(bits, b), r;
  Signed sx = read_signed(bits, a), sy = read_signed(bits, b);
  switch (op) {
    case LLVMAdd:
      r = x + y;
      break;
    case LLVMSub:
      r = x - y;
      break;
    case LLVMMul:
      r = x * y;
      break;
    case LLVMAnd:
      r = x & y;
      break;
    case LLVMOr:
      r = x | y;
      break;
    case LLVMXor:
      r = x ^ y;
      break;
    case LLVMShl:
      r = y < bits ? x << y : 0;
      break;
    case LLVMLShr:
      r = y < bits ? x >> y : 0;
      break;
    case LLVMAShr:
      r = (Wide)(sx >> (y < bits ? y : bits - 1));
      break;
    case LLVMUDiv:
    case LLVMURem:
      if (!y) return false;
      r = op == LLVMUDiv ? x / y : x % y;
      break;
    default:
      assert(op == LLVMSDiv || op == LLVMSRem);
      if (!y) return false;
      if (sy == -1)
        r = op == LLVMSDiv ? -x : 0;
      else
        r = (Wide)(op == LLVMSDiv ? sx / sy : sx % sy);
  }
  return write_wide(bits, r, to), true;
}

bool number_wide_compare(LLVMIntPredicate p, unsigned bits, const uint64_t *a, const uint64_t *b) {
  Wide x = read_wide(bits, a), y = read_wide(bits, b);
  Signed sx = read_signed(bits, a), sy = read_signed(bits, b);
  switch (p) {
    case LLVMIntEQ:
      return x == y;
    case LLVMIntNE:
      return x != y;
    case LLVMIntUGT:
      return x > y;
    case LLVMIntUGE:
      return x >= y;
    case LLVMIntULT:
      return x < y;
    case LLVMIntULE:
      return x <= y;
    case LLVMIntSGT:
      return sx > sy;
    case LLVMIntSGE:
      return sx >= sy;
    case LLVMIntSLT:
      return sx < sy;
    default:
      return sx <= sy;
  }
}

long double number_read(NumberKind kind, const uint64_t *a) {
  float f;
  double d;
  long double l = 0;
  if (kind == NUMBER_FLOAT) return memcpy(&f, a, sizeof f), f;
  if (kind == NUMBER_DOUBLE) return memcpy(&d, a, sizeof d), d;
  return memcpy(&l, a, 10), l;
}

void number_write(NumberKind kind, long double x, uint64_t *to) {
  float f = (float)x;
  double d = (double)x;
  *to = 0;
  if (kind == NUMBER_FLOAT)
    memcpy(to, &f, sizeof f);
  else if (kind == NUMBER_DOUBLE)
    memcpy(to, &d, sizeof d);
  else
    to[1] = 0, memcpy(to, &x, 10);
}

#define BINARY(type, rem)                               \
  do {                                                  \
    type x = (type)number_read(kind, a), y = 0, r;      \
    if (op != LLVMFNeg) y = (type)number_read(kind, b); \
    r = op == LLVMFAdd   ? x + y                        \
        : op == LLVMFSub ? x - y                        \
        : op == LLVMFMul ? x * y                        \
        : op == LLVMFDiv ? x / y                        \
        : op == LLVMFRem ? rem(x, y)                    \
                         : -x;                          \
    number_write(kind, r, to);                          \
  } while (0)

void number_float(LLVMOpcode op, NumberKind kind, const uint64_t *a, const uint64_t *b, uint64_t *to) {
  if (op == LLVMFNeg && kind != NUMBER_LONG_DOUBLE) {  // of a NaN too
    *to = *a ^ (kind == NUMBER_FLOAT ? UINT64_C(1) << 31 : UINT64_C(1) << 63);
    return;
  }
  if (kind == NUMBER_FLOAT)
    BINARY(float, fmodf);
  else if (kind == NUMBER_DOUBLE)
    BINARY(double, fmod);
  else
    BINARY(long double, fmodl);
}

bool number_compare(LLVMRealPredicate p, NumberKind kind, const uint64_t *a, const uint64_t *b) {
  long double x = number_read(kind, a), y = number_read(kind, b);
  bool unordered = isnan(x) || isnan(y);
  // The predicates are sets: equal 1, greater 2, less 4, unordered 8.
  unsigned is = unordered ? 8 : x == y ? 1 : x > y ? 2 : 4;
  return (unsigned)p & is;
}

static bool is_float(unsigned kind) {
  return kind <= NUMBER_LONG_DOUBLE;
}

void number_cast(LLVMOpcode op, unsigned from, unsigned bits_from, unsigned to_kind, unsigned bits,
                 const uint64_t *a, uint64_t *to) {
  if (op == LLVMFPToUI || op == LLVMFPToSI) {
    long double x = truncl(number_read((NumberKind)from, a));
    Wide r = 0;
    long double most = ldexpl(1, (int)(op == LLVMFPToUI ? bits : bits - 1));
    bool fits = op == LLVMFPToUI ? x > -1 && x < most : x >= -most && x < most;
    if (fits)
      r = op == LLVMFPToUI ? (Wide)x : (Wide)(Signed)x;
    else  // undefined; as the machine does
      r = (Wide)1 << (bits <= 32 ? 31 : 63);
    write_wide(bits, r, to);
  } else if (op == LLVMUIToFP || op == LLVMSIToFP) {
    Wide u = read_wide(bits_from, a);
    Signed s = read_signed(bits_from, a);
    bool sign = op == LLVMSIToFP;
    if (to_kind == NUMBER_FLOAT)
      number_write(NUMBER_FLOAT, sign ? (float)s : (float)u, to);
    else if (to_kind == NUMBER_DOUBLE)
      number_write(NUMBER_DOUBLE, sign ? (double)s : (double)u, to);
    else
      number_write(NUMBER_LONG_DOUBLE, sign ? (long double)s : (long double)u, to);
  } else if (op == LLVMFPTrunc || op == LLVMFPExt) {
    assert(is_float(from) && is_float(to_kind));
    number_write((NumberKind)to_kind, number_read((NumberKind)from, a), to);
  } else if (op == LLVMSExt) {
    write_wide(bits, (Wide)read_signed(bits_from, a), to);
  } else {
    assert(op == LLVMZExt || op == LLVMTrunc);
    write_wide(bits, read_wide(bits_from, a), to);
  }
}

static unsigned count_ones(Wide x) {
  return (unsigned)(__builtin_popcountll((uint64_t)x) + __builtin_popcountll((uint64_t)(x >> 64)));
}
static unsigned leading(Wide x, unsigned bits) {
  unsigned n = 0;
  while (n < bits && !(x >> (bits - 1 - n) & 1)) ++n;
  return n;
}
static unsigned trailing(Wide x, unsigned bits) {
  unsigned n = 0;
  while (n < bits && !(x >> n & 1)) ++n;
  return n;
}
static Wide reversed(Wide x, unsigned bits, unsigned unit) {
  Wide r = 0, mask = ((Wide)1 << unit) - 1;
  for (unsigned i = 0; i < bits; i += unit) r = r << unit | (x >> i & mask);
  return r;
}

// The result, and whether it does not fit. Of 128 bits the compiler's own checks do the work.
static bool overflows(NumberIntrinsic i, unsigned bits, const uint64_t *a, const uint64_t *b, Wide *out) {
  Wide x = read_wide(bits, a), y = read_wide(bits, b), u = 0;
  Signed sx = read_signed(bits, a), sy = read_signed(bits, b), s = 0;
  bool sign = false, over = false;
  switch (i) {
    case INTRINSIC_SADD_OVER:
    case INTRINSIC_SADD_SAT:
      over = __builtin_add_overflow(sx, sy, &s), sign = true;
      break;
    case INTRINSIC_SSUB_OVER:
    case INTRINSIC_SSUB_SAT:
      over = __builtin_sub_overflow(sx, sy, &s), sign = true;
      break;
    case INTRINSIC_SMUL_OVER:
      over = __builtin_mul_overflow(sx, sy, &s), sign = true;
      break;
    case INTRINSIC_UADD_OVER:
    case INTRINSIC_UADD_SAT:
      over = __builtin_add_overflow(x, y, &u);
      break;
    case INTRINSIC_USUB_OVER:
    case INTRINSIC_USUB_SAT:
      over = __builtin_sub_overflow(x, y, &u);
      break;
    default:
      over = __builtin_mul_overflow(x, y, &u);
  }
  if (sign) u = (Wide)s;
  uint64_t kept[2] = {0};
  write_wide(bits, u, kept);
  over |= sign ? read_signed(bits, kept) != s : read_wide(bits, kept) != u;
  *out = read_wide(bits, kept);
  return over;
}

static Wide saturated(NumberIntrinsic i, unsigned bits, const uint64_t *a, const uint64_t *b) {
  Wide r, top = (Wide)1 << (bits - 1);
  if (!overflows(i, bits, a, b, &r)) return r;
  if (i == INTRINSIC_UADD_SAT) return ~(Wide)0;
  if (i == INTRINSIC_USUB_SAT) return 0;
  bool up = i == INTRINSIC_SADD_SAT ? read_signed(bits, b) > 0 : read_signed(bits, b) < 0;
  return up ? top - 1 : top;
}

static void integer_intrinsic(NumberIntrinsic i, unsigned bits, const uint64_t *a, const uint64_t *b,
                              const uint64_t *c, uint64_t *to) {
  Wide x = read_wide(bits, a), y = b ? read_wide(bits, b) : 0, r = 0;
  Signed sx = read_signed(bits, a), sy = b ? read_signed(bits, b) : 0;
  unsigned by = c ? (unsigned)(read_wide(bits, c) % bits) : 0;
  switch (i) {
    case INTRINSIC_ABS:
      r = sx < 0 ? -x : x;
      break;
    case INTRINSIC_SMAX:
      r = sx > sy ? x : y;
      break;
    case INTRINSIC_SMIN:
      r = sx < sy ? x : y;
      break;
    case INTRINSIC_UMAX:
      r = x > y ? x : y;
      break;
    case INTRINSIC_UMIN:
      r = x < y ? x : y;
      break;
    case INTRINSIC_CTPOP:
      r = count_ones(x);
      break;
    case INTRINSIC_CTLZ:
      r = leading(x, bits);
      break;
    case INTRINSIC_CTTZ:
      r = trailing(x, bits);
      break;
    case INTRINSIC_BSWAP:
      r = reversed(x, bits, 8);
      break;
    case INTRINSIC_BITREVERSE:
      r = reversed(x, bits, 1);
      break;
    case INTRINSIC_FSHL:
      r = by ? x << by | y >> (bits - by) : x;
      break;
    case INTRINSIC_FSHR:
      r = by ? x << (bits - by) | y >> by : y;
      break;
    case INTRINSIC_SADD_SAT:
    case INTRINSIC_UADD_SAT:
    case INTRINSIC_SSUB_SAT:
    case INTRINSIC_USUB_SAT:
      r = saturated(i, bits, a, b);
      break;
    default:
      to[bits > 64 ? 2 : 1] = overflows(i, bits, a, b, &r);
  }
  write_wide(bits, r, to);
}

// Each in its own type.
static long double unary(NumberIntrinsic i, NumberKind kind, long double x) {
#define ONE(g)                                           \
  (kind == NUMBER_FLOAT    ? (long double)g##f((float)x) \
   : kind == NUMBER_DOUBLE ? (long double)g((double)x)   \
                           : g##l(x))
  switch (i) {
    case INTRINSIC_FABS:
      return ONE(fabs);
    case INTRINSIC_SQRT:
      return ONE(sqrt);
    case INTRINSIC_FLOOR:
      return ONE(floor);
    case INTRINSIC_CEIL:
      return ONE(ceil);
    case INTRINSIC_TRUNC:
      return ONE(trunc);
    case INTRINSIC_RINT:
      return ONE(rint);
    case INTRINSIC_NEARBYINT:
      return ONE(nearbyint);
    case INTRINSIC_ROUND:
      return ONE(round);
    case INTRINSIC_ROUNDEVEN:
      return ONE(rint);
    case INTRINSIC_SIN:
      return ONE(sin);
    case INTRINSIC_COS:
      return ONE(cos);
    case INTRINSIC_TAN:
      return ONE(tan);
    case INTRINSIC_EXP:
      return ONE(exp);
    case INTRINSIC_EXP2:
      return ONE(exp2);
    case INTRINSIC_LOG:
      return ONE(log);
    case INTRINSIC_LOG2:
      return ONE(log2);
    case INTRINSIC_LOG10:
      return ONE(log10);
    default:
      return x;
  }
#undef ONE
}

static long double binary(NumberIntrinsic i, NumberKind kind, long double x, long double y) {
#define TWO(g)                                                     \
  (kind == NUMBER_FLOAT    ? (long double)g##f((float)x, (float)y) \
   : kind == NUMBER_DOUBLE ? (long double)g((double)x, (double)y)  \
                           : g##l(x, y))
  switch (i) {
    case INTRINSIC_POW:
      return TWO(pow);
    case INTRINSIC_COPYSIGN:
      return TWO(copysign);
    case INTRINSIC_MINNUM:
      return TWO(fmin);
    case INTRINSIC_MAXNUM:
      return TWO(fmax);
    case INTRINSIC_MINIMUM:
      return isnan(x) || isnan(y) ? x + y : TWO(fmin);
    default:
      return isnan(x) || isnan(y) ? x + y : TWO(fmax);
  }
#undef TWO
}

// LLVM's bits: signaling and quiet NaN, then from -inf to +inf.
static unsigned class_of(NumberKind kind, long double x, const uint64_t *words) {
  uint64_t quiet = kind == NUMBER_FLOAT    ? UINT64_C(1) << 22
                   : kind == NUMBER_DOUBLE ? UINT64_C(1) << 51
                                           : UINT64_C(1) << 62;
  if (isnan(x)) return *words & quiet ? 2 : 1;
  int c = kind == NUMBER_FLOAT    ? fpclassify((float)x)
          : kind == NUMBER_DOUBLE ? fpclassify((double)x)
                                  : fpclassify(x);
  unsigned size = c == FP_INFINITE ? 3 : c == FP_NORMAL ? 2 : c == FP_SUBNORMAL ? 1 : 0;
  return 1u << (signbit(x) ? 5 - size : 6 + size);
}

static long double power(NumberKind kind, long double x, int n) {
  return kind == NUMBER_FLOAT    ? (long double)__builtin_powif((float)x, n)
         : kind == NUMBER_DOUBLE ? (long double)__builtin_powi((double)x, n)
                                 : __builtin_powil(x, n);
}

static long double multiply_add(NumberIntrinsic i, NumberKind kind, long double x, long double y,
                                long double z) {
  if (i == INTRINSIC_FMA)
    return kind == NUMBER_FLOAT    ? (long double)fmaf((float)x, (float)y, (float)z)
           : kind == NUMBER_DOUBLE ? (long double)fma((double)x, (double)y, (double)z)
                                   : fmal(x, y, z);
  if (kind == NUMBER_FLOAT) {
    float product = (float)x * (float)y;
    return (float)(product + (float)z);
  }
  if (kind == NUMBER_DOUBLE) {
    double product = (double)x * (double)y;
    return (double)(product + (double)z);
  }
  return x * y + z;
}

void number_intrinsic(NumberIntrinsic i, unsigned bits, const uint64_t *a, const uint64_t *b,
                      const uint64_t *c, uint64_t *to) {
  if (i < INTRINSIC_FIRST_FLOAT) {
    integer_intrinsic(i, bits, a, b, c, to);
    return;
  }
  NumberKind kind = (NumberKind)bits;
  long double x = number_read(kind, a);
  if (i >= INTRINSIC_FMA)
    number_write(kind, multiply_add(i, kind, x, number_read(kind, b), number_read(kind, c)), to);
  else if (i == INTRINSIC_CLASS)
    *to = (*b & class_of(kind, x, a)) != 0;
  else if (i == INTRINSIC_POWI)
    number_write(kind, power(kind, x, (int)(uint32_t)*b), to);
  else if (i == INTRINSIC_COPYSIGN && kind == NUMBER_DOUBLE)
    *to = (*a & INT64_MAX) | (*b & ~(uint64_t)INT64_MAX);
  else if (i >= INTRINSIC_POW)
    number_write(kind, binary(i, kind, x, number_read(kind, b)), to);
  else
    number_write(kind, unary(i, kind, x), to);
}
