// solve/linear -- terms as sums: constant + factor * atom + ..., modulo 2^width. Extensions and divisions are
// atoms.
#pragma once
#include "bv.h"

enum { LINEAR_MOST = 12 };
typedef struct {
  Bv atom;
  uint64_t factor;  // not 0
} LinearPart;
typedef struct {
  unsigned width, count;
  uint64_t constant;
  LinearPart part[LINEAR_MOST];  // by atom
} Linear;

bool linear_of(const Bvs *t, Bv x, Linear *out);   // false: too many parts
void linear_subtract(Linear *x, const Linear *y);  // count LINEAR_MOST + 1: too many parts
