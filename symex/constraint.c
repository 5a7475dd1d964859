// A guard is a branch of which one way leaves the schedule. Its condition is a term over what the code knows;
// if only numbers of the input stand in it, "not so" belongs to the constraint, under what holds on the way
// there. Tests that earlier tests imply say nothing new. An event needs its object too: the same one each
// time. Allocations are taken to succeed: a run in which one fails leaves its schedule by a guard.
#include "constraint.h"
#include <assert.h>
#include "flow/flow.h"
#include "term_of.h"

typedef struct {
  const ConstraintInput *in;
  ConstraintFound *out;
  Flow *flow;
  const Code *code;
  const Order *order;
  Bvs *t;
  Solver *solver;
  TermInput numbers;
  BvVec kept;   // conjuncts
  Bv *address;  // by object of the schedule: where it is
} Finder;

enum { STEPS = 200000 };

static void add_gap(Finder *x, LLVMValueRef at, const char *why) {
  Place p = at ? where(at) : (Place){0};
  for (vec_each(i, &x->out->gaps)) {
    const ConstraintGap *g = &x->out->gaps.at[i];
    if (g->line == p.line && !strcmp(g->why, why)) return;
  }
  ConstraintGap gap = {p.file ? mem_string(p.file) : NULL, p.line, p.column, mem_string(why)};
  vec_push(&x->out->gaps, gap);
}

// -- truths

static bool impossible(Finder *x, const BvVec *all, Bv more) {
  BvVec truths = {0};
  vec_append(&truths, all->at, all->len);
  vec_push(&truths, more);
  SolveAnswer a = solver_possible(x->solver, truths.at, truths.len, STEPS);
  vec_free(&truths);
  return a == SOLVE_NO;
}

static bool over_input(const Finder *x, Bv truth) {
  BvVec vars = {0};
  bool is = true;
  model_vars(x->t, &truth, 1, &vars);
  for (vec_each(i, &vars)) is &= term_knows(&x->numbers, vars.at[i]);
  vec_free(&vars);
  return is;
}

// True only if memory was not to be had: addresses of what was made, compared with null and nothing else.
static bool only_allocation(const Finder *x, Bv truth) {
  BvTerm e = bv_at(x->t, truth);
  if (e.op == BV_AND || e.op == BV_OR) return only_allocation(x, e.a) && only_allocation(x, e.b);
  if (e.op != BV_EQ) return false;
  bool null_first = bv_is(x->t, e.a, 0), null_second = bv_is(x->t, e.b, 0);
  return (null_second && flow_object(x->flow, e.a)) || (null_first && flow_object(x->flow, e.b));
}

static bool is_kept(const Finder *x, Bv truth) {
  bool is = false;
  for (vec_each(i, &x->kept)) is |= x->kept.at[i] == truth;
  return is;
}

// What is known of the input where the guard stands, as far as the conjuncts do not say it already.
static Bv way_to(Finder *x, LLVMValueRef at, Bv leaves) {
  BvVec about = {0}, facts = {0};
  Bv way = bv_const(x->t, 1, 1);
  vec_push(&about, leaves);
  flow_facts(x->flow, at, 1, &about, &facts, NULL);
  for (vec_each(i, &facts))
    if (over_input(x, facts.at[i]) && !is_kept(x, facts.at[i]) &&
        !impossible(x, &x->kept, bv_not(x->t, facts.at[i])))
      way = bv_op(x->t, BV_AND, way, facts.at[i]);
  vec_free(&about), vec_free(&facts);
  return way;
}

static bool never_here(Finder *x, LLVMValueRef at, Bv leaves) {
  BvVec about = {0}, facts = {0};
  vec_push(&about, leaves);
  flow_facts(x->flow, at, 1, &about, &facts, NULL);
  vec_append(&facts, x->kept.at, x->kept.len);
  bool never = impossible(x, &facts, leaves);
  vec_free(&about), vec_free(&facts);
  return never;
}

static bool is_function(const Finder *x, Bv v) {
  LLVMValueRef o = flow_object(x->flow, v);
  return o && LLVMIsAFunction(o);
}

