// Schedules in code that is not cloned: what of a program that allows, and main's choice.
#include <assert.h>
#include "specializer.h"

typedef struct {
  Place at;
  char *why;  // NULL: it can be rolled
} Reason;

static Place place_of(const Sigma *s, const Event *e) {
  if (e->site == SIGMA_NONE) return (Place){s->file, e->line, 0};
  const SigmaSite *x = &s->sites.at[e->site];
  if (x->file == SIGMA_NONE) return (Place){s->file, e->line, 0};
  return (Place){sigma_text(s, x->file), x->line, x->column};
}

// What the runtime would have to see that it does not.
static const char *event_refused(const Event *e) {
  switch (e->kind) {
    case SYNC_UNMODELLED:
      return "the operation has no model";
    case EVENT_ACCESS:
      return "the schedule ends with two accesses";
    default:
      return NULL;
  }
}

static Reason schedule_refused(const Sigma *s, uint32_t id) {
  const Schedule *c = s->schedules.at[id];
  if (c->at_file != SIGMA_NONE)
    return (Reason){{sigma_text(s, c->at_file), c->at_line, 0},
                    mem_string("the schedule begins inside main")};
  for (vec_each(i, &c->events)) {
    const char *why = event_refused(&c->events.at[i]);
    if (why) return (Reason){place_of(s, &c->events.at[i]), mem_string(why)};
  }
  return (Reason){{0}, NULL};
}

// The first instruction that needs the function as a value.
static LLVMValueRef taken_at(LLVMValueRef f) {
  for (all_uses(u, f)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (!call_is(user) || call_function(user) != f) return user;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); ++i)
      if (LLVMGetArgOperand(user, i) == f) return user;
  }
  return NULL;
}

static Reason at_value(LLVMValueRef v, char *why) {
  return (Reason){LLVMIsAInstruction(v) ? where(v) : (Place){0}, why};
}

// Operations whose address is taken are called where there is no hook.
static Reason address_refused(LLVMModuleRef m) {
  for (all_functions(f, m)) {
    const char *name = LLVMGetValueName(f);
    const Sync *s = LLVMIsDeclaration(f) ? sync_find(name) : NULL;
    LLVMValueRef at = s && sync_events(s->kind) ? taken_at(f) : NULL;
    if (at) return at_value(at, mem_format("the address of %s is taken", name));
  }
  return (Reason){{0}, NULL};
}

// A handler that is left by a jump never says that it is over.
static Reason handlers_refused(const CfspecInput *in) {
  LLVMValueRef jump = NULL;
  for (uint32_t s = 0; s < sites_count(in->sites) && !jump; ++s)
    if (call_returns_twice(sites_call(in->sites, s)) && !LLVMIsAIntrinsicInst(sites_call(in->sites, s)))
      jump = sites_call(in->sites, s);
  for (uint32_t f = 0; f < callgraph_count(in->graph); ++f)
    if (jump && callgraph_entries(in->graph, f) & ENTRY_SIGNAL)
      return at_value(jump, mem_string("handlers of signals may jump"));
  return (Reason){{0}, NULL};
}

// Forks that the C library does not make are noticed by clones, not here.
static Reason forks_refused(const CfspecInput *in) {
  for (uint32_t s = 0; s < sites_count(in->sites); ++s) {
    LLVMValueRef call = sites_call(in->sites, s);
    if (forks_unseen(call)) return at_value(call, mem_string("the process may be forked by a system call"));
  }
  return (Reason){{0}, NULL};
}

static Reason refused(const CfspecInput *in) {
  Reason r = {0};
  if (in->sigma->atomics.len) return (Reason){{0}, mem_string("its atomic operations are events")};
  for (size_t i = 0; !r.why && i < in->count; ++i) r = schedule_refused(in->sigma, in->schedules[i]);
  if (!r.why) r = address_refused(in->module);
  if (!r.why) r = handlers_refused(in);
  if (!r.why) r = forks_refused(in);
  return r;
}

