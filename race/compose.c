// First with all numbers as recorded: if the accesses can meet then, or nobody can say, that input stays.
// Else with one of them free, in a wider and wider range around what was recorded, then with all. What the
// other variables of the question stand for must follow from the input: rounds of loops, which the facts
// bound, and addresses. The constraint, as sigma/ evaluates it, has the last word.
#include "compose.h"
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

// Of the solver: as in race/pair.c, where many questions come to nothing there is less for each of the
// others.

typedef struct {
  const InputNumber *number;
  Bv value, set;     // set: whether a variable of the environment is there; BV_NONE
  const char *text;  // recorded; NULL: it was not set
  const char *rest;  // what follows the number there
  int64_t recorded;
  bool narrow;  // every place that reads it keeps 32 bits
} Part;

struct Composer {
  Flow *flow;
  Bvs *t;
  Solver *solver;
  const Sigma *s;
  const Schedule *of;
  Vec(Part) parts;
  BvVec values;
  Bytes in;  // what was read from standard input, ends in 0; empty: not known
  Bv argc;
  size_t asked, unanswered;
};

// -- the numbers

static void take_standard_input(Composer *c) {
  for (vec_each(i, &c->of->inputs)) {
    const SigmaInput *in = &c->of->inputs.at[i];
    if (strcmp(sigma_text(c->s, in->name), "stdin") || in->lost || in->hash != SIGMA_NONE) continue;
    if (memchr(in->copy.at, 0, in->copy.len)) continue;
    vec_append(&c->in, in->copy.at, in->copy.len);
    vec_push(&c->in, 0);
  }
}

// So many numbers further on; NULL: there is something else before.
static const char *scanned_text(const Composer *c, uint32_t index) {
  const char *at = c->in.len ? (const char *)c->in.at : NULL;
  while (at) {
    char *end;
    at += strspn(at, " \t\n\v\f\r");
    strtoll(at, &end, 10);
    if (end == at) return NULL;
    if (!index--) return at;
    at = end;
  }
  return NULL;
}

static const char *recorded_text(const Composer *c, const InputNumber *n) {
  if (n->scanned) return scanned_text(c, n->index);
  if (!n->name) return n->index < c->of->argv.len ? sigma_text(c->s, c->of->argv.at[n->index]) : NULL;
  for (vec_each(i, &c->of->env))
    if (!strcmp(sigma_text(c->s, c->of->env.at[i].name), n->name))
      return sigma_text(c->s, c->of->env.at[i].value);
  return NULL;
}

static void add_part(Composer *c, const InputNumber *n) {
  for (vec_each(i, &c->parts))
    if (c->parts.at[i].value == n->value) {
      c->parts.at[i].narrow &= n->of_int;
      return;
    }
  assert(bv_at(c->t, n->value).width == 64);
  Part p = {.number = n, .value = n->value, .set = BV_NONE, .rest = "", .narrow = n->of_int};
  uint64_t constant;
  if (bv_is_const(c->t, n->value, &constant)) return;
  p.text = recorded_text(c, n);
  if (!p.text && !n->name) return;
  if (p.text) p.recorded = strtoll(p.text, (char **)(uintptr_t)&p.rest, 10);
  if (n->where) {
    Bv at = flow_term(c->flow, n->where, n->where, 1, NULL);
    if (at != BV_NONE) p.set = bv_not(c->t, bv_op(c->t, BV_EQ, at, bv_const(c->t, 64, 0)));
  }
  vec_push(&c->parts, p);
  vec_push(&c->values, p.value);
}

Composer *composer_new(Flow *f) {
  Composer *c = mem_alloc(sizeof *c);
  const Order *o = code_order(flow_code(f));
  const InputNumbers *numbers = flow_numbers(f);
  *c = (Composer){
      .flow = f, .t = flow_terms(f), .s = order_sigma(o), .of = order_schedule(o), .argc = BV_NONE};
  const CodeFunction *main = code_root(flow_code(f), 0);
  if (!main || !c->of->argv.len || !numbers->len) return c;
  c->solver = solver_new(c->t);
  take_standard_input(c);
  for (vec_each(i, numbers)) add_part(c, &numbers->at[i]);
  if (LLVMCountParams(main->function))
    c->argc = flow_term(f, LLVMGetParam(main->function, 0),
                        LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(main->function)), 1, NULL);
  return c;
}

