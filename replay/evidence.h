// replay/evidence -- one run of the program, held to a schedule, in which accesses are noted: which of them
// touched the same bytes in two threads, and what ordered them there. What a run shows is certain; what it
// does not show may be all the same.
#pragma once
#include "ir/ir.h"
#include "report/report.h"
#include "sigma/sigma.h"

typedef struct {
  const char *name;  // function%ordinal
  bool writes;
} EvidencePlace;

typedef struct Evidence Evidence;
// Watches these places in a run of the schedule. NULL: the program could not be run so, diags tell.
Evidence *evidence_new(const char *app, const Sigma *s, uint32_t schedule, const EvidencePlace *places,
                       size_t count, double seconds, Diags *diags);
void evidence_free(Evidence *e);
// The strongest that was seen of the two.
FindingSeen evidence_of(const Evidence *e, size_t place_a, size_t place_b);
// Pairs of places that touched the same byte, strongest first; the smaller number first.
typedef struct {
  uint32_t a, b;
  FindingSeen level;
} EvidencePair;
typedef Vec(EvidencePair) EvidencePairs;
const EvidencePairs *evidence_pairs(const Evidence *e);
const char *evidence_short(const Evidence *e);  // why not all of the run was seen; NULL: it was
