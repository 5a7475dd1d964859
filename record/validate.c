// Between two events a thread runs code without events. So from where it stands, the sites that it can come
// to next are those that a search through the blocks meets first; that set is computed once for each place it
// can stand. A frame is a function and such a place. What leaves by unwinding goes on at a landing pad or is
// left too.
#include "validate.h"
#include <assert.h>
#include "access.h"
#include "sigma/sigma.h"
#include "point.h"

// Where a thread can get to without an event: sites, the function's end, or on by unwinding.
typedef struct {
  IdVec sites;
  bool returns;
} Reach;

typedef enum {
  STANDS_AT_ENTRY,
  STANDS_AT_POINT,  // of dispatch, in main
  STANDS_AFTER_CALL,
  STANDS_AFTER_UNWIND,
  STANDS_ANYWHERE
} Standing;
typedef struct {
  uint32_t function;  // of the call graph; CALLGRAPH_NONE: not known (yet)
  Standing standing;
  uint32_t site;  // of the module, for AFTER_; AT_POINT: the schedule
  bool callback;
} Frame;
typedef struct {
  Vec(Frame) frames;
  bool ended, cancelled;
} ThreadWalk;

typedef struct {
  const Sigma *s;
  const Schedule *c;
  const Sites *sites;
  const Callgraph *graph;
  const Maysync *sync;
  Diags *diags;
  uint32_t *module_site;  // by site of Σ
  Map *reached;           // key of a place → index into reaches
  Vec(Reach) reaches;
  EventStacks *stacks;
  ThreadWalk *threads;
  LLVMValueRef point;  // where the schedule begins, inside main; NULL: at its entry
  bool *ordinary;      // by site: excluded; NULL: none
  size_t passed;       // events that the code can have come to
} Check;

static bool is_event_site(const Check *k, uint32_t site) {
  const Sync *s = maysync_operation(k->sync, site);
  return maysync_event(k->sync, site) || maysync_derived(k->sync, site) || (s && s->kind == SYNC_UNMODELLED);
}

typedef Vec(LLVMBasicBlockRef) Blocks;

static void queue_block(Blocks *queue, Map *seen, LLVMBasicBlockRef b) {
  uint64_t before = map_count(seen);
  map_put(seen, map_key(b), 1);
  if (map_count(seen) > before) vec_push(queue, b);
}

// From an instruction to the first event site of its block, or to what comes behind the block.
static void scan(Check *k, LLVMValueRef from, Reach *r, Blocks *queue, Map *seen) {
  LLVMValueRef last = NULL;
  for (LLVMValueRef i = from; i; last = i, i = LLVMGetNextInstruction(i)) {
    uint32_t site = call_is(i) ? sites_id(k->sites, i) : SITE_NONE;
    if (site == SITE_NONE || !is_event_site(k, site)) continue;
    vec_push(&r->sites, site);
    return;
  }
  r->returns |= LLVMIsAReturnInst(last) != NULL;
  for (unsigned n = 0; n < LLVMGetNumSuccessors(last); ++n)
    queue_block(queue, seen, LLVMGetSuccessor(last, n));
}

static void search(Check *k, LLVMValueRef from, LLVMBasicBlockRef block, Reach *r) {
  Blocks queue = {0};
  Map *seen = map_new();
  if (from) scan(k, from, r, &queue, seen);
  if (block) queue_block(&queue, seen, block);
  for (size_t i = 0; i < queue.len; ++i) scan(k, LLVMGetFirstInstruction(queue.at[i]), r, &queue, seen);
  map_free(seen);
  vec_free(&queue);
}

static const Reach *reach_of(Check *k, const Frame *f) {
  uint64_t key = (uint64_t)f->standing << 32 | (f->standing == STANDS_AT_ENTRY ? f->function : f->site),
           known;
  if (map_get(k->reached, key, &known)) return &k->reaches.at[known];
  assert(f->standing != STANDS_ANYWHERE && f->function != CALLGRAPH_NONE);
  Reach r = {0};
  if (f->standing == STANDS_AT_ENTRY) {
    search(k, NULL, LLVMGetEntryBasicBlock(callgraph_function(k->graph, f->function)), &r);
  } else if (f->standing == STANDS_AT_POINT) {
    search(k, k->point, NULL, &r);
  } else {
    LLVMValueRef call = sites_call(k->sites, f->site);
    bool invoke = LLVMIsAInvokeInst(call) != NULL;
    LLVMBasicBlockRef to = !invoke                              ? NULL
                           : f->standing == STANDS_AFTER_UNWIND ? LLVMGetUnwindDest(call)
                                                                : LLVMGetNormalDest(call);
    search(k, invoke ? NULL : LLVMGetNextInstruction(call), to, &r);
  }
  map_put(k->reached, key, k->reaches.len);
  vec_push(&k->reaches, r);
  return &vec_last(&k->reaches);
}