void composer_free(Composer *c) {
  if (!c) return;
  solver_free(c->solver);
  vec_free(&c->parts), vec_free(&c->values), vec_free(&c->in);
  mem_free(c);
}

const BvVec *composer_values(const Composer *c) {
  return &c->values;
}

// -- what is asked

static bool has_any(const Bvs *t, Bv x, const BvVec *vars) {
  BvVec own = {0};
  bool has = false;
  if (x != BV_NONE) model_vars(t, &x, 1, &own);
  for (vec_each(i, &own))
    for (vec_each(k, vars)) has |= own.at[i] == vars->at[k];
  vec_free(&own);
  return has;
}

typedef Vec(const Part *) Parts;

// The parts that the truths speak of. False: they speak of something that is no input.
static bool find_parts(const Composer *c, const BvVec *truths, Parts *out) {
  BvVec vars = {0};
  bool all = true;
  model_vars(c->t, truths->at, truths->len, &vars);
  for (vec_each(i, &c->parts)) {
    const Part *p = &c->parts.at[i];
    if (has_any(c->t, p->value, &vars) || has_any(c->t, p->set, &vars)) vec_push(out, p);
  }
  for (size_t i = 0; i < vars.len && all; ++i) {
    BvVec one = {&vars.at[i], 1, 1};
    bool is =
        flow_round(c->flow, vars.at[i]) || flow_object(c->flow, vars.at[i]) || has_any(c->t, c->argc, &one);
    for (size_t k = 0; k < out->len && !is; ++k)
      is = has_any(c->t, out->at[k]->value, &one) || has_any(c->t, out->at[k]->set, &one);
    all = is;
  }
  vec_free(&vars);
  return all;
}

static Bv number(const Composer *c, int64_t x) {
  return bv_const(c->t, 64, (uint64_t)x);
}

static void add_truth(const Composer *c, BvVec *to, Bv truth) {
  assert(bv_at(c->t, truth).width == 1);
  if (!bv_is(c->t, truth, 1)) vec_push(to, truth);
}

static void equate(const Composer *c, BvVec *truths, Bv value, Bv is) {
  assert(bv_at(c->t, value).width == bv_at(c->t, is).width);
  if (bv_at(c->t, value).op != BV_VAR)
    add_truth(c, truths, bv_op(c->t, BV_EQ, value, is));
  else
    for (vec_each(i, truths)) truths->at[i] = bv_substitute(c->t, truths->at[i], value, is);
}

static void fix(const Composer *c, BvVec *truths, const Part *p) {
  if (p->set != BV_NONE) add_truth(c, truths, p->text ? p->set : bv_not(c->t, p->set));
  if (p->text) equate(c, truths, p->value, number(c, p->recorded));
}

// How far from what was recorded. With the same on both sides: there.
typedef struct {
  int64_t least, most;
} Range;
static const Range any = {INT64_MIN, INT64_MAX}, near = {-4096, 4096};

static void leave_free(const Composer *c, BvVec *truths, const Part *p, Range r) {
  int64_t low, high;
  if (p->set != BV_NONE) add_truth(c, truths, p->set);
  if (p->narrow)
    add_truth(c, truths,
              bv_op(c->t, BV_EQ, p->value, bv_resize(c->t, bv_resize(c->t, p->value, 32, false), 64, true)));
  if (!__builtin_add_overflow(p->recorded, r.least, &low))
    add_truth(c, truths, bv_op(c->t, BV_SLE, number(c, low), p->value));
  if (!__builtin_add_overflow(p->recorded, r.most, &high))
    add_truth(c, truths, bv_op(c->t, BV_SLE, p->value, number(c, high)));
}

// One of them is free, or all (one NULL), the others are as recorded. free NULL: none is.
static void pose(const Composer *c, const BvVec *truths, const Parts *parts, const Part *one,
                 const Range *free, BvVec *out) {
  vec_append(out, truths->at, truths->len);
  if (c->argc != BV_NONE)
    equate(c, out, c->argc, bv_const(c->t, bv_at(c->t, c->argc).width, c->of->argv.len));
  for (vec_each(i, parts)) {
    const Part *p = parts->at[i];
    if (free && (!one || one == p))
      leave_free(c, out, p, *free);
    else
      fix(c, out, p);
  }
}

