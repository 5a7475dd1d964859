#include "gates.h"
#include <assert.h>
#include "ir/ir.h"

enum { CALLERS = 8, FORWARD = 1 << 20 };

typedef struct {
  RunInstance at;
  uint32_t event;   // SIGMA_NONE: a check that lets a thread wait or go on
  uint32_t strong;  // the last gate of its thread, itself included, that is no lock; SIGMA_NONE
} Gate;

struct Gates {
  const Examined *of;
  const Schedule *schedule;
  Vec(Gate) gates;  // by thread, in order
  Lists by_thread;
  size_t *cursor;   // by thread: so many of them come before the instance that was asked for last
  uint64_t *asked;  // by thread: the cursor for which everything, or all but locks, has been brought
  uint32_t *cause;  // by event: what made its outcome; SIGMA_NONE
  bool *checks;     // by pc: it leaves a loop with a wait in it
  Map *loops;       // by function: Loops
  Vec(Loops *) all;
  Vec(Cfg *) cfgs;
  Vec(Dom *) doms;
  GatesBring bring;
};

static bool is_lock(const Event *e) {
  return e->kind == SYNC_LOCK || e->kind == SYNC_RDLOCK;
}

static bool waited(const Gates *g, uint32_t event) {
  const OrderWait *waits;
  const Event *e = &g->schedule->events.at[event];
  if (e->kind == SYNC_BARRIER) return e->phase == EVENT_DEPART;
  if (e->phase == EVENT_ARRIVE || e->kind == SYNC_UNLOCK || e->kind == SYNC_EXIT) return false;
  return order_waits(g->of->order, event, &waits) > 0 || order_waker(g->of->order, event) != SIGMA_NONE;
}

static uint32_t holder(const Holders *h, const Schedule *c, uint32_t event) {
  const Event *e = &c->events.at[event];
  for (uint32_t t = 0; t < c->threads; ++t) {
    const HeldLock *l = held_as(h, t, e->object);
    if (l && held_conflict(l->shared, e->kind == SYNC_RDLOCK)) return l->since;
  }
  return SIGMA_NONE;
}

// Busy and timed out: who had the lock. A semaphore that gave nothing: who took the last of it. Not the last
// at a barrier, not the first of a once: who was.
static void find_causes(Gates *g) {
  const Schedule *c = g->schedule;
  Holders *h = held_new(c);
  uint32_t *last = mem_array(c->objects.len + 1, sizeof *last);
  for (vec_each(i, &c->objects)) last[i] = SIGMA_NONE;
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    bool fails = e->outcome == SYNC_BUSY || e->outcome == SYNC_TIMEDOUT || e->outcome == SYNC_AGAIN ||
                 e->outcome == SYNC_DEADLK;
    g->cause[i] = SIGMA_NONE;
    if (e->object != SIGMA_NONE && fails && is_lock(e)) g->cause[i] = holder(h, c, (uint32_t)i);
    if (e->object != SIGMA_NONE && fails && e->kind == SYNC_ACQUIRE) g->cause[i] = last[e->object];
    if (e->object != SIGMA_NONE && e->kind == SYNC_ACQUIRE && e->outcome == SYNC_OK)
      last[e->object] = (uint32_t)i;
    held_pass(h, (uint32_t)i);
  }
  mem_free(last);
  held_free(h);
}

static const Loops *loops_in(Gates *g, LLVMValueRef function) {
  uint64_t known = map_or(g->loops, map_key(function), 0);
  if (known) return g->all.at[known - 1];
  Cfg *c = cfg_new(function);
  Dom *d = dom_new(c);
  vec_push(&g->cfgs, c), vec_push(&g->doms, d), vec_push(&g->all, loops_new(c, d));
  map_put(g->loops, map_key(function), g->all.len);
  return vec_last(&g->all);
}

static uint32_t block_of(const Loops *l, LLVMValueRef inst) {
  return cfg_of(loops_cfg(l), inst);
}

// The branches that leave a loop which waits, whether it had to or not.
static void find_checks(Gates *g) {
  Map *leaves = map_new();
  for (all_functions(f, g->of->program->module))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
        if (!s || s->kind != SYNC_WAIT) continue;
        const Loops *l = loops_in(g, f);
        uint32_t loop = loops_of(l, block_of(l, i));
        if (loop == LOOP_NONE) continue;
        Pairs exits = {0};
        loop_exits(l, loop, &exits);
        for (vec_each(n, &exits))
          map_put(leaves, map_key(LLVMGetBasicBlockTerminator(cfg_block(loops_cfg(l), exits.at[n].owner))),
                  1);
        vec_free(&exits);
      }
  g->checks = mem_array((size_t)runner_pcs(g->of->runner) + 1, sizeof *g->checks);
  for (uint32_t pc = 0; pc < runner_pcs(g->of->runner); ++pc)
    g->checks[pc] = runner_role(g->of->runner, pc) == CODE_BRANCH &&
                    map_or(leaves, map_key(runner_inst(g->of->runner, pc)), 0);
  map_free(leaves);
}

