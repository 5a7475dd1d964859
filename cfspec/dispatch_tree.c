// A step stands for a list of (schedule, what is left of its constraint) in the order of the schedules. Its
// question is the first test of the first of them; each answer is a fact, under which all constraints of the
// list are simplified. Those that became false are dropped, those behind one that became true are too. Equal
// lists are one step. Lists are hash-consed cells that share their ends: under a fact, a list changes only up
// to the last schedule that mentions what the fact is about.
//
// The usual inputs give a trie (a thousand runs recorded with different arguments: one switch per argument),
// but the worst ones explode. So there is a budget; when it is spent, the lists that are still open are
// decided by the constraints as they were, each as one straight piece of code.
#include "dispatch_tree.h"
#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX
typedef struct {
  uint32_t schedule;  // its index
  Value left;
  uint32_t next;  // cell; NONE
} Cell;

typedef struct {
  Values *vs;
  const Value *wholes;
  const int64_t *results;
  size_t count;
  Tree *tree;
  Intern *keys;
  Vec(Cell) cells;        // by number in keys
  Vec(uint32_t) step_of;  // by cell
  Vec(uint32_t) open;     // cells whose steps are not made yet
  uint32_t *plain,
      *result;         // steps by schedule: the rest by whole constraints; its result. last: no schedule
  Map *last;           // by subject: the last schedule that mentions it
  Map *decided;        // by cell and test: the lists where it came out false and true
  Vec(uint32_t) seen;  // by value: the walk that came there last
  uint32_t walk;
  uint64_t work, budget;
  size_t most;  // steps
} Grower;

static uint32_t add_step(Grower *g, Step s) {
  vec_push(&g->tree->steps, s);
  return (uint32_t)g->tree->steps.len - 1;
}

static uint32_t result_step(Grower *g, size_t schedule) {
  if (g->result[schedule] == NONE) {
    int64_t id = schedule < g->count ? g->results[schedule] : -1;
    g->result[schedule] = add_step(g, (Step){.kind = STEP_RESULT, .on = VALUE_NONE, .result = id});
  }
  return g->result[schedule];
}

// From here on whole constraints, in their order.
static uint32_t plain_step(Grower *g, size_t schedule) {
  size_t n = schedule;
  while (n < g->count && g->plain[n] == NONE) ++n;
  if (n == g->count) g->plain[n] = result_step(g, n);
  while (n-- > schedule)
    g->plain[n] = add_step(
        g, (Step){.kind = STEP_TEST, .on = g->wholes[n], .yes = result_step(g, n), .no = g->plain[n + 1]});
  return g->plain[schedule];
}

// The list of this and the rest; false ones are left out, and nothing comes after a true one.
static uint32_t cons(Grower *g, uint32_t schedule, Value left, uint32_t next) {
  if (left == VALUE_FALSE) return next;
  Cell c = {schedule, left, left == VALUE_TRUE ? NONE : next};
  uint32_t id = intern_id(g->keys, (const char *)&c, sizeof c);
  ++g->work;
  if (id < g->cells.len) return id;
  vec_push(&g->cells, c);
  vec_push(&g->step_of, NONE);
  return id;
}

// A step is made when it is first led to; what it asks is filled in later (grow).
static uint32_t step_of(Grower *g, uint32_t cell) {
  if (cell == NONE) return result_step(g, g->count);
  if (g->step_of.at[cell] != NONE) return g->step_of.at[cell];
  Cell c = g->cells.at[cell];
  bool spent = g->work > g->budget || g->tree->steps.len > g->most;
  if (c.left == VALUE_TRUE)
    g->step_of.at[cell] = result_step(g, c.schedule);
  else if (spent)
    g->step_of.at[cell] = plain_step(g, c.schedule);
  else
    g->step_of.at[cell] = add_step(g, (Step){.kind = STEP_TEST, .on = VALUE_NONE}), vec_push(&g->open, cell);
  return g->step_of.at[cell];
}