static bool wrong(Check *k, uint32_t event, const char *what) {
  Bytes text = {0};
  const Event *e = &k->c->events.at[event];
  event_print(k->s, k->c, event, &text);
  vec_push(&text, 0);
  Place where = {e->line ? k->s->file : NULL, e->line, 0};
  diag(k->diags, DIAG_ERROR, where, "event %u `%s`: %s", event, (char *)text.at, what);
  vec_free(&text);
  return false;
}

static uint32_t owner_of(const Check *k, uint32_t site) {
  assert(site < sites_count(k->sites));
  return callgraph_id(k->graph, sites_function(k->sites, site));
}

static bool may_call(const Check *k, uint32_t site, uint32_t function) {
  Ids targets = callgraph_targets(k->graph, site);
  for (vec_each(i, &targets))
    if (targets.at[i] == function) return true;
  return false;
}

// A function that was called but had no event until now: the site tells which one it is, and the call whether
// it can be.
static bool settle(Check *k, ThreadWalk *t, uint32_t event, uint32_t function) {
  assert(t->frames.len && function != CALLGRAPH_NONE);
  Frame *f = &vec_last(&t->frames);
  if (f->function != CALLGRAPH_NONE) return true;
  if (t->frames.len > 1 && !may_call(k, t->frames.at[t->frames.len - 2].site, function))
    return wrong(k, event, "the open call cannot have entered this function");
  f->function = function;
  f->standing = STANDS_AT_ENTRY;
  return true;
}

// Moves the thread to a site of its innermost function.
static bool come_to(Check *k, ThreadWalk *t, uint32_t event, uint32_t site) {
  uint32_t function = owner_of(k, site);
  if (!t->frames.len) return wrong(k, event, "the thread is not in a function of the module");
  if (!settle(k, t, event, function)) return false;
  Frame *f = &vec_last(&t->frames);
  if (f->function != function) return wrong(k, event, "the thread is in another function");
  bool reached = f->standing == STANDS_ANYWHERE;
  if (!reached) {
    const Reach *r = reach_of(k, f);
    for (vec_each(i, &r->sites)) reached |= r->sites.at[i] == site;
  }
  if (!reached) return wrong(k, event, "cannot be reached from the previous event without another event");
  f->standing = STANDS_AFTER_CALL;
  f->site = site;
  return true;
}

static void push(ThreadWalk *t, uint32_t function, Standing standing) {
  Frame f = {function, standing, 0, false};
  vec_push(&t->frames, f);
}

static uint32_t function_named(const Check *k, uint32_t text) {
  LLVMModuleRef m = LLVMGetGlobalParent(callgraph_function(k->graph, 0));
  LLVMValueRef f = LLVMGetNamedFunction(m, sigma_text(k->s, text));
  return f && !LLVMIsDeclaration(f) ? callgraph_id(k->graph, f) : CALLGRAPH_NONE;
}

static bool can_return(Check *k, const Frame *f) {
  return f->function == CALLGRAPH_NONE || f->standing == STANDS_ANYWHERE || reach_of(k, f)->returns;
}

static bool leave(Check *k, ThreadWalk *t, uint32_t event, StackStep step, bool unwinds) {
  uint32_t site = k->module_site[k->c->events.at[event].site];
  if (step.wrong || t->frames.len < 2) return wrong(k, event, "no such call is open");
  Frame left = vec_pop(&t->frames);
  if (!unwinds && !can_return(k, &left)) return wrong(k, event, "the function cannot return from this point");
  Frame *f = &vec_last(&t->frames);
  if (unwinds)
    f->standing = LLVMIsAInvokeInst(sites_call(k->sites, site)) ? STANDS_AFTER_UNWIND : STANDS_ANYWHERE;
  return true;
}

// Code outside goes on: the callback before has returned to it, or was unwound.
static bool end_callback(Check *k, ThreadWalk *t, uint32_t event) {
  assert(t->frames.len && vec_last(&t->frames).callback);
  Frame left = vec_pop(&t->frames);
  return k->c->events.at[event].kind == EVENT_UNWIND || can_return(k, &left) ||
         wrong(k, event, "the previous callback cannot return from this point");
}

static bool exits(Check *k, ThreadWalk *t, uint32_t event) {
  t->ended = true;
  if (k->c->events.at[event].site != SIGMA_NONE || !t->frames.len || t->cancelled) return true;
  if (k->c->events.at[event].wake == EVENT_ENDED) return true;
  return can_return(k, &vec_last(&t->frames)) ||
         wrong(k, event, "the thread's routine cannot return from this point");
}

