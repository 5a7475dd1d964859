// Where instructions stand: operations carry the positions of their events (cfspec_event_of); inside a root
// they are counted along the control flow. What is not part of a root stands wherever its calls do
// (spread.c).
#include "code_inside.h"
#include <assert.h>
#include "entered.h"

uint32_t code_id(const Code *c, LLVMValueRef f) {
  return (uint32_t)map_or(c->ids, map_key(f), NOWHERE);
}

static LLVMValueRef function_of(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

// -- the operations of the schedule

static void number_events(Code *c, uint32_t thread) {
  Thread t = {.enter = SIGMA_NONE, .exit = SIGMA_NONE, .created = SIGMA_NONE, .root = NOWHERE};
  const Schedule *s = order_schedule(c->order);
  uint32_t count = order_count(c->order, thread);
  t.number = mem_array(count + 1, sizeof *t.number);
  for (uint32_t p = 0; p < count; ++p) {
    uint32_t id = order_event(c->order, thread, p);
    const Event *e = &s->events.at[id];
    t.number[p] = NOWHERE;
    if (e->kind == SYNC_ENTER) t.enter = id;
    if (e->kind == SYNC_EXIT) t.exit = id;
    if (e->kind >= EVENT_CALL || e->kind == SYNC_ENTER || e->kind == SYNC_EXIT) continue;
    if (e->phase == EVENT_DEPART && t.operations.len) {
      vec_last(&t.operations).last = id;
    } else {
      Operation o = {id, id, NULL};
      vec_push(&t.operations, o);
    }
    t.number[p] = (uint32_t)t.operations.len - 1;
  }
  vec_push(&c->threads, t);
}

static void find_creations(Code *c) {
  const Schedule *s = order_schedule(c->order);
  for (uint32_t i = 0; i < s->events.len; ++i) {
    const Event *e = &s->events.at[i];
    if (e->kind == SYNC_CREATE && e->outcome == SYNC_OK && e->other < c->threads.len)
      c->threads.at[e->other].created = i;
  }
}

// -- functions

// A guard that fails.
static bool is_end_of_schedule(LLVMValueRef i) {
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  size_t len;
  return f && LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName2(f, &len), "rt_enf_stop", 11);
}

// Backwards from guards that fail: blocks all of whose successors lead there. Loops may go on for ever.
static bool *find_leaving(const Cfg *cfg) {
  uint32_t n = cfg_count(cfg);
  bool *leaves = mem_array(n + 1, sizeof *leaves);
  IdVec work = {0};
  for (uint32_t b = 0; b < n; ++b)
    for (all_insts(i, cfg_block(cfg, b)))
      if (!leaves[b] && is_end_of_schedule(i)) leaves[b] = true, vec_push(&work, b);
  while (work.len) {
    Ids preds = cfg_preds(cfg, vec_pop(&work));
    for (vec_each(i, &preds)) {
      Ids succs = cfg_succs(cfg, preds.at[i]);
      bool all = !leaves[preds.at[i]];
      for (vec_each(k, &succs)) all &= leaves[succs.at[k]];
      if (all) leaves[preds.at[i]] = true, vec_push(&work, preds.at[i]);
    }
  }
  vec_free(&work);
  return leaves;
}

// The strongly connected part that each block is in. In an order of blocks, what follows a loop may stand
// before its body: only these numbers say what cannot be executed after what.
static uint32_t *find_cycles(const Cfg *cfg) {
  uint32_t n = cfg_count(cfg), *out = mem_array(n + 1, sizeof *out);
  Pairs edges = {0};
  for (uint32_t b = 0; b < n; ++b) {
    Ids succs = cfg_succs(cfg, b);
    for (vec_each(i, &succs)) pairs_add(&edges, b, succs.at[i]);
  }
  Lists lists = lists_new(n, &edges);
  Scc parts = scc_new(n, &lists);
  memcpy(out, parts.of, n * sizeof *out);
  scc_free(&parts);
  lists_free(&lists);
  vec_free(&edges);
  return out;
}

// All that can be reached from where longjmp goes to.
static bool *find_again(const Cfg *cfg) {
  bool *again = NULL;
  for (uint32_t b = 0; b < cfg_count(cfg); ++b)
    for (all_insts(i, cfg_block(cfg, b))) {
      if (!call_returns_twice(i)) continue;
      if (!again) again = mem_array(cfg_count(cfg) + 1, sizeof *again);
      cfg_mark_from(cfg, b, again);
      again[b] = true;
    }
  return again;
}

