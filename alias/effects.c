// What functions touch, with all that they call; which threads there are, what they run; and which objects
// more than one of them may reach.
#include "assembly.h"
#include "effects.h"
#include <assert.h>
#include "once.h"

typedef struct {
  LLVMValueRef function;
  IdVec callees;
  Set reads, writes;  // objects; OBJECT_UNKNOWN: all that have escaped
} Effect;

struct Effects {
  const Alias *a;
  Map *ids;
  Vec(Effect) functions;
  Vec(AliasThread) threads;
  Vec(Set) runs;     // by thread: functions
  Vec(Set) touches;  // by thread: objects
  Set published;     // objects that more than their creator may find
};

static uint32_t id_of(const Effects *e, LLVMValueRef f) {
  return (uint32_t)map_or(e->ids, map_key(f), NODE_NONE);
}

static LLVMValueRef function_around(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

// -- what functions do themselves

static void add_touch(Effects *e, Effect *f, const Touch *t) {
  for (set_each(at, solution_set(e->a->sol, t->node))) {
    uint32_t o = spots_at(e->a->sys->spots, at.id).object;
    if (t->kind & TOUCH_READ) set_add(&f->reads, o);
    if (t->kind & (TOUCH_WRITE | TOUCH_FREE)) set_add(&f->writes, o);
  }
}

static void add_touches_of(Effects *e, Effect *f, LLVMValueRef key) {
  for (uint64_t i = map_or(e->a->build.touched, map_key(key), 0); i; i = e->a->build.touches.at[i - 1].before)
    add_touch(e, f, &e->a->build.touches.at[i - 1]);
}

static void add_call(Effects *e, Effect *f, LLVMValueRef call) {
  AliasFunctions targets = {0};
  bool direct = call_function(call) != NULL;
  if (call_is_asm(call)) return;
  if (alias_targets(e->a, call, &targets)) {
    set_add(&f->reads, OBJECT_UNKNOWN);
    set_add(&f->writes, OBJECT_UNKNOWN);
  }
  for (vec_each(i, &targets)) {
    uint32_t id = id_of(e, targets.at[i]);
    if (id != NODE_NONE)
      vec_push(&f->callees, id);
    else if (!direct)
      add_touches_of(e, f, targets.at[i]);
  }
  vec_free(&targets);
}

static void see_function(Effects *e, Effect *f) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      add_touches_of(e, f, i);
      if (call_is(i)) add_call(e, f, i);
    }
}

// -- threads

static uint32_t add_thread(Effects *e, LLVMValueRef start, LLVMValueRef create, bool many) {
  AliasThread t = {start, create, many};
  vec_push(&e->threads, t);
  vec_push(&e->runs, (Set){0});
  vec_push(&e->touches, (Set){0});
  return (uint32_t)e->threads.len - 1;
}

static bool is_later(const Call *c, LibraryWhen when) {
  LLVMValueRef callee = c->call ? call_function(c->call) : NULL;
  size_t len;
  const LibraryCall *rows;
  if (!callee) return false;
  size_t count = library_calls(LLVMGetValueName2(callee, &len), &rows);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].when == when) return true;
  return false;
}

static bool calls_what_runs(LLVMValueRef function, LibraryWhen when) {
  for (all_blocks(b, function))
    for (all_insts(k, b)) {
      LLVMValueRef f = call_is(k) ? call_function(k) : NULL;
      if (f && LLVMIsDeclaration(f) && library_runs(LLVMGetValueName(f), when)) return true;
    }
  return false;
}

// What is given to atexit runs in whatever thread ends the process; what is given to a loop of events, in any
// that runs one.
static void run_on(Effects *e, LibraryWhen when, const IdVec *handlers) {
  for (size_t i = 0; handlers->len && i < e->functions.len; ++i)
    if (calls_what_runs(e->functions.at[i].function, when))
      vec_append(&e->functions.at[i].callees, handlers->at, handlers->len);
}

// Outside code of which more is possible than its row or the tables of ir/outside say.
static bool may_enter(const Build *b, LLVMValueRef f) {
  const char *name = LLVMGetValueName(f);
  const LibraryCall *rows;
  Summary known;
  if (!strncmp(name, "llvm.", 5) || summaries_find(b->summaries, name, &known)) return false;
  return library_trust(name) != LIBRARY_TABLED || library_calls(name, &rows);
}