// Which way led there is not asked: any code below it may call longjmp.
static bool jumps(Check *k, ThreadWalk *t, uint32_t event) {
  uint32_t site = k->module_site[k->c->events.at[event].site], function = owner_of(k, site);
  if (!call_returns_twice(sites_call(k->sites, site)))
    return wrong(k, event, "the module has no setjmp there");
  if (!t->frames.len) return wrong(k, event, "the thread is not in a function of the module");
  if (!settle(k, t, event, function)) return false;
  Frame *f = &vec_last(&t->frames);
  if (f->function != function) return wrong(k, event, "the thread is in another function");
  f->standing = STANDS_AFTER_CALL;
  f->site = site;
  return true;
}

// The thread is in the function of the instruction, or in one that has no events, which may be any.
static bool accesses(Check *k, const ThreadWalk *t, uint32_t event) {
  const SigmaAccess *a = &k->s->accesses.at[k->c->events.at[event].other];
  const char *name = sigma_text(k->s, a->name);
  LLVMModuleRef m = LLVMGetGlobalParent(callgraph_function(k->graph, 0));
  LLVMValueRef i = inst_find(m, name, strlen(name));
  if (!i) return wrong(k, event, "the module has no such instruction");
  if (!access_of(i, a->writes, &(AccessOf){0}))
    return wrong(k, event,
                 a->writes ? "that instruction is not a known kind of write"
                           : "that instruction is not a known kind of read");
  if (t->frames.len) return true;
  return wrong(k, event, "the thread is not in a function of the module");
}

// An operation called through a pointer has the site of the call that is open; so has that of pthread_once,
// whose routine was called back.
static bool is_in_call_at(const ThreadWalk *t, uint32_t site) {
  size_t i = t->frames.len;
  while (i-- > 1)
    if (!t->frames.at[i].callback) return t->frames.at[i - 1].site == site;
  return false;
}

// The thread goes on where the call unwinds to.
static bool cancelled(Check *k, ThreadWalk *t, uint32_t event) {
  uint32_t site = k->module_site[k->c->events.at[event].site];
  Frame *f = t->frames.len ? &vec_last(&t->frames) : NULL;
  if (!f || f->standing != STANDS_AFTER_CALL || f->site != site) return true;
  f->standing = LLVMIsAInvokeInst(sites_call(k->sites, site)) ? STANDS_AFTER_UNWIND : STANDS_ANYWHERE;
  return true;
}

static bool step(Check *k, uint32_t event) {
  const Event *e = &k->c->events.at[event];
  ThreadWalk *t = &k->threads[e->thread];
  StackStep stack = stacks_pass(k->stacks, event);
  if (stack.over != SIGMA_NONE && !end_callback(k, t, event)) return false;
  if (e->kind == SYNC_EXIT) return exits(k, t, event);
  if (e->kind == EVENT_ACCESS) return accesses(k, t, event);
  if (e->kind == EVENT_JUMP) return jumps(k, t, event);
  if (e->kind == SYNC_CANCEL && e->other != SIGMA_NONE) k->threads[e->other].cancelled = true;
  if (e->kind == SYNC_ENTER || e->kind == EVENT_CALLBACK) {
    uint32_t function = function_named(k, e->other);
    if (e->kind == EVENT_CALLBACK && function == CALLGRAPH_NONE)
      return wrong(k, event, "the module has no such function");
    push(t, function, STANDS_AT_ENTRY);
    vec_last(&t->frames).callback = e->kind == EVENT_CALLBACK;
    return true;
  }
  if (e->phase == EVENT_DEPART) return e->wake == EVENT_CANCELLED ? cancelled(k, t, event) : true;
  if (e->kind == EVENT_RET || e->kind == EVENT_UNWIND)
    return leave(k, t, event, stack, e->kind == EVENT_UNWIND);
  if (e->kind != EVENT_CALL && is_in_call_at(t, k->module_site[e->site])) return true;
  if (!come_to(k, t, event, k->module_site[e->site])) return false;
  if (e->wake == EVENT_CANCELLED) return cancelled(k, t, event);
  if (e->kind == EVENT_CALL) push(t, CALLGRAPH_NONE, STANDS_AT_ENTRY);
  return true;
}

// A frame for each call and callback that is open, above that of the routine.
static bool frames_agree(const Check *k, uint32_t thread) {
  const ThreadWalk *t = &k->threads[thread];
  size_t open = stacks_depth(k->stacks, thread);
  return t->frames.len == open || t->frames.len == open + 1;
}

