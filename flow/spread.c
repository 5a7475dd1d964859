// What is not part of a root stands wherever its callers may be; callbacks, where they are called back.
#include "code_inside.h"
#include <assert.h>
#include "occasion.h"

static bool add_region(CodeFunction *f, Region r) {
  assert(!code_placed(f) && r.from <= r.to);
  if (f->owner != NOWHERE && f->owner != r.thread) return false;  // a clone is of one thread
  for (vec_each(i, &f->regions)) {
    Region *x = &f->regions.at[i];
    if (x->thread != r.thread) continue;
    bool more = r.from < x->from || r.to > x->to;
    if (r.from < x->from) x->from = r.from;
    if (r.to > x->to) x->to = r.to;
    return more;
  }
  vec_push(&f->regions, r);
  return true;
}

static bool add_everywhere(Code *c, uint32_t id) {
  bool more = false;
  for (uint32_t t = 0; t < c->threads.len; ++t)
    more |= add_region(&c->functions.at[id], (Region){t, 0, (uint32_t)c->threads.at[t].operations.len});
  return more;
}

// What the runtime is given to compare it with, it does not call.
static bool is_of_runtime(LLVMValueRef f) {
  size_t len;
  return !strncmp(LLVMGetValueName2(f, &len), "rt_enf_", 7);
}

// Which functions of the module a call of one outside may run: those that its arguments point to. False: not
// only during the call.
static bool callbacks(const Code *c, LLVMValueRef call, LLVMValueRef callee, AliasFunctions *out) {
  const LibraryCall *rows;
  AliasRanges to = {0};
  size_t len, count = library_calls(LLVMGetValueName2(callee, &len), &rows);
  bool now = count || library_trust(LLVMGetValueName2(callee, &len)) == LIBRARY_TABLED;
  if ((!count && now) || is_of_runtime(callee)) return true;
  for (size_t i = 0; i < count; ++i) now &= rows[i].when == LIBRARY_NOW;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMValueRef v = LLVMGetOperand(call, i);
    if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind) alias_points_to(c->alias, v, &to);
  }
  for (vec_each(i, &to)) {
    AliasObject o = alias_object(c->alias, to.at[i].object);
    if (o.kind == ALIAS_FUNCTION) vec_push(out, o.value);
  }
  vec_free(&to);
  return now;
}

// pthread_once, and another thread has run the routine.
static bool is_done_already(const Code *c, LLVMValueRef call) {
  uint32_t thread, first, last, n = code_number(c, call, NOWHERE);
  if (n == NOWHERE || !cfspec_event_of(call, &thread, &first, &last)) return false;
  const Event *e = &order_schedule(c->order)->events.at[c->threads.at[thread].operations.at[n].first];
  return e->kind == SYNC_ONCE && e->outcome != SYNC_RAN;
}

static void spread_to(Code *c, const AliasFunctions *targets, const Regions *at, IdVec *work) {
  for (vec_each(i, targets)) {
    uint32_t id = code_id(c, targets->at[i]);
    if (id == NOWHERE || code_placed(&c->functions.at[id])) continue;
    bool more = false;
    for (size_t k = 0; at && k < at->len; ++k) more |= add_region(&c->functions.at[id], at->at[k]);
    // What is only given to atexit, or to a loop of events, has its place: see spread_occasions.
    if (!at && !map_or(c->occasional, map_key(targets->at[i]), 0)) more = add_everywhere(c, id);
    if (more) vec_push(work, id);
  }
}

static void spread_call(Code *c, LLVMValueRef call, const Regions *at, IdVec *work) {
  AliasFunctions targets = {0}, called_back = {0};
  alias_targets(c->alias, call, &targets);
  spread_to(c, &targets, at, work);
  for (vec_each(i, &targets))
    if (LLVMIsDeclaration(targets.at[i]) && !is_done_already(c, call)) {
      called_back.len = 0;
      bool now = callbacks(c, call, targets.at[i], &called_back);
      spread_to(c, &called_back, now ? at : NULL, work);
    }
  vec_free(&targets), vec_free(&called_back);
}

