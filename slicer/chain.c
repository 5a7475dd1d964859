// Causes of a line are found by a walk that goes through the instances of the line, and through models of the
// C library, and stops at all others. What comes out are the nodes that may come next: those with the
// shortest way first, and of these values of other threads before own ones, before branches, order, and
// calls.
#include "chain.h"
#include <assert.h>
#include "ir/ir.h"
#include "report/report.h"

enum { EVIDENCE_PAIRS = 2 };

typedef struct {
  const Slice *s;
  const Examined *of;
  Chain *c;
  Gates *gates;
  Map *known;       // of a key: node + 1
  Map *initial;     // pieces of memory that have been told of
  Map *started;     // threads whose order has been told
  uint32_t *lines;  // by pc: id of its line and function; 0: of a model, or without a line
  uint64_t passed;
  uint32_t here;  // the node that is expanded
  bool wide;      // all lines that have been told are gone through
  // Instances of lines that have been gone on from already, and the last such line.
  ChainInstances again;
  ChainInstances operations;  // that the last walk came to
  uint32_t again_of;
} Maker;

// Where several returns of the source meet: a block that loads what they left, and returns it.
static bool is_common_return(LLVMValueRef inst) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(inst);
  LLVMValueRef first = LLVMGetFirstInstruction(b), last = LLVMGetLastInstruction(b);
  if ((inst != first && inst != last) || !LLVMIsAReturnInst(last) ||
      LLVMGetPreviousInstruction(last) != first)
    return false;
  LLVMUseRef from = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
  return LLVMIsALoadInst(first) && LLVMIsAAllocaInst(LLVMGetOperand(first, 0)) && from &&
         LLVMGetNextUse(from);
}

static void number_lines(Maker *m) {
  Intern *ids = intern_new();
  uint32_t pcs = runner_pcs(m->of->runner);
  m->lines = mem_array((size_t)pcs + 1, sizeof *m->lines);
  for (uint32_t pc = 0; pc < pcs; ++pc) {
    uint32_t function = runner_function_of(m->of->runner, pc);
    LLVMValueRef inst = runner_inst(m->of->runner, pc);
    if (!inst || runner_model(m->of->runner, function)) continue;
    Place p = where(inst);
    // What stands in headers of the system is told as the line that used it.
    if (!p.file || !p.line || !finding_is_own_file(p.file) || is_common_return(inst)) continue;
    char *name = mem_format("%s:%u:%u", p.file, p.line, function);
    m->lines[pc] = intern_id(ids, name, strlen(name)) + 1;
    mem_free(name);
  }
  intern_free(ids);
}

// Parameters are stored where the body looks for them.
static bool is_parameter(LLVMValueRef inst) {
  return inst && LLVMIsAStoreInst(inst) && LLVMIsAArgument(LLVMGetOperand(inst, 0));
}

static uint64_t key_of(const Maker *m, RunInstance at, uint32_t thread) {
  return (uint64_t)thread << 32 | m->lines[at.pc];
}

static bool is_told(const Maker *m, RunInstance at, uint32_t thread) {
  uint64_t known = map_or(m->known, key_of(m, at, thread), 0);
  return known && m->c->nodes.at[known - 1].told;
}

static bool goes_through(void *data, BackwalkInstance at, uint32_t frame) {
  const Maker *m = data;
  const ChainNode *n = &m->c->nodes.at[m->here];
  if (!m->lines[at.pc] || is_parameter(runner_inst(m->of->runner, at.pc))) return true;
  if (m->wide && is_told(m, at, m->of->trace->frames.at[frame].thread)) return true;
  return m->lines[at.pc] == m->lines[n->at.pc] && m->of->trace->frames.at[frame].thread == n->thread;
}

static uint32_t add_node(Maker *m, ChainKind kind, RunInstance at, uint32_t because) {
  uint32_t frame = instances_frame(m->of->all, at.step);
  ChainNode n = {.kind = kind, .at = at, .frame = frame, .because = because, .event = SIGMA_NONE};
  n.thread = m->of->trace->frames.at[frame].thread;
  n.depth = because == UINT32_MAX ? 0 : m->c->nodes.at[because].depth + 1;
  vec_push(&n.group, at);
  vec_push(&m->c->nodes, n);
  return (uint32_t)m->c->nodes.len - 1;
}

