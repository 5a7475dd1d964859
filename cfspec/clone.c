// The code of one activation: its segments in order, each cut from the original, with an event between.
#include "specializer.h"
#include <assert.h>

LLVMValueRef mapped(Cloner *c, LLVMValueRef v) {
  if (!LLVMIsAInstruction(v) && !LLVMIsAArgument(v)) return v;
  uint64_t known;
  if (map_get(c->values, map_key(v), &known)) return (LLVMValueRef)(uintptr_t)known;
  diag_at(c->k->diags, DIAG_ERROR, v, "the clone has no value for %s here", LLVMGetValueName(c->original));
  return LLVMGetPoison(LLVMTypeOf(v));
}

static void map_operands(Cloner *c, LLVMValueRef clone) {
  for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(clone); i < n; ++i) {
    LLVMValueRef v = LLVMGetOperand(clone, i);
    if (v && (LLVMIsAInstruction(v) || LLVMIsAArgument(v))) LLVMSetOperand(clone, i, mapped(c, v));
  }
}

LLVMValueRef clone_instruction(Cloner *c, LLVMValueRef i) {
  LLVMValueRef clone = LLVMInstructionClone(i);
  LLVMSetCurrentDebugLocation2(c->k->b, NULL);
  LLVMInstructionSetDebugLoc(clone, location_of(&c->where, i));
  map_operands(c, clone);
  size_t len;
  const char *name = LLVMGetValueName2(i, &len);
  LLVMInsertIntoBuilderWithName(c->k->b, clone, name);
  location_variables(&c->where, i, clone);
  location_fix(&c->where, clone);
  map_put(c->values, map_key(i), map_key(clone));
  ++c->k->cloned;
  return clone;
}

// exit is met by the runtime, in a handler. These run none: the end of the process waits for its turn here.
static void wait_for_end(Cloner *c, LLVMValueRef call) {
  static const char *const ends[] = {"_exit", "_Exit", "quick_exit"};
  LLVMValueRef f = call_function(call);
  bool at_once = false;
  for (size_t i = 0; f && i < sizeof ends / sizeof *ends; ++i)
    at_once |= !strcmp(LLVMGetValueName(f), ends[i]);
  if (!at_once || c->quiet || c->next != SIGMA_NONE)
    return;  // earlier it leaves the schedule, which is allowed
  Module *k = c->k;
  LLVMTypeRef types[] = {k->ptr, k->ptr}, type = LLVMFunctionType(k->none, types, 2, 0);
  LLVMValueRef args[] = {node_of(c->s, c->s->exit_event[c->a->thread]), LLVMConstNull(k->ptr)};
  LLVMSetCurrentDebugLocation2(k->b, location_of(&c->where, call));
  LLVMBuildCall2(k->b, type, runtime_function(k, "rt_enf_before", type, true), args, 2, "");
}

// Calls that are no events although they may synchronize.
static LLVMValueRef clone_call(Cloner *c, LLVMValueRef i) {
  uint32_t site = call_is(i) ? sites_id(c->k->sites, i) : SITE_NONE;
  if (site != SITE_NONE && c->s->exits[c->a->thread] && site == c->s->exit_site[c->a->thread])
    wait_for_end(c, i);
  if (site == SITE_NONE || !plan_soft(c->s->plan, site)) return clone_instruction(c, i);
  LLVMValueRef target = quiet_target(c, site, i), clone = clone_instruction(c, i);
  LLVMSetOperand(clone, (unsigned)LLVMGetNumOperands(clone) - 1, target);
  if (LLVMIsACallInst(clone)) LLVMSetTailCallKind(clone, LLVMTailCallKindNone);
  return clone;
}

// Whether control may return to the caller from here.
static bool may_return(const Cloner *c) {
  const Activation *a = c->a;
  return a->end == END_RETURNS || a->end == END_EITHER || a->begin == BEGIN_MAIN || !c->s->exits[a->thread];
}

LLVMValueRef tested_load(LLVMValueRef condition) {
  if (!LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) return NULL;
  LLVMValueRef v = LLVMGetOperand(condition, 0);
  bool masked = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAnd;
  return LLVMIsALoadInst(masked ? LLVMGetOperand(v, 0) : v);
}

