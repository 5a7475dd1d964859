// The two addresses as terms, with what is known at each place; then: can the ranges overlap?
#include "pair.h"
#include <pthread.h>

// Of the solver, for one question. Where hundreds of them come to nothing, the others mostly do too: they get
// less each, and in the end nothing.
enum { STEPS = 1000000, FEWER_STEPS = 20000, HARD = 20, HARDER = 400, QUESTIONS = 2000 };

struct Pairing {
  const Code *code;
  const Alias *alias;
  Known *values;
  Solver *solver;
  Intern *questions;  // by their form; the answers are
  Vec(SolveAnswer) answers;
  uint64_t asked, unanswered;
};

Pairing *pairing_new(const Code *c, const Alias *a, Known *v) {
  Pairing *p = mem_alloc(sizeof *p);
  *p = (Pairing){
      .code = c, .alias = a, .values = v, .solver = solver_new(known_terms(v)), .questions = intern_new()};
  return p;
}

void pairing_free(Pairing *p) {
  if (!p) return;
  solver_free(p->solver);
  intern_free(p->questions);
  vec_free(&p->answers);
  mem_free(p);
}

uint64_t pairing_asked(const Pairing *p) {
  return p->asked;
}

bool pairing_concurrent(const Pairing *p, const Access *x, const Access *y, Region *rx, Region *ry) {
  for (vec_each(i, &x->regions))
    for (vec_each(k, &y->regions)) {
      *rx = x->regions.at[i], *ry = y->regions.at[k];
      if (rx->thread == ry->thread) continue;
      if (!code_before(p->code, *rx, *ry, true) && !code_before(p->code, *ry, *rx, true)) return true;
    }
  return false;
}

uint64_t pairing_unanswered(const Pairing *p) {
  return p->unanswered;
}

static unsigned steps_left(const Pairing *p) {
  if (p->asked >= QUESTIONS || p->unanswered >= HARDER) return 0;
  return p->unanswered < HARD ? STEPS : FEWER_STEPS;
}

// Whether d, how far the first begins behind the second, can be such that they overlap.
static SolveAnswer ask_new(Pairing *p, const BvVec *facts, Bv d, Bv meet, uint64_t bytes_a,
                           uint64_t bytes_b) {
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
  p->unanswered += answer == SOLVE_UNKNOWN;
  return answer;
}

// Copies of the same code ask the same of variables that are theirs. Lengths are part of `meet`.
static SolveAnswer ask(Pairing *p, const BvVec *facts, Bv d, Bv meet, uint64_t bytes_a, uint64_t bytes_b) {
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
static Bv length_of(Pairing *p, const Access *x, unsigned side) {
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

static Objects objects(const Pairing *p, Bv a, Bv b) {
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
  Bv ab = bv_op(t, BV_SUB, b, a), ba = bv_op(t, BV_SUB, a, b);
  if (bytes_a == BV_NONE) return bv_op(t, BV_SLT, ba, bytes_b);
  if (bytes_b == BV_NONE) return bv_op(t, BV_SLT, ab, bytes_a);
  return bv_op(t, BV_OR, bv_op(t, BV_ULT, ab, bytes_a), bv_op(t, BV_ULT, ba, bytes_b));
}

static Bv difference(Bvs *t, const Linear *x, const Linear *y) {
  Linear d = *x;
  linear_subtract(&d, y);
  if (d.count > LINEAR_MOST) return BV_NONE;
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

static bool meeting(Pairing *p, const Access *x, const Access *y, Bv a, Bv b, Meeting *out) {
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

static PairAnswer solve(Pairing *p, const Access *x, const Access *y, Bv a, Bv b) {
  Meeting m;
  uint64_t constant;
  if (!meeting(p, x, y, a, b, &m)) return PAIR_POSSIBLE;
  if (bv_is_const(known_terms(p->values), m.meet, &constant)) return constant ? PAIR_SAME : PAIR_APART;
  BvVec truths = {0}, about = {0};
  vec_push(&about, m.meet);
  known_facts(p->values, x->inst, 1, &about, &truths);
  known_facts(p->values, y->inst, 2, &about, &truths);
  SolveAnswer answer = ask(p, &truths, m.d, m.meet, m.bytes_a, m.bytes_b);
  vec_free(&truths), vec_free(&about);
  return answer == SOLVE_NO ? PAIR_APART : answer == SOLVE_YES ? PAIR_POSSIBLE : PAIR_HARD;
}

// How far behind the mutex an access begins. False: not known to be always the same.
static bool behind_mutex(Pairing *p, const Access *x, LLVMValueRef mutex, unsigned side, int64_t *bytes) {
  Linear to, from;
  if (!x->pointer || x->bytes <= 0 || x->bytes >= ALIAS_REST) return false;
  Bv a = known_value(p->values, x->pointer, x->inst, side), m = known_value(p->values, mutex, x->inst, side);
  if (a == BV_NONE || m == BV_NONE) return false;
  const Bvs *t = known_terms(p->values);
  if (!linear_of(t, a, &to) || !linear_of(t, m, &from)) return false;
  linear_subtract(&to, &from);
  *bytes = (int64_t)to.constant;
  return to.count == 0 && *bytes > -ALIAS_REST && *bytes < ALIAS_REST;
}

bool pairing_under_one(Pairing *p, const Access *x, LLVMValueRef m, const Access *y, LLVMValueRef n) {
  const int64_t size = sizeof(pthread_mutex_t);
  int64_t a, b;
  if (!m || !n || !behind_mutex(p, x, m, 1, &a) || !behind_mutex(p, y, n, 2, &b)) return false;
  // m - n is between these, both included, if the accesses share a byte.
  int64_t least = 1 - x->bytes - (a - b), most = y->bytes - 1 - (a - b);
  return least > -size && most < size;
}

bool pairing_meeting(Pairing *p, const Access *x, const Access *y, const BvVec *inputs, BvVec *truths) {
  Meeting m;
  if (!x->pointer || !y->pointer) return false;
  Bv a = known_value(p->values, x->pointer, x->inst, 1), b = known_value(p->values, y->pointer, y->inst, 2);
  if (a == BV_NONE || b == BV_NONE || objects(p, a, b) != SAME || !meeting(p, x, y, a, b, &m)) return false;
  BvVec about = {0};
  vec_append(&about, inputs->at, inputs->len);
  vec_push(&about, m.meet);
  known_facts(p->values, x->inst, 1, &about, truths);
  known_facts(p->values, y->inst, 2, &about, truths);
  vec_push(truths, m.meet);
  vec_free(&about);
  return true;
}

PairAnswer pairing_ask(Pairing *p, const Access *x, const Access *y) {
  if (known_dead(p->values, x->inst) || known_dead(p->values, y->inst)) return PAIR_DEAD;
  if (!x->pointer || !y->pointer) return PAIR_ANYWHERE;
  Bv a = known_value(p->values, x->pointer, x->inst, 1), b = known_value(p->values, y->pointer, y->inst, 2);
  if (a == BV_NONE || b == BV_NONE) return PAIR_ANYWHERE;
  if (known_apart(p->values, a, b)) return PAIR_APART;
  Objects o = objects(p, a, b);
  if (o == OTHER) return PAIR_APART;
  return o == SAME ? solve(p, x, y, a, b) : PAIR_ANYWHERE;
}
