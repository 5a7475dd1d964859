#include "flow.h"
#include <assert.h>
#include "choose.h"
#include "guess.h"
#include "input.h"
#include "knower.h"
#include "meet.h"
#include "own.h"
#include "single.h"

struct Flow {
  const Order *order;
  Alias *alias;
  Code *code;
  Accesses *accesses;
  Known *values;
  Guess *guess;
  InputNumbers numbers;
  Meets *meets;
  Solver *solver;
  size_t unanswered;  // questions to it
};

static void look_away(Flow *f) {
  vec_free(&f->numbers);
  known_free(f->values), accesses_free(f->accesses), code_free(f->code), alias_free(f->alias);
  guess_free(f->guess);
  f->values = NULL, f->accesses = NULL, f->code = NULL, f->alias = NULL, f->guess = NULL;
}

static bool look_once(Flow *f, const FlowInput *in, Guess *g, Diags *d) {
  AliasOptions how = in->alias ? *in->alias : (AliasOptions){0};
  how.owner = cfspec_owner, how.guess = guess_given(g);
  f->alias = alias_new(in->view, &how, d);
  if (!f->alias) return guess_free(g), false;
  f->guess = g;
  f->code = code_new(in->view, in->order, f->alias, in->only_scheduled);
  f->accesses = accesses_new(f->code, f->alias);
  f->values = known_new(f->code, f->alias, f->accesses, in->volatile_known);
  input_facts(f->values, f->code, f->accesses, !in->no_constraint, &f->numbers);
  return true;
}

// Until what is supposed is proved.
static bool look(Flow *f, const FlowInput *in, Diags *d) {
  Guess *g = guess_new(in->view);
  own_variables(in->view);
  for (int round = 0;; ++round) {
    Diags *found = diags_new();
    bool ok = look_once(f, in, g, found), proved = ok && guess_prove(g, f->code, f->alias, f->values);
    if (!ok || proved) diags_append(d, found);
    diags_free(found);
    if (!ok || proved) return ok;
    f->guess = NULL;
    look_away(f);
    if (round < LIMIT_GUESS_ROUNDS) continue;
    limit_reached(LIMIT_OF_GUESS_ROUNDS);
    guess_give_up(g);
  }
}

// What is constant makes more of it so: loops that run so many times, ways that are not taken, functions that
// are called through pointers and go in now.
static bool look_closer(Flow *f, const FlowInput *in, size_t budget, Diags *d) {
  bool ok = look(f, in, d);
  for (int round = 0; ok; ++round) {
    size_t called = known_call(f->values), constant = known_substitute(f->values);
    called += choose_targets(in->view, f->alias);
    constant += single_threaded_known(in->view, f->code);
    if (!called && !constant) break;
    if (round == LIMIT_FACT_ROUNDS) {
      limit_reached(LIMIT_OF_FACT_ROUNDS);
      break;
    }
    look_away(f);
    Diags *again = diags_new();  // they are the same once more
    ok = (called ? code_flatten(in->view, budget, d) : code_simplify(in->view, d)) && look(f, in, again);
    diags_free(again);
  }
  return ok;
}

Flow *flow_new(const FlowInput *in, Diags *d) {
  assert(in->view && in->order);
  Flow *f = mem_alloc(sizeof *f);
  size_t budget = LIMIT_VIEW * (in->budget ? in->budget : LIMIT_CLONES);
  f->order = in->order;
  libc_unify(in->view);
  libstdcxx_fill(in->view);
  borrow_bodies(in->view);
  if (!code_flatten(in->view, budget, d) || !look_closer(f, in, budget, d)) return flow_free(f), NULL;
  if (in->dump && !module_print(in->view, in->dump, d)) return flow_free(f), NULL;
  CHECKED(known_check(f->values));
  f->meets = meets_new(f->values);
  f->solver = solver_new(known_terms(f->values));
  return f;
}

void flow_free(Flow *f) {
  if (!f) return;
  solver_free(f->solver);
  meets_free(f->meets);
  look_away(f);
  mem_free(f);
}

const Code *flow_code(const Flow *f) {
  return f->code;
}
const Alias *flow_aliases(const Flow *f) {
  return f->alias;
}
const Accesses *flow_accesses(const Flow *f) {
  return f->accesses;
}
const InputNumbers *flow_numbers(const Flow *f) {
  return &f->numbers;
}
Bvs *flow_terms(const Flow *f) {
  return known_terms(f->values);
}

// -- why

void flow_why_free(FlowWhy *w) {
  vec_free(&w->tested), vec_free(&w->events);
}

static LLVMValueRef function_of(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

static void add_tests(const CodeFunction *c, LLVMValueRef at, FlowWhy *w) {
  for (uint32_t b = dom_parent(c->dom, cfg_of(c->cfg, at)); b != DOM_NONE; b = dom_parent(c->dom, b)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(c->cfg, b));
    if (LLVMGetNumSuccessors(end) > 1) vec_push(&w->tested, end);
  }
}

// The last event of a thread that is over in all places where the instruction may be.
static uint32_t last_over(const Flow *f, uint32_t thread, const Regions *at) {
  uint32_t count = order_count(f->order, thread), least = count;
  for (vec_each(i, at)) {
    uint32_t from = code_event_before(f->code, at->at[i]), n = 0;
    while (from != SIGMA_NONE && n < count) {
      uint32_t event = order_event(f->order, thread, n);
      if (event != from && !order_before(f->order, event, from)) break;
      ++n;
    }
    if (n < least) least = n;
  }
  return least && at->len ? order_event(f->order, thread, least - 1) : SIGMA_NONE;
}