static void add_function(Code *c, LLVMValueRef f) {
  CodeFunction x = {.function = f};
  x.cfg = cfg_new(f);
  x.dom = dom_new(x.cfg);
  x.loops = loops_new(x.cfg, x.dom);
  x.inducts = inducts_new(x.loops);
  x.leaves = find_leaving(x.cfg);
  x.again = find_again(x.cfg);
  x.cycle = find_cycles(x.cfg);
  uint32_t activation;
  size_t len;
  x.owner = NOWHERE;
  if (cfspec_clone_of(f, &x.owner, &activation, &len))
    x.once = activation != UINT32_MAX;
  else
    x.once = cfspec_leads_to(f, &x.owner);
  if (x.owner >= c->threads.len) x.owner = NOWHERE;
  map_put(c->ids, map_key(f), c->functions.len);
  vec_push(&c->functions, x);
}

// -- roots

// What several threads run is the root of none.
static void make_root(Code *c, uint32_t thread, LLVMValueRef f) {
  uint32_t id = f ? code_id(c, f) : NOWHERE;
  if (id == NOWHERE || c->threads.at[thread].root != NOWHERE) return;
  CodeFunction *x = &c->functions.at[id];
  if (x->root) c->threads.at[x->thread].root = NOWHERE;
  x->root = !x->root && !x->several;
  x->several = !x->root;
  x->thread = thread;
  if (x->root) c->threads.at[thread].root = id;
}

uint32_t code_number(const Code *c, LLVMValueRef call, uint32_t thread) {
  uint32_t t, first, last;
  if (!call_is(call) || !cfspec_event_of(call, &t, &first, &last) || t >= c->threads.len) return NOWHERE;
  if (thread != NOWHERE && t != thread) return NOWHERE;
  return first < order_count(c->order, t) ? c->threads.at[t].number[first] : NOWHERE;
}

static void see_operation(Code *c, LLVMValueRef call) {
  uint32_t thread, first, last, n = code_number(c, call, NOWHERE);
  if (n == NOWHERE || !cfspec_event_of(call, &thread, &first, &last)) return;
  Operation *o = &c->threads.at[thread].operations.at[n];
  const Event *e = &order_schedule(c->order)->events.at[o->first];
  if (!o->call || !code_leaves(c, call)) o->call = call;  // of several copies one that goes on
  const Sync *s = sync_of_call(call);
  if (e->kind != SYNC_CREATE || e->other >= c->threads.len || !s) return;
  c->threads.at[e->other].create = call;
  if (s->start.place == SYNC_VALUE) make_root(c, e->other, call_strip(LLVMGetOperand(call, s->start.arg)));
}

static bool is_called(LLVMValueRef f) {
  for (all_uses(u, f))
    if (call_is(LLVMGetUser(u)) && call_function(LLVMGetUser(u)) == f) return true;
  return false;
}

static size_t count_operations(const Code *c, LLVMValueRef f, uint32_t thread) {
  size_t n = 0;
  for (all_blocks(b, f))
    for (all_insts(i, b)) n += code_number(c, i, thread) != NOWHERE;
  return n;
}

// The function that the thread has begun with; NULL: not known.
const char *code_routine(const Code *c, uint32_t thread) {
  uint32_t enter = c->threads.at[thread].enter;
  if (enter == SIGMA_NONE) return NULL;
  return sigma_text(order_sigma(c->order), order_schedule(c->order)->events.at[enter].other);
}

static bool is_clone_of(LLVMValueRef f, const char *name) {
  uint32_t thread, activation;
  size_t len;
  return name && cfspec_clone_of(f, &thread, &activation, &len) && strlen(name) == len &&
         !strncmp(LLVMGetValueName2(f, &(size_t){0}), name, len);
}

