// symex/term_of -- terms of the solver over the input, as terms of Σ.
#pragma once
#include "flow/flow.h"
#include "sigma/sigma.h"

typedef struct {
  const InputNumbers *numbers;
  Bv argc;                        // BV_NONE
  Bv texts[LIMIT_INPUT_NUMBERS];  // by number: the variable of the environment that it is read from; BV_NONE
  Bvs *t;
  // Of variables that are none of these; NULL: there are none.
  Term (*other)(const void *self, const void *writer, Bv x);
  const void *self;
} TermInput;
void term_input(TermInput *out, Flow *f, LLVMValueRef main);
// What x was in the recording: a term over the input alone. False: not kept.
bool term_recorded(const TermInput *in, const Sigma *s, const Schedule *c, Bv x, uint64_t *value);
bool term_knows(const TermInput *in, Bv variable);
// The one value that x has under these truths.
bool term_only_value(Solver *s, Bvs *t, const BvVec *truths, Bv x, uint64_t *value);
// All of them at once, as short as can be said easily; without a solver, as they are. TERM_NONE: one cannot
// be said.
Term term_number(const void *writer, Bv x);  // of what `other` is given: a part of it
Terms *term_target(const void *writer);
Term term_conjunction(const TermInput *in, Solver *s, Bvs *t, const BvVec *truths, Terms *out);