// Code that initialises a local static looks at its guard before it asks __cxa_guard_acquire. Where the
// schedule asks, the run may find the guard set already: asked all the same, the function says so, and
// nothing differs.
static bool asks_guard(LLVMValueRef end, LLVMBasicBlockRef to) {
  LLVMValueRef call = LLVMGetFirstInstruction(to), load = NULL;
  if (LLVMIsABranchInst(end) && LLVMIsConditional(end)) load = tested_load(LLVMGetCondition(end));
  if (!load || !call_is(call)) return false;
  const Sync *s = sync_of_call(call);
  return s && !strcmp(s->name, "__cxa_guard_acquire") &&
         sync_operand(call, s->object) == LLVMGetOperand(load, 0);
}

// Where a way that is not in the schedule goes on within it; NULL: it does not.
static LLVMBasicBlockRef goes_on(const Cloner *c, LLVMValueRef end) {
  for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, n);
    uint32_t piece = pieces_block(c->pieces, to);
    if (pieces_in(c->set, piece) && asks_guard(end, to)) return c->blocks[piece];
  }
  return NULL;
}

static void clone_terminator(Cloner *c, LLVMValueRef end, bool last_segment) {
  if (LLVMIsAReturnInst(end) && !(last_segment && may_return(c))) {
    guard_here(c, end, "a return", exit_by_end(LLVMGetInstructionParent(end)));
    return;
  }
  LLVMValueRef clone = clone_call(c, end);
  Map *guards = map_new();
  for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, n);
    uint32_t piece = pieces_block(c->pieces, to);
    bool landing = LLVMIsALandingPadInst(LLVMGetFirstInstruction(to)) != NULL;
    LLVMBasicBlockRef block = pieces_in(c->set, piece) ? c->blocks[piece] : goes_on(c, end);
    if (!block) block = (LLVMBasicBlockRef)(uintptr_t)map_or(guards, piece, 0);
    if (!block) {
      block = LLVMAppendBasicBlockInContext(c->k->c, c->clone, "diverged");
      guard_edge(c, block, end, landing ? "an exception" : "a branch that this schedule does not take", to);
      map_put(guards, piece, map_key(block));
    }
    LLVMSetSuccessor(clone, n, block);
  }
  map_free(guards);
}

static bool is_static_alloca(LLVMValueRef i) {
  return LLVMIsAAllocaInst(i) && LLVMIsAConstantInt(LLVMGetOperand(i, 0)) &&
         LLVMGetInstructionParent(i) ==
             LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i)));
}

bool left_out(Cloner *c, LLVMValueRef i) {
  return is_static_alloca(i) || (c->inside && point_drops(c, i));
}

void clone_straight(Cloner *c, const Piece *p) {
  for (LLVMValueRef i = p->first; i && i != p->last; i = LLVMGetNextInstruction(i))
    if (!left_out(c, i)) clone_call(c, i);
}

static void clone_piece(Cloner *c, uint32_t piece, LLVMBasicBlockRef block, const Step *step,
                        LLVMBasicBlockRef *after) {
  const Piece *p = &c->pieces->pieces.at[piece];
  LLVMPositionBuilderAtEnd(c->k->b, block);
  clone_straight(c, p);
  if (p->site == SITE_NONE && piece == c->called) leave_if_free(c, p->last);
  if (p->site == SITE_NONE) leave_if_forked(c, p->last), follow_jump(c, p->last);
  if (p->site == SITE_NONE)
    clone_terminator(c, p->last, !step);
  else if (step && p->site == step->site)
    *after = step_clone(c, step, p->last);
  else
    guard_here(c, p->last, "an event", exit_to(p->block));
}

static uint32_t first_piece(const Cloner *c) {
  if (!c->inside) return 0;
  return pieces_block(c->pieces, LLVMGetInstructionParent(c->s->point->at));
}

// It begins the code, or stands behind an event.
static void refuse_segment(Cloner *c, uint32_t start, LLVMBasicBlockRef block) {
  const Piece *p = &c->pieces->pieces.at[start];
  bool first = start == first_piece(c), lands = p->first && LLVMIsALandingPadInst(p->first);
  LLVMPositionBuilderAtEnd(c->k->b, block);
  if (lands && !c->goes_on) clone_instruction(c, p->first);
  guard_here(c, p->last, "code that does not lead to the next event",
             first ? exit_to(p->block) : exit_through(start));
}