// Variables outside that hold no functions: through others the program itself may call code that nobody
// knows, or they are hooks.
static bool is_harmless(const char *name) {
  static const char *const names[] = {"__environ",
                                      "__progname",
                                      "__progname_full",
                                      "_environ",
                                      "daylight",
                                      "environ",
                                      "in6addr_any",
                                      "in6addr_loopback",
                                      "optarg",
                                      "opterr",
                                      "optind",
                                      "optopt",
                                      "program_invocation_name",
                                      "program_invocation_short_name",
                                      "signgam",
                                      "stderr",
                                      "stdin",
                                      "stdout",
                                      "timezone",
                                      "tzname"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static bool finds_code(const Build *b) {
  static const char *const loads[] = {"dlsym", "dlvsym"};
  for (size_t i = 0; i < sizeof loads / sizeof *loads; ++i)
    if (LLVMGetNamedFunction(b->module, loads[i])) return true;
  for (all_globals(g, b->module)) {
    const char *name = LLVMGetValueName(g);
    if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g) && strncmp(name, "llvm.", 5) && !is_harmless(name))
      return true;
  }
  return false;
}

static bool has_unknown_assembly(const Build *b) {
  for (all_functions(f, b->module))
    for (all_blocks(k, f))
      for (all_insts(i, k))
        if (call_is(i) && call_is_asm(i) && assembly_effect(b->module, i) == ASM_ANYTHING) return true;
  return false;
}

// What is called back by a row, or started, may be anything that has escaped.
static bool starts_unknown(const Alias *a) {
  for (vec_each(i, &a->sys->calls)) {
    const Call *c = &a->sys->calls.at[i];
    if (c->type == NODE_NONE && set_has(solution_set(a->sol, c->callee), SPOT_UNKNOWN)) return true;
  }
  return false;
}

static bool may_be_entered(const Alias *a) {
  const Build *b = &a->build;
  if (b->open || finds_code(b) || has_unknown_assembly(b) || starts_unknown(a)) return true;
  for (all_functions(f, a->build.module))
    if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && may_enter(&a->build, f)) return true;
  return false;
}

// All that outside code may enter is a thread of its own: functions that have escaped, and what loops of
// events run, for nobody knows who may run one.
static void find_outside(Effects *e, const IdVec *in_loop) {
  const Alias *a = e->a;
  bool any = may_be_entered(a);
  Set runs = {0};
  for (size_t i = 0; any && i < in_loop->len; ++i) set_add(&runs, in_loop->at[i]);
  for (vec_each(i, &a->sys->routines)) {
    const Routine *r = &a->sys->routines.at[i];
    uint32_t id = id_of(e, r->function);
    bool entered = any || library_replaced(LLVMGetValueName(r->function));
    if (id != NODE_NONE && a->sol->escaped[r->object] && entered) set_add(&runs, id);
  }
  uint32_t outside = runs.len ? add_thread(e, NULL, NULL, true) : NODE_NONE;
  if (outside != NODE_NONE)
    e->runs.at[outside] = runs;
  else
    set_free(&runs);
}

// Callbacks run where they are given away, but for those that start threads and handle signals: these are
// concurrent with all. What outside code may enter by itself, it may enter in any thread, too.
static void find_threads(Effects *e, const Once *once) {
  const Alias *a = e->a;
  IdVec at_exit = {0}, in_loop = {0};
  LLVMValueRef main_function = LLVMGetNamedFunction(a->build.module, "main");
  add_thread(e, main_function, NULL, false);
  for (vec_each(i, &a->sol->targets)) {
    const Call *c = &a->sys->calls.at[a->sol->targets.at[i].owner];
    const Routine *r = &a->sys->routines.at[a->sol->targets.at[i].item];
    uint32_t id = id_of(e, r->function);
    if (c->type != NODE_NONE || id == NODE_NONE) continue;
    bool handler = is_later(c, LIBRARY_ON_SIGNAL);
    if (handler || is_later(c, LIBRARY_THREAD) || c->result != NODE_NONE) {
      bool many = handler || !c->call || !once_executes(once, c->call);
      uint32_t t = add_thread(e, r->function, c->call, many);
      set_add(&e->runs.at[t], id);
    } else if (c->call) {
      if (is_later(c, LIBRARY_AT_EXIT) || is_later(c, LIBRARY_AT_QUICK_EXIT)) vec_push(&at_exit, id);
      if (is_later(c, LIBRARY_IN_LOOP)) vec_push(&in_loop, id);
      vec_push(&e->functions.at[id_of(e, function_around(c->call))].callees, id);
    } else {
      for (vec_each(k, &e->functions)) vec_push(&e->functions.at[k].callees, id);
    }
  }
  run_on(e, LIBRARY_AT_EXIT, &at_exit);
  run_on(e, LIBRARY_AT_QUICK_EXIT, &at_exit);
  run_on(e, LIBRARY_IN_LOOP, &in_loop);
  find_outside(e, &in_loop);
  vec_free(&at_exit), vec_free(&in_loop);
}

