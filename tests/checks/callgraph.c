// ir/callgraph: what callgraph_check notices.
#undef NDEBUG
#include <assert.h>
#include "dies.h"
#include "ir/callgraph_tables.h"
#include "../unit/calls.h"

static void check(void *g) {
  callgraph_check(g);
}

static void ask(void *g) {
  callgraph_entries(g, CALLGRAPH_NONE);
}

static void make_again(void *data) {
  Calls *c = data;
  Pairs known = {0};
  pairs_add(&known, calls_site(c, "f#0"), calls_function(c, "two"));
  pairs_add(&known, calls_site(c, "f#0"), calls_function(c, "one"));
  callgraph_new_with(c->module, c->sites, &known);
}

static void damage(Callgraph *g, uint32_t *field, uint32_t value, const char *function) {
  uint32_t old = *field;
  assert(old != value);
  *field = value;
  dies_in(function, check, g);
  *field = old;
  callgraph_check(g);
}

static const char program[] =
    "@g = global [2 x ptr] [ptr @one, ptr @two]\n"
    "declare void @qsort(ptr, i64, i64, ptr)\n"
    "define internal void @one(ptr %p) { call void @f(ptr %p) ret void }\n"
    "define internal void @two(ptr %p) { ret void }\n"
    "define internal i32 @compare(ptr %a, ptr %b) { ret i32 0 }\n"
    "define void @f(ptr %p) {\n"
    "  call void %p(ptr null)\n"
    "  call void @two(ptr null)\n"
    "  call void @qsort(ptr %p, i64 1, i64 1, ptr @compare)\n"
    "  ret void\n}\n";

static void test_sites(const Calls *c) {
  Callgraph *g = c->graph;
  uint32_t one = calls_function(c, "one"), two = calls_function(c, "two");
  uint32_t indirect = calls_site(c, "f#0"), direct = calls_site(c, "f#1");
  assert(g->target[indirect] >= g->count + OCCASIONS && g->target[direct] == two);
  damage(g, &g->target[direct], g->count, "check_sites");  // an occasion
  damage(g, &g->target[direct], one, "check_sites");
  damage(g, &g->target[indirect], CALLGRAPH_NONE, "check_sites");
  damage(g, &g->passes.at[0].when, OCCASIONS, "check_sites");
  damage(g, &g->passes.at[0].node, g->nodes, "check_sites");
  damage(g, &g->passes_of.items[0], (uint32_t)g->passes.len, "lists_check");
}

static void test_functions(const Calls *c) {
  Callgraph *g = c->graph;
  uint32_t one = calls_function(c, "one"), two = calls_function(c, "two");
  damage(g, &g->self[one], two, "check_functions");
  damage(g, &g->entries[one], 1u << 12, "check_functions");
  damage(g, &g->sets.items[0], two, "check_sets");
  damage(g, &g->sets_of.items[0], g->nodes, "lists_check");
  damage(g, &g->component[g->scc.of[one]], g->components, "check_components");
  damage(g, &g->members.items[0], g->members.items[1], "check_components");
  damage(g, &g->scc.of[one], g->scc.of[two], "scc_check");
  damage(g, &g->edges.items[0], g->count, "callgraph_check");  // back says otherwise
}

int main(void) {
  Calls c = calls_of(program);
  callgraph_check(c.graph);
  dies_in("callgraph_entries", ask, c.graph);
  dies_in("callgraph_new_with", make_again, &c);
  test_sites(&c);
  test_functions(&c);
  calls_free(&c);
  return 0;
}
