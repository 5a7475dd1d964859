// cfspec/dispatch_tree -- inside dispatch: what is asked in which order. A directed acyclic graph of steps; a
// value is evaluated where the last common step of all ways to its uses is.
#pragma once
#include "dispatch_value.h"

typedef enum { STEP_RESULT, STEP_TEST, STEP_CHOICE } StepKind;
typedef struct {
  Value literal;
  uint32_t to;
} StepCase;
typedef struct {
  StepKind kind;
  Value on;               // TEST: a Bool; CHOICE: Int64 or String
  uint32_t yes, no;       // TEST: the next steps; CHOICE: no: where no case fits
  uint32_t first, count;  // CHOICE: its cases, by increasing literals
  int64_t result;         // RESULT
} Step;

typedef struct {
  Vec(Step) steps;  // the first is where it begins; only those that can be reached
  Vec(StepCase) cases;
  Vec(uint32_t) order;  // steps before those that follow them
  uint32_t *place;      // by value: the step that evaluates it; UINT32_MAX: none
  uint32_t values;
} Tree;

// wholes[i], a Bool of vs, decides for results[i]; the first that holds wins.
Tree *tree_new(Values *vs, const Value *wholes, const int64_t *results, size_t count);
void tree_free(Tree *t);
void tree_check(const Tree *t, const Values *vs);  // asserts that it is whole
