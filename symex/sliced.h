// symex/sliced -- inside symex/: what decides the synchronization of a run, as truths over its input.
//
// Two passes: a walk back over the trace keeps what decides (decides.h); then the run is executed once more
// for the values of what was kept, and terms are made of that alone. Each term is computed with the recorded
// input and compared with the value of the run. What has no term is a variable that says why.
#pragma once
#include "alias/alias.h"
#include "run.h"
#include "solve/solve.h"

typedef enum {
  ATOM_ARGC,         // 32 bits
  ATOM_NUMBER,       // 64 bits: what strtol makes of argument `index`, or of the variable `name`
  ATOM_UNSIGNED,     // the same, strtoul
  ATOM_REAL,         // bits of a double: atof of it
  ATOM_CHAR,         // 8 bits: byte `at` of argument `index`
  ATOM_ENVIRONMENT,  // 64 bits: the address of the value of `name`; 0: it is not set
  ATOM_ADD,          // of doubles, and so the next; a, b
  ATOM_SUB,
  ATOM_MUL,
  ATOM_DIV,
  ATOM_OF_INT,   // the double that a is as a signed number
  ATOM_TO_INT,   // 64 bits: the double a without its fraction
  ATOM_COMPARE,  // 1 bit: relation `index` (1 equal, 2 greater, 4 less, 8 unordered) holds between a and b
  ATOM_OBJECT,   // where something is that the run made: any address, but for no two the same
  ATOM_OPAQUE    // why
} AtomKind;
typedef struct {
  uint8_t kind, width;
  uint32_t index, at;
  char *name;  // NULL
  Bv a, b;
  uint64_t recorded;
  bool wide;        // of ATOM_NUMBER: more than the lower 32 bits were used
  uint32_t pc;      // of ATOM_OPAQUE
  const char *why;  // of ATOM_OPAQUE
  Bv var;
} Atom;

typedef struct {
  Bv truth;
  uint32_t pc;  // that it is needed for
} SlicedTruth;

typedef struct {
  Bvs *t;
  Vec(Atom) atoms;  // the key of a variable is an index
  Vec(SlicedTruth) truths;
  uint32_t wrong;  // pc whose term is not what the run had; TRACE_NONE
  uint32_t races;  // pc that reads what another thread writes without order; TRACE_NONE
  bool too_many;   // instances that decide: there are no truths
  uint64_t kept, passed;
} Sliced;

typedef struct {
  Runner *runner;
  const Alias *alias;
  const Sigma *sigma;
  uint32_t schedule;
  bool past_ends;  // inputs with which the process ends earlier, without another event, may do so
} SlicedInput;

// False: the run cannot be executed again; why is in result, or diags has an error. Free both either way.
bool sliced_make(const SlicedInput *in, Sliced *out, RunResult *result, Diags *diags);
void sliced_free(Sliced *s);
const Atom *sliced_atom(const Sliced *s, Bv x);  // of a variable; NULL: it is none
// What x was in the run.
uint64_t sliced_recorded(const Sliced *s, Bv x);