// The node of a line, which another cause may have led to before.
static ChainNode *node_of(Maker *m, ChainKind kind, RunInstance at, uint32_t because) {
  uint64_t key = key_of(m, at, instances_thread(m->of->all, at.step)), known = map_or(m->known, key, 0);
  if (!known) {
    known = (uint64_t)add_node(m, kind, at, because) + 1;
    map_put(m->known, key, known);
    return &m->c->nodes.at[known - 1];
  }
  ChainNode *n = &m->c->nodes.at[known - 1];
  if (n->expanded) {
    vec_push(&m->again, at), m->again_of = (uint32_t)(known - 1);
    return n;
  }
  if (kind == CHAIN_VALUE && n->kind > CHAIN_VALUE && n->kind != CHAIN_ORDER && n->because == because)
    n->kind = kind, n->at = at;
  if (n->because == because) vec_push(&n->group, at);
  return n;
}

static bool is_call_of(const Maker *m, uint32_t frame, const BackwalkVisit *v) {
  const TraceFrame *f = &m->of->trace->frames.at[frame];
  return f->caller == v->frame && f->call == v->at.pc;
}

static void take_cause(Maker *m, const BackwalkVisit *v) {
  const ChainNode *n = &m->c->nodes.at[m->here];
  if (!v->model && runner_role(m->of->runner, v->at.pc) == CODE_SYNC_CALL) vec_push(&m->operations, v->at);
  if (v->model || goes_through(m, v->at, v->frame)) return;
  bool made = is_call_of(m, n->frame, v);
  if (made && n->thread != v->thread) {
    node_of(m, CHAIN_START, v->at, m->here);
  } else if (v->why & BACKWALK_DATA) {
    node_of(m, CHAIN_VALUE, v->at, m->here);
  } else if (v->why & BACKWALK_CONTROL) {
    node_of(m, CHAIN_BRANCH, v->at, m->here);
  } else if (v->why & BACKWALK_CALL && made) {
    node_of(m, CHAIN_CALL, v->at, m->here);
  }
}

// The thread that a function stands in when the run ends: its last instance there. False: none does.
static bool stands_in(const Maker *m, LLVMValueRef function, RunInstance *out) {
  const RunTrace *t = m->of->trace;
  for (size_t i = t->frames.len; i-- > 0;) {
    const TraceFrame *f = &t->frames.at[i];
    if (f->stopped == TRACE_NONE || runner_function(m->of->runner, f->function) != function) continue;
    for (size_t s = t->steps.len; s-- > f->entered;) {
      if (instances_frame(m->of->all, (uint32_t)s) != i) continue;
      uint32_t end = instances_end(m->of->all, (uint32_t)s);
      if (end == t->steps.at[s].pc) continue;
      return *out = (RunInstance){(uint32_t)s, end - 1}, true;
    }
  }
  return false;
}

static bool was_executed(const Maker *m, LLVMValueRef inst) {
  for (uint32_t pc = 0; pc < runner_pcs(m->of->runner); ++pc)
    if (m->s->executed_at[pc] && runner_inst(m->of->runner, pc) == inst) return true;
  return false;
}

// A store to the variable that a thread had in front of it when the run ended.
static void take_late(Maker *m, uint32_t initial, const char *name) {
  LLVMValueRef g = LLVMGetNamedGlobal(m->of->program->module, name);
  for (LLVMUseRef u = g ? LLVMGetFirstUse(g) : NULL; u; u = LLVMGetNextUse(u)) {
    LLVMValueRef store = LLVMGetUser(u);
    RunInstance at;
    if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 1) != g) continue;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(store));
    if (was_executed(m, store) || !stands_in(m, function, &at)) continue;
    if (instances_thread(m->of->all, at.step) == m->c->nodes.at[initial].thread) continue;
    uint32_t id = add_node(m, CHAIN_LATE, at, initial);
    m->c->nodes.at[id].inst = store, m->c->nodes.at[id].depth = 0;
    m->c->nodes.at[initial].depth = 0;
    return;
  }
}

static void take_initial(Maker *m, const Backwalk *w) {
  enum { MOST = 256 };
  uint64_t at[MOST], n = backwalk_unwritten(w, at, MOST);
  for (uint64_t i = 0; i < n && i < MOST; ++i) {
    bool constant = false;
    if (map_or(m->initial, at[i] / 8, 0)) continue;
    map_put(m->initial, at[i] / 8, 1);
    const char *name = runner_global(m->of->runner, at[i], &constant);
    if (constant || (!name && n > 64)) continue;
    uint32_t id = add_node(m, CHAIN_INITIAL, m->c->nodes.at[m->here].at, m->here);
    m->c->nodes.at[id].address = at[i], m->c->nodes.at[id].expanded = true;
    if (name) take_late(m, id, name);
    return;
  }
}