// -- what is made of the answer

typedef struct {
  const Composer *c;
  const Sigma *made;
} Seen;

static const char *variable(void *at, const char *name) {
  const Seen *seen = at;
  const Schedule *lists[] = {seen->made->schedules.at[0], seen->c->of};
  const Sigma *of[] = {seen->made, seen->c->s};
  for (int k = 0; k < 2; ++k)
    for (vec_each(i, &lists[k]->env))
      if (!strcmp(sigma_text(of[k], lists[k]->env.at[i].name), name))
        return sigma_text(of[k], lists[k]->env.at[i].value);
  return getenv(name);
}

static bool is_admitted(const Composer *c, const Sigma *made) {
  const Schedule *x = made->schedules.at[0];
  Vec(const char *) argv = {0};
  Seen seen = {c, made};
  for (vec_each(i, &x->argv)) vec_push(&argv, sigma_text(made, x->argv.at[i]));
  vec_push(&argv, (const char *)NULL);
  TermInputs in = {.argc = (int)x->argv.len, .argv = argv.at, .env = variable, .at = &seen};
  bool holds = term_holds(c->s->terms, c->of->when, &in);
  vec_free(&argv);
  return holds;
}

// The number in the text that was recorded, replaced; how far from there, INT64_MAX: too far.
static int64_t place(const Composer *c, const Part *p, const Model *m, Sigma *made) {
  Schedule *x = made->schedules.at[0];
  uint64_t is;
  int64_t by;
  if (!model_value(c->t, m, p->value, &is) || (p->text && (int64_t)is == p->recorded)) return 0;
  uint64_t set = 0;
  if (!p->text && (p->set == BV_NONE || !model_value(c->t, m, p->set, &set) || !set)) return 0;
  if (!p->number->scanned) {
    char *text = mem_format("%" PRId64 "%s", (int64_t)is, p->rest);
    uint32_t id = sigma_intern(made, text);
    if (p->number->name)
      vec_push(&x->env, ((SigmaEnv){sigma_intern(made, p->number->name), id}));
    else
      x->argv.at[p->number->index] = id;
    mem_free(text);
  }
  if (__builtin_sub_overflow((int64_t)is, p->recorded, &by) || by == INT64_MIN) return INT64_MAX;
  return by < 0 ? -by : by ? by : 1;
}

// The text of standard input with the numbers of the model in it: the parts are in its order.
static void place_scanned(const Composer *c, const Parts *parts, const Model *m, Sigma *made) {
  SigmaInput in = {.name = sigma_intern(made, "stdin"), .hash = SIGMA_NONE};
  const char *from = (const char *)c->in.at;
  assert(made->schedules.len == 1);
  for (vec_each(i, parts)) {
    const Part *p = parts->at[i];
    uint64_t is;
    if (!p->number->scanned || !model_value(c->t, m, p->value, &is)) continue;
    vec_append(&in.copy, (const unsigned char *)from, (size_t)(p->text - from));
    char *text = mem_format("%" PRId64, (int64_t)is);
    bytes_text(&in.copy, text);
    mem_free(text);
    from = p->rest;
  }
  if (from != (const char *)c->in.at) {
    bytes_text(&in.copy, from);
    in.size = in.copy.len;
    vec_push(&made->schedules.at[0]->inputs, in);
  }
}

// NULL: the constraint does not admit it. distance: the largest.
static Sigma *make(const Composer *c, const Parts *parts, const Model *m, int64_t *distance) {
  Sigma *made = sigma_new(sigma_text(c->s, c->s->program), sigma_text(c->s, c->s->module));
  Schedule *x = sigma_add_schedule(made);
  *distance = 0;
  for (vec_each(i, &c->of->argv)) vec_push(&x->argv, sigma_intern(made, sigma_text(c->s, c->of->argv.at[i])));
  for (vec_each(i, parts)) {
    int64_t by = place(c, parts->at[i], m, made);
    if (by > *distance) *distance = by;
  }
  place_scanned(c, parts, m, made);
  if (*distance && is_admitted(c, made)) return made;
  sigma_free(made);
  return NULL;
}

