// datalog/layout -- blocks of BDD variables, one per instance of a domain, and the order of all variables.
// Private to the folder.
//
// An order is text as bddbddb writes it: blocks from the root of the BDD to its leaves, V1xV0_H0: V1 and V0
// bit by bit in turn, then H0. The highest bit of a block comes first.
#pragma once
#include "ruleset.h"

// BuDDy goes one call deeper for each variable.
enum { LAYOUT_VARIABLES = 16384 };

typedef struct {
  uint32_t domain, number;
  unsigned bits;
  int variables[DOMAIN_BITS];  // by bit, the lowest first; made by layout_number
} Block;
typedef struct {
  Vec(Block) blocks;
  Vec(IdVec) groups;  // of interleaved blocks, from the root
  unsigned variables;
} Layout;

void layout_free(Layout *o);
uint32_t layout_block(Layout *o, const Ruleset *p, uint32_t domain, uint32_t number);  // made if it is new
// A block for each attribute: the one that it names, else the first instance that no other one has.
void layout_attributes(Layout *o, Ruleset *p);
// Groups from `text` (NULL: from the wishes of relations), and blocks that it does not name. False: an error.
bool layout_arrange(Layout *o, const Ruleset *p, const char *text, Place at, Diags *diags);
void layout_number(Layout *o);  // variables from groups
char *layout_text(const Layout *o, const Ruleset *p);
void layout_groups_free(Layout *o);
void layout_check(const Layout *o, const Ruleset *p);  // asserts that it is whole