// An address and nothing computed of it, or one of some.
static bool is_whole(const Finder *x, Bv v) {
  BvTerm e = bv_at(x->t, v);
  if (e.op == BV_ITE) return is_whole(x, e.b) && is_whole(x, e.c);
  return is_function(x, v) || bv_is(x->t, v, 0);
}

// Addresses of functions are only compared with each other.
static bool only_compared(const Finder *x, Bv truth) {
  BvTerm e = bv_at(x->t, truth);
  if (e.op == BV_AND || e.op == BV_OR || e.op == BV_XOR)
    return only_compared(x, e.a) && only_compared(x, e.b);
  return over_input(x, truth) || (e.op == BV_EQ && is_whole(x, e.a) && is_whole(x, e.b));
}

// Functions are at different addresses, which are nobody's numbers: any will do.
static Bv place_functions(Finder *x, Bv truth) {
  enum { FIRST = 0x10000000, APART = 4096 };
  BvVec vars = {0};
  if (!only_compared(x, truth)) return truth;
  uint64_t n = 0;
  model_vars(x->t, &truth, 1, &vars);
  for (vec_each(i, &vars)) {
    LLVMValueRef o = flow_object(x->flow, vars.at[i]);
    if (o && LLVMIsAFunction(o))
      truth = bv_substitute(x->t, truth, vars.at[i], bv_const(x->t, 64, FIRST + APART * ++n));
  }
  vec_free(&vars);
  return truth;
}

// No input may make this true at `at`.
static void forbid(Finder *x, LLVMValueRef at, Bv leaves, const char *why) {
  x->out->guards++;
  leaves = place_functions(x, leaves);
  if (bv_is(x->t, leaves, 0) || never_here(x, at, leaves)) {
    x->out->implied++;
    return;
  }
  if (only_allocation(x, leaves)) return;
  if (!over_input(x, leaves)) {
    add_gap(x, at, why);
    return;
  }
  vec_push(&x->kept, bv_not(x->t, bv_op(x->t, BV_AND, way_to(x, at, leaves), leaves)));
}

// -- guards

static Bv equal(Finder *x, Bv a, LLVMValueRef constant) {
  uint64_t value = LLVMConstIntGetZExtValue(constant);
  return bv_op(x->t, BV_EQ, a, bv_const(x->t, bv_at(x->t, a).width, value));
}

// That a terminator goes to its n-th successor; BV_NONE: not known.
static Bv goes(Finder *x, LLVMValueRef end, unsigned n) {
  if (LLVMIsABranchInst(end)) {
    Bv c = LLVMIsConditional(end) ? flow_term(x->flow, LLVMGetCondition(end), end, 1, NULL) : BV_NONE;
    return c == BV_NONE ? c : n ? bv_not(x->t, c) : c;
  }
  if (!LLVMIsASwitchInst(end)) return BV_NONE;
  Bv value = flow_term(x->flow, LLVMGetOperand(end, 0), end, 1, NULL);
  if (value == BV_NONE) return BV_NONE;
  if (n) return equal(x, value, LLVMGetOperand(end, 2 * n));
  Bv other = bv_const(x->t, 1, 1);
  for (unsigned i = 1; i < LLVMGetNumSuccessors(end); ++i)
    other = bv_op(x->t, BV_AND, other, bv_not(x->t, equal(x, value, LLVMGetOperand(end, 2 * i))));
  return other;
}

static bool allocates(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  const Library *l = f ? library_find(LLVMGetValueName(f), false) : NULL;
  return l && l->memory && strstr(l->memory, "r=new");
}

static void look_at_end(Finder *x, const CodeFunction *f, uint32_t block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(f->cfg, block));
  Ids next = cfg_succs(f->cfg, block);
  for (unsigned n = 0; n < next.len; ++n) {
    if (!f->leaves[next.at[n]]) continue;
    if (LLVMIsAInvokeInst(end)) {
      if (!allocates(end)) add_gap(x, end, "a call here may throw");
      continue;
    }
    Bv leaves = goes(x, end, n);
    if (leaves == BV_NONE)
      add_gap(x, end, "what decides here is not known");
    else
      forbid(x, end, leaves, "what decides here is no number of the input");
  }
}