static void add_gate(Gates *g, Pairs *pairs, uint32_t thread, RunInstance at, uint32_t event) {
  Gate one = {at, event, SIGMA_NONE};
  pairs_add(pairs, thread, (uint32_t)g->gates.len);
  vec_push(&g->gates, one);
}

// Events and checks of the trace, each thread's in their order.
static void find_gates(Gates *g) {
  const Examined *of = g->of;
  const RunTrace *t = of->trace;
  Pairs pairs = {0};
  size_t next = 0;
  for (size_t s = 0; s < t->steps.len; ++s) {
    for (; next < t->events.len && t->events.at[next].step <= s; ++next) {
      uint32_t event = t->events.at[next].event;
      RunInstance at = of->performed[event];
      if (at.step == TRACE_NONE) at = (RunInstance){t->events.at[next].step, 0};
      if (waited(g, event)) add_gate(g, &pairs, g->schedule->events.at[event].thread, at, event);
    }
    uint32_t step = (uint32_t)s, end = instances_end(of->all, step);
    if (end > t->steps.at[s].pc && g->checks[end - 1])
      add_gate(g, &pairs, instances_thread(of->all, step), (RunInstance){step, end - 1}, SIGMA_NONE);
  }
  g->by_thread = lists_new(g->schedule->threads, &pairs);
  vec_free(&pairs);
  for (uint32_t n = 0; n < g->schedule->threads; ++n) {
    Ids own = lists_of(&g->by_thread, n);
    uint32_t last = SIGMA_NONE;
    for (vec_each(i, &own)) {
      uint32_t event = g->gates.at[own.at[i]].event;
      if (event != SIGMA_NONE && !is_lock(&g->schedule->events.at[event])) last = own.at[i];
      g->gates.at[own.at[i]].strong = last;
    }
  }
}

Gates *gates_new(const Examined *of) {
  Gates *g = mem_alloc(sizeof *g);
  g->of = of, g->schedule = of->sigma->schedules.at[of->schedule];
  size_t threads = (size_t)g->schedule->threads + 1;
  g->cause = mem_array(g->schedule->events.len + 1, sizeof *g->cause);
  g->cursor = mem_array(threads, sizeof *g->cursor), g->asked = mem_array(threads, sizeof *g->asked);
  g->loops = map_new();
  find_causes(g);
  find_checks(g);
  find_gates(g);
  gates_again(g);
  return g;
}

void gates_free(Gates *g) {
  if (!g) return;
  for (vec_each(i, &g->all)) loops_free(g->all.at[i]), dom_free(g->doms.at[i]), cfg_free(g->cfgs.at[i]);
  vec_free(&g->all), vec_free(&g->doms), vec_free(&g->cfgs), vec_free(&g->bring);
  lists_free(&g->by_thread);
  map_free(g->loops);
  mem_free(g->cause), mem_free(g->cursor), mem_free(g->asked), mem_free(g->checks);
  vec_free(&g->gates);
  mem_free(g);
}

// The branches of the loop that its frame comes to behind a step, until it leaves the loop or is at pc again.
static void checks_behind(Gates *g, const Loops *l, uint32_t loop, uint32_t frame, RunInstance at) {
  const Examined *of = g->of;
  const RunTrace *t = of->trace;
  size_t end = (size_t)at.step + FORWARD < t->steps.len ? (size_t)at.step + FORWARD : t->steps.len;
  for (size_t s = at.step; s < end; ++s) {
    if (instances_frame(of->all, (uint32_t)s) != frame) continue;
    uint32_t first = t->steps.at[s].pc, last = instances_end(of->all, (uint32_t)s);
    if (s > at.step && at.pc >= first && at.pc < last) return;
    if (first == last) continue;
    if (!loop_has(l, loop, block_of(l, runner_inst(of->runner, first)))) return;
    if (s == at.step || runner_role(of->runner, last - 1) != CODE_BRANCH) continue;
    GateBrings b = {{(uint32_t)s, last - 1}, SIGMA_NONE};
    vec_push(&g->bring, b);
  }
}

