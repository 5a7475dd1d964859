// Functions that never synchronize, once for each thread: an analysis that asks who touches what then sees
// one thread in each of them. Direct calls only; what is called through pointers stays shared. The smallest
// first, until the budget is used: most calls for the fewest instructions.
#include "specializer.h"
#include <assert.h>

typedef struct {
  uint32_t owner, function;  // of the call graph
  size_t size;
} Wanted;

typedef struct {
  LLVMValueRef call;
  uint64_t key;
} Use;

enum { UNASKED, FIT, UNFIT };

typedef struct {
  Module *k;
  uint8_t *fit;           // by function
  Map *owners;            // by schedule and thread, its number
  Vec(uint64_t) threads;  // by number
  Map *known;             // by owner and function: 1, or the copy
  Vec(Wanted) heap;       // the smallest on top
  Vec(Use) uses;
  size_t left;
  CfspecFigures *out;
} Apart;

static uint64_t key_of(uint32_t owner, uint32_t function) {
  return (uint64_t)owner << 32 | function;
}

static bool less(const Wanted *a, const Wanted *b) {
  if (a->size != b->size) return a->size < b->size;
  return a->function != b->function ? a->function < b->function : a->owner < b->owner;
}

static void swap(Apart *p, size_t i, size_t j) {
  Wanted w = p->heap.at[i];
  p->heap.at[i] = p->heap.at[j];
  p->heap.at[j] = w;
}

static void heap_push(Apart *p, Wanted w) {
  vec_push(&p->heap, w);
  for (size_t i = p->heap.len - 1; i && less(&p->heap.at[i], &p->heap.at[(i - 1) / 2]); i = (i - 1) / 2)
    swap(p, i, (i - 1) / 2);
}

static Wanted heap_pop(Apart *p) {
  assert(p->heap.len);
  Wanted top = p->heap.at[0];
  p->heap.at[0] = vec_last(&p->heap);
  --p->heap.len;
  for (size_t i = 0, child; (child = 2 * i + 1) < p->heap.len; i = child) {
    if (child + 1 < p->heap.len && less(&p->heap.at[child + 1], &p->heap.at[child])) ++child;
    if (!less(&p->heap.at[child], &p->heap.at[i])) break;
    swap(p, i, child);
  }
  return top;
}

static bool is_own(LLVMValueRef pointer) {
  for (;;) {
    if (LLVMIsAAllocaInst(pointer)) return true;
    if (!LLVMIsAGetElementPtrInst(pointer)) return false;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static bool touches(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return !is_own(LLVMGetOperand(i, 0));
  if (LLVMIsAStoreInst(i)) return !is_own(LLVMGetOperand(i, 1));
  return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAVAArgInst(i) ||
         (call_is(i) && !call_is_debug(i));
}

// Something that may be memory of others is touched, nothing synchronizes, and a copy is as good.
static bool is_fit(Module *k, uint32_t f) {
  LLVMValueRef v = callgraph_function(k->graph, f);
  bool any = false;
  if (LLVMIsDeclaration(v) || maysync_function(k->sync, f)) return false;
  for (all_blocks(b, v))
    for (all_insts(i, b)) {
      uint32_t site = call_is(i) ? sites_id(k->sites, i) : SITE_NONE;
      if (site != SITE_NONE && pieces_event_site(k->sync, site)) return false;
      if (LLVMIsAIndirectBrInst(i) || LLVMIsACallBrInst(i)) return false;
      if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind) return false;
      for (int n = 0; n < LLVMGetNumOperands(i); ++n)
        if (LLVMIsABlockAddress(LLVMGetOperand(i, (unsigned)n))) return false;
      any |= touches(i);
    }
  return any;
}

static bool is_known_fit(Apart *p, uint32_t f) {
  if (!p->fit[f]) p->fit[f] = is_fit(p->k, f) ? FIT : UNFIT;
  return p->fit[f] == FIT;
}

static void look(Apart *p, uint32_t owner, LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      LLVMValueRef to = call_is(i) ? LLVMGetCalledValue(i) : NULL;
      uint32_t id = to && LLVMIsAFunction(to) ? callgraph_id(p->k->graph, to) : CALLGRAPH_NONE;
      if (id == CALLGRAPH_NONE) continue;
      uint64_t key = key_of(owner, id), seen = map_or(p->known, key, 0);
      if (!seen && is_known_fit(p, id)) {
        seen = 1;
        map_put(p->known, key, seen);
        heap_push(p, (Wanted){owner, id, cut_size(to)});
      }
      if (seen) vec_push(&p->uses, ((Use){i, key}));
    }
}

static LLVMValueRef declare(Apart *p, const Wanted *w, LLVMValueRef original) {
  uint64_t thread = p->threads.at[w->owner];
  char *name =
      mem_format("%s.s%u.t%u", function_name(p->k, original), (uint32_t)(thread >> 32), (uint32_t)thread);
  LLVMValueRef f = clone_like(p->k, original, LLVMGlobalGetValueType(original), name);
  mem_free(name);
  return f;
}

typedef struct {
  Module *k;
  Map *values, *blocks;
  Locations where;
} Copier;

static LLVMBasicBlockRef copied_block(const Copier *c, LLVMBasicBlockRef b) {
  return (LLVMBasicBlockRef)(uintptr_t)map_or(c->blocks, map_key(b), 0);
}

static LLVMValueRef copied(const Copier *c, LLVMValueRef v) {
  return (LLVMValueRef)(uintptr_t)map_or(c->values, map_key(v), map_key(v));
}