// Why its thread came here when it did. Once for each thread is enough to tell.
static void take_order(Maker *m) {
  RunInstance at = m->c->nodes.at[m->here].at;
  uint32_t thread = m->c->nodes.at[m->here].thread;
  if (map_or(m->started, thread, 0)) return;
  map_put(m->started, thread, 1);
  gates_again(m->gates);
  const GatesBring *bring = gates_bring(m->gates, at, false);
  Vec(GateBrings) gates = {0};
  vec_append(&gates, bring->at, bring->len);
  for (vec_each(i, &gates)) {
    GateBrings g = gates.at[i];
    if (instances_number(m->of->all, g.at) >= instances_number(m->of->all, at)) continue;
    if (g.event == SIGMA_NONE) {
      node_of(m, CHAIN_BRANCH, g.at, m->here);
      continue;
    }
    bool own = instances_thread(m->of->all, g.at.step) == thread;
    uint32_t cause = own ? gates_cause(m->gates, g.event) : g.event;
    if (cause == SIGMA_NONE || (m->of->performed[cause].step == TRACE_NONE && !own)) continue;
    const Event *e = &m->of->sigma->schedules.at[m->of->schedule]->events.at[cause];
    if (e->kind == SYNC_CREATE || e->thread == thread) continue;
    RunInstance program;
    bool ended = e->kind == SYNC_EXIT && own;  // it has no statement; the join has
    if (!ended && m->of->performed[cause].step == TRACE_NONE) continue;
    if (!examined_own(m->of, ended ? g.at : m->of->performed[cause], &program) || !m->lines[program.pc])
      continue;
    ChainNode *n = node_of(m, CHAIN_ORDER, program, m->here);
    if (n->kind == CHAIN_ORDER && n->event == SIGMA_NONE)
      n->event = cause, n->woke = own ? g.event : SIGMA_NONE;
  }
  vec_free(&gates);
}

static void walk(Maker *m, const ChainInstances *from, bool happened) {
  Backwalk *w = backwalk_new(m->of->runner, m->of->trace, BACKWALK_DIRECT | BACKWALK_WITH_CONTROL);
  backwalk_through(w, goes_through, m);
  for (vec_each(i, from)) (happened ? backwalk_want_happened : backwalk_want)(w, from->at[i]);
  BackwalkVisit v;
  while (backwalk_next(w, &v)) take_cause(m, &v);
  take_initial(m, w);
  m->passed += backwalk_passed(w);
  backwalk_free(w);
}

static bool is_exhausted(const Maker *m) {
  return m->passed > UINT64_C(1000000) * LIMIT_SLICE_CHAIN;
}

// Why an operation ended as it did: who had the lock, who took the last.
static void take_outcome(Maker *m) {
  for (vec_each(i, &m->operations)) {
    uint32_t event = examined_event(m->of, m->operations.at[i]);
    uint32_t cause = event == SIGMA_NONE ? SIGMA_NONE : gates_outcome(m->gates, event);
    RunInstance at;
    if (cause == SIGMA_NONE || m->of->performed[cause].step == TRACE_NONE) continue;
    if (!examined_own(m->of, m->of->performed[cause], &at) || !m->lines[at.pc]) continue;
    ChainNode *n = node_of(m, CHAIN_HOLDS, at, m->here);
    if (n->kind == CHAIN_HOLDS) n->event = cause;
  }
  m->operations.len = 0;
}

static void expand(Maker *m, uint32_t node) {
  ChainNode *n = &m->c->nodes.at[node];
  if (n->expanded || is_exhausted(m)) return;
  n->expanded = true;
  m->here = node;
  ChainInstances from = n->group;
  walk(m, &from, n->kind == CHAIN_ORDER || n->kind == CHAIN_HOLDS);
  take_outcome(m);
  take_order(m);
}

// Lines that have been told came again, in an earlier round of some loop: what is behind all of its rounds
// comes out at once.
static void expand_again(Maker *m) {
  if (!m->again.len || is_exhausted(m)) return;
  ChainInstances from = m->again;
  m->again = (ChainInstances){0};
  m->here = m->again_of, m->wide = true;
  walk(m, &from, false);
  m->wide = false;
  m->again.len = 0;
  vec_free(&from);
}

static unsigned rank_of(const Chain *c, const ChainNode *n) {
  bool foreign = n->because != UINT32_MAX && c->nodes.at[n->because].thread != n->thread;
  switch (n->kind) {
    case CHAIN_VALUE:
    case CHAIN_INITIAL:
      return foreign ? 0 : 1;
    case CHAIN_BRANCH:
      return 2;
    case CHAIN_ORDER:
      return 3;
    default:
      return 4;
  }
}