// These cells under a fact, and behind them the list that begins at `end` as it is.
typedef Vec(uint32_t) Cells;
static uint32_t list_under(Grower *g, const Cells *cells, uint32_t end, const Fact *f) {
  uint32_t list = end;
  for (size_t i = cells->len; i-- > 0;) {
    Cell c = g->cells.at[cells->at[i]];
    list = cons(g, c.schedule, value_under(g->vs, c.left, f, &g->work), list);
  }
  return list;
}

// The cells that may mention a subject; those from *end on do not.
static Cells mentioning(Grower *g, uint32_t cell, Value subject, uint32_t *end) {
  uint64_t last = map_or(g->last, subject, 0);
  Cells cells = {0};
  for (; cell != NONE && g->cells.at[cell].schedule <= last; cell = g->cells.at[cell].next)
    vec_push(&cells, cell);
  *end = cell;
  return cells;
}

// The list where a test came out false, and where true. Many lists have the same end, and most of a
// constraint's tests are those of others: what one step has found out for a cell serves all.
static void lists_of_test(Grower *g, uint32_t cell, Value test, uint32_t lists[2]) {
  uint64_t last = map_or(g->last, test, 0), known;
  Fact f = {.test = test, .subject = VALUE_NONE, .literal = VALUE_NONE};
  Cells cells = {0};
  lists[0] = lists[1] = NONE;
  for (; cell != NONE; cell = g->cells.at[cell].next) {
    lists[0] = lists[1] = cell;
    if (g->cells.at[cell].schedule > last) break;
    if (map_get(g->decided, (uint64_t)cell << 32 | test, &known)) {
      lists[0] = (uint32_t)known, lists[1] = (uint32_t)(known >> 32);
      break;
    }
    vec_push(&cells, cell);
  }
  if (cell == NONE) lists[0] = lists[1] = NONE;
  for (size_t i = cells.len; i-- > 0;) {
    Cell c = g->cells.at[cells.at[i]];
    for (int holds = 0; holds < 2; ++holds) {
      f.holds = holds;
      lists[holds] = cons(g, c.schedule, value_under(g->vs, c.left, &f, &g->work), lists[holds]);
    }
    map_put(g->decided, (uint64_t)cells.at[i] << 32 | test, (uint64_t)lists[1] << 32 | lists[0]);
  }
  vec_free(&cells);
}

static void ask_test(Grower *g, uint32_t cell, Value test) {
  uint32_t lists[2], yes, no;
  lists_of_test(g, cell, test, lists);
  yes = step_of(g, lists[1]);
  no = step_of(g, lists[0]);
  g->tree->steps.at[g->step_of.at[cell]] = (Step){.kind = STEP_TEST, .on = test, .yes = yes, .no = no};
}

// The literal that the subject must be or what is left of the constraint is false: its first test says so,
// and nothing goes on without that. VALUE_NONE: there is none.
static Value demanded(const Grower *g, Value left, Value subject) {
  while (value_at(g->vs, left).op == TERM_AND) left = value_operand(g->vs, left, 0);
  return value_at(g->vs, left).subject == subject && value_at(g->vs, left).op == TERM_EQ
             ? value_equals(g->vs, left)
             : VALUE_NONE;
}

// A literal that the subject is compared to: because the nth cell demands it, or somewhere (NONE).
typedef struct {
  Value literal;
  uint32_t nth;
} Wish;
typedef Vec(Wish) Wishes;

static void find_wishes(Grower *g, Value v, Value subject, Wishes *out) {
  ValueNode n = value_at(g->vs, v);
  if (g->seen.at[v] == g->walk || !(n.mentions & 1ull << subject % 64)) return;
  g->seen.at[v] = g->walk;
  ++g->work;
  if (n.subject == subject && value_equals(g->vs, v) != VALUE_NONE)
    vec_push(out, ((Wish){value_equals(g->vs, v), NONE}));
  if (n.op == TERM_NOT || n.op == TERM_AND || n.op == TERM_OR || n.op == TERM_ITE)
    for (uint32_t i = 0; i < n.count; ++i) find_wishes(g, value_operand(g->vs, v, i), subject, out);
}

static int by_literal(const void *a, const void *b, void *vs) {
  const Wish *p = a, *q = b;
  int there = value_compare_literals(vs, p->literal, q->literal);
  return there ? there : (p->nth > q->nth) - (p->nth < q->nth);
}

