// Hill climbing over groups of interleaved blocks: two groups become one, a block leaves its group, a group
// goes to another place. A change stays if the run makes fewer nodes; a run that has made more ends there.
#include <time.h>
#include "input.h"
#include "search.h"

typedef Vec(IdVec) Groups;
typedef struct {
  Engine *e;
  GraphBudget budget;
  size_t trials, made;
  double best;
  double deadline;  // on the clock of seconds_now; 0: none
} Search;

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_over(const Search *s) {
  return s->made >= s->trials || stop_wanted() || s->e->wrong ||
         (s->deadline > 0 && seconds_now() > s->deadline);
}

// The nodes that a run makes under the order as it is; negative: more than the best, or it was not finished.
static double run_once(Search *s) {
  Engine *e = s->e;
  GraphBudget budget = s->budget;
  budget.work = s->best;
  if (s->deadline > 0) {
    double left = s->deadline - seconds_now();
    budget.seconds = left > 0.001 ? left : 0.001;
  }
  ++s->made;
  engine_init(e);
  layout_number(e->order);
  graph_start(e->order->variables, &budget);
  GraphEnd end = graph_try(engine_begin, e);
  if (end == GRAPH_DONE) end = graph_try(input_load, e);
  if (end == GRAPH_DONE && !e->wrong) end = graph_try(engine_run, e);
  double work = end == GRAPH_DONE && !e->wrong ? graph_work() : -1;
  graph_stop();
  engine_free(e);
  return work;
}

static void copy_groups(Groups *to, const Layout *from) {
  for (vec_each(i, &from->groups)) {
    IdVec g = {0};
    vec_append(&g, from->groups.at[i].at, from->groups.at[i].len);
    vec_push(to, g);
  }
}

static void free_groups(Groups *g) {
  for (vec_each(i, g)) vec_free(&g->at[i]);
  vec_free(g);
}

// Keeps the order as it is now if it is better; else puts the one before back.
static bool judge(Search *s, Groups *before) {
  double work = run_once(s);
  Layout *o = s->e->order;
  bool better = work >= 0 && (s->best <= 0 || work < s->best * 0.99);
  if (better) {
    s->best = work;
  } else {
    layout_groups_free(o);
    for (vec_each(i, before)) vec_push(&o->groups, before->at[i]);
    before->len = 0;
  }
  free_groups(before);
  return better;
}

static void remove_group(Layout *o, size_t at) {
  memmove(o->groups.at + at, o->groups.at + at + 1, (o->groups.len - at - 1) * sizeof *o->groups.at);
  --o->groups.len;
}

static void insert_group(Layout *o, size_t at, IdVec g) {
  vec_push(&o->groups, g);
  memmove(o->groups.at + at + 1, o->groups.at + at, (o->groups.len - 1 - at) * sizeof *o->groups.at);
  o->groups.at[at] = g;
}

static bool try_merge(Search *s, size_t a, size_t b) {
  Layout *o = s->e->order;
  Groups before = {0};
  copy_groups(&before, o);
  IdVec g = o->groups.at[b];
  vec_append(&o->groups.at[a], g.at, g.len);
  vec_free(&g);
  remove_group(o, b);
  return judge(s, &before);
}

// A block becomes a group of its own, above or below the one it leaves.
static bool try_leave(Search *s, size_t group, size_t member, bool above) {
  Layout *o = s->e->order;
  Groups before = {0};
  copy_groups(&before, o);
  IdVec *g = &o->groups.at[group], alone = {0};
  vec_push(&alone, g->at[member]);
  memmove(g->at + member, g->at + member + 1, (g->len - member - 1) * sizeof *g->at);
  --g->len;
  insert_group(o, above ? group : group + 1, alone);
  return judge(s, &before);
}

static bool try_move(Search *s, size_t from, size_t to) {
  Layout *o = s->e->order;
  Groups before = {0};
  copy_groups(&before, o);
  IdVec g = o->groups.at[from];
  remove_group(o, from);
  insert_group(o, to, g);
  return judge(s, &before);
}

static bool same_domain(const Layout *o, size_t a, size_t b) {
  return o->blocks.at[o->groups.at[a].at[0]].domain == o->blocks.at[o->groups.at[b].at[0]].domain;
}

// One after the other: what brings most comes first.
static bool improve(Search *s) {
  Layout *o = s->e->order;
  bool better = false;
  for (size_t a = 0; a < o->groups.len; ++a)
    for (size_t b = a + 1; b < o->groups.len; ++b)
      if (!is_over(s) && same_domain(o, a, b)) better |= try_merge(s, a, b);
  for (size_t g = 0; g < o->groups.len; ++g)
    for (size_t m = 0; m < o->groups.at[g].len; ++m)
      for (int above = 0; above < 2; ++above)
        if (!is_over(s) && o->groups.at[g].len > 1 && m < o->groups.at[g].len)
          better |= try_leave(s, g, m, above);
  for (size_t from = 0; from < o->groups.len; ++from)
    for (size_t to = 0; to < o->groups.len; ++to)
      if (!is_over(s) && from != to) better |= try_move(s, from, to);
  return better;
}

size_t search_order(Engine *e, const GraphBudget *budget, size_t trials, double *first, double *best) {
  Search s = {e, *budget, trials, 0, 0, budget->seconds > 0 ? seconds_now() + budget->seconds : 0};
  double work = run_once(&s);
  *first = work;
  s.best = work > 0 ? work : 0;
  while (!is_over(&s) && improve(&s)) continue;
  layout_number(e->order);
  *best = s.best;
  return s.made;
}