// A routine that code outside starts, as std::thread does: of the thread's clones of it that nobody calls,
// that with the most operations. The others are callbacks.
static void find_started(Code *c) {
  uint32_t *found = mem_array(c->threads.len + 1, sizeof *found);
  size_t *most = mem_array(c->threads.len + 1, sizeof *most);
  for (vec_each(i, &c->functions)) {
    const CodeFunction *f = &c->functions.at[i];
    if (f->owner == NOWHERE || !f->once || c->threads.at[f->owner].root != NOWHERE ||
        is_called(f->function) || !is_clone_of(f->function, code_routine(c, f->owner)))
      continue;
    size_t n = count_operations(c, f->function, f->owner) + 1;
    if (n <= most[f->owner]) continue;
    most[f->owner] = n;
    found[f->owner] = (uint32_t)i + 1;
  }
  for (uint32_t t = 0; t < c->threads.len; ++t)
    if (found[t]) make_root(c, t, c->functions.at[found[t] - 1].function);
  mem_free(found), mem_free(most);
}

// What is inlined into a root may be left as a function as well, because its address is known.
static void prefer_roots(Code *c) {
  for (vec_each(i, &c->functions)) {
    const CodeFunction *f = &c->functions.at[i];
    if (!f->root) continue;
    for (all_blocks(b, f->function))
      for (all_insts(k, b)) {
        uint32_t n = code_number(c, k, f->thread);
        if (n != NOWHERE && !code_leaves(c, k)) c->threads.at[f->thread].operations.at[n].call = k;
      }
  }
}

// Operations in what is not inlined, or in callbacks: nothing says where in the root they happen, but that it
// is between those around them.
static void find_beyond(Code *c) {
  for (uint32_t t = 0; t < c->threads.len; ++t) {
    Thread *x = &c->threads.at[t];
    uint32_t n = (uint32_t)x->operations.len;
    x->beyond = mem_array(n + 2, sizeof *x->beyond);
    x->beyond[n] = x->beyond[n + 1] = n;
    while (n--) x->beyond[n] = code_operation(c, t, n) ? n : x->beyond[n + 1];
  }
}

// Where the functions run that an operation calls.
Region code_around(const Code *c, uint32_t thread, uint32_t n) {
  assert(thread < c->threads.len && n < c->threads.at[thread].operations.len);
  const Thread *t = &c->threads.at[thread];
  Region r = {thread, n, t->beyond[n + 1] == n + 1 ? n : t->beyond[n + 1]};
  while (r.from && t->beyond[r.from - 1] == n) r.from--;
  return r;
}

// -- what code outside enters, once

// The least that is not before n, of those that the function does itself; of a root, where others are not
// known.
static uint32_t beyond(const Code *c, const CodeFunction *f, uint32_t n) {
  if (f->root) return c->threads.at[f->thread].beyond[n];
  for (vec_each(i, &f->own))
    if (f->own.at[i] >= n) return f->own.at[i];
  return f->end;
}

static void find_own(const Code *c, CodeFunction *f) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      uint32_t n = code_number(c, i, f->owner);
      if (n != NOWHERE) vec_push(&f->own, n);
    }
  ids_sort(f->own.at, f->own.len);
}

// The operations among the events from begin to before end.
static void number_span(const Code *c, CodeFunction *f, uint32_t begin, uint32_t end) {
  const Thread *t = &c->threads.at[f->owner];
  f->first = NOWHERE, f->end = 0;
  for (uint32_t p = begin; p < end; ++p) {
    if (t->number[p] == NOWHERE) continue;
    if (f->first == NOWHERE) f->first = t->number[p];
    f->end = t->number[p] + 1;
  }
}

static uint32_t position_of(const Code *c, uint32_t thread, uint32_t operation) {
  assert(operation < c->threads.at[thread].operations.len);
  uint32_t p = 0;
  while (c->threads.at[thread].number[p] != operation) ++p;
  return p;
}

static bool is_entered(const Code *c, CodeFunction *f) {
  uint32_t owner, activation, begin, end;
  size_t len, clone_len;
  if (f->root || f->several || !f->once || f->owner == NOWHERE) return false;
  find_own(c, f);
  if (!f->own.len) return false;
  const char *name = LLVMGetValueName2(f->function, &len);
  if (cfspec_clone_of(f->function, &owner, &activation, &clone_len)) len = clone_len;
  if (!entered_span(c->order, f->owner, position_of(c, f->owner, f->own.at[0]), name, len, &begin, &end))
    return false;
  number_span(c, f, begin, end);
  return f->own.at[0] >= f->first && vec_last(&f->own) < f->end;
}

