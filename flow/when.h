// flow/when -- inside flow/: a constraint, or as much of it as is about numbers that are known, as truths.
#pragma once
#include "known.h"
#include "number.h"

typedef struct {
  Known *v;
  const Terms *terms;
  LLVMValueRef main;
  const InputNumbers *numbers;  // that main reads
} WhenInput;

// The number that main reads from there, as 64 bits; BV_NONE: it reads none. name: of a variable, or NULL.
Bv when_number(const WhenInput *in, uint32_t index, const char *name);
// What holds wherever the constraint does, told to v.
void when_facts(const WhenInput *in, Term when);