// What runs before main, and behind it.
static void add_startup(Effects *e) {
  Mentions *m = mentions_new(false);
  startup_functions(e->a->build.module, m);
  shutdown_functions(e->a->build.module, m);
  for (size_t i = 0; i < mentions_count(m); ++i)
    if (id_of(e, mentions_at(m, i)) != NODE_NONE) set_add(&e->runs.at[0], id_of(e, mentions_at(m, i)));
  mentions_free(m);
}

static void close_runs(Effects *e) {
  uint32_t main_id = e->threads.at[0].start ? id_of(e, e->threads.at[0].start) : NODE_NONE;
  if (main_id != NODE_NONE) set_add(&e->runs.at[0], main_id);
  add_startup(e);
  for (vec_each(t, &e->threads)) {
    IdVec work = {0};
    for (set_each(at, &e->runs.at[t])) vec_push(&work, at.id);
    while (work.len) {
      const Effect *f = &e->functions.at[vec_pop(&work)];
      set_merge(&e->touches.at[t], &f->reads, NULL);
      set_merge(&e->touches.at[t], &f->writes, NULL);
      for (vec_each(i, &f->callees))
        if (set_add(&e->runs.at[t], f->callees.at[i])) vec_push(&work, f->callees.at[i]);
    }
    vec_free(&work);
  }
}

// -- mod/ref: callees first, all of a recursion together

static void close_effects(Effects *e) {
  Pairs pairs = {0};
  uint32_t n = (uint32_t)e->functions.len;
  for (uint32_t i = 0; i < n; ++i)
    for (vec_each(k, &e->functions.at[i].callees)) pairs_add(&pairs, i, e->functions.at[i].callees.at[k]);
  Lists edges = lists_new(n, &pairs);
  Scc scc = scc_new(n, &edges);
  for (uint32_t c = 0; c < scc.count; ++c) {
    Ids members = lists_of(&scc.members, c);
    Set reads = {0}, writes = {0};
    for (vec_each(i, &members)) {
      Effect *f = &e->functions.at[members.at[i]];
      set_merge(&reads, &f->reads, NULL);
      set_merge(&writes, &f->writes, NULL);
      for (vec_each(k, &f->callees)) {
        set_merge(&reads, &e->functions.at[f->callees.at[k]].reads, NULL);
        set_merge(&writes, &e->functions.at[f->callees.at[k]].writes, NULL);
      }
    }
    for (vec_each(i, &members)) {
      Effect *f = &e->functions.at[members.at[i]];
      set_merge(&f->reads, &reads, NULL);
      set_merge(&f->writes, &writes, NULL);
    }
    set_free(&reads);
    set_free(&writes);
  }
  scc_free(&scc);
  lists_free(&edges);
  vec_free(&pairs);
}

// -- what threads can find: from variables of the program, from what has escaped, from what threads are given
// or leave; not from a thread's own variables and keys

static void publish(Effects *e, IdVec *work, uint32_t node) {
  for (set_each(at, solution_set(e->a->sol, node))) {
    uint32_t o = spots_at(e->a->sys->spots, at.id).object;
    if (set_add(&e->published, o)) vec_push(work, o);
  }
}

static bool is_root(const Alias *a, uint32_t o) {
  const Object *x = &a->sys->objects.at[o];
  if (a->sol->escaped[o] || x->kind == KIND_GLOBAL || x->kind == KIND_LIBRARY) return true;
  return x->kind == KIND_HIDDEN && strcmp(x->name, "specific") && strcmp(x->name, "thrown");
}

static void find_published(Effects *e) {
  const Alias *a = e->a;
  IdVec work = {0};
  for (uint32_t o = 0; o < a->sol->objects; ++o)
    if (is_root(a, o) && set_add(&e->published, o)) vec_push(&work, o);
  for (vec_each(i, &a->sys->calls)) {
    const Call *c = &a->sys->calls.at[i];
    for (uint32_t k = 0; c->type == NODE_NONE && c->result != NODE_NONE && k < c->count; ++k)
      if (a->sys->args.at[c->first + k] != NODE_NONE) publish(e, &work, a->sys->args.at[c->first + k]);
  }
  while (work.len) {
    const Cells *cells = &a->sol->stored[vec_pop(&work)];
    for (vec_each(i, cells)) publish(e, &work, cells->at[i].node);
  }
  vec_free(&work);
}

Effects *effects_new(const Alias *a, const Once *once) {
  Effects *e = mem_alloc(sizeof *e);
  e->a = a;
  e->ids = map_new();
  for (all_functions(f, a->build.module)) {
    Effect one = {.function = f};
    if (LLVMIsDeclaration(f)) continue;
    map_put(e->ids, map_key(f), e->functions.len);
    vec_push(&e->functions, one);
  }
  for (vec_each(i, &e->functions)) see_function(e, &e->functions.at[i]);
  find_threads(e, once);
  close_runs(e);
  close_effects(e);
  find_published(e);
  CHECKED(effects_check(e));
  return e;
}

