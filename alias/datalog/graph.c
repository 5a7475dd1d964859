// One engine per process: BuDDy keeps its table, caches and handlers in globals, so this file does too.
#include <math.h>
#include <setjmp.h>
#include <time.h>
#include "graph.h"

enum { FIRST_NODES = 1 << 18, NODES_PER_CACHE_ENTRY = 8, FREE_PERCENT = 30, FULL_PERCENT = 3 };

static struct {
  jmp_buf leave;
  bool trying;
  GraphBudget budget;
  struct timespec start;
} state;

static void leave(GraphEnd why) {
  assert(state.trying && why != GRAPH_DONE);
  longjmp(state.leave, (int)why);
}

static void on_error(int code) {
  assert((code == BDD_NODENUM || code == BDD_MEMORY) && "BuDDy refused an operation");
  leave(GRAPH_NODES);
}

double graph_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - state.start.tv_sec) + (double)(now.tv_nsec - state.start.tv_nsec) / 1e9;
}

double graph_work(void) {
  bddStat s;
  bdd_stats(&s);
  return (double)s.produced;
}

static GraphEnd spent(void) {
  if (stop_wanted()) return GRAPH_STOPPED;
  if (state.budget.seconds > 0 && graph_seconds() > state.budget.seconds) return GRAPH_TIME;
  if (state.budget.work > 0 && graph_work() > state.budget.work) return GRAPH_WORK;
  return GRAPH_DONE;
}

bool graph_spent(void) {
  return spent() != GRAPH_DONE;
}

void graph_check(void) {
  GraphEnd why = state.trying ? spent() : GRAPH_DONE;
  if (why != GRAPH_DONE) leave(why);
}

// Long operations are looked at whenever the table has filled up. A table that stays nearly full after a
// collection would be collected again for every few nodes.
static void on_collection(int before, bddGbcStat *s) {
  if (before || !state.trying) return;
  graph_check();
  bool largest = (size_t)s->nodes >= state.budget.nodes;
  if (largest && s->freenodes < s->nodes / 100 * FULL_PERCENT) leave(GRAPH_NODES);
}

static void on_resize(int from, int to) {
  (void)from, (void)to;
}

void graph_start(unsigned variables, const GraphBudget *budget) {
  assert(!bdd_isrunning() && "two engines at a time");
  state.budget = *budget;
  clock_gettime(CLOCK_MONOTONIC, &state.start);
  size_t first = budget->nodes < FIRST_NODES ? budget->nodes : FIRST_NODES;
  if (bdd_init((int)first, FIRST_NODES / NODES_PER_CACHE_ENTRY)) mem_resize(NULL, SIZE_MAX);  // ends the tool
  bdd_error_hook(on_error);
  bdd_gbc_hook(on_collection);
  bdd_resize_hook(on_resize);
  size_t least = (size_t)bdd_getallocnum() + 1;  // BuDDy refuses less
  if (state.budget.nodes < least) state.budget.nodes = least;
  bdd_setmaxnodenum((int)state.budget.nodes);
  bdd_setmaxincrease(INT32_MAX / 64);
  bdd_setminfreenodes(FREE_PERCENT);
  bdd_setcacheratio(NODES_PER_CACHE_ENTRY);
  // Two nodes for each variable, and room to work.
  least = 2 * (size_t)variables + 500;
  if (state.budget.nodes < least) state.budget.nodes = least, bdd_setmaxnodenum((int)least);
  bdd_setvarnum((int)(variables ? variables : 1));
}

void graph_relax(void) {
  state.budget.nodes += FIRST_NODES * 4;
  bdd_setmaxnodenum((int)state.budget.nodes);
}

void graph_stop(void) {
  if (bdd_isrunning()) bdd_done();
}

bool graph_running(void) {
  return bdd_isrunning();
}

GraphEnd graph_try(void (*f)(void *self), void *self) {
  assert(!state.trying);
  int why = setjmp(state.leave);
  if (!why) {
    state.trying = true;
    graph_check();
    f(self);
  } else {
    bdd_clear_error();
  }
  state.trying = false;
  return (GraphEnd)why;
}

void graph_set(BDD *slot, BDD value) {
  bdd_addref(value);
  bdd_delref(*slot);
  *slot = value;
}

void graph_or(BDD *slot, BDD value) {
  bdd_addref(value);
  BDD sum = bdd_or(*slot, value);
  bdd_delref(value);
  graph_set(slot, sum);
}

void graph_and(BDD *slot, BDD value) {
  bdd_addref(value);
  BDD product = bdd_and(*slot, value);
  bdd_delref(value);
  graph_set(slot, product);
}

// BuDDy counts over all variables in a double, which has room for about 1000 of them.
double graph_count(BDD b, BDD set) {
  if (b == bddfalse) return 0;
  return bdd_varnum() < 1000 ? bdd_satcountset(b, set) : exp2(bdd_satcountlnset(b, set));
}