static bool comes_first(const Chain *c, const ChainNode *a, const ChainNode *b) {
  if (a->depth != b->depth) return a->depth < b->depth;
  unsigned x = rank_of(c, a), y = rank_of(c, b);
  if (x != y) return x < y;
  return a->at.step != b->at.step ? a->at.step > b->at.step : a->at.pc > b->at.pc;
}

static uint32_t next_node(const Chain *c) {
  uint32_t best = UINT32_MAX;
  for (vec_each(i, &c->nodes))
    if (!c->nodes.at[i].told && (best == UINT32_MAX || comes_first(c, &c->nodes.at[i], &c->nodes.at[best])))
      best = (uint32_t)i;
  return best;
}

static void tell(Chain *c, uint32_t node) {
  c->nodes.at[node].told = true;
  vec_push(&c->told, node);
}

static bool has_line(const Maker *m, const TraceAccess *a, RunInstance *out) {
  return examined_own(m->of, a->at, out) && m->lines[out->pc];
}

// The pair of an evidence: two nodes, the second of which nothing orders against the first.
static void tell_pairs(Maker *m, uint32_t target) {
  size_t pairs = 0;
  for (size_t i = 0; i < m->c->evidence.len && pairs < EVIDENCE_PAIRS; ++i) {
    const Evidence *e = &m->c->evidence.at[i];
    RunInstance first, second;
    bool lost = e->kind == EVIDENCE_LOST;
    if (!has_line(m, lost ? &e->write : &e->read, &first)) continue;
    if (!has_line(m, lost ? &e->other : &e->write, &second)) continue;
    uint32_t a = (uint32_t)(node_of(m, CHAIN_VALUE, first, target) - m->c->nodes.at);
    if (a != target && !m->c->nodes.at[a].told) {
      m->c->nodes.at[a].kind = CHAIN_PAIR, m->c->nodes.at[a].evidence = e;
      tell(m->c, a);
    }
    uint32_t b = (uint32_t)(node_of(m, CHAIN_OTHER, second, a) - m->c->nodes.at);
    ++pairs;
    if (m->c->nodes.at[b].told && m->c->nodes.at[b].evidence) continue;
    if (b == a || m->c->nodes.at[b].told) b = add_node(m, CHAIN_OTHER, second, a);
    m->c->nodes.at[b].kind = CHAIN_OTHER, m->c->nodes.at[b].evidence = e;
    tell(m->c, b);
  }
}

static bool ends_life(LLVMValueRef call) {
  static const char *const names[] = {"free", "realloc", "munmap", "_Zdl", "_Zda", "fclose"};
  LLVMValueRef callee = call && call_is(call) ? call_function(call) : NULL;
  size_t len;
  const char *name = callee ? LLVMGetValueName2(callee, &len) : "";
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strncmp(name, names[i], strlen(names[i]))) return true;
  return false;
}

// The memory that the run died at had been freed.
static void tell_freed(Maker *m, uint32_t target) {
  uint64_t fault = m->of->result->end == RUN_DIED ? m->of->result->fault : 0;
  AccessWalk *w = fault >= 4096 ? access_walk_new(m->of->runner, m->of->all) : NULL;
  TraceAccess a;
  while (w && access_walk_next(w, &a)) {
    RunInstance own;
    if (!a.writes || fault < a.address || fault - a.address >= a.size) continue;
    if (!examined_own(m->of, a.at, &own) || !ends_life(runner_inst(m->of->runner, own.pc)) ||
        !m->lines[own.pc])
      break;
    uint32_t id = (uint32_t)(node_of(m, CHAIN_FREED, own, target) - m->c->nodes.at);
    if (!m->c->nodes.at[id].told) m->c->nodes.at[id].kind = CHAIN_FREED, tell(m->c, id);
    break;
  }
  access_walk_free(w);
}

static uint32_t node_of_thread(const Chain *c, uint32_t thread) {
  for (vec_each(i, &c->told))
    if (c->nodes.at[c->told.at[i]].thread == thread) return c->told.at[i];
  return UINT32_MAX;
}

