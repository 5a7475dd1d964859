#include "callgraph.h"
#include <assert.h>
#include <string.h>
#include "call.h"
#include "callgraph_tables.h"
#include "core/core.h"
#include "each.h"
#include "mention.h"
#include "signature.h"
#include "startup.h"

// While it is made.
typedef struct {
  Callgraph *g;
  LLVMModuleRef module;
  Intern *types, *wanted;  // signatures of functions, keys of sets
  Lists known;             // by site: what it enters, if that is known better than by type
  uint32_t *type;          // by function
  Pairs members, passes, edges;
  IdVec first_member;  // by set: members are added set by set
} Build;

static const char *name_of(const Callgraph *g, uint32_t f) {
  size_t len;
  return LLVMGetValueName2(g->functions[f], &len);
}

// Of a function that the module has had since before the graph.
static uint32_t id_of(const Callgraph *g, LLVMValueRef function) {
  uint32_t f = callgraph_id(g, function);
  assert(f != CALLGRAPH_NONE);
  return f;
}

static bool is_outside(const Callgraph *g, uint32_t f) {
  return LLVMIsDeclaration(g->functions[f]);
}

static void number_functions(Build *b) {
  Callgraph *g = b->g;
  for (all_functions(f, b->module)) g->count++;
  g->functions = mem_array(g->count, sizeof *g->functions);
  g->self = mem_array(g->count, sizeof *g->self);
  g->entries = mem_array(g->count, sizeof *g->entries);
  g->taken = mem_array(g->count, sizeof *g->taken);
  g->visible = mem_array(g->count, sizeof *g->visible);
  g->unknown = mem_array(g->count, sizeof *g->unknown);
  g->ids = map_new();
  uint32_t id = 0;
  for (all_functions(f, b->module)) {
    g->functions[id] = f;
    g->self[id] = id;
    map_put(g->ids, map_key(f), id++);
  }
}

static bool is_exported(LLVMValueRef global) {
  LLVMLinkage l = LLVMGetLinkage(global);
  return l != LLVMInternalLinkage && l != LLVMPrivateLinkage && l != LLVMAvailableExternallyLinkage;
}

// Marks what the initial value of a global variable contains, if there is one of this name.
static void mark_listed(Build *b, const char *global, bool *mark, unsigned entry) {
  LLVMValueRef list = LLVMGetNamedGlobal(b->module, global);
  Mentions *m = mentions_new(false);
  if (list) mentions_add(m, LLVMGetInitializer(list));
  for (size_t i = 0; i < mentions_count(m); ++i) {
    uint32_t f = id_of(b->g, mentions_at(m, i));
    if (mark) mark[f] = true;
    b->g->entries[f] |= entry;
  }
  mentions_free(m);
}

static void mark_mentioned(Build *b, void (*add)(LLVMModuleRef m, Mentions *out), unsigned entry) {
  Mentions *m = mentions_new(false);
  add(b->module, m);
  for (size_t i = 0; i < mentions_count(m); ++i) b->g->entries[id_of(b->g, mentions_at(m, i))] |= entry;
  mentions_free(m);
}

static void mark_startup(Build *b) {
  mark_mentioned(b, startup_functions, ENTRY_CONSTRUCTOR);
  mark_mentioned(b, shutdown_functions, ENTRY_CONSTRUCTOR | ENTRY_LATER);
}

