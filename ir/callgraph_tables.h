// ir/callgraph_tables -- what a call graph consists of; private to ir/callgraph.
//
// Inside, a node is a function, an occasion at which outside code calls what has been registered for it, or a
// set of functions that a call of some signature may mean. Sets are shared by all such calls: with an edge
// per pair of call and target, programs that work by tables of functions would have quadratically many.
#pragma once
#include "callgraph.h"

// What unknown functions outside have been given: all of them may call it.
enum { KEPT = LIBRARY_OCCASIONS, OCCASIONS };

typedef struct {
  uint32_t when, node;
} Pass;

struct Callgraph {
  const Sites *sites;
  uint32_t count;  // of functions; nodes from here are occasions, nodes from count + OCCASIONS are sets
  LLVMValueRef *functions;
  Map *ids;
  uint32_t *self;    // 0, 1, 2 ...: what a function's node stands for
  Lists sets;        // by node - count - OCCASIONS
  uint32_t *target;  // by site: a node, or CALLGRAPH_NONE
  Vec(Pass) passes;  // of sites, and those that no site makes
  Lists passes_of;   // by site
  Lists sites_of;    // by node: those it is the target of
  Lists sets_of;     // by function: the sets it is in, as nodes
  unsigned *entries;
  bool *taken, *visible, *unknown;
  uint32_t nodes;
  Lists edges, back;
  Scc scc;
  uint32_t *component, components;  // those with functions in them, by number in scc
  Lists members;
};
