// symex/inside -- inside symex/: what the walk needs to know of a runner.
#pragma once
#include "bytecode.h"
#include "host.h"
#include "operands.h"
#include "run.h"

const Bytecode *runner_code(const Runner *r);
// By pc; made when they are asked for first.
typedef struct {
  Operands *operands;
  uint8_t *does;        // Does
  uint32_t *addresses;  // of all instructions before it
} CodeFacts;
const CodeFacts *runner_facts(const Runner *r);
// The site of Σ for one of the module, which is added if need be.
uint32_t runner_site(Runner *r, Sigma *s, uint32_t site);