static void find_entered(Code *c) {
  for (vec_each(i, &c->functions)) {
    CodeFunction *f = &c->functions.at[i];
    f->entered = is_entered(c, f);
    if (f->entered) f->thread = f->owner;
  }
}

bool code_placed(const CodeFunction *f) {
  return f->root || f->entered;
}

// -- where blocks stand

// How many operations are behind the block's end.
static void number_block(const Code *c, const CodeFunction *f, uint32_t b, uint32_t *from, uint32_t *to) {
  uint32_t last = NOWHERE;
  *from = f->from[b], *to = f->to[b];
  for (all_insts(i, cfg_block(f->cfg, b))) {
    if (last != NOWHERE) map_put(c->behind, map_key(i), (uint64_t)last + 1);
    uint32_t n = code_number(c, i, f->thread);
    if (n != NOWHERE) *from = n + 1, *to = beyond(c, f, n + 1), last = n;
  }
}

// How many operations can be over while its code runs.
static uint32_t last_of(const Code *c, const CodeFunction *f) {
  return f->root ? (uint32_t)c->threads.at[f->thread].operations.len : f->end;
}

// Loops hold no operations, so one pass in reverse post-order is enough.
static void number_blocks(const Code *c, CodeFunction *f) {
  uint32_t n = cfg_count(f->cfg), *end_from = mem_array(n + 1, sizeof *end_from),
           *end_to = mem_array(n + 1, sizeof *end_to);
  f->from = mem_array(n + 1, sizeof *f->from);
  f->to = mem_array(n + 1, sizeof *f->to);
  Ids order = cfg_order(f->cfg);
  for (vec_each(i, &order)) {
    uint32_t b = order.at[i], least = NOWHERE, most = beyond(c, f, f->first);
    Ids preds = cfg_preds(f->cfg, b);
    for (vec_each(k, &preds)) {
      uint32_t p = preds.at[k], place = cfg_place(f->cfg, p);
      if (place >= i || (f->leaves[p] && !f->leaves[b])) continue;
      if (end_from[p] < least) least = end_from[p];
      if (end_to[p] > most) most = end_to[p];
    }
    f->from[b] = least == NOWHERE ? f->first : least;
    f->to[b] = most;
    number_block(c, f, b, &end_from[b], &end_to[b]);
  }
  for (uint32_t b = 0; b < n; ++b)
    if (f->again && f->again[b]) f->to[b] = last_of(c, f);
  mem_free(end_from), mem_free(end_to);
}

// --

Code *code_new(LLVMModuleRef m, const Order *o, const Alias *a, bool only_scheduled) {
  Code *c = mem_alloc(sizeof *c);
  c->m = m, c->order = o, c->alias = a, c->only_scheduled = only_scheduled, c->ids = map_new(),
  c->occasional = map_new(), c->behind = map_new();
  for (uint32_t t = 0; t < order_schedule(o)->threads; ++t) number_events(c, t);
  find_creations(c);
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f)) add_function(c, f);
  make_root(c, 0, LLVMGetNamedFunction(m, "main"));
  for (vec_each(i, &c->functions))
    for (all_blocks(b, c->functions.at[i].function))
      for (all_insts(k, b)) see_operation(c, k);
  find_started(c);
  prefer_roots(c);
  find_beyond(c);
  find_entered(c);
  for (vec_each(i, &c->functions))
    if (code_placed(&c->functions.at[i])) number_blocks(c, &c->functions.at[i]);
  spread_regions(c);
  CHECKED(code_check(c));
  return c;
}

// -- whole

static void check_region(const Code *c, Region r) {
  assert(r.thread < c->threads.len);
  assert(r.from <= r.to);
  assert(r.to <= c->threads.at[r.thread].operations.len);
}

static void check_function(const Code *c, const CodeFunction *f) {
  assert(f->cfg && f->dom && f->loops && f->inducts && f->leaves && f->cycle);
  assert(!(f->root && f->several) && !(f->root && f->entered));
  assert(f->owner == NOWHERE || f->owner < c->threads.len);
  assert(!f->root || c->threads.at[f->thread].root == code_id(c, f->function));
  for (vec_each(i, &f->regions)) check_region(c, f->regions.at[i]);
  if (!code_placed(f)) return;
  assert(f->from && f->to && f->thread < c->threads.len);
  for (uint32_t b = 0; b < cfg_count(f->cfg); ++b)
    if (cfg_place(f->cfg, b) != CFG_NONE) check_region(c, (Region){f->thread, f->from[b], f->to[b]});
}