// The cells that do not care, and those of one literal, in the order of the list.
static Cells of_case(const Cells *cells, const Cells *open, const Wish *from, const Wish *to) {
  Cells out = {0};
  size_t o = 0;
  for (; from < to && from->nth != NONE; ++from) {
    for (; o < open->len && open->at[o] < from->nth; ++o) vec_push(&out, cells->at[open->at[o]]);
    vec_push(&out, cells->at[from->nth]);
  }
  for (; o < open->len; ++o) vec_push(&out, cells->at[open->at[o]]);
  return out;
}

// Makes the cases of a choice; the cells that demand no literal are in `open`, by their places in `cells`.
static void add_cases(Grower *g, Value subject, const Cells *cells, const Cells *open, const Wishes *w,
                      uint32_t end) {
  for (size_t i = 0, n; i < w->len; i = n) {
    for (n = i + 1; n < w->len && w->at[n].literal == w->at[i].literal;) ++n;
    Cells own = of_case(cells, open, w->at + i, w->at + n);
    Fact f = {.test = VALUE_NONE, .subject = subject, .literal = w->at[i].literal};
    uint32_t to = step_of(g, list_under(g, &own, end, &f));
    vec_push(&g->tree->cases, ((StepCase){w->at[i].literal, to}));
    vec_free(&own);
  }
}

static void ask_choice(Grower *g, uint32_t cell, Value subject) {
  uint32_t end, first = (uint32_t)g->tree->cases.len;
  Cells cells = mentioning(g, cell, subject, &end), open = {0}, others;
  Wishes wishes = {0};
  ++g->walk;
  while (g->seen.len < values_count(g->vs)) vec_push(&g->seen, 0);
  for (uint32_t i = 0; i < cells.len; ++i) {
    Value left = g->cells.at[cells.at[i]].left, literal = demanded(g, left, subject);
    if (literal != VALUE_NONE)
      vec_push(&wishes, ((Wish){literal, i}));
    else
      vec_push(&open, i), find_wishes(g, left, subject, &wishes);
  }
  qsort_r(wishes.at, wishes.len, sizeof *wishes.at, by_literal, g->vs);
  add_cases(g, subject, &cells, &open, &wishes, end);
  Fact f = {.test = VALUE_NONE, .subject = subject, .literal = VALUE_NONE};
  others = of_case(&cells, &open, NULL, NULL);
  uint32_t no = step_of(g, list_under(g, &others, end, &f));
  g->tree->steps.at[g->step_of.at[cell]] = (Step){.kind = STEP_CHOICE,
                                                  .on = subject,
                                                  .no = no,
                                                  .first = first,
                                                  .count = (uint32_t)g->tree->cases.len - first};
  vec_free(&cells);
  vec_free(&open);
  vec_free(&others);
  vec_free(&wishes);
}

static void ask_whole(Grower *g, uint32_t cell) {
  uint32_t schedule = g->cells.at[cell].schedule;
  uint32_t yes = result_step(g, schedule), no = plain_step(g, schedule + 1);
  g->tree->steps.at[g->step_of.at[cell]] =
      (Step){.kind = STEP_TEST, .on = g->wholes[schedule], .yes = yes, .no = no};
}

static void grow(Grower *g, uint32_t cell) {
  Cell c = g->cells.at[cell];
  Value test = value_first_test(g->vs, c.left);
  if (g->work > g->budget)
    ask_whole(g, cell);
  else if (value_equals(g->vs, test) != VALUE_NONE)
    ask_choice(g, cell, value_at(g->vs, test).subject);
  else
    ask_test(g, cell, test);
}

static void note_subjects(Grower *g, Value v, uint32_t schedule) {
  ValueNode n = value_at(g->vs, v);
  if (g->seen.at[v] == g->walk) return;
  g->seen.at[v] = g->walk;
  if (n.op == TERM_NOT || n.op == TERM_AND || n.op == TERM_OR || n.op == TERM_ITE)
    for (uint32_t i = 0; i < n.count; ++i) note_subjects(g, value_operand(g->vs, v, i), schedule);
  else
    map_put(g->last, n.subject, schedule), map_put(g->last, v, schedule);
}