static void look_at_root(Finder *x, uint32_t thread) {
  const CodeFunction *f = code_root(x->code, thread);
  if (!f) {
    char *why = mem_format("what thread t%u runs is not known as a whole", thread);
    add_gap(x, NULL, why);
    mem_free(why);
    return;
  }
  Ids order = cfg_order(f->cfg);
  for (vec_each(i, &order)) {
    uint32_t b = order.at[i];
    if (!f->leaves[b] &&
        flow_reached(x->flow, LLVMGetBasicBlockTerminator(cfg_block(f->cfg, b)), NULL) != FLOW_NO)
      look_at_end(x, f, b);
  }
}

// Code that others enter may leave the schedule too.
static void look_elsewhere(Finder *x) {
  for (size_t i = 0; i < code_count(x->code); ++i) {
    const CodeFunction *f = code_at(x->code, i);
    if (f->root || !code_is_executed(f)) continue;
    for (all_blocks(b, f->function))
      for (all_insts(k, b)) {
        LLVMValueRef to = call_is(k) ? call_function(k) : NULL;
        if (to && !strncmp(LLVMGetValueName(to), "rt_enf_stop", 11))
          add_gap(x, k, "a function that others enter may leave the schedule here");
      }
  }
}

// -- objects

static bool has_input(const Finder *x, Bv at) {
  BvVec vars = {0};
  bool has = false;
  model_vars(x->t, &at, 1, &vars);
  for (vec_each(i, &vars)) has |= term_knows(&x->numbers, vars.at[i]);
  vec_free(&vars);
  return has;
}

// In one variable or allocation that is known, and where in it only the input decides.
static bool is_placed(const Finder *x, Bv at) {
  BvVec vars = {0};
  size_t bases = 0;
  bool known = true;
  model_vars(x->t, &at, 1, &vars);
  for (vec_each(i, &vars)) {
    bool base = flow_object(x->flow, vars.at[i]) != NULL;
    bases += base, known &= base || term_knows(&x->numbers, vars.at[i]);
  }
  vec_free(&vars);
  return known && bases == 1;
}

// How far behind the begin of its variable or allocation. BV_NONE: it is in none that is known.
static Bv offset_of(const Finder *x, Bv at) {
  BvVec vars = {0};
  Bv offset = at;
  size_t bases = 0;
  model_vars(x->t, &at, 1, &vars);
  for (vec_each(i, &vars)) {
    if (!flow_object(x->flow, vars.at[i])) continue;
    offset = bv_substitute(x->t, offset, vars.at[i], bv_const(x->t, 64, 0));
    bases++;
  }
  vec_free(&vars);
  return bases == 1 && over_input(x, offset) ? offset : BV_NONE;
}

// Which of several objects the input chooses: the one of the recording.
static void as_recorded(Finder *x, LLVMValueRef call, Bv at) {
  uint64_t value;
  Bv offset = offset_of(x, at);
  if (offset == BV_NONE ||
      !term_recorded(&x->numbers, order_sigma(x->order), order_schedule(x->order), offset, &value))
    add_gap(x, call, "which object this is, is not decided by numbers of the input");
  else
    forbid(x, call, bv_not(x->t, bv_op(x->t, BV_EQ, offset, bv_const(x->t, 64, value))),
           "which object this is depends on something other than the input");
}

// What other processes do with an object no input of this one says.
static void shared_objects(Finder *x) {
  const Schedule *s = order_schedule(x->order);
  for (vec_each(i, &s->objects))
    if (s->objects.at[i].shared) add_gap(x, NULL, "other processes use an object too");
}