bool cfspec_can_roll(const CfspecInput *in, bool error, Diags *d) {
  Reason r = refused(in);
  if (r.why) diag(d, error ? DIAG_ERROR : DIAG_NOTE, r.at, "the schedule cannot be rolled: %s", r.why);
  mem_free(r.why);
  return !r.why;
}

// As in clones: code that initialises a local static looks at its guard first, and where the schedule asks
// __cxa_guard_acquire it asks although the guard may be set by now.
static void ask_before(Module *k, LLVMValueRef end, LLVMValueRef hook) {
  LLVMBasicBlockRef to = LLVMGetInstructionParent(hook);
  LLVMValueRef load =
      LLVMIsABranchInst(end) && LLVMIsConditional(end) ? tested_load(LLVMGetCondition(end)) : NULL;
  if (!load || LLVMGetOperand(load, 0) != LLVMGetArgOperand(hook, 1)) return;
  LLVMTypeRef type = LLVMFunctionType(k->i32, &k->i32, 1, 0);
  LLVMValueRef site = LLVMGetArgOperand(hook, 0), condition = LLVMGetCondition(end);
  LLVMPositionBuilderBefore(k->b, end);
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(end));
  LLVMValueRef asks =
      LLVMBuildCall2(k->b, type, runtime_function(k, "rt_roll_asks", type, true), &site, 1, "");
  if (LLVMGetSuccessor(end, 0) == to)
    condition = LLVMBuildOr(k->b, condition, LLVMBuildIsNotNull(k->b, asks, ""), "");
  else
    condition = LLVMBuildAnd(k->b, condition, LLVMBuildIsNull(k->b, asks, ""), "");
  LLVMSetCondition(end, condition);
}

static void ask_guards(Module *k) {
  LLVMValueRef hook = LLVMGetNamedFunction(k->m, "rt_rec___cxa_guard_acquire");
  typedef Vec(LLVMValueRef) Values;
  Values calls = {0}, ends = {0};
  if (!hook) return;
  for (all_uses(u, hook))
    if (call_is(LLVMGetUser(u))) vec_push(&calls, LLVMGetUser(u));
  for (vec_each(i, &calls)) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(calls.at[i]);
    if (LLVMGetFirstInstruction(block) != calls.at[i]) continue;
    for (all_uses(u, LLVMBasicBlockAsValue(block))) vec_push(&ends, LLVMGetUser(u));
    for (vec_each(e, &ends)) ask_before(k, ends.at[e], calls.at[i]);
    ends.len = 0;
  }
  vec_free(&calls), vec_free(&ends);
}

static LLVMValueRef block_constant(Module *k, uint32_t id, const Bytes *b) {
  char *name = mem_format("specialize.schedule.%u", id);
  LLVMValueRef g = constant_global(k, LLVMConstStringInContext2(k->c, (const char *)b->at, b->len, 1), name);
  LLVMSetAlignment(g, 8);
  LLVMSetSection(g, "specialize_rolled");
  mem_free(name);
  return g;
}

bool cfspec_roll(const CfspecInput *in, size_t *bytes, Diags *diags) {
  Module k = module_begin(in, diags);
  k.rolled = true;
  LLVMValueRef *mains = mem_array(in->count + 1, sizeof *mains);
  LLVMValueRef *descriptors = mem_array(in->count + 1, sizeof *descriptors);
  bool ok = is_usual_main(&k);
  *bytes = 0;
  for (size_t i = 0; ok && i < in->count; ++i) {
    Bytes b = {0};
    ok = roll_bytes(&k, in->schedules[i], &b);
    if (ok)
      mains[i] = LLVMGetNamedFunction(k.m, "main"), descriptors[i] = block_constant(&k, in->schedules[i], &b);
    *bytes += b.len;
    vec_free(&b);
  }
  if (ok) runtime_state(&k, in), ask_guards(&k);
  Points none = {0};
  ok = ok && points_make(&none, &k, in) && make_main(&k, in, &none, mains, descriptors);
  assert(!none.points.len);
  points_free(&none);
  mem_free(mains), mem_free(descriptors);
  module_end(&k);
  return ok && module_verify(in->module, "the rolled module", diags);
}