static void describe_functions(Build *b) {
  Callgraph *g = b->g;
  Mentions *m = mentions_new(false);
  mentions_add_module(m, b->module);
  for (size_t i = 0; i < mentions_count(m); ++i) g->taken[id_of(g, mentions_at(m, i))] = true;
  mentions_free(m);
  b->type = mem_array(g->count, sizeof *b->type);
  for (uint32_t f = 0; f < g->count; ++f) {
    char *type = signature_of_function(g->functions[f]);
    b->type[f] = intern_id(b->types, type, strlen(type));
    mem_free(type);
    g->visible[f] = !is_outside(g, f) && is_exported(g->functions[f]);
    g->unknown[f] = is_outside(g, f) && library_trust(name_of(g, f)) == LIBRARY_UNKNOWN;
    if (!is_outside(g, f) && !strcmp(name_of(g, f), "main")) g->entries[f] |= ENTRY_MAIN;
  }
  for (all_aliases(a, b->module)) {
    LLVMValueRef f = LLVMIsAFunction(call_strip(a));
    if (f && is_exported(a)) g->visible[id_of(g, f)] = true;
  }
  mark_listed(b, "llvm.used", g->visible, 0);
  mark_startup(b);
}

static void add_edge(Build *b, uint32_t from, uint32_t to) {
  assert(from != CALLGRAPH_NONE && to != CALLGRAPH_NONE);
  pairs_add(&b->edges, from, to);
}
static uint32_t occasion(const Callgraph *g, unsigned when) {
  return g->count + when;
}

static bool ends_with(const char *s, const char *end) {
  size_t a = strlen(s), e = strlen(end);
  return a >= e && !strcmp(s + a - e, end);
}

static uint32_t new_set(Build *b, const char *key, bool *is_new) {
  uint32_t before = intern_count(b->wanted), set = intern_id(b->wanted, key, strlen(key));
  *is_new = set == before;
  if (*is_new) vec_push(&b->first_member, (uint32_t)b->members.len);
  return b->g->count + OCCASIONS + set;
}

static void add_member(Build *b, uint32_t set, uint32_t f) {
  pairs_add(&b->members, set - b->g->count - OCCASIONS, f);
  add_edge(b, set, f);
}

// All functions whose address is taken and that fit: the key is a signature, or "*" and the end of a name.
static uint32_t set_that_fits(Build *b, const char *key) {
  Callgraph *g = b->g;
  bool is_new, any = false, by_name = *key == '*';
  uint32_t set = new_set(b, key, &is_new);
  if (!is_new) return set;
  bool *fits = mem_array(intern_count(b->types), sizeof *fits);
  for (uint32_t t = 0; !by_name && t < intern_count(b->types); ++t)
    fits[t] = signature_fits(key, intern_text(b->types, t));
  for (uint32_t f = 0; f < g->count; ++f) {
    if (!g->taken[f] || !(by_name ? ends_with(name_of(g, f), key + 1) : fits[b->type[f]])) continue;
    add_member(b, set, f);
    any = true;
  }
  mem_free(fits);
  if (any) return set;
  add_edge(b, set, occasion(g, LIBRARY_LATER));  // what means nothing here means something outside
  add_edge(b, set, occasion(g, KEPT));
  return set;
}

// A resolver returns one of the functions that it names.
static uint32_t set_of_resolver(Build *b, LLVMValueRef resolver) {
  uint32_t r = id_of(b->g, resolver);
  char *key = mem_format("@%u", r);
  bool is_new;
  uint32_t set = new_set(b, key, &is_new);
  mem_free(key);
  if (!is_new) return set;
  Mentions *m = mentions_new(false);
  mentions_add_body(m, resolver);
  for (size_t i = 0; i < mentions_count(m); ++i) add_member(b, set, id_of(b->g, mentions_at(m, i)));
  mentions_free(m);
  return set;
}

// The node that a value called, or handed over, stands for; CALLGRAPH_NONE if it is no constant function.
static uint32_t node_of_constant(Build *b, LLVMValueRef v) {
  v = call_strip(v);
  if (LLVMIsAFunction(v)) return id_of(b->g, v);
  if (!LLVMIsAGlobalIFunc(v)) return CALLGRAPH_NONE;
  LLVMValueRef resolver = LLVMIsAFunction(call_strip(LLVMGetGlobalIFuncResolver(v)));
  return resolver ? set_of_resolver(b, resolver) : CALLGRAPH_NONE;
}