static bool walk(Check *k, uint32_t schedule) {
  size_t n = k->c->threads;
  k->threads = mem_array(n, sizeof *k->threads);
  k->stacks = stacks_new(k->c);
  LLVMModuleRef m = LLVMGetGlobalParent(callgraph_function(k->graph, 0));
  LLVMValueRef main = LLVMGetNamedFunction(m, "main");
  Standing standing = k->point ? STANDS_AT_POINT : STANDS_AT_ENTRY;
  if (main) push(&k->threads[0], callgraph_id(k->graph, main), standing);
  if (k->point) vec_last(&k->threads[0].frames).site = schedule;
  bool ok = true;
  k->passed = 0;
  for (uint32_t i = 0; i < k->c->events.len && ok; ++i) {
    ok = step(k, i);
    k->passed += ok;
    assert(!ok || frames_agree(k, k->c->events.at[i].thread));
  }
  for (size_t t = 0; t < n; ++t) vec_free(&k->threads[t].frames);
  stacks_free(k->stacks);
  mem_free(k->threads);
  return ok;
}

static bool validate_one(Check *k, uint32_t schedule) {
  k->c = k->s->schedules.at[schedule];
  k->point = NULL;
  bool inside = k->c->at_file != SIGMA_NONE;
  if (inside) k->point = sigma_point(k->s, schedule, k->graph, k->sync, k->diags);
  return (k->point || !inside) && walk(k, schedule);
}

// Sites that no event uses may be left from schedules that are gone.
static bool *used_sites(const Sigma *s) {
  bool *used = mem_array(s->sites.len + 1, sizeof *used);
  for (vec_each(i, &s->schedules))
    for (vec_each(e, &s->schedules.at[i]->events)) {
      uint32_t site = s->schedules.at[i]->events.at[e].site;
      if (site != SIGMA_NONE) used[site] = true;
    }
  return used;
}

bool *sigma_ordinary_sites(const Sigma *s, const Sites *sites) {
  bool *ordinary = NULL;
  for (vec_each(i, &s->sites)) {
    const char *name = sigma_text(s, s->sites.at[i].name);
    uint32_t site = s->sites.at[i].excluded ? sites_find(sites, name, strlen(name)) : SITE_NONE;
    if (site == SITE_NONE) continue;
    if (!ordinary) ordinary = mem_array(sites_count(sites), sizeof *ordinary);
    ordinary[site] = true;
  }
  return ordinary;
}

static bool check_sites(Check *k) {
  bool ok = true, *used = used_sites(k->s);
  for (vec_each(i, &k->s->sites)) {
    const SigmaSite *site = &k->s->sites.at[i];
    const char *name = sigma_text(k->s, site->name);
    uint32_t id = k->module_site[i] = sites_find(k->sites, name, strlen(name));
    const Sync *s = id == SITE_NONE ? NULL : maysync_operation(k->sync, id);
    if (!used[i] && !site->excluded) continue;
    if (id == SITE_NONE)
      diag(k->diags, DIAG_ERROR, (Place){k->s->file, 0, 0}, "site %zu: the module has no call %s", i, name);
    else if (s ? site->kind != s->kind : site->kind != EVENT_CALL)
      diag(k->diags, DIAG_ERROR, (Place){k->s->file, 0, 0}, "site %zu: %s is not a %s in the module", i, name,
           event_word(site->kind));
    else
      continue;
    ok = false;
  }
  mem_free(used);
  return ok;
}

static void check_begin(Check *k, const Sigma *s, const Sites *sites, const Callgraph *graph,
                        const Maysync *sync, Diags *diags) {
  assert(callgraph_sites(graph) == sites);
  *k = (Check){.s = s, .sites = sites, .graph = graph, .sync = sync, .diags = diags, .reached = map_new()};
  k->module_site = mem_array(s->sites.len + 1, sizeof *k->module_site);
  k->ordinary = sigma_ordinary_sites(s, sites);
  if (k->ordinary) k->sync = maysync_new_without(graph, k->ordinary);
}

static void check_end(Check *k) {
  if (k->ordinary) maysync_free((Maysync *)(uintptr_t)k->sync);
  mem_free(k->ordinary);
  for (vec_each(i, &k->reaches)) vec_free(&k->reaches.at[i].sites);
  vec_free(&k->reaches);
  map_free(k->reached);
  mem_free(k->module_site);
}

bool sigma_validate(const Sigma *s, const Sites *sites, const Callgraph *graph, const Maysync *sync,
                    Diags *diags) {
  Check k;
  check_begin(&k, s, sites, graph, sync, diags);
  bool ok = callgraph_count(graph) && check_sites(&k);
  bool usable = ok;
  for (uint32_t i = 0; usable && i < s->schedules.len; ++i) ok &= validate_one(&k, i);
  check_end(&k);
  return ok;
}

size_t sigma_followed(const Sigma *s, uint32_t schedule, const Sites *sites, const Callgraph *graph,
                      const Maysync *sync, Diags *diags) {
  Check k;
  check_begin(&k, s, sites, graph, sync, diags);
  if (check_sites(&k)) validate_one(&k, schedule);
  check_end(&k);
  return k.passed;
}
