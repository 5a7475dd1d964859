// The two addresses as terms, with what is known at each place; then: can the ranges overlap?
#include "meet.h"
#include <assert.h>

// Of the solver, for one question. Where hundreds of them come to nothing, the others mostly do too: they get
// less each, and in the end nothing.

struct Meets {
  Known *values;
  Solver *solver;
  Intern *questions;  // by their form; the answers are
  Vec(SolveAnswer) answers;
  uint64_t asked, unanswered;
};

Meets *meets_new(Known *v) {
  Meets *m = mem_alloc(sizeof *m);
  *m = (Meets){.values = v, .solver = solver_new(known_terms(v)), .questions = intern_new()};
  return m;
}

void meets_free(Meets *p) {
  if (!p) return;
  solver_free(p->solver);
  intern_free(p->questions);
  vec_free(&p->answers);
  mem_free(p);
}

FlowFigures meets_figures(const Meets *m) {
  return (FlowFigures){m->asked, m->unanswered};
}

static unsigned steps_left(const Meets *p) {
  if (p->asked >= LIMIT_SOLVER_QUESTIONS) return limit_reached(LIMIT_OF_SOLVER_QUESTIONS), 0;
  if (p->unanswered >= LIMIT_SOLVER_GIVE_UP) return limit_reached(LIMIT_OF_SOLVER_GIVE_UP), 0;
  return p->unanswered < LIMIT_SOLVER_HARD ? LIMIT_SOLVER_STEPS : LIMIT_SOLVER_FEWER;
}

// Whether d, how far the first begins behind the second, can be such that they overlap.
static SolveAnswer ask_new(Meets *p, const BvVec *facts, Bv d, Bv meet, uint64_t bytes_a, uint64_t bytes_b) {
  SolveAnswer answer = SOLVE_UNKNOWN;
  unsigned steps = steps_left(p);
  p->asked++;
  if (!steps) return p->unanswered++, SOLVE_UNKNOWN;
  if (bytes_a && bytes_b)
    answer = solver_between(p->solver, facts->at, facts->len, d, 1 - (int64_t)bytes_a, (int64_t)bytes_b - 1,
                            steps);
  if (answer != SOLVE_NO) {
    BvVec all = {0};
    vec_append(&all, facts->at, facts->len);
    vec_push(&all, meet);
    answer = solver_possible(p->solver, all.at, all.len, steps);
    vec_free(&all);
  }
  if (answer == SOLVE_UNKNOWN) {
    limit_reached(steps == LIMIT_SOLVER_STEPS ? LIMIT_OF_SOLVER_STEPS : LIMIT_OF_SOLVER_FEWER);
    p->unanswered++;
  }
  return answer;
}

// Copies of the same code ask the same of variables that are theirs. Lengths are part of `meet`.
static SolveAnswer ask(Meets *p, const BvVec *facts, Bv d, Bv meet, uint64_t bytes_a, uint64_t bytes_b) {
  BvVec all = {0};
  Bytes form = {0};
  vec_push(&all, d), vec_push(&all, meet);
  vec_append(&all, facts->at, facts->len);
  canon_write(known_terms(p->values), all.at, all.len, &form);
  uint32_t question = intern_id(p->questions, (const char *)form.at, form.len);
  if (question == p->answers.len) vec_push(&p->answers, ask_new(p, facts, d, meet, bytes_a, bytes_b));
  vec_free(&all), vec_free(&form);
  return p->answers.at[question];
}

// How many bytes; BV_NONE: not known.
static Bv length_of(Meets *p, const Access *x, unsigned side) {
  LLVMValueRef f = call_is(x->inst) ? call_function(x->inst) : NULL;
  size_t len;
  const char *name = f ? LLVMGetValueName2(f, &len) : "";
  if (x->kind & ALIAS_FREES) return BV_NONE;
  if (!strncmp(name, "llvm.mem", 8)) {
    Bv n = known_value(p->values, LLVMGetOperand(x->inst, 2), x->inst, side);
    return n == BV_NONE ? BV_NONE : bv_resize(known_terms(p->values), n, 64, false);
  }
  return x->bytes >= ALIAS_REST ? BV_NONE : bv_const(known_terms(p->values), 64, (uint64_t)x->bytes);
}

// The objects that the addresses are in are not the same; or else, if they are, what is left of the
// difference.
typedef enum { SAME, OTHER, NOT_KNOWN } Objects;

static LLVMValueRef only_object(const Known *v, const Linear *l, bool *single) {
  LLVMValueRef found = NULL;
  *single = true;
  for (unsigned i = 0; i < l->count; ++i) {
    LLVMValueRef o = known_object(v, l->part[i].atom);
    if (o && (found || l->part[i].factor != 1)) return NULL;
    if (!o) continue;
    found = o;
    *single = known_single(v, l->part[i].atom);
  }
  return found;
}