// The loop may be that of a caller: waits have wrappers.
static void checks_of_wait(Gates *g, RunInstance at) {
  const Examined *of = g->of;
  uint32_t frame = instances_frame(of->all, at.step);
  for (int n = 0; n < CALLERS; ++n) {
    const TraceFrame *f = &of->trace->frames.at[frame];
    if (!runner_model(of->runner, f->function)) {
      const Loops *l = loops_in(g, runner_function(of->runner, f->function));
      uint32_t loop = loops_of(l, block_of(l, runner_inst(of->runner, at.pc)));
      if (loop != LOOP_NONE) {
        checks_behind(g, l, loop, frame, at);
        return;
      }
    }
    if (f->caller == TRACE_NONE || f->starts) return;
    RunInstance call;
    if (!examined_last(of, f->caller, f->call, f->entered, &call)) return;
    frame = f->caller, at = call;
  }
}

static void bring_event(Gates *g, uint32_t event) {
  if (event == SIGMA_NONE) return;
  GateBrings b = {g->of->performed[event], event};
  // The end of a thread gives its result; what it did before has gates of its own.
  if (b.at.step == TRACE_NONE || g->schedule->events.at[event].kind == SYNC_EXIT) return;
  vec_push(&g->bring, b);
}

// What an event rests on, once it is kept.
static void bring_causes(Gates *g, uint32_t event) {
  const Order *o = g->of->order;
  const Event *e = &g->schedule->events.at[event];
  const OrderWait *waits;
  size_t n = order_waits(o, event, &waits);
  for (size_t i = 0; i < n; ++i) bring_event(g, waits[i].event);
  bring_event(g, order_waker(o, event));
  bring_event(g, g->cause[event]);
  const uint32_t *arrivals;
  uint32_t generation = e->kind == SYNC_BARRIER ? order_generation(o, event) : SIGMA_NONE;
  n = generation == SIGMA_NONE ? 0 : order_arrivals(o, generation, &arrivals);
  for (size_t i = 0; i < n; ++i)
    if (g->schedule->events.at[arrivals[i]].thread != e->thread) bring_event(g, arrivals[i]);
}

static void bring_gate(Gates *g, const Gate *gate) {
  if (gate->event == SIGMA_NONE) {
    GateBrings check = {gate->at, SIGMA_NONE};
    vec_push(&g->bring, check);
    return;
  }
  if (g->of->performed[gate->event].step == TRACE_NONE) {  // a thread begins
    bring_causes(g, gate->event);
    return;
  }
  bring_event(g, gate->event);
  // The check comes behind the wait, so it must be asked for now.
  if (g->schedule->events.at[gate->event].kind == SYNC_WAIT) checks_of_wait(g, gate->at);
}

static bool is_before(const Gate *gate, RunInstance at) {
  return gate->at.step < at.step || (gate->at.step == at.step && gate->at.pc < at.pc);
}

// The gates in front of an instance: the last one, and if that is a lock or a check the last that is neither.
static void bring_gates(Gates *g, RunInstance at, bool ordered) {
  uint32_t thread = instances_thread(g->of->all, at.step);
  Ids own = lists_of(&g->by_thread, thread);
  size_t *n = &g->cursor[thread];
  while (*n && !is_before(&g->gates.at[own.at[*n - 1]], at)) --*n;
  uint64_t ask = (uint64_t)*n << 1 | ordered;
  // Instances between two gates all have the same.
  if (!*n || g->asked[thread] == ask || g->asked[thread] == (ask & ~UINT64_C(1))) return;
  g->asked[thread] = ask;
  uint32_t last = own.at[*n - 1], strong = g->gates.at[last].strong;
  if (last != strong && !ordered) bring_gate(g, &g->gates.at[last]);
  if (strong != SIGMA_NONE) bring_gate(g, &g->gates.at[strong]);
}

const GatesBring *gates_bring(Gates *g, RunInstance at, bool ordered) {
  g->bring.len = 0;
  bool sync = runner_role(g->of->runner, at.pc) == CODE_SYNC_CALL;
  uint32_t event = sync ? examined_event(g->of, at) : SIGMA_NONE;
  bring_gates(g, at, ordered);
  if (event != SIGMA_NONE) bring_causes(g, event);
  return &g->bring;
}

void gates_again(Gates *g) {
  for (uint32_t n = 0; n < g->schedule->threads; ++n)
    g->cursor[n] = lists_of(&g->by_thread, n).len, g->asked[n] = UINT64_MAX;
}

uint32_t gates_cause(const Gates *g, uint32_t event) {
  const OrderWait *waits;
  uint32_t waker = order_waker(g->of->order, event);
  if (waker != SIGMA_NONE) return waker;
  if (g->cause[event] != SIGMA_NONE) return g->cause[event];
  return order_waits(g->of->order, event, &waits) ? waits[0].event : SIGMA_NONE;
}

uint32_t gates_outcome(const Gates *g, uint32_t event) {
  return g->cause[event];
}
