// ir/induct -- affine induction variables: phis of a loop's header that change by the same amount each time
// round, and the comparisons with them that leave the loop. SSA form only: run mem2reg first.
//
// An amount is what one iteration adds, as a signed number; arithmetic is modulo 2^width unless a flag says
// more. nsw (nuw): the signed (unsigned) value plus the amount stays in range, for the program would
// otherwise compute poison; so such a fact holds in executions without undefined behaviour only. Without the
// flag, and where inducts_monotone does not find one in the bounds, nothing is known: the variable may wrap.
#pragma once
#include "loop.h"

typedef struct {
  uint32_t loop;
  LLVMValueRef phi;    // an integer of at most 64 bits, or a pointer
  LLVMValueRef start;  // its value on entry; NULL: several
  LLVMValueRef next;   // what all latches pass on; NULL: several values, but the same amount
  LLVMValueRef step;   // invariant: next = phi + step, or phi - step if minus. NULL: the amount instead
  int64_t amount;
  LLVMTypeRef element;  // of pointers: the amount counts elements of this type. Else NULL
  bool minus, nsw, nuw;
  bool inbounds;  // of pointers: it stays in the object, or at its end
} Induct;

// In this block the loop goes on only if `value stay bound`, signed or unsigned as the predicate is.
typedef struct {
  uint32_t loop, block;
  uint32_t induct;      // the value is of this variable
  bool of_next;         // after its step, not before it
  LLVMOpcode extended;  // LLVMSExt, LLVMZExt: the value is compared in a wider type. Else 0
  LLVMIntPredicate stay;
  LLVMValueRef bound;  // invariant, in the type of the comparison
  bool always;         // each iteration that comes to a latch passes here once
} InductBound;

typedef struct Inducts Inducts;
Inducts *inducts_new(const Loops *l);  // which must outlive it
void inducts_free(Inducts *in);
// By loop, then in the order of the phis; bounds in the order of the blocks.
size_t inducts_count(const Inducts *in);
const Induct *inducts_at(const Inducts *in, size_t i);
const Induct *inducts_find(const Inducts *in, LLVMValueRef phi);  // NULL: not one
size_t inducts_bounds(const Inducts *in);
const InductBound *inducts_bound(const Inducts *in, size_t i);
// The value of a constant amount never wraps, so it only grows (shrinks, if the amount is negative) in the
// given order of integers: by its flags, or because of a bound that is always tested before the step.
bool inducts_monotone(const Inducts *in, const Induct *v, bool is_signed);
// v is the same in all iterations: defined outside, or computed without memory from such values. May say no
// wrongly.
bool inducts_invariant(const Loops *l, uint32_t loop, LLVMValueRef v);
void inducts_check(const Inducts *in);  // asserts that they are whole