// LLVM-C cannot change the blocks of a phi: it is built anew.
static LLVMValueRef copy_instruction(Copier *c, LLVMValueRef i) {
  LLVMValueRef made = LLVMIsAPHINode(i) ? LLVMBuildPhi(c->k->b, LLVMTypeOf(i), "") : LLVMInstructionClone(i);
  if (LLVMIsAPHINode(i) && LLVMCanValueUseFastMathFlags(i))
    LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(i));
  if (!LLVMIsAPHINode(i)) LLVMInsertIntoBuilder(c->k->b, made);
  LLVMInstructionSetDebugLoc(made, location_of(&c->where, i));
  location_fix(&c->where, made);
  map_put(c->values, map_key(i), map_key(made));
  ++c->k->cloned;
  return made;
}

static void join_phi(const Copier *c, LLVMValueRef i, LLVMValueRef made) {
  for (unsigned n = 0; n < LLVMCountIncoming(i); ++n) {
    LLVMValueRef value = copied(c, LLVMGetIncomingValue(i, n));
    LLVMBasicBlockRef block = copied_block(c, LLVMGetIncomingBlock(i, n));
    LLVMAddIncoming(made, &value, &block, 1);
  }
}

static void join(Copier *c, LLVMValueRef i) {
  LLVMValueRef made = copied(c, i);
  if (LLVMIsAPHINode(i)) {
    join_phi(c, i, made);
    return;
  }
  for (int n = 0; n < LLVMGetNumOperands(i); ++n) {
    LLVMValueRef v = LLVMGetOperand(i, (unsigned)n);
    if (v && (LLVMIsAInstruction(v) || LLVMIsAArgument(v))) LLVMSetOperand(made, (unsigned)n, copied(c, v));
  }
  for (unsigned n = 0; LLVMIsATerminatorInst(i) && n < LLVMGetNumSuccessors(i); ++n)
    LLVMSetSuccessor(made, n, copied_block(c, LLVMGetSuccessor(i, n)));
  location_variables(&c->where, i, made);
}

static void copy_body(Module *k, LLVMValueRef from, LLVMValueRef to) {
  Copier c = {.k = k, .values = map_new(), .blocks = map_new()};
  locations_begin(&c.where, k, from, to, c.values);
  for (unsigned n = 0; n < LLVMCountParams(from); ++n)
    map_put(c.values, map_key(LLVMGetParam(from, n)), map_key(LLVMGetParam(to, n)));
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  for (all_blocks(b, from)) {
    LLVMBasicBlockRef made = LLVMAppendBasicBlockInContext(k->c, to, "");
    map_put(c.blocks, map_key(b), map_key(made));
    LLVMPositionBuilderAtEnd(k->b, made);
    for (all_insts(i, b)) copy_instruction(&c, i);
  }
  for (all_blocks(b, from))
    for (all_insts(i, b)) join(&c, i);
  location_frame(&c.where, from, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(to)));
  locations_end(&c.where);
  map_free(c.values), map_free(c.blocks);
}

// What is left over calls the others' code, and is looked at no further.
static void make_all(Apart *p) {
  while (p->heap.len) {
    Wanted w = heap_pop(p);
    LLVMValueRef original = callgraph_function(p->k->graph, w.function);
    p->out->apart_wanted += w.size, ++p->out->copies_wanted;
    assert(map_or(p->known, key_of(w.owner, w.function), 0) == 1);
    if (w.size > p->left) continue;
    LLVMValueRef copy = declare(p, &w, original);
    copy_body(p->k, original, copy);
    map_put(p->known, key_of(w.owner, w.function), map_key(copy));
    p->left -= w.size;
    p->out->apart += w.size, ++p->out->copies;
    look(p, w.owner, copy);
  }
}

static void redirect(const Apart *p) {
  for (vec_each(i, &p->uses)) {
    uint64_t copy = map_or(p->known, p->uses.at[i].key, 1);
    LLVMValueRef call = p->uses.at[i].call;
    if (copy != 1)
      LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, (LLVMValueRef)(uintptr_t)copy);
  }
}

static uint32_t owner_of(Apart *p, uint32_t schedule, uint32_t thread) {
  uint64_t key = (uint64_t)schedule << 32 | thread, known;
  if (map_get(p->owners, key, &known)) return (uint32_t)known;
  map_put(p->owners, key, p->threads.len);
  vec_push(&p->threads, key);
  return (uint32_t)p->threads.len - 1;
}

void threads_apart(Module *k, size_t left, CfspecFigures *out) {
  Apart p = {.k = k, .owners = map_new(), .known = map_new(), .out = out};
  Vec(LLVMValueRef) clones = {0};
  p.fit = mem_array(callgraph_count(k->graph) + 1, sizeof *p.fit);
  uint32_t schedule, thread;
  p.left = left;
  for (all_functions(f, k->m))
    if (cfspec_belongs(f, &schedule, &thread)) vec_push(&clones, f);
  for (vec_each(i, &clones)) {
    cfspec_belongs(clones.at[i], &schedule, &thread);
    look(&p, owner_of(&p, schedule, thread), clones.at[i]);
  }
  make_all(&p);
  redirect(&p);
  vec_free(&clones), vec_free(&p.threads), vec_free(&p.heap), vec_free(&p.uses);
  map_free(p.owners), map_free(p.known);
  mem_free(p.fit);
}