// The functions of a list; calls that enter the same ones share the set.
static uint32_t set_of_known(Build *b, Ids functions) {
  Bytes key = {0};
  bool is_new;
  bytes_text(&key, "=");
  for (vec_each(i, &functions)) {
    char *one = mem_format(" %u", functions.at[i]);
    bytes_text(&key, one);
    mem_free(one);
  }
  vec_push(&key, 0);
  uint32_t set = new_set(b, (const char *)key.at, &is_new);
  for (size_t i = 0; is_new && i < functions.len; ++i) add_member(b, set, functions.at[i]);
  vec_free(&key);
  return set;
}

static uint32_t target_of(Build *b, uint32_t site) {
  LLVMValueRef call = sites_call(b->g->sites, site);
  uint32_t node = node_of_constant(b, LLVMGetCalledValue(call));
  if (node != CALLGRAPH_NONE || call_is_asm(call)) return node;
  Ids known = lists_of(&b->known, site);
  if (known.len) return set_of_known(b, known);
  char *type = signature_of_call(call);
  node = set_that_fits(b, type);
  mem_free(type);
  return node;
}

// What outside code is given and when it calls it. From: the function or the site's function that hands it
// over.
static void add_pass(Build *b, uint32_t from, unsigned when, uint32_t node) {
  Pass p = {when, node};
  vec_push(&b->g->passes, p);
  if (when == LIBRARY_NOW) add_edge(b, from, node);
  if (when != LIBRARY_NOW && when != LIBRARY_THREAD) add_edge(b, occasion(b->g, when), node);
}

static void add_site_pass(Build *b, uint32_t site, uint32_t from, unsigned when, uint32_t node) {
  pairs_add(&b->passes, site, (uint32_t)b->g->passes.len);
  add_pass(b, from, when, node);
}

// A row of the table: a function in an argument, or one that fits if the argument is not constant.
static void pass_row(Build *b, uint32_t site, uint32_t from, const LibraryCall *row) {
  LLVMValueRef call = sites_call(b->g->sites, site);
  if (row->arg == LIBRARY_MEMORY || row->arg >= LLVMGetNumArgOperands(call)) return;
  LLVMValueRef v = LLVMGetOperand(call, row->arg);
  uint32_t node = node_of_constant(b, v);
  if (node == CALLGRAPH_NONE && !LLVMIsAConstant(v)) node = set_that_fits(b, row->type);
  if (node != CALLGRAPH_NONE) add_site_pass(b, site, from, row->when, node);
}

static void keep_mentioned(Build *b, LLVMValueRef constant) {
  Mentions *m = mentions_new(true);
  mentions_add(m, constant);
  for (size_t i = 0; i < mentions_count(m); ++i)
    add_pass(b, CALLGRAPH_NONE, KEPT, id_of(b->g, mentions_at(m, i)));
  mentions_free(m);
}

static bool in_rows(const LibraryCall *rows, size_t count, unsigned arg) {
  for (size_t i = 0; i < count; ++i)
    if (rows[i].arg == arg) return true;
  return false;
}

// The functions among the arguments of a call of outside code, and those that constant data there contain.
static void pass_constants(Build *b, uint32_t site, uint32_t from, const LibraryCall *rows, size_t count,
                           bool unknown) {
  LLVMValueRef call = sites_call(b->g->sites, site);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMValueRef v = LLVMGetOperand(call, i);
    if (!LLVMIsAConstant(v) || in_rows(rows, count, i)) continue;
    uint32_t node = node_of_constant(b, v);
    if (node != CALLGRAPH_NONE) add_site_pass(b, site, from, LIBRARY_NOW, node);
    if (unknown) keep_mentioned(b, v);
  }
}

static void pass_arguments(Build *b, uint32_t site, uint32_t from, uint32_t callee) {
  if (!is_outside(b->g, callee)) return;
  const LibraryCall *rows = NULL;
  const char *name = name_of(b->g, callee);
  size_t count = library_calls(name, &rows);
  for (size_t i = 0; i < count; ++i) pass_row(b, site, from, &rows[i]);
  if (library_trust(name) != LIBRARY_TABLED)
    pass_constants(b, site, from, rows, count, b->g->unknown[callee]);
}

