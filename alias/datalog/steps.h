// datalog/steps -- how each rule is computed. Private to the folder.
//
// A term becomes a view: its relation with constants selected, what is not needed projected away, and the
// rest moved to the blocks that the rule's variables have. A step joins its views from left to right, drops
// each variable behind its last use, and moves the rest to the blocks of the head. Rules marked split become
// several steps, whose results are relations of their own. Steps are grouped into components: relations that
// depend on each other, in the order in which they are computed.
#pragma once
#include "layout.h"

// What becomes of one attribute of a view, or where one attribute of a head comes from.
typedef struct {
  ArgumentKind
      kind;  // VARIABLE: is in `block`; ANY: is projected, or holds any value; ALL: is true of all values
  uint32_t block;
  uint64_t value;  // of CONSTANT
} Slot;
typedef Vec(Slot) Slots;

typedef struct {
  TermKind kind;
  bool negated;
  uint32_t relation;  // of TERM_RELATION
  Slots slots;
  uint64_t offset;  // of TERM_MAP
} View;

typedef struct {
  uint32_t rule, part;
  uint32_t head;  // a relation
  Slots slots;    // by attribute of it
  IdVec views;
  Vec(IdVec) dropped;  // by view: blocks that nobody needs behind it
  uint32_t component;
  bool recursive;
  unsigned flags;
} Step;

typedef struct {
  Vec(View) views;
  Vec(Step) steps;
  uint32_t components;
  Vec(IdVec) ranked;  // by component: its steps, the most urgent first
} Plan;

// Adds relations to the program (for split rules) and blocks to the order. False: the program cannot be
// computed.
bool steps_make(Plan *plan, Ruleset *p, Layout *o, Diags *diags);
void steps_free(Plan *plan);
void steps_check(const Plan *plan, const Ruleset *p, const Layout *o);  // asserts that it is whole

// For each variable of a rule an instance of its domain, different ones for different variables; `component`
// is by relation. assign.c.
void assign_blocks(const Ruleset *p, Layout *o, const Rule *r, const uint32_t *component, uint32_t *blocks);
