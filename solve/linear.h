// solve/linear -- terms as sums: constant + factor * atom + ..., modulo 2^width. Extensions and divisions are
// atoms.
#pragma once
#include "bv.h"

typedef struct {
  Bv atom;
  uint64_t factor;  // not 0
} LinearPart;
typedef struct {
  unsigned width, count;
  uint64_t constant;
  LinearPart part[LIMIT_LINEAR];  // by atom
} Linear;

bool linear_of(const Bvs *t, Bv x, Linear *out);   // false: too many parts
void linear_subtract(Linear *x, const Linear *y);  // count LIMIT_LINEAR + 1: too many parts