// An indirect call may be one of outside functions, known or not, as well.
static void pass_arguments_of_set(Build *b, uint32_t site, uint32_t from, uint32_t node) {
  uint32_t set = node - b->g->count - OCCASIONS;
  assert(node >= b->g->count + OCCASIONS && set < b->first_member.len);
  size_t first = b->first_member.at[set], end = b->members.len;
  if (set + 1 < b->first_member.len) end = b->first_member.at[set + 1];
  if (first == end) pass_constants(b, site, from, NULL, 0, true);
  for (size_t i = first; i < end; ++i) pass_arguments(b, site, from, b->members.at[i].item);
}

static void add_site(Build *b, uint32_t site) {
  Callgraph *g = b->g;
  uint32_t from = id_of(g, sites_function(g->sites, site));
  uint32_t node = g->target[site] = target_of(b, site);
  if (node == CALLGRAPH_NONE) return;
  add_edge(b, from, node);
  if (node < g->count)
    pass_arguments(b, site, from, node);
  else
    pass_arguments_of_set(b, site, from, node);
}

// A hook of a library's: the program stores a function into one of its variables.
static void add_hooks(Build *b, LLVMValueRef f) {
  for (all_blocks(block, f))
    for (all_insts(i, block)) {
      if (!LLVMIsAStoreInst(i)) continue;
      LLVMValueRef to = LLVMIsAGlobalVariable(call_strip(LLVMGetOperand(i, 1)));
      uint32_t node =
          to && !LLVMGetInitializer(to) ? node_of_constant(b, LLVMGetOperand(i, 0)) : CALLGRAPH_NONE;
      if (node != CALLGRAPH_NONE) add_pass(b, CALLGRAPH_NONE, LIBRARY_LATER, node);
    }
}

static void add_outside(Build *b, uint32_t f) {
  Callgraph *g = b->g;
  const LibraryCall *rows = NULL;
  size_t count = library_calls(name_of(g, f), &rows);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].arg == LIBRARY_MEMORY) add_pass(b, f, rows[i].when, set_that_fits(b, rows[i].type));
  for (unsigned when = 0; when < LIBRARY_OCCASIONS; ++when)
    if (library_runs(name_of(g, f), when)) add_edge(b, f, occasion(g, when));
  if (strncmp(name_of(g, f), "llvm.", 5)) add_edge(b, f, occasion(g, LIBRARY_LATER));
  if (g->unknown[f]) add_edge(b, f, occasion(g, KEPT));
}

static void add_all(Build *b) {
  Callgraph *g = b->g;
  g->target = mem_array(sites_count(g->sites), sizeof *g->target);
  for (uint32_t s = 0; s < sites_count(g->sites); ++s) add_site(b, s);
  for (uint32_t f = 0; f < g->count; ++f) {
    add_hooks(b, g->functions[f]);
    if (is_outside(g, f))
      add_outside(b, f);
    else if (library_replaced(name_of(g, f)) && g->visible[f])
      add_pass(b, CALLGRAPH_NONE, LIBRARY_LATER, f);
  }
  for (all_ifuncs(i, b->module)) {
    LLVMValueRef resolver = LLVMIsAFunction(call_strip(LLVMGetGlobalIFuncResolver(i)));
    if (resolver) g->entries[id_of(g, resolver)] |= ENTRY_RESOLVER;
  }
}

static Ids functions_of(const Callgraph *g, uint32_t node) {
  if (node < g->count) return (Ids){g->self + node, 1};
  assert(node >= g->count + OCCASIONS && node < g->nodes);  // occasions have no list
  return lists_of(&g->sets, node - g->count - OCCASIONS);
}