static void spread_function(Code *c, uint32_t id, IdVec *work) {
  Regions at = {0};
  const CodeFunction *f = &c->functions.at[id];
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      if (!call_is(i)) continue;
      at.len = 0;
      uint32_t n = code_placed(f) ? code_number(c, i, f->thread) : NOWHERE;
      if (n == NOWHERE)
        code_regions(c, i, &at);
      else
        vec_push(&at, code_around(c, f->thread, n));
      spread_call(c, i, &at, work);
    }
  vec_free(&at);
}

// At any time in the threads that points-to says. False: in none.
static bool add_where_it_may_run(Code *c, uint32_t id) {
  CodeFunction *f = &c->functions.at[id];
  for (uint32_t t = 0; t < alias_threads(c->alias); ++t) {
    LLVMValueRef create = alias_thread(c->alias, t).create;
    uint32_t thread, first, last, child = t ? NOWHERE : 0;
    if (!alias_thread_runs(c->alias, t, f->function)) continue;
    if (create && cfspec_event_of(create, &thread, &first, &last))
      child = order_schedule(c->order)->events.at[order_event(c->order, thread, first)].other;
    if (child < c->threads.len)
      add_region(f, (Region){child, 0, (uint32_t)c->threads.at[child].operations.len});
    else
      add_everywhere(c, id);
  }
  return f->regions.len > 0;
}

// What runs before main does so before any operation.
static void add_constructors(Code *c, IdVec *work) {
  AliasFunctions found = {0};
  occasion_constructors(c->m, &found);
  for (vec_each(i, &found)) {
    uint32_t id = code_id(c, found.at[i]);
    if (!code_placed(&c->functions.at[id]) && add_region(&c->functions.at[id], (Region){0, 0, 0}))
      vec_push(work, id);
  }
  vec_free(&found);
}

// Where the process may end: as main returns, and at calls of exit. If main leaves the others behind, nobody
// knows which of them is the last.
static void find_ends(const Code *c, Regions *out, bool *anywhere) {
  uint32_t n = (uint32_t)c->threads.at[0].operations.len;
  vec_push(out, ((Region){0, n, n}));
  for (vec_each(i, &c->functions))
    for (all_blocks(b, c->functions.at[i].function))
      for (all_insts(k, b)) {
        if (!call_is(k)) continue;
        if (occasion_ends(k)) code_regions(c, k, out);
        *anywhere |= occasion_lingers(k);
      }
}

// Where a thread may end, but for a main that returns.
static void find_thread_ends(const Code *c, Regions *out) {
  const Schedule *s = order_schedule(c->order);
  for (uint32_t t = 0; t < c->threads.len; ++t) {
    uint32_t n = (uint32_t)c->threads.at[t].operations.len;
    bool leaves = t || s->incomplete || c->threads.at[t].exit != SIGMA_NONE;
    if (leaves) vec_push(out, ((Region){t, n, n}));
  }
}

static void find_loops(const Code *c, Regions *out) {
  for (vec_each(i, &c->functions))
    for (all_blocks(b, c->functions.at[i].function))
      for (all_insts(k, b))
        if (call_is(k) && occasion_loops(k)) code_regions(c, k, out);
}

typedef struct {
  AliasFunctions at_exit, at_thread_exit, in_loop;
} Occasions;

static void find_occasions(Code *c, Occasions *out) {
  occasion_only(c->m, LIBRARY_AT_EXIT, &out->at_exit);
  occasion_destructors(c->m, &out->at_exit);
  occasion_only(c->m, LIBRARY_IN_LOOP, &out->in_loop);
  AliasFunctions of_threads = {0};
  occasion_only(c->m, LIBRARY_AT_THREAD_EXIT, &of_threads);
  for (vec_each(i, &of_threads))
    if (occasion_of_thread_only(of_threads.at[i])) vec_push(&out->at_thread_exit, of_threads.at[i]);
  vec_free(&of_threads);
  for (vec_each(i, &out->at_thread_exit)) map_put(c->occasional, map_key(out->at_thread_exit.at[i]), 1);
  for (vec_each(i, &out->at_exit)) map_put(c->occasional, map_key(out->at_exit.at[i]), 1);
  for (vec_each(i, &out->in_loop)) map_put(c->occasional, map_key(out->in_loop.at[i]), 1);
}