static void check_thread(const Code *c, const Thread *t, uint32_t thread) {
  uint32_t count = (uint32_t)t->operations.len;
  assert(t->root == NOWHERE || (t->root < c->functions.len && c->functions.at[t->root].root));
  assert(t->root == NOWHERE || c->functions.at[t->root].thread == thread);
  for (uint32_t i = 0; i < count; ++i) {
    const Operation *o = &t->operations.at[i];
    assert(o->first <= o->last && (!i || t->operations.at[i - 1].last < o->first));
    assert(t->beyond[i] >= i && t->beyond[i] <= count && t->beyond[i] <= t->beyond[i + 1]);
  }
  for (uint32_t p = 0; p < order_count(c->order, thread); ++p)
    assert(t->number[p] == NOWHERE || t->number[p] < count);
}

void code_check(const Code *c) {
  assert(c->threads.len == order_schedule(c->order)->threads);
  for (vec_each(i, &c->functions)) {
    assert(code_id(c, c->functions.at[i].function) == i);
    check_function(c, &c->functions.at[i]);
  }
  for (uint32_t t = 0; t < c->threads.len; ++t) check_thread(c, &c->threads.at[t], t);
}

void code_free(Code *c) {
  if (!c) return;
  for (vec_each(i, &c->functions)) {
    CodeFunction *f = &c->functions.at[i];
    inducts_free(f->inducts), loops_free(f->loops), dom_free(f->dom), cfg_free(f->cfg);
    mem_free(f->from), mem_free(f->to), mem_free(f->leaves), mem_free(f->again), mem_free(f->cycle);
    vec_free(&f->regions), vec_free(&f->own);
  }
  for (vec_each(i, &c->threads)) {
    vec_free(&c->threads.at[i].operations);
    mem_free(c->threads.at[i].number), mem_free(c->threads.at[i].beyond);
  }
  vec_free(&c->functions), vec_free(&c->threads);
  map_free(c->ids), map_free(c->occasional), map_free(c->behind);
  mem_free(c);
}

size_t code_count(const Code *c) {
  return c->functions.len;
}
const CodeFunction *code_at(const Code *c, size_t i) {
  assert(i < c->functions.len);
  return &c->functions.at[i];
}
bool code_is_executed(const CodeFunction *f) {
  return code_placed(f) || f->regions.len > 0;
}
const CodeFunction *code_of(const Code *c, LLVMValueRef f) {
  uint32_t id = code_id(c, f);
  return id == NOWHERE ? NULL : &c->functions.at[id];
}
const CodeFunction *code_root(const Code *c, uint32_t thread) {
  assert(thread < c->threads.len);
  uint32_t id = c->threads.at[thread].root;
  return id == NOWHERE ? NULL : &c->functions.at[id];
}
LLVMValueRef code_create(const Code *c, uint32_t thread) {
  assert(thread < c->threads.len);
  return c->threads.at[thread].create;
}
const Order *code_order(const Code *c) {
  return c->order;
}

uint32_t code_operations(const Code *c, uint32_t thread) {
  assert(thread < c->threads.len);
  return (uint32_t)c->threads.at[thread].operations.len;
}

LLVMValueRef code_operation(const Code *c, uint32_t thread, uint32_t number) {
  assert(thread < c->threads.len);
  const Thread *t = &c->threads.at[thread];
  LLVMValueRef call = number < t->operations.len ? t->operations.at[number].call : NULL;
  const CodeFunction *f = call ? code_of(c, function_of(call)) : NULL;
  return f && f->root && f->thread == thread ? call : NULL;
}