// Of a run that stood: where each thread waits, and where what it waits for was taken.
static void tell_standing(Maker *m) {
  const Schedule *c = m->of->sigma->schedules.at[m->of->schedule];
  if (m->of->result->end != RUN_RECORDING_ENDS) return;
  Holders *h = held_new(c);
  for (vec_each(i, &c->events)) held_pass(h, (uint32_t)i);
  for (vec_each(i, &c->standing)) {
    const Event *e = &c->standing.at[i];
    uint32_t node = node_of_thread(m->c, e->thread);
    const char *site =
        e->site == SIGMA_NONE ? NULL : sigma_text(m->of->sigma, m->of->sigma->sites.at[e->site].name);
    uint32_t id = site ? sites_find(m->of->program->sites, site, strlen(site)) : SITE_NONE;
    if (node == UINT32_MAX || id == SITE_NONE) continue;
    m->c->nodes.at[node].inst = sites_call(m->of->program->sites, id),
    m->c->nodes.at[node].event = (uint32_t)i;
    for (uint32_t t = 0; t < c->threads && e->object != SIGMA_NONE; ++t) {
      const HeldLock *l = held_as(h, t, e->object);
      RunInstance at;
      if (!l || t == e->thread || m->of->performed[l->since].step == TRACE_NONE) continue;
      if (!examined_own(m->of, m->of->performed[l->since], &at) || !m->lines[at.pc]) continue;
      uint32_t lock = add_node(m, CHAIN_HOLDS, at, node);
      m->c->nodes.at[lock].event = l->since;
      tell(m->c, lock);
    }
  }
  held_free(h);
}

// Only the way from the target to a line: its nodes, in order.
static void keep_way(Chain *c, uint32_t end) {
  Vec(uint32_t) way = {0};
  for (uint32_t n = end; n != UINT32_MAX; n = c->nodes.at[n].because) vec_push(&way, n);
  c->told.len = 0;
  while (way.len) vec_push(&c->told, vec_pop(&way));
  vec_free(&way);
}

static bool is_at(const Maker *m, const ChainNode *n, const PlaceWanted *wanted) {
  return place_matches(wanted, where(runner_inst(m->of->runner, n->at.pc)));
}

void chain_make(const Slice *s, const SliceTargets *targets, const ChainWhat *what, Chain *out) {
  const PlaceWanted *wanted = what->wanted;
  size_t most = what->most;
  bool crash = what->crash;
  Maker m = {.s = s,
             .of = s->of,
             .c = out,
             .known = map_new(),
             .started = map_new(),
             .initial = map_new(),
             .gates = gates_new(s->of)};
  bool all = true;
  *out = (Chain){0};
  number_lines(&m);
  for (vec_each(i, targets)) {
    if (!m.lines[targets->at[i].pc]) continue;
    ChainNode *n = node_of(&m, CHAIN_TARGET, targets->at[i], UINT32_MAX);
    if (n->told) continue;
    if (out->told.len < most) tell(out, (uint32_t)(n - out->nodes.at));
  }
  if (targets->len && !out->told.len) tell(out, add_node(&m, CHAIN_TARGET, targets->at[0], UINT32_MAX));
  // Order that is not in the schedule would be missed.
  bool whole_order = !m.of->sigma->schedules.at[m.of->schedule]->left_out;
  if (!wanted && whole_order) evidence_find(s, &out->evidence, &all);
  if (out->told.len && !wanted && crash) tell_freed(&m, out->told.at[0]), tell_standing(&m);
  if (out->told.len && !wanted) tell_pairs(&m, out->told.at[0]);
  for (vec_each(i, &out->told)) out->reached |= wanted && is_at(&m, &out->nodes.at[out->told.at[i]], wanted);
  for (size_t i = 0; i < out->told.len && out->told.len < most && !out->reached;) {
    // All that has been told is gone on from before anything else is told.
    for (; i < out->told.len; ++i) expand(&m, out->told.at[i]);
    expand_again(&m);
    uint32_t next = next_node(out);
    if (next == UINT32_MAX || out->told.len >= most) break;
    tell(out, next);
    if (wanted && is_at(&m, &out->nodes.at[next], wanted)) {
      keep_way(out, next);
      out->reached = true;
      break;
    }
  }
  if (wanted && !out->reached && out->told.len > 1) out->told.len = 1;
  if (is_exhausted(&m)) limit_reached(LIMIT_OF_SLICE_CHAIN);
  out->whole = all && !is_exhausted(&m);
  mem_free(m.lines), vec_free(&m.again), vec_free(&m.operations);
  map_free(m.known), map_free(m.started), map_free(m.initial);
  gates_free(m.gates);
}

void chain_free(Chain *c) {
  for (vec_each(i, &c->nodes)) vec_free(&c->nodes.at[i].group);
  vec_free(&c->nodes), vec_free(&c->told), vec_free(&c->evidence);
}
