// Where instructions stand: operations carry the positions of their events (cfspec_event_of); inside a root
// they are counted along the control flow. What is not part of a root stands wherever its calls do.
#include "code.h"

#define NOWHERE UINT32_MAX

typedef struct {
  uint32_t first, last;  // events, in the order of the schedule
  LLVMValueRef call;     // NULL: not found, or found twice
} Operation;

typedef struct {
  Vec(Operation) operations;
  uint32_t enter, exit;  // events; SIGMA_NONE
  uint32_t *number;      // of the operation, by position of an event
  uint32_t root;         // index in functions; NOWHERE
  LLVMValueRef create;
} Thread;

struct Code {
  LLVMModuleRef m;
  const Order *order;
  const Alias *alias;
  Vec(CodeFunction) functions;
  Map *ids;
  Vec(Thread) threads;
};

static uint32_t id_of(const Code *c, LLVMValueRef f) {
  return (uint32_t)map_or(c->ids, map_key(f), NOWHERE);
}

static LLVMValueRef function_of(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

// -- the operations of the schedule

static void number_events(Code *c, uint32_t thread) {
  Thread t = {.enter = SIGMA_NONE, .exit = SIGMA_NONE, .root = NOWHERE};
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

static void add_function(Code *c, LLVMValueRef f) {
  CodeFunction x = {.function = f};
  x.cfg = cfg_new(f);
  x.dom = dom_new(x.cfg);
  x.loops = loops_new(x.cfg, x.dom);
  x.inducts = inducts_new(x.loops);
  x.leaves = find_leaving(x.cfg);
  map_put(c->ids, map_key(f), c->functions.len);
  vec_push(&c->functions, x);
}

// -- roots

// What several threads run is the root of none.
static void make_root(Code *c, uint32_t thread, LLVMValueRef f) {
  uint32_t id = f ? id_of(c, f) : NOWHERE;
  if (id == NOWHERE || c->threads.at[thread].root != NOWHERE) return;
  CodeFunction *x = &c->functions.at[id];
  if (x->root) c->threads.at[x->thread].root = NOWHERE;
  x->root = !x->root && !x->several;
  x->several = !x->root;
  x->thread = thread;
  if (x->root) c->threads.at[thread].root = id;
}

static uint32_t operation_number(const Code *c, LLVMValueRef call, uint32_t thread) {
  uint32_t t, first, last;
  if (!call_is(call) || !cfspec_event_of(call, &t, &first, &last) || t >= c->threads.len) return NOWHERE;
  if (thread != NOWHERE && t != thread) return NOWHERE;
  return first < order_count(c->order, t) ? c->threads.at[t].number[first] : NOWHERE;
}

static void see_operation(Code *c, LLVMValueRef call) {
  uint32_t thread, first, last, n = operation_number(c, call, NOWHERE);
  if (n == NOWHERE || !cfspec_event_of(call, &thread, &first, &last)) return;
  Operation *o = &c->threads.at[thread].operations.at[n];
  const Event *e = &order_schedule(c->order)->events.at[o->first];
  o->call = call;
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

// A routine that code outside starts, as std::thread does: the one clone of the thread that nobody calls.
static void find_started(Code *c) {
  uint32_t *found = mem_array(c->threads.len + 1, sizeof *found);
  for (vec_each(i, &c->functions)) {
    uint32_t thread, activation;
    size_t len;
    LLVMValueRef f = c->functions.at[i].function;
    if (!cfspec_clone_of(f, &thread, &activation, &len) || activation == UINT32_MAX) continue;
    if (thread >= c->threads.len || c->threads.at[thread].root != NOWHERE || is_called(f)) continue;
    found[thread] = found[thread] ? NOWHERE : (uint32_t)i + 1;
  }
  for (uint32_t t = 0; t < c->threads.len; ++t)
    if (found[t] && found[t] != NOWHERE) make_root(c, t, c->functions.at[found[t] - 1].function);
  mem_free(found);
}

// How many operations are behind the block's end, if so many are behind its beginning.
static uint32_t number_block(const Code *c, const CodeFunction *f, uint32_t b, uint32_t from) {
  for (all_insts(i, cfg_block(f->cfg, b))) {
    uint32_t n = operation_number(c, i, f->thread);
    if (n != NOWHERE) from = n + 1;
  }
  return from;
}

// Loops hold no operations, so one pass in reverse post-order is enough.
static void number_blocks(const Code *c, CodeFunction *f) {
  uint32_t n = cfg_count(f->cfg), *end_from = mem_array(n + 1, sizeof *end_from),
           *end_to = mem_array(n + 1, sizeof *end_to);
  f->from = mem_array(n + 1, sizeof *f->from);
  f->to = mem_array(n + 1, sizeof *f->to);
  Ids order = cfg_order(f->cfg);
  for (vec_each(i, &order)) {
    uint32_t b = order.at[i], least = NOWHERE, most = 0;
    Ids preds = cfg_preds(f->cfg, b);
    for (vec_each(k, &preds)) {
      uint32_t p = preds.at[k], place = cfg_place(f->cfg, p);
      if (place >= i) continue;
      if (end_from[p] < least) least = end_from[p];
      if (end_to[p] > most) most = end_to[p];
    }
    f->from[b] = least == NOWHERE ? 0 : least;
    f->to[b] = most;
    end_from[b] = number_block(c, f, b, f->from[b]);
    end_to[b] = number_block(c, f, b, f->to[b]);
  }
  mem_free(end_from), mem_free(end_to);
}

// -- what is not part of a root

static bool add_region(CodeFunction *f, Region r) {
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

static void add_everywhere(Code *c, uint32_t id) {
  for (uint32_t t = 0; t < c->threads.len; ++t)
    add_region(&c->functions.at[id], (Region){t, 0, (uint32_t)c->threads.at[t].operations.len});
}

// Which functions of the module a call of one outside runs at once.
static void callbacks(LLVMValueRef call, LLVMValueRef callee, AliasFunctions *out) {
  const OutsideCall *rows;
  size_t len, count = outside_calls(LLVMGetValueName2(callee, &len), &rows);
  for (size_t i = 0; i < count; ++i)
    if (rows[i].when != OUTSIDE_NOW) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i) {
    LLVMValueRef v = LLVMGetOperand(call, i);
    if (LLVMIsAConstant(v) && LLVMIsAFunction(call_strip(v))) vec_push(out, call_strip(v));
  }
}

// pthread_once, and another thread has run the routine.
static bool is_done_already(const Code *c, LLVMValueRef call) {
  uint32_t thread, first, last, n = operation_number(c, call, NOWHERE);
  if (n == NOWHERE || !cfspec_event_of(call, &thread, &first, &last)) return false;
  const Event *e = &order_schedule(c->order)->events.at[c->threads.at[thread].operations.at[n].first];
  return e->kind == SYNC_ONCE && e->outcome != SYNC_RAN;
}

static void spread_call(Code *c, LLVMValueRef call, const Regions *at, IdVec *work) {
  AliasFunctions targets = {0};
  if (call_is_asm(call)) return;
  alias_targets(c->alias, call, &targets);
  LLVMValueRef direct = call_function(call);
  if (direct && LLVMIsDeclaration(direct) && !is_done_already(c, call)) callbacks(call, direct, &targets);
  for (vec_each(i, &targets)) {
    uint32_t id = id_of(c, targets.at[i]);
    if (id == NOWHERE || c->functions.at[id].root) continue;
    bool more = false;
    for (vec_each(k, at)) more |= add_region(&c->functions.at[id], at->at[k]);
    if (more) vec_push(work, id);
  }
  vec_free(&targets);
}

static void spread_function(Code *c, uint32_t id, IdVec *work) {
  Regions at = {0};
  for (all_blocks(b, c->functions.at[id].function))
    for (all_insts(i, b)) {
      if (!call_is(i)) continue;
      at.len = 0;
      code_regions(c, i, &at);
      spread_call(c, i, &at, work);
    }
  vec_free(&at);
}

static bool may_run(const Code *c, LLVMValueRef f) {
  for (uint32_t t = 0; t < alias_threads(c->alias); ++t)
    if (alias_thread_runs(c->alias, t, f)) return true;
  return false;
}

// Functions that nothing above reaches, and yet some thread may run, may run at any time.
static void spread(Code *c) {
  IdVec work = {0};
  for (vec_each(i, &c->functions))
    if (c->functions.at[i].root) spread_function(c, (uint32_t)i, &work);
  for (size_t next = 0;;) {
    while (work.len) spread_function(c, vec_pop(&work), &work);
    while (next < c->functions.len && (c->functions.at[next].root || c->functions.at[next].regions.len))
      ++next;
    if (next == c->functions.len) break;
    if (may_run(c, c->functions.at[next].function)) {
      add_everywhere(c, (uint32_t)next);
      vec_push(&work, (uint32_t)next);
    }
    next++;
  }
  vec_free(&work);
}

// --

Code *code_new(LLVMModuleRef m, const Order *o, const Alias *a) {
  Code *c = mem_alloc(sizeof *c);
  c->m = m, c->order = o, c->alias = a, c->ids = map_new();
  for (uint32_t t = 0; t < order_schedule(o)->threads; ++t) number_events(c, t);
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f)) add_function(c, f);
  make_root(c, 0, LLVMGetNamedFunction(m, "main"));
  for (vec_each(i, &c->functions))
    for (all_blocks(b, c->functions.at[i].function))
      for (all_insts(k, b)) see_operation(c, k);
  find_started(c);
  for (vec_each(i, &c->functions))
    if (c->functions.at[i].root) number_blocks(c, &c->functions.at[i]);
  spread(c);
  return c;
}

void code_free(Code *c) {
  if (!c) return;
  for (vec_each(i, &c->functions)) {
    CodeFunction *f = &c->functions.at[i];
    inducts_free(f->inducts), loops_free(f->loops), dom_free(f->dom), cfg_free(f->cfg);
    mem_free(f->from), mem_free(f->to), mem_free(f->leaves);
    vec_free(&f->regions);
  }
  for (vec_each(i, &c->threads)) {
    vec_free(&c->threads.at[i].operations);
    mem_free(c->threads.at[i].number);
  }
  vec_free(&c->functions), vec_free(&c->threads);
  map_free(c->ids);
  mem_free(c);
}

size_t code_count(const Code *c) {
  return c->functions.len;
}
const CodeFunction *code_at(const Code *c, size_t i) {
  return &c->functions.at[i];
}
const CodeFunction *code_of(const Code *c, LLVMValueRef f) {
  uint32_t id = id_of(c, f);
  return id == NOWHERE ? NULL : &c->functions.at[id];
}
const CodeFunction *code_root(const Code *c, uint32_t thread) {
  uint32_t id = c->threads.at[thread].root;
  return id == NOWHERE ? NULL : &c->functions.at[id];
}
LLVMValueRef code_create(const Code *c, uint32_t thread) {
  return c->threads.at[thread].create;
}
const Order *code_order(const Code *c) {
  return c->order;
}

LLVMValueRef code_operation(const Code *c, uint32_t thread, uint32_t number) {
  const Thread *t = &c->threads.at[thread];
  LLVMValueRef call = number < t->operations.len ? t->operations.at[number].call : NULL;
  const CodeFunction *f = call ? code_of(c, function_of(call)) : NULL;
  return f && f->root && f->thread == thread ? call : NULL;
}

void code_regions(const Code *c, LLVMValueRef inst, Regions *out) {
  const CodeFunction *f = code_of(c, function_of(inst));
  if (!f->root) {
    vec_append(out, f->regions.at, f->regions.len);
    return;
  }
  uint32_t n = operation_number(c, inst, f->thread), b = cfg_of(f->cfg, inst);
  Region r = {f->thread, f->from[b], f->to[b]};
  if (n != NOWHERE) {  // what it does itself comes before it; the result of a join behind it
    uint32_t event = c->threads.at[f->thread].operations.at[n].first;
    r.from = r.to = order_schedule(c->order)->events.at[event].kind == SYNC_JOIN ? n + 1 : n;
  } else {
    for (LLVMValueRef i = LLVMGetPreviousInstruction(inst); i; i = LLVMGetPreviousInstruction(i)) {
      n = operation_number(c, i, f->thread);
      if (n == NOWHERE) continue;
      r.from = r.to = n + 1;
      break;
    }
  }
  vec_push(out, r);
}

bool code_leaves(const Code *c, LLVMValueRef inst) {
  const CodeFunction *f = code_of(c, function_of(inst));
  return f->leaves[cfg_of(f->cfg, inst)];
}

static bool event_before(const Code *c, uint32_t a, uint32_t b, bool credit) {
  if (a == SIGMA_NONE || b == SIGMA_NONE) return false;
  return a == b || (credit ? order_happens_before(c->order, a, b) : order_before(c->order, a, b));
}

bool code_before(const Code *c, Region x, Region y, bool credit) {
  const Thread *p = &c->threads.at[x.thread], *q = &c->threads.at[y.thread];
  if (x.thread == y.thread) return x.to < y.from;
  uint32_t end = x.to < p->operations.len ? p->operations.at[x.to].first : p->exit;
  uint32_t begin = y.from ? q->operations.at[y.from - 1].last : q->enter;
  return event_before(c, end, begin, credit);
}

uint32_t code_event_before(const Code *c, Region r) {
  const Thread *t = &c->threads.at[r.thread];
  return r.from ? t->operations.at[r.from - 1].last : t->enter;
}