void code_regions(const Code *c, LLVMValueRef inst, Regions *out) {
  const CodeFunction *f = code_of(c, function_of(inst));
  assert(f);
  if (!code_placed(f)) {
    vec_append(out, f->regions.at, f->regions.len);
    return;
  }
  uint32_t n = code_number(c, inst, f->thread), b = cfg_of(f->cfg, inst);
  Region r = {f->thread, f->from[b], f->to[b]};
  if (n != NOWHERE) {  // what it does itself comes before it; the result of a join behind it
    uint32_t event = c->threads.at[f->thread].operations.at[n].first;
    r.from = r.to = order_schedule(c->order)->events.at[event].kind == SYNC_JOIN ? n + 1 : n;
  } else {
    uint64_t last = map_or(c->behind, map_key(inst), 0);
    if (last) r.from = (uint32_t)last, r.to = beyond(c, f, (uint32_t)last);
  }
  if (f->again && f->again[b]) r.to = last_of(c, f);
  vec_push(out, r);
}

// The thread may end with this block: it returns, or in pthread_exit, which what it calls may do too.
static bool ends_thread(const Code *c, LLVMBasicBlockRef b) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
  if (LLVMGetNumSuccessors(end) == 0 && !LLVMIsAUnreachableInst(end)) return true;
  for (all_insts(i, b)) {
    LLVMValueRef f = call_is(i) && !call_is_asm(i) ? call_function(i) : NULL;
    const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
    if (s && s->kind == SYNC_EXIT) return true;
    if (LLVMIsAUnreachableInst(end) && call_is(i) && !call_is_asm(i) && (!f || code_of(c, f))) return true;
  }
  return false;
}

bool code_passed(const Code *c, const CodeFunction *f, uint32_t block, Region at) {
  assert(block < cfg_count(f->cfg));
  if (at.from != at.to || !f->root || at.thread != f->thread) return false;
  LLVMValueRef next = code_operation(c, at.thread, at.to);
  if (next) return dom_of(f->dom, block, cfg_of(f->cfg, next));
  if (at.to < c->threads.at[at.thread].operations.len) return false;
  for (uint32_t i = 0; i < cfg_count(f->cfg); ++i)  // the end of the thread
    if (cfg_place(f->cfg, i) != CFG_NONE && !f->leaves[i] && ends_thread(c, cfg_block(f->cfg, i)) &&
        !dom_of(f->dom, block, i))
      return false;
  return true;
}

bool code_leaves(const Code *c, LLVMValueRef inst) {
  const CodeFunction *f = code_of(c, function_of(inst));
  return f->leaves[cfg_of(f->cfg, inst)];
}

bool code_counts(const Code *c, LLVMValueRef inst) {
  return !c->only_scheduled || !code_leaves(c, inst);
}

static bool event_before(const Code *c, uint32_t a, uint32_t b, bool credit) {
  if (a == SIGMA_NONE || b == SIGMA_NONE) return false;
  return a == b || (credit ? order_happens_before(c->order, a, b) : order_before(c->order, a, b));
}

// A thread that was made and had not begun when the process ended may have begun all the same.
static uint32_t begin_of(const Thread *t) {
  return t->enter == SIGMA_NONE ? t->created : t->enter;
}

bool code_before(const Code *c, Region x, Region y, bool credit) {
  assert(x.thread < c->threads.len && y.thread < c->threads.len);
  assert(x.from <= x.to && y.from <= y.to);
  const Thread *p = &c->threads.at[x.thread], *q = &c->threads.at[y.thread];
  if (x.thread == y.thread) return x.to < y.from;
  uint32_t end = x.to < p->operations.len ? p->operations.at[x.to].first : p->exit;
  uint32_t begin = y.from ? q->operations.at[y.from - 1].last : begin_of(q);
  return event_before(c, end, begin, credit);
}

CodeFollowed code_followed(const Code *c, uint32_t thread, uint32_t *event) {
  assert(thread < c->threads.len);
  const Thread *t = &c->threads.at[thread];
  const CodeFunction *root = code_root(c, thread);
  if (root && root->leaves[0]) return CODE_ALWAYS_LEAVES;
  for (vec_each(i, &t->operations)) {
    const Operation *o = &t->operations.at[i];
    if (o->call && !code_leaves(c, o->call)) continue;
    *event = o->first;
    return CODE_EVENT_LOST;
  }
  return CODE_FOLLOWED;
}

uint32_t code_event_before(const Code *c, Region r) {
  const Thread *t = &c->threads.at[r.thread];
  return r.from ? t->operations.at[r.from - 1].last : begin_of(t);
}