static Objects objects(const Meets *p, Bv a, Bv b) {
  Linear x, y;
  bool single_x, single_y;
  const Bvs *t = known_terms(p->values);
  if (!linear_of(t, a, &x) || !linear_of(t, b, &y)) return NOT_KNOWN;
  LLVMValueRef o = only_object(p->values, &x, &single_x), q = only_object(p->values, &y, &single_y);
  if (o && q && o != q) return OTHER;
  return o && o == q && single_x && single_y ? SAME : NOT_KNOWN;
}

// Unsigned differences: the second begins within the first, or the first within the second.
static Bv overlap(Bvs *t, Bv a, Bv bytes_a, Bv b, Bv bytes_b) {
  assert(bytes_a != BV_NONE || bytes_b != BV_NONE);
  Bv ab = bv_op(t, BV_SUB, b, a), ba = bv_op(t, BV_SUB, a, b);
  if (bytes_a == BV_NONE) return bv_op(t, BV_SLT, ba, bytes_b);
  if (bytes_b == BV_NONE) return bv_op(t, BV_SLT, ab, bytes_a);
  return bv_op(t, BV_OR, bv_op(t, BV_ULT, ab, bytes_a), bv_op(t, BV_ULT, ba, bytes_b));
}

static Bv difference(Bvs *t, const Linear *x, const Linear *y) {
  Linear d = *x;
  linear_subtract(&d, y);
  if (d.count > LIMIT_LINEAR) return BV_NONE;
  Bv sum = bv_const(t, d.width, d.constant);
  for (unsigned i = 0; i < d.count; ++i)
    sum = bv_op(t, BV_ADD, sum, bv_op(t, BV_MUL, d.part[i].atom, bv_const(t, d.width, d.part[i].factor)));
  return sum;
}

// The two begin d apart, the first behind the second; meet: they overlap.
typedef struct {
  Bv d, meet;
  uint64_t bytes_a, bytes_b;  // 0: not constant
} Meeting;

static bool meeting(Meets *p, const Access *x, const Access *y, Bv a, Bv b, Meeting *out) {
  Bvs *t = known_terms(p->values);
  Bv na = length_of(p, x, 1), nb = length_of(p, y, 2);
  Linear la, lb;
  *out = (Meeting){0};
  if ((na == BV_NONE && nb == BV_NONE) || !linear_of(t, a, &la) || !linear_of(t, b, &lb)) return false;
  out->d = difference(t, &la, &lb);
  if (out->d == BV_NONE) return false;
  out->meet = overlap(t, out->d, na, bv_const(t, 64, 0), nb);
  if (!bv_is_const(t, na, &out->bytes_a) || !bv_is_const(t, nb, &out->bytes_b))
    out->bytes_a = out->bytes_b = 0;
  return true;
}

static FlowMeeting solve(Meets *p, const Access *x, const Access *y, Bv a, Bv b) {
  Meeting m;
  uint64_t constant;
  if (!meeting(p, x, y, a, b, &m)) return FLOW_MAY_OVERLAP;
  if (bv_is_const(known_terms(p->values), m.meet, &constant)) return constant ? FLOW_OVERLAP : FLOW_DISTINCT;
  BvVec truths = {0}, about = {0};
  vec_push(&about, m.meet);
  known_facts(p->values, x->inst, 1, &about, &truths);
  known_facts(p->values, y->inst, 2, &about, &truths);
  SolveAnswer answer = ask(p, &truths, m.d, m.meet, m.bytes_a, m.bytes_b);
  vec_free(&truths), vec_free(&about);
  return answer == SOLVE_NO ? FLOW_DISTINCT : answer == SOLVE_YES ? FLOW_MAY_OVERLAP : FLOW_TOO_HARD;
}

bool meets_if(Meets *p, const Access *x, const Access *y, const BvVec *given, BvVec *truths) {
  Meeting m;
  if (!x->pointer || !y->pointer) return false;
  Bv a = known_value(p->values, x->pointer, x->inst, 1), b = known_value(p->values, y->pointer, y->inst, 2);
  if (a == BV_NONE || b == BV_NONE || objects(p, a, b) != SAME || !meeting(p, x, y, a, b, &m)) return false;
  BvVec about = {0};
  vec_append(&about, given->at, given->len);
  vec_push(&about, m.meet);
  known_facts(p->values, x->inst, 1, &about, truths);
  known_facts(p->values, y->inst, 2, &about, truths);
  vec_push(truths, m.meet);
  vec_free(&about);
  return true;
}

FlowMeeting meets_ask(Meets *p, const Access *x, const Access *y) {
  if (known_dead(p->values, x->inst) || known_dead(p->values, y->inst)) return FLOW_NEVER;
  if (!x->pointer || !y->pointer) return FLOW_ANYWHERE;
  Bv a = known_value(p->values, x->pointer, x->inst, 1), b = known_value(p->values, y->pointer, y->inst, 2);
  if (a == BV_NONE || b == BV_NONE) return FLOW_ANYWHERE;
  if (known_apart(p->values, a, b)) return FLOW_DISTINCT;
  Objects o = objects(p, a, b);
  if (o == OTHER) return FLOW_DISTINCT;
  return o == SAME ? solve(p, x, y, a, b) : FLOW_ANYWHERE;
}
