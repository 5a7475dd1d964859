// cfspec/dispatch_value -- inside dispatch: the terms of all constraints, each once. A value's operands have
// smaller numbers. What is Bool is built from TRUE, FALSE, NOT, ITE, AND and OR of two, and tests; of the
// comparisons only EQ, DISTINCT, LT, LE, BVULT, BVULE and DEFINED are left, of two operands but for DISTINCT.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

typedef uint32_t Value;
#define VALUE_NONE UINT32_MAX
enum { VALUE_FALSE, VALUE_TRUE };  // the first two

typedef struct {
  uint8_t op, type, access;  // as in TermNode
  uint32_t first, count;     // operands: value_operand
  Term term;                 // of a leaf: what it is, in the Terms of the Sigma
  Value subject;             // of a test of one value against a literal: the value, else itself
  uint64_t mentions;         // of Bool: a bit for the subject of every test in it
} ValueNode;

typedef struct Values Values;
Values *values_new(const Terms *ts);
void values_free(Values *vs);
Value values_of_term(Values *vs, Term t);
uint32_t values_count(const Values *vs);
ValueNode value_at(const Values *vs, Value v);
Value value_operand(const Values *vs, Value v, uint32_t i);
const Terms *values_terms(const Values *vs);
bool value_is_literal(const Values *vs, Value v);
// Of INT and STRING: as what is sorted. -1, 0, 1.
int value_compare_literals(const Values *vs, Value a, Value b);

// What is known where constraints are to be decided further.
typedef struct {
  Value test;     // it came out as `holds`; or VALUE_NONE:
  Value subject;  // is this literal,
  Value literal;  // or VALUE_NONE: none of those that it is compared to
  bool holds;
} Fact;
// The Bool v under a fact; adds to *work what it cost.
Value value_under(Values *vs, Value v, const Fact *f, uint64_t *work);
// The test that decides first.
Value value_first_test(const Values *vs, Value v);
// A test that a subject is a literal: which one. VALUE_NONE: it is something else.
Value value_equals(const Values *vs, Value test);
void values_check(const Values *vs);  // asserts that it is whole
