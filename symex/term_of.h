// symex/term_of -- terms of the solver over the input, as terms of Σ.
#pragma once
#include "flow/flow.h"
#include "sigma/sigma.h"

typedef struct {
  const InputNumbers *numbers;
  Bv argc;                        // BV_NONE
  Bv texts[LIMIT_INPUT_NUMBERS];  // by number: the variable of the environment that it is read from; BV_NONE
  Bvs *t;
} TermInput;
void term_input(TermInput *out, Flow *f, LLVMValueRef main);
// What x was in the recording: a term over the input alone. False: not kept.
bool term_recorded(const TermInput *in, const Sigma *s, const Schedule *c, Bv x, uint64_t *value);
bool term_knows(const TermInput *in, Bv variable);
// The one value that x has under these truths.
bool term_only_value(Solver *s, Bvs *t, const BvVec *truths, Bv x, uint64_t *value);
// All of them at once, as short as can be said easily. TERM_NONE: one cannot be said.
Term term_conjunction(const TermInput *in, Solver *s, Bvs *t, const BvVec *truths, Terms *out);