void effects_free(Effects *e) {
  if (!e) return;
  for (vec_each(i, &e->functions)) {
    vec_free(&e->functions.at[i].callees);
    set_free(&e->functions.at[i].reads);
    set_free(&e->functions.at[i].writes);
  }
  for (vec_each(i, &e->threads)) {
    set_free(&e->runs.at[i]);
    set_free(&e->touches.at[i]);
  }
  map_free(e->ids);
  vec_free(&e->functions);
  vec_free(&e->threads);
  vec_free(&e->runs);
  vec_free(&e->touches);
  set_free(&e->published);
  mem_free(e);
}

// Who calls another may do what the other does.
static void check_functions(const Effects *e) {
  assert(map_count(e->ids) == e->functions.len);
  for (vec_each(i, &e->functions)) {
    const Effect *f = &e->functions.at[i];
    assert(id_of(e, f->function) == i);
    set_check(&f->reads), set_check(&f->writes);
    for (vec_each(k, &f->callees)) {
      assert(f->callees.at[k] < e->functions.len);
      const Effect *callee = &e->functions.at[f->callees.at[k]];
      assert(set_within(&callee->reads, &f->reads) && set_within(&callee->writes, &f->writes));
    }
  }
}

static void check_thread(const Effects *e, uint32_t t) {
  const AliasThread *x = &e->threads.at[t];
  const Set *runs = &e->runs.at[t], *touches = &e->touches.at[t];
  set_check(runs), set_check(touches);
  assert(t ? x->start ? set_has(runs, id_of(e, x->start)) : x->many : !x->create && !x->many);
  for (set_each(at, runs)) {
    assert(at.id < e->functions.len);
    const Effect *f = &e->functions.at[at.id];
    assert(set_within(&f->reads, touches) && set_within(&f->writes, touches));
    for (vec_each(k, &f->callees)) assert(set_has(runs, f->callees.at[k]));
  }
}

void effects_check(const Effects *e) {
  const Solution *sol = e->a->sol;
  check_functions(e);
  assert(e->threads.len && e->runs.len == e->threads.len && e->touches.len == e->threads.len);
  for (uint32_t t = 0; t < e->threads.len; ++t) check_thread(e, t);
  set_check(&e->published);
  for (set_each(at, &e->published)) assert(at.id < sol->objects);
  for (uint32_t o = 0; o < sol->objects; ++o) assert(!sol->escaped[o] || set_has(&e->published, o));
}

// -- questions

static bool holds(const Alias *a, const Set *s, uint32_t object) {
  return set_has(s, object) || (a->sol->escaped[object] && set_has(s, OBJECT_UNKNOWN));
}

unsigned alias_modref(const Alias *a, LLVMValueRef function, uint32_t object) {
  assert(LLVMIsAFunction(function) && object < a->sol->objects);
  uint32_t id = id_of(a->effects, function);
  if (id == NODE_NONE) return ALIAS_READS | ALIAS_WRITES;
  const Effect *f = &a->effects->functions.at[id];
  return (holds(a, &f->reads, object) ? ALIAS_READS : 0u) |
         (holds(a, &f->writes, object) ? ALIAS_WRITES : 0u);
}

uint32_t alias_threads(const Alias *a) {
  return (uint32_t)a->effects->threads.len;
}
AliasThread alias_thread(const Alias *a, uint32_t thread) {
  assert(thread < alias_threads(a));
  return a->effects->threads.at[thread];
}
bool alias_thread_runs(const Alias *a, uint32_t thread, LLVMValueRef function) {
  assert(thread < alias_threads(a));
  uint32_t id = id_of(a->effects, function);
  return id != NODE_NONE && set_has(&a->effects->runs.at[thread], id);
}
bool alias_thread_touches(const Alias *a, uint32_t thread, uint32_t object) {
  assert(thread < alias_threads(a) && object < a->sol->objects);
  return holds(a, &a->effects->touches.at[thread], object);
}
bool alias_published(const Alias *a, uint32_t object) {
  assert(object < a->sol->objects);
  return set_has(&a->effects->published, object);
}

bool alias_shared(const Alias *a, uint32_t object) {
  unsigned threads = 0;
  if (object == OBJECT_UNKNOWN) return true;
  if (!alias_published(a, object)) return false;
  for (uint32_t t = 0; t < alias_threads(a); ++t)
    if (alias_thread_touches(a, t, object)) threads += 1 + alias_thread(a, t).many;
  return threads > 1;
}
