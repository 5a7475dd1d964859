#include "run_constraint.h"
#include <assert.h>
#include "inside.h"
#include "term_of.h"

typedef struct {
  const Sliced *s;
  Terms *terms;
  InputNumbers numbers;
  TermInput input;
} Finder;

// --- what stands in truths

static const char *stands(const Sliced *s, Bv x, Map *seen) {
  BvVec vars = {0};
  const char *why = NULL;
  model_vars(s->t, &x, 1, &vars);
  for (size_t i = 0; i < vars.len && !why; ++i) {
    const Atom *a = sliced_atom(s, vars.at[i]);
    if (map_or(seen, vars.at[i], 0)) continue;
    map_put(seen, vars.at[i], 1);
    if (a->kind == ATOM_OPAQUE) why = a->why;
    if (a->kind == ATOM_OBJECT) why = "the address that an object happens to have";
    if (!why && a->a != BV_NONE) why = stands(s, a->a, seen);
    if (!why && a->b != BV_NONE) why = stands(s, a->b, seen);
  }
  vec_free(&vars);
  return why;
}

bool run_constraint_over_input(const Sliced *s, Bv truth, const char **why) {
  Map *seen = map_new();
  *why = stands(s, truth, seen);
  map_free(seen);
  return !*why;
}

// --- shorter

typedef struct {
  Bv x;
  int64_t low, high;
  uint64_t least, most;  // without sign
  BvVec others;
} Bounds;
typedef Vec(Bounds) AllBounds;

static Bounds *bounds_of(Bvs *t, AllBounds *all, Map *index, Bv x) {
  uint64_t known = map_or(index, x, 0);
  unsigned width = bv_at(t, x).width;
  if (known) return &all->at[known - 1];
  Bounds b = {.x = x,
              .low = bv_signed(width, UINT64_C(1) << (width - 1)),
              .high = (int64_t)(bv_mask(width) >> 1),
              .least = 0,
              .most = bv_mask(width)};
  vec_push(all, b);
  map_put(index, x, all->len);
  return &vec_last(all);
}

// A comparison of a term with a number, or its opposite. False: it is something else.
static bool take_bound(Bvs *t, AllBounds *all, Map *index, Bv truth) {
  BvTerm e = bv_at(t, truth);
  bool is = true;
  uint64_t value;
  if (e.op == BV_XOR && bv_is(t, e.b, 1)) is = false, e = bv_at(t, e.a);
  if (e.op < BV_EQ || e.op > BV_SLE) return false;
  bool right = bv_is_const(t, e.b, &value), left = !right && bv_is_const(t, e.a, &value);
  if (!left && !right) return false;
  Bv x = right ? e.a : e.b;
  unsigned width = bv_at(t, x).width;
  if (width == 1 || (e.op == BV_EQ && !is)) return false;
  Bounds *b = bounds_of(t, all, index, x);
  int64_t c = bv_signed(width, value);
  // x below c if `right` is `is`; strictly so if the comparison is strict, or turned round.
  bool below = right == is, strict = (e.op == BV_SLT || e.op == BV_ULT) == is;
  if (e.op == BV_EQ) {
    if (c > b->low) b->low = c;
    if (c < b->high) b->high = c;
  } else if (e.op == BV_SLT || e.op == BV_SLE) {
    if (below && c - (strict ? 1 : 0) < b->high) b->high = c - (strict ? 1 : 0);
    if (!below && c + (strict ? 1 : 0) > b->low) b->low = c + (strict ? 1 : 0);
  } else {
    if (below && value - (strict ? 1 : 0) < b->most) b->most = value - (strict ? 1 : 0);
    if (!below && value + (strict ? 1 : 0) > b->least) b->least = value + (strict ? 1 : 0);
  }
  return true;
}

static void give_bounds(Bvs *t, const Bounds *b, BvVec *out) {
  unsigned width = bv_at(t, b->x).width;
  Bv low = bv_const(t, width, (uint64_t)b->low), high = bv_const(t, width, (uint64_t)b->high);
  if (b->low == b->high) {
    vec_push(out, bv_op(t, BV_EQ, b->x, low));
  } else {
    if (b->low > bv_signed(width, UINT64_C(1) << (width - 1))) vec_push(out, bv_op(t, BV_SLE, low, b->x));
    if (b->high < (int64_t)(bv_mask(width) >> 1)) vec_push(out, bv_op(t, BV_SLE, b->x, high));
  }
  if (b->least == b->most) {
    vec_push(out, bv_op(t, BV_EQ, b->x, bv_const(t, width, b->least)));
    return;
  }
  if (b->least) vec_push(out, bv_op(t, BV_ULE, bv_const(t, width, b->least), b->x));
  if (b->most < bv_mask(width)) vec_push(out, bv_op(t, BV_ULE, b->x, bv_const(t, width, b->most)));
}