static void same_object(Finder *x, LLVMValueRef call, uint32_t object, LLVMValueRef pointer) {
  Bv at = flow_term(x->flow, pointer, call, 1, NULL);
  if (at == BV_NONE) {
    add_gap(x, call, "which object this is, is not known");
    return;
  }
  if (x->address[object] == BV_NONE) x->address[object] = at;
  if (!is_placed(x, at)) {
    add_gap(x, call, "which object this is, is not decided by numbers of the input");
    return;
  }
  if (has_input(x, at)) as_recorded(x, call, at);
  if (x->address[object] == at || has_input(x, at) || has_input(x, x->address[object])) return;
  Bv apart = bv_op(x->t, BV_SUB, at, x->address[object]);
  Bv other = bv_not(x->t, bv_op(x->t, BV_EQ, apart, bv_const(x->t, 64, 0)));
  forbid(x, call, other, "which object this is depends on something other than the input");
}

// A thread is named by what its creation left there.
static void same_thread(Finder *x, LLVMValueRef call, const Event *e, const Sync *s) {
  LLVMValueRef create = e->other == SIGMA_NONE ? NULL : code_create(x->code, e->other);
  const Sync *by = create ? sync_of_call(create) : NULL;
  LLVMValueRef name = s->object.place == SYNC_VALUE ? LLVMGetOperand(call, s->object.arg) : NULL;
  Bv left = BV_NONE, read = BV_NONE;
  if (by && by->id.place == SYNC_VALUE)
    left = flow_term(x->flow, LLVMGetOperand(create, by->id.arg), create, 1, NULL);
  if (name && LLVMIsALoadInst(name)) read = flow_term(x->flow, LLVMGetOperand(name, 0), name, 1, NULL);
  if (s->object.place == SYNC_LOADED)
    read = flow_term(x->flow, LLVMGetOperand(call, s->object.arg), call, 1, NULL);
  if (left == BV_NONE || read == BV_NONE) {
    add_gap(x, call, "which thread this is, is not decided by numbers of the input");
    return;
  }
  Bv apart = bv_op(x->t, BV_SUB, read, left);
  forbid(x, call, bv_not(x->t, bv_op(x->t, BV_EQ, apart, bv_const(x->t, 64, 0))),
         "which thread this is depends on something other than the input");
}

static void look_at_event(Finder *x, LLVMValueRef call, const Event *e, const Sync *s) {
  bool names = s->kind == SYNC_JOIN || s->kind == SYNC_DETACH || s->kind == SYNC_CANCEL;
  if (names) same_thread(x, call, e, s);
  if (cfspec_routine_chosen(call)) add_gap(x, call, "which function the thread runs is chosen here");
  if (s->waiting == SYNC_TIMED) add_gap(x, call, "how long this waits decides how it ends");
  if (s->mutex.place == SYNC_VALUE && e->other != SIGMA_NONE)
    same_object(x, call, e->other, LLVMGetOperand(call, s->mutex.arg));
  if (s->object.place == SYNC_VALUE && e->object != SIGMA_NONE && s->family != SYNC_THREAD)
    same_object(x, call, e->object, LLVMGetOperand(call, s->object.arg));
}

static void look_at_events(Finder *x, uint32_t thread) {
  for (uint32_t n = 0; n < code_operations(x->code, thread); ++n) {
    LLVMValueRef call = code_operation(x->code, thread, n);
    uint32_t of, first, last;
    const Sync *s = call ? sync_of_call(call) : NULL;
    if (!call) add_gap(x, NULL, "an event was not found in the code that its thread runs");
    if (!s || !cfspec_event_of(call, &of, &first, &last)) continue;
    const Event *e = &order_schedule(x->order)->events.at[order_event(x->order, thread, first)];
    look_at_event(x, call, e, s);
  }
}

// What decides how later operations end: counts of barriers and semaphores, kinds of mutexes, attributes.
static bool sets_up(const char *name) {
  static const char *const all[] = {"pthread_barrier_init",
                                    "sem_init",
                                    "mtx_init",
                                    "pthread_setcancel",
                                    "pthread_attr_set",
                                    "pthread_mutexattr_set",
                                    "pthread_rwlockattr_set",
                                    "pthread_condattr_set",
                                    "pthread_barrierattr_set"};
  bool is = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) is |= !strncmp(name, all[i], strlen(all[i]));
  return is;
}