static unsigned entry_of(unsigned when) {
  switch (when) {
    case LIBRARY_NOW:
      return ENTRY_CALLBACK;
    case LIBRARY_THREAD:
      return ENTRY_THREAD;
    case LIBRARY_ON_SIGNAL:
      return ENTRY_SIGNAL;
    default:
      return ENTRY_LATER;
  }
}

static void index_sets(Build *b) {
  Callgraph *g = b->g;
  Pairs sets = {0}, sites = {0};
  g->nodes = g->count + OCCASIONS + intern_count(b->wanted);
  g->sets = lists_new(intern_count(b->wanted), &b->members);
  for (vec_each(i, &b->members))
    pairs_add(&sets, b->members.at[i].item, g->count + OCCASIONS + b->members.at[i].owner);
  g->sets_of = lists_new(g->count, &sets);
  for (uint32_t s = 0; s < sites_count(g->sites); ++s)
    if (g->target[s] != CALLGRAPH_NONE) pairs_add(&sites, g->target[s], s);
  g->sites_of = lists_new(g->nodes, &sites);
  g->passes_of = lists_new(sites_count(g->sites), &b->passes);
  for (vec_each(i, &g->passes)) {
    Ids called = functions_of(g, g->passes.at[i].node);
    for (vec_each(k, &called)) g->entries[called.at[k]] |= entry_of(g->passes.at[i].when);
  }
  vec_free(&sets);
  vec_free(&sites);
}

static void index_edges(Build *b) {
  Callgraph *g = b->g;
  Pairs back = {0}, members = {0};
  for (vec_each(i, &b->edges)) pairs_add(&back, b->edges.at[i].item, b->edges.at[i].owner);
  g->edges = lists_new(g->nodes, &b->edges);
  g->back = lists_new(g->nodes, &back);
  g->scc = scc_new(g->nodes, &g->edges);
  // Components of sets and occasions alone are left out; the order stays.
  g->component = mem_array(g->scc.count, sizeof *g->component);
  uint32_t components = 0;
  for (uint32_t c = 0; c < g->scc.count; ++c) {
    Ids nodes = lists_of(&g->scc.members, c);
    g->component[c] = components;
    components += nodes.at[0] < g->count;
  }
  for (uint32_t f = 0; f < g->count; ++f) pairs_add(&members, callgraph_component(g, f), f);
  g->components = components;
  g->members = lists_new(components, &members);
  vec_free(&back);
  vec_free(&members);
}

Callgraph *callgraph_new(LLVMModuleRef m, const Sites *sites) {
  return callgraph_new_with(m, sites, NULL);
}

static bool in_order(const Pairs *p) {
  for (size_t i = 1; i < p->len; ++i) {
    Pair a = p->at[i - 1], b = p->at[i];
    if (a.owner > b.owner || (a.owner == b.owner && a.item >= b.item)) return false;
  }
  return true;
}

Callgraph *callgraph_new_with(LLVMModuleRef m, const Sites *sites, const Pairs *targets) {
  assert(!targets || in_order(targets));
  Callgraph *g = mem_alloc(sizeof *g);
  Build b = {.g = g, .module = m, .types = intern_new(), .wanted = intern_new()};
  Pairs none = {0};
  b.known = lists_new(sites_count(sites), targets ? targets : &none);
  g->sites = sites;
  CHECKED(library_check());
  number_functions(&b);
  describe_functions(&b);
  add_all(&b);
  index_sets(&b);
  index_edges(&b);
  intern_free(b.types);
  intern_free(b.wanted);
  lists_free(&b.known);
  mem_free(b.type);
  vec_free(&b.members);
  vec_free(&b.first_member);
  vec_free(&b.passes);
  vec_free(&b.edges);
  CHECKED(callgraph_check(g));
  return g;
}