static void clone_segment(Cloner *c, uint32_t start, LLVMBasicBlockRef block, const Step *step,
                          LLVMBasicBlockRef *after) {
  size_t n = c->pieces->pieces.len;
  bool returns = c->a->end == END_RETURNS;
  bool jumps = step && step->jump != SIGMA_NONE;
  uint32_t to = jumps      ? TO_ANYWHERE
                : step     ? step->site
                : c->quiet ? TO_LEAVE
                : returns  ? TO_RETURN
                           : TO_ANYWHERE;
  c->set = pieces_between(c->pieces, start, to);
  *after = NULL;
  if (!pieces_in(c->set, start)) {
    refuse_segment(c, start, block);
    return;
  }
  for (size_t i = 0; i < n; ++i)
    c->blocks[i] = i == start                       ? block
                   : pieces_in(c->set, (uint32_t)i) ? LLVMAppendBasicBlockInContext(c->k->c, c->clone, "")
                                                    : NULL;
  CHECKED(cloner_check(c));
  // The head first: what it uses of its block from before the event is the latest clone of that.
  clone_piece(c, start, block, step, after);
  for (uint32_t i = 0; i < n; ++i)
    if (c->blocks[i] && i != start) clone_piece(c, i, c->blocks[i], step, after);
  if (jumps) *after = c->jumps[c->at];
}

static void clone_frame(Cloner *c) {
  LLVMPositionBuilderAtEnd(c->k->b, c->entry);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(c->original);
  if (c->inside) point_frame(c);
  for (all_insts(i, entry))
    if (!c->inside && is_static_alloca(i)) clone_instruction(c, i);
  for (unsigned i = 0; i < LLVMCountParams(c->original); ++i)
    map_put(c->values, map_key(LLVMGetParam(c->original, i)), map_key(LLVMGetParam(c->clone, i)));
}

void cloner_check(const Cloner *c) {
  assert(c->original == callgraph_function(c->k->graph, c->a->function) && c->k == c->s->k);
  assert(c->clone != c->original && LLVMGetBasicBlockParent(c->entry) == c->clone);
  assert(!c->quiet || !c->a->steps.len);
  assert(c->at <= c->a->steps.len);
  for (uint32_t i = 0; i < c->pieces->pieces.len; ++i) {
    assert(LLVMGetBasicBlockParent(c->pieces->pieces.at[i].block) == c->original);
    assert(pieces_in(c->set, i) == (c->blocks[i] != NULL));
    assert(!c->blocks[i] || LLVMGetBasicBlockParent(c->blocks[i]) == c->clone);
  }
  assert(map_count(c->generic_of) == c->generic.len);
  for (vec_each(i, &c->generic)) assert(LLVMGetBasicBlockParent(c->generic.at[i]) == c->original);
}

// The event that comes behind step i - 1.
static uint32_t next_event(const Activation *a, size_t i) {
  if (i >= a->steps.len) return a->end_event;
  const Step *s = &a->steps.at[i];
  if (s->jump != SIGMA_NONE) return s->jump;
  return s->call != SIGMA_NONE ? s->call : s->operation;
}

// What cannot be cut is not run in a clone.
static void refuse_body(Cloner *c) {
  Module *k = c->k;
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(c->original));
  const char *what = "function cannot be specialized";
  c->where.places = (Rehome){.context = k->c};
  rehome_begin(&c->where.places);
  LLVMPositionBuilderAtEnd(k->b, LLVMAppendBasicBlockInContext(k->c, c->clone, ""));
  if (c->goes_on)
    leave_to_original(c, first, what);
  else
    guard_here(c, first, what, exit_to(NULL));
  rehome_end(&c->where.places);
}

