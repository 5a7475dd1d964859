// What every reader of a call graph relies on; linear in its edges.
#include <assert.h>
#include "callgraph_tables.h"

static void check_functions(const Callgraph *g) {
  assert(map_count(g->ids) == g->count);
  for (uint32_t f = 0; f < g->count; ++f) {
    assert(callgraph_id(g, g->functions[f]) == f);
    assert(g->self[f] == f);
    assert(g->entries[f] < ENTRY_RESOLVER * 2);
  }
}

static bool is_target(const Callgraph *g, uint32_t node) {
  return node < g->count || (node >= g->count + OCCASIONS && node < g->nodes);
}

// Each set is listed with its members, and with them in the order of sets.
static void check_sets(const Callgraph *g) {
  uint32_t sets = g->nodes - g->count - OCCASIONS, *next = mem_array(g->count, sizeof *next);
  lists_check(&g->sets, sets, g->count);
  lists_check(&g->sets_of, g->count, g->nodes);
  assert(g->sets.first[sets] == g->sets_of.first[g->count]);
  for (uint32_t s = 0; s < sets; ++s) {
    Ids members = lists_of(&g->sets, s);
    for (vec_each(i, &members)) {
      Ids of = lists_of(&g->sets_of, members.at[i]);
      uint32_t at = next[members.at[i]]++;
      assert(at < of.len && of.at[at] == g->count + OCCASIONS + s);
    }
  }
  mem_free(next);
}

static void check_sites(const Callgraph *g) {
  uint32_t sites = sites_count(g->sites), aimed = 0;
  lists_check(&g->sites_of, g->nodes, sites);
  lists_check(&g->passes_of, sites, g->passes.len);
  for (uint32_t s = 0; s < sites; ++s) {
    assert(g->target[s] == CALLGRAPH_NONE || is_target(g, g->target[s]));
    aimed += g->target[s] != CALLGRAPH_NONE;
  }
  assert(g->sites_of.first[g->nodes] == aimed);
  for (uint32_t n = 0; n < g->nodes; ++n) {
    Ids from = lists_of(&g->sites_of, n);
    assert(ids_ascend(from));
    for (vec_each(i, &from)) assert(g->target[from.at[i]] == n);
  }
  for (vec_each(i, &g->passes))
    assert(g->passes.at[i].when < OCCASIONS && is_target(g, g->passes.at[i].node));
}

static void check_components(const Callgraph *g) {
  lists_check(&g->members, g->components, g->count);
  assert(g->members.first[g->components] == g->count);
  for (uint32_t c = 1; c < g->scc.count; ++c) assert(g->component[c - 1] <= g->component[c]);
  for (uint32_t c = 0; c < g->components; ++c) {
    Ids members = callgraph_members(g, c);
    assert(members.len && ids_ascend(members));
    for (vec_each(i, &members)) assert(callgraph_component(g, members.at[i]) == c);
  }
}

void callgraph_check(const Callgraph *g) {
  check_functions(g);
  check_sets(g);
  check_sites(g);
  lists_check(&g->edges, g->nodes, g->nodes);
  lists_check(&g->back, g->nodes, g->nodes);
  assert(lists_mirror(&g->edges, g->nodes, &g->back, g->nodes));
  scc_check(&g->scc, g->nodes, &g->edges);
  check_components(g);
}