static void give_reasons(const Flow *f, LLVMValueRef at, FlowWhy *w) {
  if (!w) return;
  Regions here = {0};
  w->tested.len = w->events.len = 0;
  w->constraint = order_schedule(f->order)->status != SIGMA_FALSE;
  code_regions(f->code, at, &here);
  for (uint32_t t = 0; t < order_schedule(f->order)->threads; ++t)
    vec_push(&w->events, last_over(f, t, &here));
  vec_free(&here);
  while (at) {
    const CodeFunction *c = code_of(f->code, function_of(at));
    assert(c);
    add_tests(c, at, w);
    at = c->root && c->thread ? code_create(f->code, c->thread) : NULL;
  }
}

// -- values

Bv flow_term(Flow *f, LLVMValueRef x, LLVMValueRef at, unsigned side, FlowWhy *why) {
  assert(side >= 1 && side <= 3);
  give_reasons(f, at, why);
  return known_value(f->values, x, at, side);
}

FlowAnswer flow_reached(Flow *f, LLVMValueRef at, FlowWhy *why) {
  give_reasons(f, at, why);
  return known_dead(f->values, at) ? FLOW_NO : FLOW_UNKNOWN;
}

void flow_facts(Flow *f, LLVMValueRef at, unsigned side, const BvVec *about, BvVec *out, FlowWhy *why) {
  give_reasons(f, at, why);
  known_facts(f->values, at, side, about, out);
}

// Where some questions come to nothing, the others mostly do too.
static unsigned steps_left(const Flow *f) {
  if (f->unanswered >= LIMIT_SOLVER_GIVE_UP) return limit_reached(LIMIT_OF_SOLVER_GIVE_UP), 0;
  return f->unanswered < LIMIT_SOLVER_HARD ? LIMIT_SOLVER_FEWER : LIMIT_SOLVER_FEWER / 10;
}

static bool is_impossible(Flow *f, LLVMValueRef at, Bv truth) {
  BvVec all = {0}, about = {0};
  unsigned steps = steps_left(f);
  if (!steps) return false;
  vec_push(&about, truth);
  known_facts(f->values, at, 1, &about, &all);
  vec_push(&all, truth);
  SolveAnswer answer = solver_possible(f->solver, all.at, all.len, steps);
  f->unanswered += answer == SOLVE_UNKNOWN;
  vec_free(&all), vec_free(&about);
  return answer == SOLVE_NO;
}

FlowAnswer flow_holds(Flow *f, LLVMValueRef condition, LLVMValueRef at, FlowWhy *why) {
  Bvs *t = known_terms(f->values);
  Bv truth = flow_term(f, condition, at, 1, why);
  uint64_t is;
  if (truth == BV_NONE || bv_at(t, truth).width != 1) return FLOW_UNKNOWN;
  if (bv_is_const(t, truth, &is)) return is ? FLOW_YES : FLOW_NO;
  if (is_impossible(f, at, bv_not(t, truth))) return FLOW_YES;
  return is_impossible(f, at, truth) ? FLOW_NO : FLOW_UNKNOWN;
}

bool flow_always(Flow *f, LLVMValueRef condition, bool value, LLVMValueRef at, FlowWhy *why) {
  Bvs *t = known_terms(f->values);
  Bv truth = flow_term(f, condition, at, 1, why);
  uint64_t is;
  if (truth == BV_NONE || bv_at(t, truth).width != 1) return false;
  if (bv_is_const(t, truth, &is)) return is == value;
  return is_impossible(f, at, value ? bv_not(t, truth) : truth);
}

bool flow_before(const Flow *f, LLVMValueRef first, LLVMValueRef second) {
  return known_before(f->values, first, second);
}
LLVMValueRef flow_object(const Flow *f, Bv x) {
  return known_object(f->values, x);
}
bool flow_objects(const Flow *f, Bv address, IdVec *out) {
  return known_objects(f->values, address, out);
}
bool flow_apart(const Flow *f, Bv x, Bv y) {
  return known_apart(f->values, x, y);
}
bool flow_round(const Flow *f, Bv x) {
  return known_round(f->values, x);
}
bool flow_single(const Flow *f, Bv x) {
  return known_single(f->values, x);
}

// -- memory

Bv flow_initial(Flow *f, const Access *load) {
  return known_initial(f->values, load);
}

bool flow_defs(Flow *f, const Access *load, FlowDefs *out, FlowWhy *why) {
  give_reasons(f, load->inst, why);
  return known_defs(f->values, load, out);
}

// Of both places: what the two have passed.
static void give_reasons_of_two(const Flow *f, const Access *x, const Access *y, FlowWhy *w) {
  if (!w) return;
  FlowWhy other = {0};
  give_reasons(f, x->inst, w);
  give_reasons(f, y->inst, &other);
  vec_append(&w->tested, other.tested.at, other.tested.len);
  for (vec_each(t, &w->events)) {
    uint32_t *mine = &w->events.at[t], theirs = other.events.at[t];
    if (theirs == SIGMA_NONE) continue;
    if (*mine == SIGMA_NONE || order_position(f->order, *mine) < order_position(f->order, theirs))
      *mine = theirs;
  }
  flow_why_free(&other);
}

FlowMeeting flow_meet(Flow *f, const Access *x, const Access *y, FlowWhy *why) {
  give_reasons_of_two(f, x, y, why);
  return meets_ask(f->meets, x, y);
}
bool flow_meet_if(Flow *f, const Access *x, const Access *y, const BvVec *about, BvVec *truths) {
  return meets_if(f->meets, x, y, about, truths);
}
FlowFigures flow_figures(const Flow *f) {
  return meets_figures(f->meets);
}