static uint32_t first_list(Grower *g) {
  while (g->seen.len < values_count(g->vs)) vec_push(&g->seen, 0);
  for (size_t i = 0; i < g->count; ++i) ++g->walk, note_subjects(g, g->wholes[i], (uint32_t)i);
  uint32_t list = NONE;
  for (size_t i = g->count; i-- > 0;) list = cons(g, (uint32_t)i, g->wholes[i], list);
  return list;
}

// The steps that follow one: `no`, `yes`, then the cases.
static bool follows(const Tree *t, uint32_t step, uint32_t nth, uint32_t *to) {
  Step s = t->steps.at[step];
  if (s.kind == STEP_RESULT) return false;
  if (s.kind == STEP_TEST) return *to = nth ? s.yes : s.no, nth < 2;
  if (nth > s.count) return false;
  return *to = nth ? t->cases.at[s.first + nth - 1].to : s.no, true;
}

static void sort_steps(Tree *t) {
  typedef struct {
    uint32_t step, nth;
  } Visit;
  Vec(Visit) way = {0};
  bool *seen = mem_array(t->steps.len, sizeof *seen);
  vec_push(&way, ((Visit){0, 0}));
  seen[0] = true;
  while (way.len) {
    Visit *v = &vec_last(&way);
    uint32_t to;
    if (!follows(t, v->step, v->nth++, &to)) {
      vec_push(&t->order, v->step);
      --way.len;
    } else if (!seen[to]) {
      seen[to] = true;
      vec_push(&way, ((Visit){to, 0}));
    }
  }
  for (size_t i = 0, n = t->order.len; i < n / 2; ++i) {
    uint32_t s = t->order.at[i];
    t->order.at[i] = t->order.at[n - 1 - i];
    t->order.at[n - 1 - i] = s;
  }
  mem_free(seen);
  vec_free(&way);
}

// Dominators of an acyclic graph, in one pass over its order. A step's jump leads further up, always equally
// far from equal depths, so that the common ancestor of two is found in logarithmic time.
typedef struct {
  uint32_t up, jump, depth;
} Dominator;

static uint32_t common(const Dominator *d, uint32_t a, uint32_t b) {
  while (d[a].depth != d[b].depth) {
    uint32_t *deep = d[a].depth > d[b].depth ? &a : &b, goal = d[*deep == a ? b : a].depth;
    *deep = d[d[*deep].jump].depth >= goal ? d[*deep].jump : d[*deep].up;
  }
  while (a != b) {
    bool far = d[a].jump != d[b].jump;
    a = far ? d[a].jump : d[a].up;
    b = far ? d[b].jump : d[b].up;
  }
  return a;
}

static Dominator *dominators(const Tree *t) {
  Dominator *d = mem_array(t->steps.len, sizeof *d);
  for (vec_each(i, &t->steps)) d[i].up = NONE;
  d[0] = (Dominator){0, 0, 0};
  for (vec_each(i, &t->order)) {
    uint32_t s = t->order.at[i], up = d[s].up, to;
    if (s) {
      uint32_t far = d[up].jump;
      bool even = d[up].depth - d[far].depth == d[far].depth - d[d[far].jump].depth;
      d[s].depth = d[up].depth + 1;
      d[s].jump = even ? d[far].jump : up;
    }
    for (uint32_t n = 0; follows(t, s, n, &to); ++n) d[to].up = d[to].up == NONE ? s : common(d, d[to].up, s);
  }
  return d;
}

static void use(Tree *t, const Dominator *d, Value v, uint32_t step) {
  t->place[v] = t->place[v] == NONE ? step : common(d, t->place[v], step);
}

static void place_values(Tree *t, const Values *vs) {
  t->values = values_count(vs);
  t->place = mem_array(t->values, sizeof *t->place);
  for (Value v = 0; v < t->values; ++v) t->place[v] = NONE;
  Dominator *d = dominators(t);
  for (vec_each(i, &t->order)) {
    Step s = t->steps.at[t->order.at[i]];
    if (s.kind != STEP_RESULT) use(t, d, s.on, t->order.at[i]);
  }
  for (Value v = t->values; v-- > 0;)
    for (uint32_t i = 0; t->place[v] != NONE && i < value_at(vs, v).count; ++i)
      use(t, d, value_operand(vs, v, i), t->place[v]);
  mem_free(d);
}