static void split(const Bvs *t, Bv truth, BvVec *out) {
  BvTerm e = bv_at(t, truth);
  if (e.op == BV_AND) {
    split(t, e.a, out), split(t, e.b, out);
    return;
  }
  vec_push(out, truth);
}

// All truths hold for the recorded input, so no bounds cross.
void run_constraint_tighten(Bvs *t, const BvVec *truths, BvVec *out) {
  BvVec single = {0};
  AllBounds all = {0};
  Map *index = map_new(), *seen = map_new();
  for (vec_each(i, truths)) split(t, truths->at[i], &single);
  for (vec_each(i, &single)) {
    if (map_or(seen, single.at[i], 0)) continue;
    map_put(seen, single.at[i], 1);
    if (!take_bound(t, &all, index, single.at[i]) && !bv_is(t, single.at[i], 1)) vec_push(out, single.at[i]);
  }
  BvVec bounds = {0};
  for (vec_each(i, &all)) give_bounds(t, &all.at[i], &bounds);
  vec_append(&bounds, out->at, out->len);
  vec_free(out);
  *out = bounds;
  vec_free(&single), vec_free(&all);
  map_free(index), map_free(seen);
}

// A number that has one value goes into the other truths. False: there is no other such number.
static bool substitute_one(const Sliced *s, BvVec *truths, Map *done) {
  for (vec_each(i, truths)) {
    BvTerm e = bv_at(s->t, truths->at[i]);
    uint64_t value;
    if (e.op != BV_EQ || !bv_is_const(s->t, e.b, &value)) continue;
    BvTerm left = bv_at(s->t, e.a);
    Bv var = left.op == BV_TRUNC ? left.a : e.a;
    const Atom *a = sliced_atom(s, var);
    if (!a || map_or(done, var, 0) || (left.op == BV_TRUNC && (a->wide || left.width != 32))) continue;
    map_put(done, var, 1);
    Bv with = bv_const(s->t, a->width, (uint64_t)bv_signed(left.op == BV_TRUNC ? 32 : a->width, value));
    for (vec_each(k, truths))
      if (k != i) truths->at[k] = bv_substitute(s->t, truths->at[k], var, with);
    return true;
  }
  return false;
}

static void shorten(const Sliced *s, BvVec *truths) {
  Map *done = map_new();
  do {
    BvVec tight = {0};
    run_constraint_tighten(s->t, truths, &tight);
    vec_free(truths);
    *truths = tight;
  } while (substitute_one(s, truths, done));
  map_free(done);
}

// --- writing

static Term text_of(const Atom *a, Terms *out) {
  return a->name ? term_env(out, a->name) : term_argv(out, a->index);
}

static Term real_number(const Finder *x, const void *writer, Bv v) {
  uint64_t bits;
  double d;
  if (!bv_is_const(x->s->t, v, &bits)) return term_number(writer, v);
  memcpy(&d, &bits, sizeof d);
  return d - d == 0 ? term_real(term_target(writer), d) : TERM_NONE;
}

static Term applied(Terms *out, TermOp op, Term a, Term b) {
  Term parts[] = {a, b};
  return a == TERM_NONE || b == TERM_NONE ? TERM_NONE : term_apply(out, op, parts, 2, NULL);
}

static Term relation(Terms *out, unsigned which, Term a, Term b) {
  if (which & 8) {  // also if they cannot be compared: not the rest
    Term rest = which == 15 ? TERM_NONE : which == 8 ? TERM_NONE : relation(out, 15 & ~which, a, b);
    return rest == TERM_NONE ? TERM_NONE : term_apply(out, TERM_NOT, &rest, 1, NULL);
  }
  static const TermOp table[] = {[1] = TERM_EQ, [2] = TERM_GT, [3] = TERM_GE, [4] = TERM_LT, [5] = TERM_LE};
  if (which == 6) return applied(out, TERM_OR, applied(out, TERM_LT, a, b), applied(out, TERM_GT, a, b));
  return which && which < 6 ? applied(out, table[which], a, b) : TERM_NONE;
}

