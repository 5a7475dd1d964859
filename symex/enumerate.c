#include "enumerate.h"
#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include "run_constraint.h"
#include "space.h"

enum { STEPS = 2000000, MOST_LEFT_OUT = 20, MOST_SHOWN = 40 };

typedef struct {
  const EnumerateInput *in;
  EnumerateFound *out;
  Runner *runner;
  Sliced *space;
  Solver *solver;
  BvVec held;        // what the next input fulfils
  BvVec uncovered;   // that, but for inputs that were tried and have no schedule
  Map *schedule_of;  // hash of events: schedule + 1
  BvVec covers;      // by schedule
  Vec(Strings) neighbours;
  size_t next_neighbour;
  Vec(uint64_t) values;  // by term of the space
  Diags *diags;
} Enumeration;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void hold(Enumeration *e, Bv truth) {
  vec_push(&e->held, truth);
  solver_hold(e->solver, truth);
}

static void leave(Enumeration *e, Bv covered) {
  vec_push(&e->uncovered, bv_not(e->space->t, covered));
  hold(e, vec_last(&e->uncovered));
}

static void give_up(Enumeration *e, const char *why) {
  if (!e->out->why) e->out->why = mem_string(why);
}

// --- inputs

// What an atom would be with these arguments. False: it is not of the input.
static bool value_of(const Atom *a, const Strings *argv, uint64_t *out) {
  bool there = a->index < argv->len && !a->name;
  const char *text = there ? argv->at[a->index] : "";
  switch ((AtomKind)a->kind) {
    case ATOM_ARGC:
      return *out = argv->len, true;
    case ATOM_NUMBER:
      return *out = (uint64_t)strtoll(text, NULL, 10), true;
    case ATOM_UNSIGNED:
      return *out = (uint64_t)strtoull(text, NULL, 10), true;
    case ATOM_REAL: {
      double d = strtod(text, NULL);
      return memcpy(out, &d, sizeof d), true;
    }
    case ATOM_CHAR:
      return *out = a->at <= strlen(text) ? (unsigned char)text[a->at] : 0, true;
    case ATOM_ENVIRONMENT:
      return *out = 0, true;
    default:
      return false;
  }
}

static SolveAnswer ask(Enumeration *e, const BvVec *truths, Model *model) {
  double began = now();
  ++e->out->questions;
  SolveAnswer a = model ? solver_model(e->solver, truths->at, truths->len, STEPS, model)
                        : solver_possible(e->solver, truths->at, truths->len, STEPS);
  e->out->solving += now() - began;
  return a;
}

// As near to the seed as powers of two can say.
static void come_near(Enumeration *e, const Atom *a, uint64_t wish, BvVec *chosen) {
  Bvs *t = e->space->t;
  unsigned width = a->kind == ATOM_NUMBER && !a->wide ? 32 : a->width;
  Bv x = bv_resize(t, a->var, width, false);
  vec_push(chosen, bv_op(t, BV_EQ, x, bv_const(t, width, wish)));
  if (ask(e, chosen, NULL) == SOLVE_YES) return;
  --chosen->len;
  if (width < 32 || a->kind == ATOM_ENVIRONMENT) return;
  int64_t middle = bv_signed(width, wish);
  for (unsigned d = 0; d < width - 2; ++d) {
    int64_t by = INT64_C(1) << d, low, high;
    if (__builtin_sub_overflow(middle, by, &low) || __builtin_add_overflow(middle, by, &high)) return;
    if (width == 32 && (low < INT32_MIN || high > INT32_MAX)) return;
    Bv above = bv_op(t, BV_SLE, bv_const(t, width, (uint64_t)low), x);
    Bv below = bv_op(t, BV_SLE, x, bv_const(t, width, (uint64_t)high));
    vec_push(chosen, bv_op(t, BV_AND, above, below));
    if (ask(e, chosen, NULL) == SOLVE_YES) return;
    --chosen->len;
  }
}

static uint64_t chosen_value(const Model *m, const Atom *a) {
  for (vec_each(i, &m->vars))
    if (m->vars.at[i] == a->var) return m->values.at[i];
  return 0;
}

