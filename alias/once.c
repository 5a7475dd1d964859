// Code outside cycles in a function that is called from one such place only, or started as one thread from
// there: all of a clone's threads and activations, and main.
#include "once.h"
#include <assert.h>

typedef struct {
  uint32_t sites;  // that may enter it, at most 2 are counted
  LLVMValueRef site;
  signed char once;  // 0 not known yet, 1 being looked at, 2 no, 3 yes
  bool *cyclic;      // by block
} Entry;

struct Once {
  const Alias *a;
  Map *ids;
  Vec(LLVMValueRef) functions;
  Vec(Entry) entries;
  Vec(Cfg *) cfgs;
};

static void entered(Once *o, LLVMValueRef function, LLVMValueRef site) {
  uint64_t id;
  if (!map_get(o->ids, map_key(function), &id)) return;
  Entry *e = &o->entries.at[id];
  if (e->site == site && site) return;
  e->site = site;
  if (e->sites < 2) e->sites++;
}

static void count_entries(Once *o) {
  const Alias *a = o->a;
  for (vec_each(i, &o->functions))
    for (all_blocks(b, o->functions.at[i]))
      for (all_insts(inst, b)) {
        LLVMValueRef callee = call_is(inst) ? call_function(inst) : NULL;
        if (callee) entered(o, callee, inst);
      }
  for (vec_each(i, &a->sol->targets)) {
    const Call *c = &a->sys->calls.at[a->sol->targets.at[i].owner];
    LLVMValueRef f = a->sys->routines.at[a->sol->targets.at[i].item].function;
    entered(o, f, c->call);
    // Handlers, destructors of keys, comparisons: how often is the library's affair. A thread starts once.
    const Sync *sync = c->call && c->type == NODE_NONE ? sync_of_call(c->call) : NULL;
    if (c->type == NODE_NONE && !(sync && sync->kind == SYNC_CREATE))
      entered(o, f, NULL), entered(o, f, NULL);
  }
  for (vec_each(i, &a->sys->routines)) {
    const Routine *r = &a->sys->routines.at[i];
    if (a->sol->escaped[r->object]) entered(o, r->function, NULL), entered(o, r->function, NULL);
  }
  uint64_t main_id;
  LLVMValueRef main_function = LLVMGetNamedFunction(a->build.module, "main");
  if (main_function && map_get(o->ids, map_key(main_function), &main_id)) entered(o, main_function, NULL);
}

// After setjmp all may happen again.
static bool has_setjmp(LLVMValueRef function) {
  for (all_blocks(b, function))
    for (all_insts(i, b))
      if (call_returns_twice(i)) return true;
  return false;
}

static bool *find_cyclic(const Cfg *c) {
  uint32_t n = cfg_count(c);
  Pairs pairs = {0};
  for (uint32_t i = 0; i < n; ++i) {
    Ids next = cfg_succs(c, i);
    for (vec_each(k, &next)) pairs_add(&pairs, i, next.at[k]);
  }
  Lists edges = lists_new(n, &pairs);
  Scc scc = scc_new(n, &edges);
  bool *cyclic = mem_array(n + 1, sizeof *cyclic), all = has_setjmp(cfg_function(c));
  for (uint32_t i = 0; i < n; ++i) cyclic[i] = all || scc.cyclic[scc.of[i]];
  scc_free(&scc);
  lists_free(&edges);
  vec_free(&pairs);
  return cyclic;
}

static bool in_cycle(const Once *o, uint64_t f, LLVMBasicBlockRef block) {
  Entry *e = &o->entries.at[f];
  if (!e->cyclic) {
    o->cfgs.at[f] = cfg_new(o->functions.at[f]);
    e->cyclic = find_cyclic(o->cfgs.at[f]);
  }
  uint32_t id = cfg_id(o->cfgs.at[f], block);
  return id == CFG_NONE || e->cyclic[id];
}

static bool runs_once(const Once *o, LLVMValueRef function);

bool once_executes(const Once *o, LLVMValueRef inst) {
  assert(LLVMIsAInstruction(inst));
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  LLVMValueRef f = LLVMGetBasicBlockParent(b);
  uint64_t id;
  return map_get(o->ids, map_key(f), &id) && runs_once(o, f) && !in_cycle(o, id, b);
}

static bool runs_once(const Once *o, LLVMValueRef function) {
  uint64_t id;
  if (!map_get(o->ids, map_key(function), &id)) return false;
  Entry e = o->entries.at[id];
  if (e.once) return e.once == 3;
  o->entries.at[id].once = 1;
  bool once = e.sites == 0 || (e.sites == 1 && (e.site ? once_executes(o, e.site) : true));
  o->entries.at[id].once = once ? 3 : 2;
  return once;
}

Once *once_new(const Alias *a) {
  Once *o = mem_alloc(sizeof *o);
  o->a = a;
  o->ids = map_new();
  for (all_functions(f, a->build.module)) {
    if (LLVMIsDeclaration(f)) continue;
    map_put(o->ids, map_key(f), o->functions.len);
    vec_push(&o->functions, f);
    vec_push(&o->entries, (Entry){0});
    vec_push(&o->cfgs, NULL);
  }
  count_entries(o);
  CHECKED(once_check(o));
  return o;
}

void once_check(const Once *o) {
  size_t n = o->functions.len;
  assert(map_count(o->ids) == n && o->entries.len == n && o->cfgs.len == n);
  for (size_t i = 0; i < n; ++i) {
    const Entry *e = &o->entries.at[i];
    assert(map_or(o->ids, map_key(o->functions.at[i]), n) == i && !LLVMIsDeclaration(o->functions.at[i]));
    assert(e->sites <= 2 && (e->sites || !e->site));
    assert(e->once == 0 || e->once == 2 || e->once == 3);
    assert(!e->cyclic == !o->cfgs.at[i] && (!e->cyclic || cfg_function(o->cfgs.at[i]) == o->functions.at[i]));
  }
}

void once_free(Once *o) {
  if (!o) return;
  for (vec_each(i, &o->entries)) {
    mem_free(o->entries.at[i].cyclic);
    if (o->cfgs.at[i]) cfg_free(o->cfgs.at[i]);
  }
  map_free(o->ids);
  vec_free(&o->functions);
  vec_free(&o->entries);
  vec_free(&o->cfgs);
  mem_free(o);
}