static void spread_occasion(Code *c, const AliasFunctions *functions, const Regions *at, bool anywhere,
                            IdVec *work) {
  for (vec_each(i, functions)) {
    uint32_t id = code_id(c, functions->at[i]);
    bool more = false;
    if (code_placed(&c->functions.at[id])) continue;
    for (vec_each(k, at)) more |= add_region(&c->functions.at[id], at->at[k]);
    if (anywhere) more |= add_everywhere(c, id);
    if (more) vec_push(work, id);
  }
}

// Code that nobody knows may run a loop of events, too.
static bool is_entered(const Code *c, const AliasFunctions *functions) {
  for (uint32_t t = 0; t < alias_threads(c->alias); ++t)
    for (vec_each(i, functions))
      if (!alias_thread(c->alias, t).start && alias_thread_runs(c->alias, t, functions->at[i])) return true;
  return false;
}

static void spread_occasions(Code *c, const Occasions *o, IdVec *work) {
  Regions ends = {0}, thread_ends = {0}, loops = {0};
  bool anywhere = code_root(c, 0) == NULL;
  if (o->at_exit.len) find_ends(c, &ends, &anywhere);
  spread_occasion(c, &o->at_exit, &ends, anywhere, work);
  if (o->at_thread_exit.len) find_thread_ends(c, &thread_ends);
  spread_occasion(c, &o->at_thread_exit, &thread_ends, code_root(c, 0) == NULL, work);
  if (o->in_loop.len) find_loops(c, &loops);
  spread_occasion(c, &o->in_loop, &loops, is_entered(c, &o->in_loop), work);
  vec_free(&ends), vec_free(&thread_ends), vec_free(&loops);
}

static bool may_run(const Code *c, LLVMValueRef f) {
  for (uint32_t t = 0; t < alias_threads(c->alias); ++t)
    if (alias_thread_runs(c->alias, t, f)) return true;
  return false;
}

// A thread without a root: code outside enters it, by a pointer that it was given.
static void spread_entered(Code *c, uint32_t thread, IdVec *work) {
  const Thread *t = &c->threads.at[thread];
  Region all = {thread, 0, (uint32_t)t->operations.len};
  LLVMValueRef start = code_routine(c, thread) ? LLVMGetNamedFunction(c->m, code_routine(c, thread)) : NULL;
  uint32_t only = start ? code_id(c, start) : NOWHERE;
  for (uint32_t i = 0; i < c->functions.len; ++i) {
    CodeFunction *f = &c->functions.at[i];
    if (code_placed(f) || (only == NOWHERE ? !may_run(c, f->function) : i != only)) continue;
    if (add_region(f, all)) vec_push(work, i);
  }
}

// Functions that nothing above reaches, and yet some thread may run, may run at any time.
void spread_regions(Code *c) {
  IdVec work = {0};
  Occasions occasions = {0};
  find_occasions(c, &occasions);
  add_constructors(c, &work);
  for (vec_each(i, &c->functions))
    if (code_placed(&c->functions.at[i])) spread_function(c, (uint32_t)i, &work);
  for (uint32_t t = 0; t < c->threads.len; ++t)
    if (c->threads.at[t].root == NOWHERE) spread_entered(c, t, &work);
  for (size_t next = 0;;) {
    while (work.len) spread_function(c, vec_pop(&work), &work);
    spread_occasions(c, &occasions, &work);
    if (work.len) continue;
    while (next < c->functions.len &&
           (code_placed(&c->functions.at[next]) || c->functions.at[next].regions.len))
      ++next;
    if (next == c->functions.len) break;
    if (add_where_it_may_run(c, (uint32_t)next)) vec_push(&work, (uint32_t)next);
    next++;
  }
  vec_free(&work), vec_free(&occasions.at_exit), vec_free(&occasions.at_thread_exit),
      vec_free(&occasions.in_loop);
}
