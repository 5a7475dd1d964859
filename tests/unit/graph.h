// Functions of a given or random shape, for tests of graph algorithms.
#pragma once
#include <assert.h>
#include <stdlib.h>
#include "ir/ir.h"

typedef struct {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMValueRef function;
} Graph;

// Block 0 is the entry; nothing may lead to it. A block without edges returns.
static inline Graph graph_new(uint32_t blocks, const Pairs *edges) {
  Graph g = {.context = LLVMContextCreate()};
  g.module = LLVMModuleCreateWithNameInContext("graph", g.context);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(g.context);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g.context), &i32, 1, false);
  g.function = LLVMAddFunction(g.module, "f", type);
  LLVMBasicBlockRef *at = mem_array(blocks, sizeof *at);
  for (uint32_t b = 0; b < blocks; ++b) at[b] = LLVMAppendBasicBlockInContext(g.context, g.function, "");
  Lists to = lists_new(blocks, edges);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(g.context);
  for (uint32_t b = 0; b < blocks; ++b) {
    Ids succs = lists_of(&to, b);
    LLVMPositionBuilderAtEnd(builder, at[b]);
    LLVMValueRef s =
        succs.len ? LLVMBuildSwitch(builder, LLVMGetParam(g.function, 0), at[succs.at[0]], 2) : NULL;
    if (!s) LLVMBuildRetVoid(builder);
    for (size_t i = 1; i < succs.len; ++i) LLVMAddCase(s, LLVMConstInt(i32, i, false), at[succs.at[i]]);
  }
  LLVMDisposeBuilder(builder);
  lists_free(&to);
  mem_free(at);
  return g;
}

static inline void graph_free(Graph *g) {
  LLVMDisposeModule(g->module);
  LLVMContextDispose(g->context);
}

static inline uint32_t graph_random(uint64_t *state, uint32_t below) {
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;  // Marsaglia's xorshift
  return (uint32_t)((*state >> 11) % below);
}

// Small graphs as a matrix, for checking by brute force. GRAPH_LARGEST is one block more: a virtual exit.
enum { GRAPH_LARGEST = 24 };
typedef struct {
  uint32_t count;
  bool edge[GRAPH_LARGEST + 1][GRAPH_LARGEST + 1];
} GraphMatrix;

// What from reaches on paths that avoid one block, itself included.
static inline void graph_reach(const GraphMatrix *m, uint32_t from, uint32_t without, bool *seen) {
  uint32_t work[GRAPH_LARGEST + 1], len = 0;
  memset(seen, 0, GRAPH_LARGEST + 1);
  if (from == without) return;
  seen[work[len++] = from] = true;
  while (len) {
    uint32_t b = work[--len];
    for (uint32_t s = 0; s <= GRAPH_LARGEST; ++s)
      if (m->edge[b][s] && s != without && !seen[s]) seen[work[len++] = s] = true;
  }
}

// Sparse or dense, with near or far jumps, with and without blocks that stop.
static inline void graph_edges(uint64_t *state, uint32_t blocks, Pairs *edges, GraphMatrix *m) {
  uint32_t most = 1 + graph_random(state, 3), near = graph_random(state, 3), stops = graph_random(state, 8);
  *m = (GraphMatrix){.count = blocks};
  for (uint32_t b = 0; b < blocks && blocks > 1; ++b) {
    uint32_t count = graph_random(state, 10) < stops ? 0 : 1 + graph_random(state, most);
    for (uint32_t i = 0; i < count; ++i) {
      uint32_t to = near ? b + graph_random(state, 6) : 3 + graph_random(state, blocks);
      to = to < 3 ? 0 : to - 3;  // from two back to three on
      pairs_add(edges, b, to % blocks ? to % blocks : 1);
    }
  }
  for (vec_each(i, edges)) m->edge[edges->at[i].owner][edges->at[i].item] = true;
}

// The graph of a seed, and the same as a matrix.
static inline Graph graph_of_seed(uint64_t seed, GraphMatrix *m) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  Pairs edges = {0};
  graph_edges(&state, 1 + graph_random(&state, GRAPH_LARGEST), &edges, m);
  Graph g = graph_new(m->count, &edges);
  vec_free(&edges);
  return g;
}