static Term write_atom(const void *self, const void *writer, Bv v) {
  const Finder *x = self;
  const Atom *a = sliced_atom(x->s, v);
  Terms *out = term_target(writer);
  Term one;
  switch ((AtomKind)a->kind) {
    case ATOM_CHAR:
      return applied(out, TERM_CHAR, text_of(a, out), term_int(out, a->at));
    case ATOM_UNSIGNED:
      return applied(out, TERM_STRTOUL, text_of(a, out), term_int(out, 10));
    case ATOM_REAL:
      one = text_of(a, out);
      return term_apply(out, TERM_STRTOD, &one, 1, NULL);
    case ATOM_ADD:
      return applied(out, TERM_ADD, real_number(x, writer, a->a), real_number(x, writer, a->b));
    case ATOM_SUB:
      return applied(out, TERM_SUB, real_number(x, writer, a->a), real_number(x, writer, a->b));
    case ATOM_MUL:
      return applied(out, TERM_MUL, real_number(x, writer, a->a), real_number(x, writer, a->b));
    case ATOM_DIV:
      return applied(out, TERM_QUOT, real_number(x, writer, a->a), real_number(x, writer, a->b));
    case ATOM_OF_INT:
      one = term_number(writer, a->a);
      return one == TERM_NONE ? one : term_apply(out, TERM_DOUBLE, &one, 1, NULL);
    case ATOM_TO_INT:
      one = real_number(x, writer, a->a);
      return one == TERM_NONE ? one : term_apply(out, TERM_INT64, &one, 1, NULL);
    case ATOM_COMPARE:
      return relation(out, a->index, real_number(x, writer, a->a), real_number(x, writer, a->b));
    default:
      return TERM_NONE;
  }
}

static void learn_numbers(Finder *x) {
  x->input =
      (TermInput){.numbers = &x->numbers, .argc = BV_NONE, .t = x->s->t, .other = write_atom, .self = x};
  for (vec_each(i, &x->s->atoms)) {
    const Atom *a = &x->s->atoms.at[i];
    if (a->kind == ATOM_ARGC) x->input.argc = a->var;
    if ((a->kind != ATOM_NUMBER && a->kind != ATOM_ENVIRONMENT) || x->numbers.len == LIMIT_INPUT_NUMBERS)
      continue;
    bool number = a->kind == ATOM_NUMBER;
    InputNumber n = {
        .index = a->index, .name = a->name, .value = number ? a->var : BV_NONE, .of_int = number && !a->wide};
    x->input.texts[x->numbers.len] = number ? BV_NONE : a->var;
    vec_push(&x->numbers, n);
  }
}

// --- gaps

static LLVMValueRef inst_of(const SlicedInput *in, uint32_t pc) {
  return bytecode_origin(runner_code(in->runner), pc);
}

static void add_gap(ConstraintFound *out, Place p, const char *why) {
  for (vec_each(i, &out->gaps)) {
    const ConstraintGap *g = &out->gaps.at[i];
    bool same_file = (!g->file && !p.file) || (g->file && p.file && !strcmp(g->file, p.file));
    if (g->line == p.line && same_file && !strcmp(g->why, why)) return;
  }
  ConstraintGap gap = {p.file ? mem_string(p.file) : NULL, p.line, p.column, mem_string(why)};
  vec_push(&out->gaps, gap);
}

static void look_at_whole(const SlicedInput *in, const Sliced *s, ConstraintFound *out) {
  if (s->too_many) add_gap(out, (Place){0}, "too many steps of the run decide how its threads synchronize");
  if (s->wrong != TRACE_NONE)
    add_gap(out, where(inst_of(in, s->wrong)), "internal: the term of what is computed here is wrong");
  if (s->races != TRACE_NONE)
    add_gap(out, where(inst_of(in, s->races)), "another thread may write meanwhile what is read here");
}

Term run_constraint_write(const Sliced *s, const BvVec *truths, bool shorter, Terms *terms) {
  Finder x = {.s = s, .terms = terms};
  BvVec kept = {0};
  vec_append(&kept, truths->at, truths->len);
  shorten(s, &kept);
  Solver *solver = shorter ? solver_new(s->t) : NULL;
  learn_numbers(&x);
  Term when = term_conjunction(&x.input, solver, s->t, &kept, terms);
  solver_free(solver);
  vec_free(&kept), vec_free(&x.numbers);
  return when;
}

static void find(const SlicedInput *in, const Sliced *s, Terms *terms, ConstraintFound *out) {
  BvVec truths = {0};
  const char *why;
  look_at_whole(in, s, out);
  out->guards = s->truths.len;
  for (vec_each(i, &s->truths)) {
    const SlicedTruth *t = &s->truths.at[i];
    if (run_constraint_over_input(s, t->truth, &why))
      vec_push(&truths, t->truth);
    else
      add_gap(out, where(inst_of(in, t->pc)), why);
  }
  out->when = run_constraint_write(s, &truths, true, terms);
  if (out->when == TERM_NONE)
    add_gap(out, (Place){0}, "a condition cannot be said in the language of constraints");
  vec_free(&truths);
}

bool run_constraint_find(const SlicedInput *in, Terms *terms, ConstraintFound *out, Diags *diags) {
  *out = (ConstraintFound){.when = TERM_NONE};
  Sliced s;
  RunResult result;
  bool ok = sliced_make(in, &s, &result, diags);
  if (ok)
    find(in, &s, terms, out);
  else if (result.why)
    add_gap(out, (Place){result.file, result.line, result.column}, result.why), ok = true;
  run_result_free(&result);
  sliced_free(&s);
  return ok;
}