static Bv other_than(const Composer *c, const Parts *parts, const Model *m) {
  Bv same = bv_const(c->t, 1, 1);
  for (vec_each(i, parts)) {
    uint64_t is;
    if (model_value(c->t, m, parts->at[i]->value, &is))
      same = bv_op(c->t, BV_AND, same, bv_op(c->t, BV_EQ, parts->at[i]->value, bv_const(c->t, 64, is)));
  }
  return bv_not(c->t, same);
}

static SolveAnswer ask(Composer *c, const BvVec *all, Model *out) {
  if (c->asked++ >= LIMIT_SOLVER_QUESTIONS) return limit_reached(LIMIT_OF_SOLVER_QUESTIONS), SOLVE_UNKNOWN;
  if (c->unanswered >= LIMIT_COMPUTE_GIVE_UP) return limit_reached(LIMIT_OF_COMPUTE_GIVE_UP), SOLVE_UNKNOWN;
  SolveAnswer answer =
      solver_model(c->solver, all->at, all->len,
                   c->unanswered < LIMIT_SOLVER_HARD ? LIMIT_SOLVER_STEPS : LIMIT_SOLVER_FEWER, out);
  c->unanswered += answer == SOLVE_UNKNOWN;
  return answer;
}

typedef struct {
  Composer *c;
  const BvVec *truths;
  const Parts *parts;
} Question;

static Sigma *attempt(const Question *q, const Part *one, Range range, int64_t *distance) {
  BvVec all = {0};
  Sigma *made = NULL;
  pose(q->c, q->truths, q->parts, one, &range, &all);
  for (int i = 0; i < LIMIT_COMPUTE_TRIES && !made; ++i) {
    Model m;
    if (ask(q->c, &all, &m) != SOLVE_YES) break;
    made = make(q->c, q->parts, &m, distance);
    if (!made) vec_push(&all, other_than(q->c, q->parts, &m));
    model_free(&m);
  }
  vec_free(&all);
  return made;
}

static void take_better(Sigma **best, Sigma *other) {
  sigma_free(*best);
  *best = other;
}

// As near as can be; of two as near, the larger. So what is found does not hang on the solver's version.
static Sigma *nearest(const Question *q, const Part *one, Range range) {
  assert(range.least <= range.most);
  int64_t none = 0, found, distance;
  Sigma *best = attempt(q, one, range, &found);
  while (best && found < INT64_MAX && none + 1 < found) {
    int64_t middle = none + (found - none) / 2;
    Sigma *nearer = attempt(q, one, (Range){-middle, middle}, &distance);
    if (nearer)
      take_better(&best, nearer), found = distance;
    else
      none = middle;
  }
  Sigma *above = best && one && found < INT64_MAX ? attempt(q, one, (Range){found, found}, &distance) : NULL;
  if (above) take_better(&best, above);
  return best;
}

// The recorded numbers rule it out.
static bool is_needed(const Question *q) {
  BvVec all = {0};
  Model m = {0};
  pose(q->c, q->truths, q->parts, NULL, NULL, &all);
  SolveAnswer answer = ask(q->c, &all, &m);
  if (answer == SOLVE_YES) model_free(&m);
  vec_free(&all);
  return answer == SOLVE_NO;
}

Sigma *composer_input(Composer *c, const BvVec *truths) {
  Parts parts = {0};
  Question q = {c, truths, &parts};
  Sigma *made = NULL;
  bool may = c->solver && find_parts(c, truths, &parts) && parts.len && is_needed(&q);
  for (int wide = 0; may && !made && wide < 2; ++wide)
    for (size_t i = 0; i < parts.len && i < LIMIT_COMPUTE_NUMBERS && !made; ++i)
      made = nearest(&q, parts.at[i], wide ? any : near);
  if (may && !made && parts.len > 1) made = nearest(&q, NULL, near);
  if (may && !made && parts.len > 1) made = nearest(&q, NULL, any);
  vec_free(&parts);
  return made;
}