static void set_text(Strings *argv, size_t i, char *text) {
  mem_free(argv->at[i]);
  argv->at[i] = text;
}

static void set_char(Strings *argv, const Atom *a, unsigned char c) {
  Bytes text = {0};
  bytes_text(&text, argv->at[a->index]);
  while (text.len <= a->at) vec_push(&text, '0');
  text.at[a->at] = c;
  vec_push(&text, 0);
  set_text(argv, a->index, mem_string((const char *)text.at));
  vec_free(&text);
}

static void set_number(Strings *argv, const Atom *a, uint64_t value) {
  uint64_t is = 0;
  int64_t number = a->wide ? (int64_t)value : bv_signed(32, value);
  value_of(a, argv, &is);
  bool fits = a->wide || a->kind == ATOM_UNSIGNED ? is == value : (uint32_t)is == (uint32_t)value;
  if (fits) return;
  set_text(argv, a->index,
           a->kind == ATOM_UNSIGNED ? mem_format("%llu", (unsigned long long)value)
                                    : mem_format("%lld", (long long)number));
}

// The arguments of a model: those of the seed, with other numbers and letters.
static bool realize(const Enumeration *e, const Model *m, Strings *argv) {
  enum { MOST_ARGUMENTS = 1000 };
  const Strings *seed = &e->in->seed;
  uint64_t argc = seed->len;
  for (vec_each(i, &e->space->atoms))
    if (e->space->atoms.at[i].kind == ATOM_ARGC) argc = (uint32_t)chosen_value(m, &e->space->atoms.at[i]);
  if (!argc || argc > MOST_ARGUMENTS) return false;
  for (uint64_t i = 0; i < argc; ++i) vec_push(argv, mem_string(i < seed->len ? seed->at[i] : "0"));
  for (int turn = 0; turn < 2; ++turn)  // letters last: they say more
    for (vec_each(i, &e->space->atoms)) {
      const Atom *a = &e->space->atoms.at[i];
      bool number = a->kind == ATOM_NUMBER || a->kind == ATOM_UNSIGNED;
      if (a->index >= argc || a->name) continue;
      if (!turn && number) set_number(argv, a, chosen_value(m, a));
      if (turn && a->kind == ATOM_CHAR) set_char(argv, a, (unsigned char)chosen_value(m, a));
    }
  return true;
}

