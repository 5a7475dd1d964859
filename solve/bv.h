// solve/bv -- terms over bit-vectors of 1 to 64 bits, with the arithmetic of the machine: it wraps around. A
// truth value has one bit. Equal terms are one: compare them as numbers. Folded as they are made.
#pragma once
#include "core/core.h"

#define BV_NONE UINT32_MAX

typedef uint32_t Bv;
typedef Vec(Bv) BvVec;
typedef enum {
  BV_CONST,
  BV_VAR,
  BV_ADD,
  BV_SUB,
  BV_MUL,
  BV_UDIV,  // by zero: all ones, as in SMT-LIB
  BV_SDIV,  // by zero: 1 or -1
  BV_UREM,  // by zero: the dividend
  BV_SREM,
  BV_AND,
  BV_OR,
  BV_XOR,
  BV_SHL,  // by the width or more: 0, and so BV_LSHR; BV_ASHR: the sign
  BV_LSHR,
  BV_ASHR,
  BV_EQ,  // these five give truth values
  BV_ULT,
  BV_ULE,
  BV_SLT,
  BV_SLE,
  BV_ZEXT,
  BV_SEXT,
  BV_TRUNC,
  BV_ITE,  // a ? b : c
} BvOp;

typedef struct {
  uint8_t op, width;
  Bv a, b, c;      // operands; BV_NONE
  uint64_t value;  // of a constant; of a variable, its key
} BvTerm;

typedef struct Bvs Bvs;
Bvs *bvs_new(void);
void bvs_free(Bvs *t);
size_t bvs_count(const Bvs *t);
BvTerm bv_at(const Bvs *t, Bv x);

Bv bv_const(Bvs *t, unsigned width, uint64_t value);  // the low bits of it
Bv bv_var(Bvs *t, unsigned width, uint64_t key);      // the same for the same key and width
// Two operands of one width. Extensions and truncations: bv_resize.
Bv bv_op(Bvs *t, BvOp op, Bv a, Bv b);
Bv bv_resize(Bvs *t, Bv a, unsigned width, bool is_signed);
Bv bv_ite(Bvs *t, Bv condition, Bv yes, Bv no);
Bv bv_substitute(Bvs *t, Bv x, Bv variable, Bv with);
Bv bv_not(Bvs *t, Bv truth);
bool bv_is_const(const Bvs *t, Bv x, uint64_t *value);
bool bv_is(const Bvs *t, Bv x, uint64_t value);
uint64_t bv_mask(unsigned width);
int64_t bv_signed(unsigned width, uint64_t value);
uint64_t bv_compute(const Bvs *t, Bv x, const uint64_t *parts);  // x for these operands; requires some
// As an expression, so many levels deep.
void bv_print(const Bvs *t, Bv x, unsigned depth, Bytes *out);

void bvs_check(const Bvs *t);  // asserts that it is whole