Tree *tree_new(Values *vs, const Value *wholes, const int64_t *results, size_t count) {
  Grower g = {.vs = vs, .wholes = wholes, .results = results, .count = count};
  g.tree = mem_alloc(sizeof *g.tree);
  g.keys = intern_new();
  g.last = map_new();
  g.decided = map_new();
  g.plain = mem_array(count + 1, sizeof *g.plain);
  g.result = mem_array(count + 1, sizeof *g.result);
  for (size_t i = 0; i <= count; ++i) g.plain[i] = g.result[i] = NONE;
  g.most = 64 + 2 * (values_count(vs) + count);
  g.budget = 1000000 + 64 * (uint64_t)g.most;
  step_of(&g, first_list(&g));
  while (g.open.len) grow(&g, vec_pop(&g.open));
  sort_steps(g.tree);
  place_values(g.tree, vs);
  CHECKED(values_check(vs));
  CHECKED(tree_check(g.tree, vs));
  intern_free(g.keys);
  map_free(g.last);
  map_free(g.decided);
  mem_free(g.plain);
  mem_free(g.result);
  vec_free(&g.cells);
  vec_free(&g.step_of);
  vec_free(&g.open);
  vec_free(&g.seen);
  return g.tree;
}

void tree_free(Tree *t) {
  if (!t) return;
  vec_free(&t->steps);
  vec_free(&t->cases);
  vec_free(&t->order);
  mem_free(t->place);
  mem_free(t);
}

static void check_step(const Tree *t, const Values *vs, const Step *s) {
  assert(s->kind == STEP_RESULT ? s->on == VALUE_NONE : s->on < t->values);
  if (s->kind == STEP_RESULT) return;
  int type = value_at(vs, s->on).type;
  assert(s->no < t->steps.len);
  if (s->kind == STEP_TEST) {
    assert(s->yes < t->steps.len && type == TERM_IS_BOOL);
    return;
  }
  assert(type == TERM_IS_INT64 || type == TERM_IS_STRING);
  assert(s->count && s->first <= t->cases.len && s->count <= t->cases.len - s->first);
  for (uint32_t i = 0; i < s->count; ++i) {
    const StepCase *c = &t->cases.at[s->first + i];
    assert(c->to < t->steps.len && value_is_literal(vs, c->literal));
    assert(!i || value_compare_literals(vs, c[-1].literal, c->literal) < 0);
  }
}

// Everything is evaluated in front of where it is used.
static void check_places(const Tree *t, const Values *vs, const uint32_t *nth) {
  for (vec_each(i, &t->steps)) {
    Step s = t->steps.at[i];
    if (s.kind != STEP_RESULT) assert(t->place[s.on] != NONE && nth[t->place[s.on]] <= nth[i]);
  }
  for (Value v = 0; v < t->values; ++v) {
    if (t->place[v] == NONE) continue;
    assert(t->place[v] < t->steps.len);
    for (uint32_t i = 0; i < value_at(vs, v).count; ++i) {
      uint32_t place = t->place[value_operand(vs, v, i)];
      assert(place != NONE && nth[place] <= nth[t->place[v]]);
    }
  }
}

void tree_check(const Tree *t, const Values *vs) {
  uint32_t *nth = mem_array(t->steps.len, sizeof *nth);  // by step: its place in the order, from 1
  assert(t->values == values_count(vs) && t->order.len == t->steps.len && !t->order.at[0]);
  for (vec_each(i, &t->order)) {
    assert(t->order.at[i] < t->steps.len && !nth[t->order.at[i]]);
    nth[t->order.at[i]] = (uint32_t)i + 1;
  }
  for (uint32_t i = 0; i < t->steps.len; ++i) {
    uint32_t to;
    check_step(t, vs, &t->steps.at[i]);
    for (uint32_t n = 0; follows(t, i, n, &to); ++n) assert(nth[to] > nth[i]);
  }
  check_places(t, vs, nth);
  mem_free(nth);
}
