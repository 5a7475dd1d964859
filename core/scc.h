// core/scc -- strongly connected components of a graph of ids.
#pragma once
#include <stdbool.h>
#include "lists.h"

// Components are numbered callees first: an edge leads to the same component or one with a smaller number.
typedef struct {
  uint32_t count;
  uint32_t *of;   // by node
  Lists members;  // by component; by id
  bool *cyclic;   // by component: more than one member, or an edge to itself
} Scc;

Scc scc_new(uint32_t nodes, const Lists *edges);
void scc_free(Scc *s);
void scc_check(const Scc *s, uint32_t nodes, const Lists *edges);  // asserts that it is whole