static void look_at_setting_up(Finder *x, LLVMValueRef call, bool root) {
  for (unsigned n = 0; n < LLVMGetNumArgOperands(call); ++n) {
    LLVMValueRef arg = LLVMGetArgOperand(call, n);
    uint64_t value;
    if (LLVMGetTypeKind(LLVMTypeOf(arg)) != LLVMIntegerTypeKind || LLVMIsAConstantInt(arg)) continue;
    Bv is = root ? flow_term(x->flow, arg, call, 1, NULL) : BV_NONE;
    if (is == BV_NONE || !term_only_value(x->solver, x->t, &x->kept, is, &value))
      add_gap(x, call, "the number that this begins with is not fixed");
  }
}

// Threads may wait for each other by more than events.
static bool waits_otherwise(const char *name) {
  static const char *const all[] = {"pipe",         "pipe2",   "socketpair", "eventfd",
                                    "msgget",       "mq_open", "sigwait",    "sigwaitinfo",
                                    "sigtimedwait", "pause",   "sigsuspend", "mkfifo"};
  bool is = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) is |= !strcmp(name, all[i]);
  return is;
}

static bool is_shared_read(LLVMValueRef i) {
  bool access = LLVMIsALoadInst(i) != NULL;
  return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
         (access && (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic));
}

static void look_at_code(Finder *x, const CodeFunction *f) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      LLVMValueRef to = call_is(i) ? call_function(i) : NULL;
      if (to && sets_up(LLVMGetValueName(to))) look_at_setting_up(x, i, f->root);
      if (to && waits_otherwise(LLVMGetValueName(to)))
        add_gap(x, i, "threads may wait for each other by this, which is no event");
      if (is_shared_read(i) && loops_of(f->loops, cfg_id(f->cfg, b)) != LOOP_NONE)
        add_gap(x, i, "a loop may wait for another thread here, which is no event");
    }
}

// -- the whole

static Term conjunction(Finder *x) {
  Terms *ts = x->in->sigma->terms;
  return term_conjunction(&x->numbers, x->solver, x->t, &x->kept, ts);
}

static void find(Finder *x) {
  const Schedule *s = order_schedule(x->order);
  x->address = mem_array(s->objects.len + 1, sizeof *x->address);
  for (size_t o = 0; o < s->objects.len; ++o) x->address[o] = BV_NONE;
  for (uint32_t t = 0; t < s->threads; ++t) look_at_root(x, t);
  look_elsewhere(x);
  for (uint32_t t = 0; t < s->threads; ++t) look_at_events(x, t);
  shared_objects(x);
  for (size_t i = 0; i < code_count(x->code); ++i)
    if (code_is_executed(code_at(x->code, i))) look_at_code(x, code_at(x->code, i));
  x->out->when = conjunction(x);
  if (x->out->when == TERM_NONE)
    add_gap(x, NULL, "a condition cannot be said in the language of constraints");
  mem_free(x->address);
}

bool constraint_find(const ConstraintInput *in, ConstraintFound *out, Diags *d) {
  *out = (ConstraintFound){.when = TERM_NONE};
  Order *order = order_new(in->sigma, in->schedule, d);
  FlowInput want = {.view = in->view, .order = order, .alias = in->alias, .no_constraint = true};
  Flow *f = order ? flow_new(&want, d) : NULL;
  if (f) {
    const CodeFunction *main = code_root(flow_code(f), 0);
    Finder x = {.in = in, .out = out, .flow = f, .code = flow_code(f), .order = order, .t = flow_terms(f)};
    x.solver = solver_new(x.t);
    term_input(&x.numbers, f, main ? main->function : NULL);
    find(&x);
    vec_free(&x.kept);
    solver_free(x.solver);
  }
  flow_free(f);
  order_free(order);
  return f != NULL;
}

void constraint_free(ConstraintFound *f) {
  for (vec_each(i, &f->gaps)) mem_free(f->gaps.at[i].file), mem_free(f->gaps.at[i].why);
  vec_free(&f->gaps);
}