static double real_of(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static uint64_t of_reals(const Atom *a, uint64_t x, uint64_t y) {
  double p = real_of(x), q = real_of(y), r = 0;
  uint64_t bits;
  switch ((AtomKind)a->kind) {
    case ATOM_COMPARE:
      return (a->index & (p == q ? 1u : p > q ? 2u : p < q ? 4u : 8u)) != 0;
    case ATOM_TO_INT:
      return p > -9.2e18 && p < 9.2e18 ? (uint64_t)(int64_t)p : 0;
    case ATOM_OF_INT:
      r = (double)(int64_t)x;
      break;
    default:
      r = a->kind == ATOM_ADD ? p + q : a->kind == ATOM_SUB ? p - q : a->kind == ATOM_MUL ? p * q : p / q;
  }
  memcpy(&bits, &r, sizeof bits);
  return bits;
}

// All terms with these arguments, operands first; then what must hold is looked up.
static bool is_as_wanted(Enumeration *e, const Strings *argv) {
  const Bvs *t = e->space->t;
  size_t n = bvs_count(t);
  e->values.len = 0;
  for (Bv x = 0; x < n; ++x) {
    BvTerm b = bv_at(t, x);
    uint64_t value = b.value, parts[3] = {0};
    Bv of[] = {b.a, b.b, b.c};
    for (int i = 0; i < 3; ++i)
      if (of[i] != BV_NONE) parts[i] = e->values.at[of[i]];
    if (b.op > BV_VAR) value = bv_compute(t, x, parts);
    if (b.op == BV_VAR) {
      const Atom *a = &e->space->atoms.at[b.value];
      uint64_t p = a->a == BV_NONE ? 0 : e->values.at[a->a], q = a->b == BV_NONE ? 0 : e->values.at[a->b];
      if (!value_of(a, argv, &value)) value = of_reals(a, p, q);
    }
    vec_push(&e->values, value & bv_mask(b.width));
  }
  for (vec_each(i, &e->held))
    if (!e->values.at[e->held.at[i]]) return false;
  return true;
}

// --- neighbours: inputs that a run shows to lie just outside of what it covers

static void copy_strings(Strings *to, const Strings *from) {
  for (vec_each(i, from)) vec_push(to, mem_string(from->at[i]));
}

static void add_neighbour(Enumeration *e, const Strings *argv, const Atom *a, uint64_t value) {
  enum { MOST = 200000, MOST_ARGUMENTS = 100 };
  Strings next = {0};
  bool argc = a->kind == ATOM_ARGC;
  if (e->neighbours.len >= MOST || (argc && (!(uint32_t)value || (uint32_t)value > MOST_ARGUMENTS))) return;
  if (!argc && (a->name || a->index >= argv->len)) return;
  copy_strings(&next, argv);
  while (argc && next.len > (uint32_t)value) mem_free(vec_pop(&next));
  for (size_t i = next.len; argc && i < (uint32_t)value; ++i)
    vec_push(&next, mem_string(i < e->in->seed.len ? e->in->seed.at[i] : "0"));
  if (a->kind == ATOM_NUMBER || a->kind == ATOM_UNSIGNED) set_number(&next, a, value);
  if (a->kind == ATOM_CHAR) set_char(&next, a, (unsigned char)value);
  if (a->kind == ATOM_REAL) set_text(&next, a->index, mem_format("%.17g", real_of(value)));
  vec_push(&e->neighbours, next);
}

// Of a comparison of doubles: the number itself and those next to it.
static void real_neighbours(Enumeration *e, const Strings *argv, const Atom *compare) {
  for (int side = 0; side < 2; ++side) {
    const Atom *a = sliced_atom(e->space, side ? compare->b : compare->a);
    uint64_t with;
    if (!a || a->kind != ATOM_REAL || !bv_is_const(e->space->t, side ? compare->a : compare->b, &with))
      continue;
    add_neighbour(e, argv, a, with), add_neighbour(e, argv, a, with + 1);
    if (with) add_neighbour(e, argv, a, with - 1);
  }
}

static void add_neighbours(Enumeration *e, const Strings *argv, Bv truth) {
  const Bvs *t = e->space->t;
  BvTerm x = bv_at(t, truth);
  bool not = x.op == BV_XOR && bv_is(t, x.b, 1);
  uint64_t value;
  if (not ) truth = x.a, x = bv_at(t, truth);
  if (x.op == BV_VAR && sliced_atom(e->space, truth)->kind == ATOM_COMPARE) {
    Atom compare = *sliced_atom(e->space, truth);
    real_neighbours(e, argv, &compare);
  }
  if (x.op < BV_EQ || x.op > BV_SLE) return;
  bool right = bv_is_const(t, x.b, &value);
  if (!right && !bv_is_const(t, x.a, &value)) return;
  Bv of = right ? x.a : x.b;
  BvTerm inner = bv_at(t, of);
  while (inner.op == BV_TRUNC || inner.op == BV_SEXT || inner.op == BV_ZEXT)
    of = inner.a, inner = bv_at(t, of);
  const Atom *found = sliced_atom(e->space, of);
  if (!found) return;
  Atom a = *found;
  for (int by = -1; by <= 1; ++by) add_neighbour(e, argv, &a, value + (uint64_t)by);
}

typedef enum { NEXT_IS, NEXT_NONE, NEXT_UNKNOWN } Next;

static bool next_neighbour(Enumeration *e, Strings *argv) {
  while (e->next_neighbour < e->neighbours.len) {
    Strings *next = &e->neighbours.at[e->next_neighbour++];
    bool fits = is_as_wanted(e, next);
    if (fits) copy_strings(argv, next);
    strings_free(next);
    if (fits) return true;
  }
  return false;
}

static Next next_input(Enumeration *e, Strings *argv) {
  if (next_neighbour(e, argv)) return NEXT_IS;
  BvVec chosen = {0};
  Model model = {0};
  SolveAnswer answer = ask(e, &chosen, NULL);
  for (size_t i = 0; answer == SOLVE_YES && i < e->space->atoms.len; ++i) {
    const Atom a = e->space->atoms.at[i];
    uint64_t wish;
    if (a.kind != ATOM_REAL && value_of(&a, &e->in->seed, &wish)) come_near(e, &a, wish, &chosen);
  }
  // Every variable of the input gets a value.
  for (vec_each(i, &e->space->atoms)) {
    const Atom *a = &e->space->atoms.at[i];
    Bv self = bv_op(e->space->t, BV_ULE, bv_const(e->space->t, a->width, 0), a->var);
    vec_push(&chosen, self);
  }
  if (answer == SOLVE_YES) answer = ask(e, &chosen, &model);
  bool made = answer == SOLVE_YES && realize(e, &model, argv) && is_as_wanted(e, argv);
  if (answer == SOLVE_YES && !made)
    give_up(e, "an input that the solver finds is no text that can be written");
  if (answer == SOLVE_UNKNOWN) give_up(e, "the solver does not know whether an input is left");
  model_free(&model);
  vec_free(&chosen);
  return answer == SOLVE_NO ? NEXT_NONE : made ? NEXT_IS : NEXT_UNKNOWN;
}

// --- runs

static uint64_t hash_of(const Schedule *c) {
  uint64_t h = c->threads;
  for (vec_each(i, &c->events)) {
    const Event *v = &c->events.at[i];
    uint64_t parts[] = {v->thread, v->site, v->object, v->other, v->outcome, v->kind, v->phase, v->wake};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
      h = (h ^ parts[k]) * UINT64_C(0x9E3779B97F4A7C15), h ^= h >> 29;
  }
  return h;
}

static bool same_events(const Schedule *a, const Schedule *b) {
  if (a->threads != b->threads || a->events.len != b->events.len || a->objects.len != b->objects.len)
    return false;
  for (vec_each(i, &a->events)) {
    const Event *x = &a->events.at[i], *y = &b->events.at[i];
    if (x->thread != y->thread || x->site != y->site || x->object != y->object || x->other != y->other ||
        x->outcome != y->outcome || x->kind != y->kind || x->phase != y->phase || x->wake != y->wake)
      return false;
  }
  for (vec_each(i, &a->objects)) {
    const SigmaObject *x = &a->objects.at[i], *y = &b->objects.at[i];
    if (x->family != y->family || x->recursive != y->recursive || x->amount != y->amount) return false;
  }
  return true;
}

static Schedule *add_schedule(Sigma *s, const Strings *argv) {
  Schedule *c = sigma_add_schedule(s);
  c->origin = SIGMA_ENUMERATED;
  for (vec_each(i, argv)) vec_push(&c->argv, sigma_intern(s, argv->at[i]));
  return c;
}

static char *place_text(const RunResult *r) {
  return r->file ? mem_format("%s:%u: %s", r->file, r->line, r->why) : mem_string(r->why ? r->why : "?");
}

// The events of the run with these arguments. False: there is no schedule of it.
static bool run(Enumeration *e, uint32_t id, const char **why) {
  Sigma *s = e->in->sigma;
  RunResult r = {0};
  RunOptions o = {.sigma = s, .schedule = id, .natural = s};
  Diags *unsaid = diags_new();
  bool ok = runner_run(e->runner, &o, &r, e->diags) && r.end == RUN_EXITED;
  Schedule *c = s->schedules.at[id];
  if (ok) {
    c->end = SIGMA_EXIT, c->end_number = (uint32_t)r.status;
    ok = sigma_settle(s, id, e->diags);
    if (!ok) *why = "internal: the run is no schedule";
  } else {
    char *text = place_text(&r);
    give_up(e, text);
    mem_free(text);
  }
  diags_free(unsaid);
  run_result_free(&r);
  return ok;
}

// What of the input the run depends on, as one truth of the space; BV_NONE, and why.
static Bv learn(Enumeration *e, uint32_t id, const Strings *argv, Term *when, const char **why) {
  SlicedInput in = {e->runner, e->in->alias, e->in->sigma, id, true};
  Sliced s;
  RunResult r = {0};
  Bv all = bv_const(e->space->t, 1, 1);
  BvVec truths = {0};
  bool ok = sliced_make(&in, &s, &r, e->diags);
  if (!ok) *why = "internal: the run cannot be executed again";
  if (ok && s.too_many) ok = false, *why = "too many steps of a run decide how its threads synchronize";
  if (ok && s.wrong != TRACE_NONE) ok = false, *why = "internal: a term of a run is wrong";
  if (ok && s.races != TRACE_NONE) ok = false, *why = "a thread may write what decides in another one";
  for (size_t i = 0; ok && i < s.truths.len; ++i) {
    ok = run_constraint_over_input(&s, s.truths.at[i].truth, why);
    if (ok) vec_push(&truths, s.truths.at[i].truth);
  }
  if (ok) *when = run_constraint_write(&s, &truths, false, e->in->sigma->terms);
  if (ok && *when == TERM_NONE)
    ok = false, *why = "a condition cannot be said in the language of constraints";
  BvVec tight = {0};
  run_constraint_tighten(s.t, &truths, &tight);
  for (size_t i = 0; ok && i < tight.len; ++i) {
    Bv truth = space_import(e->space, &s, tight.at[i]);
    all = bv_op(e->space->t, BV_AND, all, truth);
    add_neighbours(e, argv, truth);
  }
  vec_free(&tight);
  vec_free(&truths);
  run_result_free(&r);
  sliced_free(&s);
  return ok ? all : BV_NONE;
}

// Only this input: what else would go the same way is not known.
static Bv point_of(Enumeration *e, const Strings *argv) {
  Bv all = bv_const(e->space->t, 1, 1);
  for (vec_each(i, &e->space->atoms)) {
    const Atom *a = &e->space->atoms.at[i];
    uint64_t value;
    if (!value_of(a, argv, &value)) continue;
    Bv is = bv_op(e->space->t, BV_EQ, a->var, bv_const(e->space->t, a->width, value));
    all = bv_op(e->space->t, BV_AND, all, is);
  }
  return all;
}

// A schedule that is known serves more inputs; another one is new.
static void take(Enumeration *e, uint32_t id, Term when, Bv covers) {
  Sigma *s = e->in->sigma;
  Schedule *c = s->schedules.at[id];
  uint64_t hash = hash_of(c), known = map_or(e->schedule_of, hash, 0);
  if (known && same_events(s->schedules.at[known - 1], c)) {
    Schedule *old = s->schedules.at[known - 1];
    Term both[] = {old->when, when};
    old->when = term_apply(s->terms, TERM_OR, both, 2, NULL);
    e->covers.at[known - 1] = bv_op(e->space->t, BV_OR, e->covers.at[known - 1], covers);
    sigma_drop_schedule(s);
    ++e->out->joined;
    return;
  }
  c->status = SIGMA_PROVED, c->when = when;
  assert(e->covers.len == id);
  vec_push(&e->covers, covers);
  map_put(e->schedule_of, hash, (uint64_t)id + 1);
  ++e->out->schedules;
}

static bool one_run(Enumeration *e, const Strings *argv) {
  Sigma *s = e->in->sigma;
  const char *why = NULL;
  double began = now();
  add_schedule(s, argv);
  uint32_t id = (uint32_t)s->schedules.len - 1;
  Term when = TERM_NONE;
  ++e->out->runs;
  Bv covers = run(e, id, &why) ? learn(e, id, argv, &when, &why) : BV_NONE;
  e->out->running += now() - began;
  if (covers != BV_NONE) {
    take(e, id, when, covers);
    leave(e, covers);
    return true;
  }
  if (why) give_up(e, why);
  sigma_drop_schedule(s);
  ++e->out->left_out;
  hold(e, bv_not(e->space->t, point_of(e, argv)));
  return e->space->atoms.len > 0 && e->out->left_out < MOST_LEFT_OUT;
}

static void show_progress(const Enumeration *e) {
  char *text = mem_format("enumerating: %zu schedules, %zu runs, %llu questions", e->out->schedules,
                          e->out->runs, (unsigned long long)e->out->questions);
  progress(text);
  mem_free(text);
}

static void free_strings(Strings *s) {
  strings_free(s);
  *s = (Strings){0};
}

static void search(Enumeration *e) {
  Strings argv = {0};
  double began = now();
  for (vec_each(i, &e->in->seed)) vec_push(&argv, mem_string(e->in->seed.at[i]));
  bool on = is_as_wanted(e, &argv);
  if (!on) give_up(e, "the seed does not fulfil the assumption");
  while (on) {
    on = one_run(e, &argv);
    free_strings(&argv);
    show_progress(e);
    if (!on) break;
    if (stop_wanted()) give_up(e, "it was stopped"), on = false;
    Next next = on ? next_input(e, &argv) : NEXT_UNKNOWN;
    if (next == NEXT_NONE) e->out->complete = !e->out->left_out;
    on = next == NEXT_IS;
    if (on && e->out->runs >= e->in->most_runs) give_up(e, "as many runs as were allowed"), on = false;
    if (on && e->out->schedules >= e->in->most_schedules)
      give_up(e, "as many schedules as were allowed"), on = false;
    if (on && e->in->seconds > 0 && now() - began > e->in->seconds)
      give_up(e, "the time is over"), on = false;
  }
  progress(NULL);
  free_strings(&argv);
}

// What each thread does in a is how it begins in b, but for its end.
static bool is_beginning(const Schedule *a, const Schedule *b) {
  if (a->threads > b->threads || a->events.len > b->events.len) return false;
  for (uint32_t t = 0; t < a->threads; ++t) {
    size_t k = 0;
    for (vec_each(i, &a->events)) {
      const Event *x = &a->events.at[i];
      if (x->thread != t || x->kind == SYNC_EXIT) continue;
      while (k < b->events.len && b->events.at[k].thread != t) ++k;
      if (k == b->events.len || b->events.at[k].kind != x->kind || b->events.at[k].site != x->site)
        return false;
      ++k;
    }
  }
  return true;
}

// A run that leaves early follows the schedule of one that goes on: its own is not needed once there is that.
static void drop_prefixes(Enumeration *e) {
  enum { MOST = 2000 };
  Sigma *s = e->in->sigma;
  Solver *solver = solver_new(e->space->t);
  size_t n = s->schedules.len;
  for (size_t i = 0; i < s->schedules.len && n <= MOST;) {
    bool inside = false;
    for (size_t k = 0; k < s->schedules.len && !inside; ++k) {
      Bv out[] = {e->covers.at[i], bv_not(e->space->t, e->covers.at[k])};
      bool longer = s->schedules.at[k]->events.len > s->schedules.at[i]->events.len;
      inside = longer && is_beginning(s->schedules.at[i], s->schedules.at[k]) &&
               solver_possible(solver, out, 2, STEPS) == SOLVE_NO;
    }
    if (!inside) {
      ++i;
      continue;
    }
    Schedule *gone = s->schedules.at[i];
    for (size_t k = i + 1; k < s->schedules.len; ++k)
      s->schedules.at[k - 1] = s->schedules.at[k], e->covers.at[k - 1] = e->covers.at[k];
    s->schedules.at[s->schedules.len - 1] = gone, --e->covers.len;
    sigma_drop_schedule(s);
    --e->out->schedules;
  }
  solver_free(solver);
}

static bool begin(Enumeration *e) {
  Bvs *t = e->space->t;
  Bv argc = space_atom(e->space, (Atom){.kind = ATOM_ARGC, .width = 32, .a = BV_NONE, .b = BV_NONE});
  Bv named = bv_op(t, BV_SLE, bv_const(t, 32, 1), argc);
  vec_push(&e->uncovered, named), hold(e, named);
  if (e->in->assume == TERM_NONE) return true;
  Bv assume = space_truth(e->space, e->in->sigma->terms, e->in->assume);
  if (assume == BV_NONE)
    return diag_error(e->diags, "--assume may only be about numbers and texts of arguments"), false;
  vec_push(&e->uncovered, assume), hold(e, assume);
  return true;
}

bool enumerate_all(const EnumerateInput *in, EnumerateFound *out, Diags *diags) {
  *out = (EnumerateFound){.uncovered = TERM_NONE};
  Enumeration e = {.in = in, .out = out, .diags = diags};
  e.runner = runner_new(in->program, in->sigma, in->models, diags);
  if (!e.runner) return false;
  e.space = space_new(), e.schedule_of = map_new();
  e.solver = solver_new(e.space->t);
  bool ok = begin(&e);
  if (ok) search(&e), drop_prefixes(&e);
  if (ok && !out->complete && e.uncovered.len <= MOST_SHOWN)
    out->uncovered = run_constraint_write(e.space, &e.uncovered, true, in->sigma->terms);
  ok = ok && !diags_errors(diags);
  solver_free(e.solver);
  space_free(e.space);
  map_free(e.schedule_of);
  for (size_t i = e.next_neighbour; i < e.neighbours.len; ++i) strings_free(&e.neighbours.at[i]);
  vec_free(&e.neighbours), vec_free(&e.values);
  vec_free(&e.held), vec_free(&e.uncovered), vec_free(&e.covers);
  runner_free(e.runner);
  return ok;
}

void enumerate_free(EnumerateFound *f) {
  mem_free(f->why);
  f->why = NULL;
}

// --- what Σ covers

static void find_overlap(const Sliced *space, Solver *solver, const BvVec *all, const IdVec *ids,
                         Coverage *out) {
  enum { MOST = 64 };
  (void)space;
  for (size_t i = 0; i < all->len && i < MOST; ++i)
    for (size_t k = i + 1; k < all->len && k < MOST && out->overlap[0] == SIGMA_NONE; ++k) {
      Bv both[] = {all->at[i], all->at[k]};
      if (solver_possible(solver, both, 2, STEPS) == SOLVE_YES)
        out->overlap[0] = ids->at[i], out->overlap[1] = ids->at[k];
    }
}

void enumerate_coverage(const Sigma *s, Coverage *out) {
  enum { MOST_ARGUMENTS = 64 };
  *out = (Coverage){.known = true, .overlap = {SIGMA_NONE, SIGMA_NONE}};
  Sliced *space = space_new();
  Solver *solver = solver_new(space->t);
  BvVec all = {0};
  IdVec ids = {0};
  Bv argc = space_atom(space, (Atom){.kind = ATOM_ARGC, .width = 32, .a = BV_NONE, .b = BV_NONE});
  Bv none = bv_op(space->t, BV_SLE, bv_const(space->t, 32, 1), argc);
  for (vec_each(i, &s->schedules)) {
    const Schedule *c = s->schedules.at[i];
    if (c->status == SIGMA_FALSE || c->incomplete) continue;
    Bv x = space_truth(space, s->terms, c->when);
    if (x == BV_NONE) out->known = false;
    if (x == BV_NONE) continue;
    vec_push(&all, x), vec_push(&ids, (uint32_t)i);
    none = bv_op(space->t, BV_AND, none, bv_not(space->t, x));
  }
  out->all = all.len && solver_possible(solver, &none, 1, STEPS) == SOLVE_NO;
  for (uint32_t n = 1; all.len && !out->all && !out->arguments && n < MOST_ARGUMENTS; ++n) {
    Bv with[] = {none, bv_op(space->t, BV_EQ, argc, bv_const(space->t, 32, n))};
    if (solver_possible(solver, with, 2, STEPS) == SOLVE_NO) out->arguments = n;
  }
  find_overlap(space, solver, &all, &ids, out);
  vec_free(&all), vec_free(&ids);
  solver_free(solver);
  space_free(space);
}
