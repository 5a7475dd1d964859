#include "maysync.h"
#include <assert.h>
#include "call.h"
#include "where.h"

struct Maysync {
  const Callgraph *graph;
  uint32_t sites_count;
  bool *functions, *sites;
  const Sync **operations;
  const bool *ordinary;  // sites that are no events whatever they call, or NULL
  uint32_t hidden;       // a function that an unknown one could call back to synchronize, or CALLGRAPH_NONE
};

static bool is_event(const Sync *s) {
  return s && sync_events(s->kind);
}

// Where some calls are ordinary, a function that is called by name only is judged by its calls.
static bool is_seed(const Maysync *m, uint32_t f) {
  const Callgraph *g = m->graph;
  if (m->ordinary && !callgraph_taken(g, f)) return false;
  size_t len;
  LLVMValueRef function = callgraph_function(g, f);
  return LLVMIsDeclaration(function) && is_event(sync_find(LLVMGetValueName2(function, &len)));
}

// Some function in the module whose address is taken and that may synchronize.
static uint32_t find_hidden(const Maysync *m) {
  const Callgraph *g = m->graph;
  for (uint32_t f = 0; f < callgraph_count(g); ++f)
    if (m->functions[f] && callgraph_taken(g, f) && !LLVMIsDeclaration(callgraph_function(g, f))) return f;
  return CALLGRAPH_NONE;
}

Maysync *maysync_new(const Callgraph *g) {
  return maysync_new_without(g, NULL);
}

Maysync *maysync_new_without(const Callgraph *g, const bool *ordinary) {
  CHECKED(sync_check());
  const Sites *s = callgraph_sites(g);
  Maysync *m = mem_alloc(sizeof *m);
  m->graph = g;
  m->ordinary = ordinary;
  m->sites_count = sites_count(s);
  m->functions = mem_array(callgraph_count(g), sizeof *m->functions);
  m->sites = mem_array(sites_count(s), sizeof *m->sites);
  m->operations = mem_array(sites_count(s), sizeof *m->operations);
  for (uint32_t f = 0; f < callgraph_count(g); ++f) m->functions[f] = is_seed(m, f);
  for (uint32_t i = 0; i < sites_count(s); ++i) {
    m->operations[i] = sync_of_call(sites_call(s, i));
    // Of syscall only some calls synchronize.
    if (maysync_event(m, i)) m->functions[callgraph_id(g, sites_function(s, i))] = true;
  }
  callgraph_mark_callers(g, m->functions, m->sites);
  m->hidden = find_hidden(m);
  CHECKED(maysync_check(m));
  return m;
}

void maysync_free(Maysync *m) {
  if (!m) return;
  mem_free(m->functions);
  mem_free(m->sites);
  mem_free(m->operations);
  mem_free(m);
}

bool maysync_function(const Maysync *m, uint32_t f) {
  assert(f < callgraph_count(m->graph));
  return m->functions[f];
}
bool maysync_enterable(const Maysync *m, uint32_t f) {
  assert(f < callgraph_count(m->graph));
  unsigned how = ENTRY_CALLBACK | ENTRY_LATER;
  return m->functions[f] && (callgraph_taken(m->graph, f) || callgraph_entries(m->graph, f) & how);
}
const Sync *maysync_operation(const Maysync *m, uint32_t site) {
  assert(site < m->sites_count);
  return m->operations[site];
}
bool maysync_event(const Maysync *m, uint32_t site) {
  assert(site < m->sites_count);
  return is_event(m->operations[site]) && !(m->ordinary && m->ordinary[site]);
}

static bool calls_back(const Maysync *m, uint32_t site) {
  for (size_t i = 0; i < callgraph_passes(m->graph, site); ++i) {
    CallgraphPass p = callgraph_pass(m->graph, site, i);
    for (vec_each(k, &p.functions))
      if (p.when == LIBRARY_NOW && m->functions[p.functions.at[k]]) return true;
  }
  return false;
}

bool maysync_derived(const Maysync *m, uint32_t site) {
  assert(site < m->sites_count);
  if (m->ordinary && m->ordinary[site]) return false;
  return maysync_event(m, site) ? calls_back(m, site) : m->sites[site];
}

bool maysync_assumes(const Maysync *m, uint32_t site) {
  assert(site < m->sites_count);
  if (m->hidden == CALLGRAPH_NONE || m->sites[site]) return false;
  Ids targets = callgraph_targets(m->graph, site);
  for (vec_each(i, &targets))
    if (callgraph_unknown(m->graph, targets.at[i])) return true;
  return !targets.len && !call_is_asm(sites_call(callgraph_sites(m->graph), site));
}

// The unknown functions that are assumed not to call back, by their first sites.
static IdVec assumed_sites(const Maysync *m, IdVec *functions) {
  const Callgraph *g = m->graph;
  bool *said = mem_array(callgraph_count(g) + 1, sizeof *said);
  IdVec sites = {0};
  for (uint32_t i = 0; i < sites_count(callgraph_sites(g)); ++i) {
    Ids targets = maysync_assumes(m, i) ? callgraph_targets(g, i) : (Ids){NULL, 0};
    for (vec_each(k, &targets)) {
      uint32_t f = targets.at[k];
      if (said[f] || !callgraph_unknown(g, f)) continue;
      said[f] = true;
      vec_push(&sites, i);
      vec_push(functions, f);
    }
  }
  mem_free(said);
  return sites;
}

static const char *name_of(const Maysync *m, uint32_t f) {
  size_t len;
  return LLVMGetValueName2(callgraph_function(m->graph, f), &len);
}

void maysync_report(const Maysync *m, bool all, Diags *d) {
  IdVec functions = {0}, sites = assumed_sites(m, &functions);
  for (size_t i = 0; i < (all || sites.len < 2 ? sites.len : 1); ++i) {
    LLVMValueRef call = sites_call(callgraph_sites(m->graph), sites.at[i]);
    if (all || sites.len < 2)
      diag_at(d, DIAG_WARNING, call, "unknown function %s: assumed not to call back code that synchronizes",
              name_of(m, functions.at[i]));
    else
      diag_at(d, DIAG_WARNING, call,
              "%s and %zu other unknown functions: assumed not to call back code that synchronizes",
              name_of(m, functions.at[i]), sites.len - 1);
    diag_at(d, DIAG_NOTE, callgraph_function(m->graph, m->hidden), "for example %s", name_of(m, m->hidden));
  }
  vec_free(&functions), vec_free(&sites);
}

static void check_site(const Maysync *m, uint32_t site) {
  uint32_t owner = callgraph_id(m->graph, sites_function(callgraph_sites(m->graph), site));
  Ids targets = callgraph_targets(m->graph, site);
  bool ordinary = m->ordinary && m->ordinary[site];
  assert(!m->operations[site] || callgraph_direct(m->graph, site));
  assert(!ordinary || is_event(m->operations[site]));
  assert(m->functions[owner] || (!maysync_event(m, site) && !m->sites[site]));
  // Of other calls' targets there may be as many as functions.
  assert(!callgraph_direct(m->graph, site) || !m->functions[targets.at[0]] || m->sites[site]);
}

void maysync_check(const Maysync *m) {
  assert(m->sites_count == sites_count(callgraph_sites(m->graph)));
  for (uint32_t s = 0; s < m->sites_count; ++s) check_site(m, s);
  if (m->hidden == CALLGRAPH_NONE) return;
  assert(maysync_function(m, m->hidden));
  assert(callgraph_taken(m->graph, m->hidden));
}
