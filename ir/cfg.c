#include "cfg.h"
#include <assert.h>
#include "each.h"
#include "core/core.h"

struct Cfg {
  LLVMValueRef function;
  uint32_t count;
  LLVMBasicBlockRef *blocks;
  Map *ids;
  Lists succs, preds;
  uint32_t *order, *place;
  uint32_t reachable;
};

static void connect(Cfg *c) {
  Pairs forward = {0}, backward = {0};
  for (uint32_t b = 0; b < c->count; ++b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(c->blocks[b]);
    assert(end);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); ++i) {
      uint32_t to = cfg_id(c, LLVMGetSuccessor(end, i));
      pairs_add(&forward, b, to);
      pairs_add(&backward, to, b);
    }
  }
  c->succs = lists_new(c->count, &forward);
  c->preds = lists_new(c->count, &backward);
  vec_free(&forward);
  vec_free(&backward);
}

// Depth-first with a stack of our own: functions of generated code have hundreds of thousands of blocks.
static void order(Cfg *c) {
  IdVec stack = {0};
  uint32_t *next = mem_array(c->count, sizeof *next), at = c->count;
  c->order = mem_array(c->count, sizeof *c->order);
  c->place = mem_array(c->count, sizeof *c->place);
  for (uint32_t b = 0; b < c->count; ++b) c->place[b] = CFG_NONE;
  vec_push(&stack, 0);
  c->place[0] = 0;
  while (stack.len) {
    uint32_t b = vec_last(&stack);
    Ids succs = cfg_succs(c, b);
    if (next[b] == succs.len) {
      c->order[--at] = vec_pop(&stack);
    } else {
      uint32_t s = succs.at[next[b]++];
      if (c->place[s] == CFG_NONE) vec_push(&stack, (c->place[s] = 0, s));
    }
  }
  c->reachable = c->count - at;
  memmove(c->order, c->order + at, c->reachable * sizeof *c->order);
  for (uint32_t i = 0; i < c->reachable; ++i) c->place[c->order[i]] = i;
  vec_free(&stack);
  mem_free(next);
}

Cfg *cfg_new(LLVMValueRef function) {
  Cfg *c = mem_alloc(sizeof *c);
  c->function = function;
  c->count = LLVMCountBasicBlocks(function);
  assert(c->count);
  c->blocks = mem_array(c->count, sizeof *c->blocks);
  LLVMGetBasicBlocks(function, c->blocks);
  c->ids = map_new();
  for (uint32_t b = 0; b < c->count; ++b) map_put(c->ids, map_key(c->blocks[b]), b);
  connect(c);
  order(c);
  CHECKED(cfg_check(c));
  return c;
}

void cfg_free(Cfg *c) {
  if (!c) return;
  mem_free(c->blocks);
  map_free(c->ids);
  lists_free(&c->succs);
  lists_free(&c->preds);
  mem_free(c->order);
  mem_free(c->place);
  mem_free(c);
}

LLVMValueRef cfg_function(const Cfg *c) {
  return c->function;
}
uint32_t cfg_count(const Cfg *c) {
  return c->count;
}
LLVMBasicBlockRef cfg_block(const Cfg *c, uint32_t b) {
  assert(b < c->count);
  return c->blocks[b];
}
uint32_t cfg_id(const Cfg *c, LLVMBasicBlockRef block) {
  return (uint32_t)map_or(c->ids, map_key(block), CFG_NONE);
}
uint32_t cfg_of(const Cfg *c, LLVMValueRef inst) {
  return cfg_id(c, LLVMGetInstructionParent(inst));
}
Ids cfg_succs(const Cfg *c, uint32_t b) {
  assert(b < c->count);
  return lists_of(&c->succs, b);
}
Ids cfg_preds(const Cfg *c, uint32_t b) {
  assert(b < c->count);
  return lists_of(&c->preds, b);
}
Ids cfg_order(const Cfg *c) {
  return (Ids){c->order, c->reachable};
}
uint32_t cfg_place(const Cfg *c, uint32_t b) {
  assert(b < c->count);
  return c->place[b];
}

static void mark(const Lists *edges, uint32_t b, bool *mark) {
  if (mark[b]) return;
  IdVec work = {0};
  vec_push(&work, (mark[b] = true, b));
  while (work.len) {
    Ids to = lists_of(edges, vec_pop(&work));
    for (vec_each(i, &to))
      if (!mark[to.at[i]]) vec_push(&work, (mark[to.at[i]] = true, to.at[i]));
  }
  vec_free(&work);
}

void cfg_mark_from(const Cfg *c, uint32_t b, bool *marks) {
  assert(b < c->count);
  mark(&c->succs, b, marks);
}
void cfg_mark_to(const Cfg *c, uint32_t b, bool *marks) {
  assert(b < c->count);
  mark(&c->preds, b, marks);
}

static void check_order(const Cfg *c) {
  uint32_t placed = 0;
  assert(c->reachable && c->reachable <= c->count);
  for (uint32_t b = 0; b < c->count; ++b) placed += c->place[b] != CFG_NONE;
  assert(placed == c->reachable);
  for (uint32_t i = 0; i < c->reachable; ++i) {
    assert(c->order[i] < c->count);
    assert(c->place[c->order[i]] == i);
  }
  assert(c->order[0] == 0);
}

// What an edge leads to is reachable too, and comes after one of its predecessors.
static void check_reached(const Cfg *c, uint32_t b) {
  Ids succs = cfg_succs(c, b), preds = cfg_preds(c, b);
  bool later = c->place[b] == 0;
  for (vec_each(i, &succs)) assert(c->place[succs.at[i]] != CFG_NONE);
  for (vec_each(i, &preds)) later = later || c->place[preds.at[i]] < c->place[b];
  assert(later);
}

void cfg_check(const Cfg *c) {
  assert(map_count(c->ids) == c->count);
  for (uint32_t b = 0; b < c->count; ++b) assert(cfg_id(c, c->blocks[b]) == b);
  lists_check(&c->succs, c->count, c->count);
  lists_check(&c->preds, c->count, c->count);
  assert(lists_mirror(&c->succs, c->count, &c->preds, c->count));
  check_order(c);
  for (uint32_t i = 0; i < c->reachable; ++i) check_reached(c, c->order[i]);
}
