// symex/number -- inside symex/: arithmetic that is too rare for an instruction of its own.
#pragma once
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
  INTRINSIC_ABS,
  INTRINSIC_SMAX,
  INTRINSIC_SMIN,
  INTRINSIC_UMAX,
  INTRINSIC_UMIN,
  INTRINSIC_CTPOP,
  INTRINSIC_CTLZ,
  INTRINSIC_CTTZ,
  INTRINSIC_BSWAP,
  INTRINSIC_BITREVERSE,
  INTRINSIC_FSHL,
  INTRINSIC_FSHR,
  INTRINSIC_SADD_SAT,
  INTRINSIC_UADD_SAT,
  INTRINSIC_SSUB_SAT,
  INTRINSIC_USUB_SAT,
  INTRINSIC_SADD_OVER,
  INTRINSIC_UADD_OVER,
  INTRINSIC_SSUB_OVER,
  INTRINSIC_USUB_OVER,
  INTRINSIC_SMUL_OVER,
  INTRINSIC_UMUL_OVER,  // two results
  INTRINSIC_FIRST_FLOAT,
  INTRINSIC_FABS = INTRINSIC_FIRST_FLOAT,
  INTRINSIC_SQRT,
  INTRINSIC_FLOOR,
  INTRINSIC_CEIL,
  INTRINSIC_TRUNC,
  INTRINSIC_RINT,
  INTRINSIC_NEARBYINT,
  INTRINSIC_ROUND,
  INTRINSIC_ROUNDEVEN,
  INTRINSIC_SIN,
  INTRINSIC_COS,
  INTRINSIC_TAN,
  INTRINSIC_EXP,
  INTRINSIC_EXP2,
  INTRINSIC_LOG,
  INTRINSIC_LOG2,
  INTRINSIC_LOG10,
  INTRINSIC_CANONICALIZE,
  INTRINSIC_POW,
  INTRINSIC_COPYSIGN,
  INTRINSIC_MINNUM,
  INTRINSIC_MAXNUM,
  INTRINSIC_MINIMUM,
  INTRINSIC_MAXIMUM,
  INTRINSIC_POWI,
  INTRINSIC_CLASS,
  INTRINSIC_FMA,
  INTRINSIC_FMULADD,
  INTRINSICS
} NumberIntrinsic;

typedef enum { NUMBER_FLOAT, NUMBER_DOUBLE, NUMBER_LONG_DOUBLE } NumberKind;

// Words of one or two slots, by width. False: what C leaves undefined (a division by zero) and the machine
// stops at.
bool number_wide(LLVMOpcode op, unsigned bits, const uint64_t *a, const uint64_t *b, uint64_t *to);
bool number_wide_compare(LLVMIntPredicate p, unsigned bits, const uint64_t *a, const uint64_t *b);
void number_float(LLVMOpcode op, NumberKind kind, const uint64_t *a, const uint64_t *b, uint64_t *to);
bool number_compare(LLVMRealPredicate p, NumberKind kind, const uint64_t *a, const uint64_t *b);
void number_cast(LLVMOpcode op, unsigned from, unsigned bits_from, unsigned to_kind, unsigned bits,
                 const uint64_t *a, uint64_t *to);
// kind: NumberKind, of those on floating point.
void number_intrinsic(NumberIntrinsic i, unsigned bits, const uint64_t *a, const uint64_t *b,
                      const uint64_t *c, uint64_t *to);
long double number_read(NumberKind kind, const uint64_t *a);
void number_write(NumberKind kind, long double x, uint64_t *to);