bool clone_body(Spec *s, const Activation *a, LLVMValueRef clone, bool quiet) {
  assert(a->function != CALLGRAPH_NONE && LLVMIsDeclaration(clone));
  Module *k = s->k;
  Cloner c = {.s = s, .k = k, .a = a, .clone = clone, .values = map_new(), .quiet = quiet};
  c.original = callgraph_function(k->graph, a->function);
  c.inside = s->point && a->begin == BEGIN_MAIN;
  c.called = PIECE_NONE, c.next = SIGMA_NONE;
  c.goes_on = k->free || k->forks[a->function];
  if (!can_be_cut(k, c.original, !quiet)) {
    map_free(c.values);
    if (quiet) refuse_body(&c);
    return quiet;
  }
  if (!s->pieces[a->function])
    s->pieces[a->function] = pieces_new(c.original, k->sites, k->sync, s->plan->soft);
  c.pieces = s->pieces[a->function];
  c.blocks = mem_array(c.pieces->pieces.len + 1, sizeof *c.blocks);
  c.generic_of = map_new();
  locations_begin(&c.where, k, c.original, clone, c.values);
  c.entry = LLVMAppendBasicBlockInContext(k->c, clone, "entry");
  jumps_make(&c);
  clone_frame(&c);
  LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(k->c, clone, ""), after;
  LLVMPositionBuilderAtEnd(k->b, c.entry);
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  location_frame(&c.where, c.original, LLVMBuildBr(k->b, block));
  uint32_t start = first_piece(&c);
  size_t i = 0;
  for (; i <= a->steps.len && (block || c.jumps[i]); ++i, block = after) {
    const Step *step = i < a->steps.len ? &a->steps.at[i] : NULL;
    c.next = next_event(a, i), c.at = i, after = c.jumps[i];
    if (block) clone_segment(&c, start, block, step, &after);
    if (!after) continue;
    if (step->jump != SIGMA_NONE) {
      after = jump_begins(&c, step);
      start = pieces_behind(c.pieces, sites_call(k->sites, step->site));
      c.called = PIECE_NONE;
      continue;
    }
    GoesOn to = step_goes_on(&c, step, sites_call(k->sites, step->site));
    start = pieces_after(c.pieces, step->site, to == GOES_TO_LANDING);
    c.called = step->operation == SIGMA_NONE ? start : PIECE_NONE;
  }
  generic_write(&c);
  map_free(c.generic_of);
  vec_free(&c.generic);
  locations_end(&c.where);
  map_free(c.values);
  mem_free(c.blocks), mem_free(c.jumps), mem_free(c.behind_jumps);
  if (i < a->steps.len)
    diag_at(k->diags, DIAG_ERROR, c.original,
            "schedule %u, thread %u: no path in the clone reaches an event of %s", s->id, a->thread,
            LLVMGetValueName(c.original));
  return i >= a->steps.len;
}

LLVMValueRef clone_like(Module *k, LLVMValueRef original, LLVMTypeRef type, const char *name) {
  LLVMValueRef f = LLVMAddFunction(k->m, name, type);
  attributes_copy(original, f);
  if (attribute_has(f, "optnone")) attribute_set(f, "noinline", false);
  attribute_set(f, "optnone", false);
  attribute_set(f, "alwaysinline", false);
  attribute_note(f, CHECK_CLONE, "");
  LLVMSetLinkage(f, LLVMInternalLinkage);
  if (LLVMHasPersonalityFn(original)) LLVMSetPersonalityFn(f, LLVMGetPersonalityFn(original));
  if (LLVMGetGC(original)) LLVMSetGC(f, LLVMGetGC(original));
  return f;
}

LLVMValueRef clone_declare(Spec *s, uint32_t function, const char *name) {
  LLVMValueRef original = callgraph_function(s->k->graph, function);
  bool inside = s->point && original == s->points->main;
  LLVMTypeRef type = inside ? point_clone_type(s->k, original) : LLVMGlobalGetValueType(original);
  return clone_like(s->k, original, type, name);
}

// A call without events in it: one clone for all of them in a thread.
LLVMValueRef quiet_clone(Spec *s, uint32_t thread, uint32_t function) {
  uint64_t key = (uint64_t)thread << 32 | function, known;
  assert(maysync_function(s->k->sync, function));
  if (map_get(s->quiet, key, &known)) return (LLVMValueRef)(uintptr_t)known;
  LLVMBasicBlockRef here = LLVMGetInsertBlock(s->k->b);
  char *name = mem_format("%s.s%u.t%u.quiet", function_name(s->k, callgraph_function(s->k->graph, function)),
                          s->id, thread);
  LLVMValueRef f = clone_declare(s, function, name);
  map_put(s->quiet, key, map_key(f));
  Activation a = {.thread = thread, .function = function, .begin = BEGIN_CALL, .event = SIGMA_NONE};
  a.caller = PLAN_NONE, a.end = END_RETURNS, a.end_event = SIGMA_NONE;
  vec_push(&s->quiet_bodies, ((Quiet){f, a}));
  mem_free(name);
  LLVMPositionBuilderAtEnd(s->k->b, here);
  return f;
}
