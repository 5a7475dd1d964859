// A search over instructions, through returns and into functions that unlock; which caller a function returns
// to is not kept, so that a section may look longer than it is, never shorter. A path that ends the process
// may write why.
#include "section.h"
#include <assert.h>

typedef struct {
  SectionOf *of;
  LLVMValueRef lock;
  Vec(LLVMValueRef) queue;  // where paths go on
  Map *seen;
  bool *slow_functions, *slow_sites, *unlocking, *unlocking_sites;
} Search;

// Functions that may wait, and those that may unlock, with all that call them.
static void mark(Search *k) {
  const Callgraph *g = k->of->graph;
  uint32_t functions = callgraph_count(g), sites = sites_count(k->of->sites);
  k->slow_functions = mem_array(functions, 1), k->unlocking = mem_array(functions, 1);
  k->slow_sites = mem_array(sites + 1, 1), k->unlocking_sites = mem_array(sites + 1, 1);
  size_t len;
  for (uint32_t f = 0; f < functions; ++f)
    if (LLVMIsDeclaration(callgraph_function(g, f)))
      k->slow_functions[f] =
          callgraph_unknown(g, f) || library_waits(LLVMGetValueName2(callgraph_function(g, f), &len));
  for (uint32_t s = 0; s < sites; ++s) {
    uint32_t owner = callgraph_id(g, sites_function(k->of->sites, s));
    bool opaque = call_is_asm(sites_call(k->of->sites, s)) || !callgraph_targets(g, s).len;
    const Sync *op = maysync_operation(k->of->sync, s);
    if (opaque) k->slow_functions[owner] = true;
    if (op && op->kind == SYNC_UNLOCK && k->of->ordinary[s]) k->unlocking[owner] = true;
  }
  callgraph_mark_callers(g, k->slow_functions, k->slow_sites);
  callgraph_mark_callers(g, k->unlocking, k->unlocking_sites);
}

static void go_on(Search *k, LLVMValueRef at) {
  if (!at || map_or(k->seen, map_key(at), 0)) return;
  map_put(k->seen, map_key(at), 1);
  vec_push(&k->queue, at);
}

static void go_on_after(Search *k, LLVMValueRef call) {
  if (LLVMIsAInvokeInst(call)) {
    go_on(k, LLVMGetFirstInstruction(LLVMGetNormalDest(call)));
    go_on(k, LLVMGetFirstInstruction(LLVMGetUnwindDest(call)));
  } else {
    go_on(k, LLVMGetNextInstruction(call));
  }
}

static void go_on_in_callers(Search *k, LLVMValueRef function) {
  IdVec callers = {0};
  callgraph_callers(k->of->graph, callgraph_id(k->of->graph, function), &callers);
  for (vec_each(i, &callers)) go_on_after(k, sites_call(k->of->sites, callers.at[i]));
  vec_free(&callers);
}

// Constants that differ are different locks; of others nothing is known.
static bool may_be_same(LLVMValueRef a, LLVMValueRef b) {
  return !a || !b || a == b || !LLVMIsConstant(a) || !LLVMIsConstant(b);
}

typedef enum { PASSES, ENDS, ENTERS, SLOW } Meeting;
static Meeting meet(Search *k, LLVMValueRef call, uint32_t site) {
  SectionOf *of = k->of;
  const Sync *op = maysync_operation(of->sync, site), *taken = sync_of_call(k->lock);
  assert(taken);
  bool unlocks = op && op->kind == SYNC_UNLOCK && op->family == taken->family;
  if (unlocks && !of->used[site] &&
      may_be_same(sync_operand(call, op->object), sync_operand(k->lock, taken->object)))
    of->ordinary[site] = true;
  if (of->ordinary[site]) return unlocks ? ENDS : PASSES;
  if (maysync_event(of->sync, site) || maysync_derived(of->sync, site)) return ENDS;
  if (op) return PASSES;
  if (LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call)))) return ENDS;
  if (k->slow_sites[site] || call_is_asm(call) || !callgraph_targets(of->graph, site).len) return SLOW;
  return k->unlocking_sites[site] ? ENTERS : PASSES;
}

static void enter(Search *k, uint32_t site) {
  Ids targets = callgraph_targets(k->of->graph, site);
  for (vec_each(i, &targets)) {
    LLVMValueRef f = callgraph_function(k->of->graph, targets.at[i]);
    if (!LLVMIsDeclaration(f)) go_on(k, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  }
}

// To the end of the block, or of the section. False: at a call that may wait.
static bool follow(Search *k, LLVMValueRef from, LLVMValueRef *where_slow) {
  LLVMValueRef last = NULL;
  for (LLVMValueRef i = from; i; last = i, i = LLVMGetNextInstruction(i)) {
    uint32_t site = call_is(i) ? sites_id(k->of->sites, i) : SITE_NONE;
    if (site == SITE_NONE) continue;
    Meeting m = meet(k, i, site);
    if (m == SLOW) return *where_slow = i, false;
    if (m == ENTERS) enter(k, site);
    if (m == ENDS || m == ENTERS) return true;
  }
  if (LLVMIsAReturnInst(last) || LLVMIsAResumeInst(last))
    go_on_in_callers(k, LLVMGetBasicBlockParent(LLVMGetInstructionParent(last)));
  for (unsigned n = 0; n < LLVMGetNumSuccessors(last); ++n)
    go_on(k, LLVMGetFirstInstruction(LLVMGetSuccessor(last, n)));
  return true;
}

bool section_is_quick(SectionOf *of, uint32_t lock, LLVMValueRef *where_slow) {
  assert(lock < sites_count(of->sites) && maysync_operation(of->sync, lock)->kind == SYNC_LOCK);
  CHECKED(section_check(of));
  Search k = {.of = of, .lock = sites_call(of->sites, lock), .seen = map_new()};
  mark(&k);
  go_on_after(&k, k.lock);
  bool ok = true;
  for (size_t i = 0; ok && i < k.queue.len; ++i) ok = follow(&k, k.queue.at[i], where_slow);
  map_free(k.seen);
  vec_free(&k.queue);
  mem_free(k.slow_functions), mem_free(k.slow_sites), mem_free(k.unlocking), mem_free(k.unlocking_sites);
  assert(ok || *where_slow);
  CHECKED(section_check(of));
  return ok;
}

// What is ordinary code now locks or unlocks.
void section_check(const SectionOf *of) {
  assert(callgraph_sites(of->graph) == of->sites);
  for (uint32_t s = 0; s < sites_count(of->sites); ++s) {
    const Sync *op = maysync_operation(of->sync, s);
    assert(!of->ordinary[s] || (op && (op->kind == SYNC_LOCK || op->kind == SYNC_UNLOCK)));
  }
}