void callgraph_free(Callgraph *g) {
  if (!g) return;
  void *arrays[] = {g->functions, g->self,    g->target,  g->entries,
                    g->taken,     g->visible, g->unknown, g->component};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) mem_free(arrays[i]);
  Lists *lists[] = {&g->sets, &g->passes_of, &g->sites_of, &g->sets_of, &g->edges, &g->back, &g->members};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) lists_free(lists[i]);
  map_free(g->ids);
  vec_free(&g->passes);
  scc_free(&g->scc);
  mem_free(g);
}

const Sites *callgraph_sites(const Callgraph *g) {
  return g->sites;
}
uint32_t callgraph_count(const Callgraph *g) {
  return g->count;
}
LLVMValueRef callgraph_function(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->functions[f];
}
uint32_t callgraph_id(const Callgraph *g, LLVMValueRef function) {
  return (uint32_t)map_or(g->ids, map_key(function), CALLGRAPH_NONE);
}
Ids callgraph_targets(const Callgraph *g, uint32_t site) {
  assert(site < sites_count(g->sites));
  return g->target[site] == CALLGRAPH_NONE ? (Ids){NULL, 0} : functions_of(g, g->target[site]);
}
bool callgraph_direct(const Callgraph *g, uint32_t site) {
  assert(site < sites_count(g->sites));
  return g->target[site] < g->count;
}
size_t callgraph_passes(const Callgraph *g, uint32_t site) {
  assert(site < sites_count(g->sites));
  return lists_of(&g->passes_of, site).len;
}
CallgraphPass callgraph_pass(const Callgraph *g, uint32_t site, size_t i) {
  assert(i < callgraph_passes(g, site));
  Pass p = g->passes.at[lists_of(&g->passes_of, site).at[i]];
  return (CallgraphPass){(LibraryWhen)p.when, functions_of(g, p.node)};
}

void callgraph_callers(const Callgraph *g, uint32_t f, IdVec *sites) {
  size_t from = sites->len;
  assert(f < g->count);
  Ids direct = lists_of(&g->sites_of, f), sets = lists_of(&g->sets_of, f);
  vec_append(sites, direct.at, direct.len);
  for (vec_each(i, &sets)) {
    Ids indirect = lists_of(&g->sites_of, sets.at[i]);
    vec_append(sites, indirect.at, indirect.len);
  }
  if (sites->len > from) ids_sort(sites->at + from, sites->len - from);
}

unsigned callgraph_entries(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->entries[f];
}
bool callgraph_taken(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->taken[f];
}
bool callgraph_visible(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->visible[f];
}
bool callgraph_unknown(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->unknown[f];
}
uint32_t callgraph_component(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->component[g->scc.of[f]];
}
Ids callgraph_members(const Callgraph *g, uint32_t component) {
  assert(component < g->components);
  return lists_of(&g->members, component);
}
bool callgraph_recursive(const Callgraph *g, uint32_t f) {
  assert(f < g->count);
  return g->scc.cyclic[g->scc.of[f]];
}

void callgraph_mark_callers(const Callgraph *g, bool *functions, bool *sites) {
  bool *mark = mem_array(g->nodes, sizeof *mark);
  IdVec work = {0};
  for (uint32_t f = 0; f < g->count; ++f)
    if (functions[f]) vec_push(&work, (mark[f] = true, f));
  while (work.len) {
    Ids from = lists_of(&g->back, vec_pop(&work));
    for (vec_each(i, &from))
      if (!mark[from.at[i]]) vec_push(&work, (mark[from.at[i]] = true, from.at[i]));
  }
  memcpy(functions, mark, g->count * sizeof *mark);
  for (uint32_t s = 0; s < sites_count(g->sites); ++s) {
    sites[s] = g->target[s] != CALLGRAPH_NONE && mark[g->target[s]];
    Ids passes = lists_of(&g->passes_of, s);
    for (vec_each(i, &passes)) {
      Pass p = g->passes.at[passes.at[i]];
      if (p.when == LIBRARY_NOW && mark[p.node]) sites[s] = true;
    }
  }
  vec_free(&work);
  mem_free(mark);
}
