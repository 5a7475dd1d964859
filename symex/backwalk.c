// The trace is read from its end. What is wanted lives in three places: a set of slots for each frame that
// has any, a table of eight-byte pieces of memory with a bit for each byte, and for each frame the blocks
// whose branch decides what is kept (control dependence, by post-dominators of the function). Frames are met
// callee first, so a call knows when it is come to which values its callee still wanted; the same holds for a
// thread and who created it.
#include "backwalk.h"
#include <assert.h>
#include "inside.h"
#include "operands.h"
#include "otherway.h"
#include "paths.h"

enum { STACK_BYTES = 8 << 20 };

typedef struct {
  uint64_t *slots, *blocks;  // bits; NULL: none
  uint32_t cut;     // the step before this one ends in front of this pc; TRACE_NONE: as its code says
  uint32_t behind;  // block of the step that was met last; for the phis of the edge to it
  uint32_t child;   // whose entry was met last
  bool kept;        // some of its instances are
} WalkFrame;

typedef struct {
  uint64_t piece;       // address / 8 + 1; 0: free
  uint8_t bytes;        // bits
  uint32_t readers[8];  // by byte: who wants it; only for a judge
} WalkPiece;

struct Backwalk {
  const Bytecode *c;
  const CodeFacts *facts;
  const RunTrace *t;
  const Schedule *schedule;
  unsigned options;
  BackwalkThrough *through;  // NULL: of targets only
  void *through_data;
  WalkFrame *frames;
  WalkPiece *pieces;
  size_t room, used;
  uint64_t wanted;        // slots, pieces with bytes and blocks that are wanted
  OtherWays *ways;        // NULL: not asked for
  uint64_t *stacks;       // by thread: where its variables begin; 0: not known
  uint64_t wanted_apart;  // of the pieces those that are no variables of frames; only with ways
  Paths **paths;          // by function; NULL: not computed yet
  uint32_t leaves, ends;  // host_thread_leaves, host_thread_end
  uint32_t once;          // the model that calls the routine of a once
  Map *targets;           // step and pc, and steps, that have what is to be kept
  uint64_t *target_steps;  // bits by step; NULL: there are none
  uint64_t targets_left;
  bool *results, *leaving;  // of threads: what join gives, and that on its way there
  // Where it is: the step that is gone over, what of it is left, and what belongs to it.
  size_t step, address, effect, event;
  uint32_t pc, first;
  bool inside;
  uint64_t passed;
  bool faulted;             // the instruction that the run died at is past
  Vec(uint64_t) unwritten;  // bytes that were wanted of a frame's variables and never written there
  BackwalkJudge *judge;     // NULL: none
  void *judge_self;
  uint32_t at_frame, at_pc;    // who wants memory now
  Map *reader_of;              // pc: reader + 1
  IdVec reader_pcs, places;    // by reader: its pc, its place in live
  Vec(uint64_t) reader_bytes;  // by reader: how many are wanted for it
  IdVec live, live_pcs;        // readers with some
};

// --- what is wanted

static size_t piece_place(const Backwalk *w, uint64_t key) {
  size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (w->room - 1);
  while (w->pieces[at].piece && w->pieces[at].piece != key) at = (at + 1) & (w->room - 1);
  return at;
}

// Pieces that nothing is wanted of any more go when the table is full.
static void grow(Backwalk *w) {
  WalkPiece *old = w->pieces;
  size_t room = w->room, live = 0;
  for (size_t i = 0; i < room; ++i) live += old[i].bytes != 0;
  for (w->room = 1024; w->room < live * 4;) w->room *= 2;
  w->used = 0;
  w->pieces = mem_array(w->room, sizeof *w->pieces);
  for (size_t i = 0; i < room; ++i) {
    if (!old[i].bytes) continue;
    w->pieces[piece_place(w, old[i].piece)] = old[i];
    ++w->used;
  }
  mem_free(old);
}

// The innermost place in the program that an instance belongs to.
static uint32_t reader_pc(const Backwalk *w, uint64_t address) {
  uint32_t frame = w->at_frame, pc = w->at_pc;
  if (w->c->functions.at[w->t->frames.at[frame].function].model && memory_object(&w->c->start, address) &&
      bytecode_of_model(w->c, address))
    return TRACE_NONE;
  while (w->c->functions.at[w->t->frames.at[frame].function].model) {
    const TraceFrame *f = &w->t->frames.at[frame];
    if (f->caller == TRACE_NONE || f->starts) break;
    frame = f->caller, pc = f->call;
  }
  return pc;
}

static uint32_t reader_at(Backwalk *w, uint64_t address) {
  uint32_t pc = reader_pc(w, address);
  uint64_t known = map_or(w->reader_of, pc, 0);
  if (known) return (uint32_t)known - 1;
  vec_push(&w->reader_pcs, pc), vec_push(&w->reader_bytes, 0), vec_push(&w->places, 0);
  map_put(w->reader_of, pc, w->reader_pcs.len);
  return (uint32_t)w->reader_pcs.len - 1;
}

static void reader_wants(Backwalk *w, uint32_t reader, int by) {
  bool was = w->reader_bytes.at[reader] > 0;
  w->reader_bytes.at[reader] += (uint64_t)by;
  bool is = w->reader_bytes.at[reader] > 0;
  if (is && !was) {
    w->places.at[reader] = (uint32_t)w->live.len;
    vec_push(&w->live, reader), vec_push(&w->live_pcs, w->reader_pcs.at[reader]);
  } else if (was && !is) {
    uint32_t last = vec_pop(&w->live), place = w->places.at[reader];
    --w->live_pcs.len;
    if (last == reader) return;
    w->live.at[place] = last, w->live_pcs.at[place] = w->reader_pcs.at[last];
    w->places.at[last] = place;
  }
}

// Stacks are far apart, and nothing else is near them.
static bool is_apart(const Backwalk *w, uint64_t key) {
  uint64_t at = (key - 1) * 8;
  for (uint32_t t = 0; t < w->schedule->threads; ++t)
    if (w->stacks[t] && at - w->stacks[t] < STACK_BYTES) return false;
  return true;
}

static void want_piece(Backwalk *w, uint64_t key, uint8_t bytes) {
  if (w->used * 2 >= w->room) grow(w);
  WalkPiece *p = &w->pieces[piece_place(w, key)];
  if (!p->piece) p->piece = key, ++w->used;
  if (w->judge && bytes & ~p->bytes) {
    uint32_t reader = reader_at(w, (key - 1) * 8);
    for (unsigned b = 0; b < 8; ++b)
      if (bytes & ~p->bytes & 1u << b) p->readers[b] = reader, reader_wants(w, reader, 1);
  }
  w->wanted += !p->bytes;
  if (w->ways && !p->bytes) w->wanted_apart += is_apart(w, key);
  p->bytes |= bytes;
}

// Bits of the bytes of [at, at + size) in the piece of `at`.
static uint8_t bytes_in_piece(uint64_t at, uint64_t size, uint64_t *taken) {
  unsigned from = at & 7;
  *taken = 8 - from < size ? 8 - from : size;
  return (uint8_t)(((1u << *taken) - 1) << from);
}

void backwalk_want_memory(Backwalk *w, uint64_t at, uint64_t size) {
  for (uint64_t n; size; at += n, size -= n) {
    uint8_t bytes = bytes_in_piece(at, size, &n);
    want_piece(w, at / 8 + 1, bytes);
  }
}

// Whether any of it is wanted; no longer, if take.
static bool memory_wanted(Backwalk *w, uint64_t at, uint64_t size, bool take) {
  bool any = false;
  if (!w->room) return false;
  for (uint64_t n; size; at += n, size -= n) {
    uint8_t bytes = bytes_in_piece(at, size, &n);
    WalkPiece *p = &w->pieces[piece_place(w, at / 8 + 1)];
    if (!(p->bytes & bytes)) continue;
    any = true;
    if (!take) continue;
    for (unsigned b = 0; b < 8 && w->judge; ++b)
      if (p->bytes & bytes & 1u << b) reader_wants(w, p->readers[b], -1);
    p->bytes &= (uint8_t)~bytes;
    w->wanted -= !p->bytes;
    if (w->ways && !p->bytes) w->wanted_apart -= is_apart(w, p->piece);
  }
  return any;
}

static const Function *function_of(const Backwalk *w, uint32_t frame) {
  return &w->c->functions.at[w->t->frames.at[frame].function];
}

static void want_slots(Backwalk *w, uint32_t frame, SlotRange r) {
  const Function *f = function_of(w, frame);
  uint32_t variables = f->slots - f->constant_count;
  WalkFrame *x = &w->frames[frame];
  for (uint32_t s = r.first; s < r.first + r.count; ++s) {
    if (s >= variables) continue;  // a constant
    if (!x->slots) x->slots = mem_array((variables + 63) / 64, sizeof *x->slots);
    uint64_t bit = UINT64_C(1) << (s & 63);
    w->wanted += !(x->slots[s / 64] & bit);
    x->slots[s / 64] |= bit;
  }
}

static bool slots_wanted(Backwalk *w, uint32_t frame, SlotRange r, bool take) {
  const Function *f = function_of(w, frame);
  WalkFrame *x = &w->frames[frame];
  bool any = false;
  for (uint32_t s = r.first; x->slots && s < r.first + r.count && s < f->slots - f->constant_count; ++s) {
    uint64_t bit = UINT64_C(1) << (s & 63);
    if (!(x->slots[s / 64] & bit)) continue;
    any = true;
    if (take) x->slots[s / 64] &= ~bit, --w->wanted;
  }
  return any;
}

static void want_reads(Backwalk *w, uint32_t frame, const Operands *o) {
  for (int n = 0; n < 3; ++n) want_slots(w, frame, o->reads[n]);
}

static void want_arguments(Backwalk *w, uint32_t frame, const Call *call) {
  for (uint32_t i = 0; i < call->arg_count; ++i) {
    const Pass *p = &w->c->passes.at[call->args + i];
    want_slots(w, frame, (SlotRange){p->slot, p->count});
  }
}

// --- control

static void want_branches(Backwalk *w, uint32_t frame, uint32_t pc) {
  uint32_t function = w->t->frames.at[frame].function;
  const Function *f = &w->c->functions.at[function];
  if (!w->paths[function])
    w->paths[function] = paths_new(w->c, function, w->options & BACKWALK_PAST_ENDS && !f->model);
  Ids on = lists_of(&w->paths[function]->on, w->c->block_of.at[pc] - f->first_block);
  WalkFrame *x = &w->frames[frame];
  for (vec_each(i, &on)) {
    if (!x->blocks) x->blocks = mem_array((f->block_count + 63) / 64, sizeof *x->blocks);
    uint64_t bit = UINT64_C(1) << (on.at[i] & 63);
    w->wanted += !(x->blocks[on.at[i] / 64] & bit);
    x->blocks[on.at[i] / 64] |= bit;
  }
}

static bool branch_wanted(Backwalk *w, uint32_t frame, uint32_t pc) {
  const Function *f = function_of(w, frame);
  uint32_t b = w->c->block_of.at[pc] - f->first_block;
  WalkFrame *x = &w->frames[frame];
  uint64_t bit = UINT64_C(1) << (b & 63);
  if (!x->blocks || !(x->blocks[b / 64] & bit)) return false;
  x->blocks[b / 64] &= ~bit, --w->wanted;
  return true;
}

static uint64_t target_key(uint32_t step, uint32_t pc) {
  return (uint64_t)step << 32 | pc;
}

// --- one instance

typedef struct {
  uint32_t frame, pc;
  const Inst *i;
  Operands o;
  unsigned why;
  bool target;
  uint64_t address, from, size;
  uint32_t behind, child;
  size_t effects;
} Here;

static bool spreads(const Backwalk *w, const Here *h) {
  if (h->target || !(w->options & BACKWALK_DIRECT)) return true;
  BackwalkInstance at = {(uint32_t)w->step, h->pc};
  return w->through && w->through(w->through_data, at, h->frame);
}

static uint64_t next_address(Backwalk *w) {
  assert(w->address);
  return w->t->addresses.at[--w->address];
}

static void keep(Backwalk *w, Here *h, unsigned why) {
  if (!h->why && !h->target) w->frames[h->frame].kept = true;
  h->why |= why;
}

static void go_spread(Backwalk *w, Here *h) {
  if (!spreads(w, h)) return;
  w->frames[h->frame].kept = true;
  if (h->target || h->why != BACKWALK_HAPPENED) want_reads(w, h->frame, &h->o);
  // In a model control is how data goes: strtol sets errno if the number does not fit.
  if (w->options & BACKWALK_WITH_CONTROL || function_of(w, h->frame)->model)
    want_branches(w, h->frame, h->pc);
}

static void take_result(Backwalk *w, Here *h) {
  if (slots_wanted(w, h->frame, h->o.gives, true)) keep(w, h, BACKWALK_DATA);
}

static void load_at(Backwalk *w, Here *h, uint64_t at, uint64_t size) {
  h->address = at;
  take_result(w, h);
  if ((h->why || h->target) && spreads(w, h)) backwalk_want_memory(w, at, size);
}
static void store_at(Backwalk *w, Here *h, uint64_t at, uint64_t size) {
  h->address = at, h->size = size;
  if (memory_wanted(w, at, size, true)) keep(w, h, BACKWALK_DATA);
}

static void exchange_at(Backwalk *w, Here *h) {
  uint64_t word = next_address(w), at = word >> 1;
  h->size = word & 1;
  bool writes = word & 1, hit = writes && memory_wanted(w, at, h->i->bytes, true);
  if (hit) keep(w, h, BACKWALK_DATA);
  load_at(w, h, at, h->i->bytes);
}

static void copy_at(Backwalk *w, Here *h) {
  uint64_t size = next_address(w), from = next_address(w), to = next_address(w);
  bool wants = spreads(w, h), any = h->target;
  h->address = to, h->from = from, h->size = size;
  if (!h->target && !memory_wanted(w, to, size, false)) return;
  for (uint64_t n = 0; n < size; ++n) {
    // Overlapping ranges: all is read before anything is written, so what is wanted of `to` goes first.
    uint64_t k = to > from ? n : size - 1 - n;
    if (!memory_wanted(w, to + k, 1, true) && !h->target) continue;
    any = true;
    if (wants) backwalk_want_memory(w, from + k, 1);
  }
  if (any) keep(w, h, BACKWALK_DATA);
}

// Whether the last step of a frame gave its value to what called it.
static void return_from(Backwalk *w, Here *h) {
  const TraceFrame *f = &w->t->frames.at[h->frame];
  const Inst *i = f->caller == TRACE_NONE || f->starts ? NULL : &w->c->insts.at[f->call];
  if (!i || (i->op != OP_CALL && i->op != OP_ICALL)) return;
  const Call *call = &w->c->calls.at[i->imm];
  if (slots_wanted(w, f->caller, (SlotRange){call->result, call->result_count}, true))
    keep(w, h, BACKWALK_DATA);
}

static void phis(Backwalk *w, Here *h) {
  uint32_t behind = w->frames[h->frame].behind;
  if (behind == CODE_NONE) return;
  const Bytecode *c = w->c;
  const Edge *edge = NULL;
  const Inst *i = h->i;
  const Call *call = i->op == OP_CALL || i->op == OP_ICALL || i->op == OP_SYNC || i->op == OP_HOST
                         ? &c->calls.at[i->imm]
                         : NULL;
  uint32_t edges[2] = {CODE_NONE, CODE_NONE};
  if (i->op == OP_BR) edges[0] = (uint32_t)i->imm;
  if (i->op == OP_CBR) edges[0] = i->to, edges[1] = i->bytes;
  if (call) edges[0] = call->normal, edges[1] = call->unwind;
  for (int n = 0; n < 2; ++n)
    if (edges[n] != CODE_NONE && c->edges.at[edges[n]].block == behind) edge = &c->edges.at[edges[n]];
  for (uint64_t n = 0; i->op == OP_SWITCH && n <= c->pool.at[i->imm]; ++n) {
    const Edge *e = &c->edges.at[c->pool.at[i->imm + 1 + 2 * n]];
    if (e->block == behind) edge = e;
  }
  if (!edge || !edge->count) return;
  // All at once: first what is taken, then what is wanted.
  Vec(SlotRange) from = {0};
  for (uint32_t n = 0; n < edge->count; ++n) {
    const Move *m = &c->moves.at[edge->first + n];
    SlotRange r = {m->from, 1};
    if (slots_wanted(w, h->frame, (SlotRange){m->to, 1}, true)) vec_push(&from, r);
  }
  if (from.len) keep(w, h, BACKWALK_DATA);
  // A phi has no instance of its own: the end of the block stands for it, also where only direct causes are
  // asked for.
  for (vec_each(n, &from)) want_slots(w, h->frame, from.at[n]);
  vec_free(&from);
}

// Arguments that the callee, or the thread that was created, still wants.
static void callee(Backwalk *w, Here *h, const Call *call) {
  uint32_t child = w->frames[h->frame].child;
  w->frames[h->frame].child = TRACE_NONE;
  if (child == TRACE_NONE || w->t->frames.at[child].call != h->pc) return;
  h->child = child;
  const Function *f = function_of(w, child);
  if (w->frames[child].kept)
    keep(w, h, f->model && !w->t->frames.at[child].given ? BACKWALK_DATA : BACKWALK_CALL);
  uint32_t at = 0;
  if (h->i->op != OP_CALL && h->i->op != OP_ICALL) {  // the interpreter itself made the frame
    if (slots_wanted(w, child, (SlotRange){0, f->params}, true))
      keep(w, h, BACKWALK_DATA), want_arguments(w, h->frame, call);
    return;
  }
  for (uint32_t i = 0; i < call->arg_count; ++i) {
    const Pass *p = &w->c->passes.at[call->args + i];
    for (uint32_t n = 0; n < p->count && at < f->params; ++n, ++at) {
      if (!slots_wanted(w, child, (SlotRange){at, 1}, true)) continue;
      keep(w, h, BACKWALK_DATA);
      want_slots(w, h->frame, (SlotRange){p->slot + n, 1});
    }
  }
}

static uint32_t thread_named(const Backwalk *w, const Here *h) {
  for (size_t i = w->event; i-- > 0 && w->t->events.at[i].step >= w->step;) {
    const TraceEvent *e = &w->t->events.at[i];
    if (e->frame == h->frame && e->pc == h->pc) return w->schedule->events.at[e->event].other;
  }
  return SIGMA_NONE;
}

// The result of a thread, on its way from the function that ends it to who joins it.
static void thread_result(Backwalk *w, Here *h, const Call *call) {
  uint32_t thread = w->t->frames.at[h->frame].thread, other;
  if (h->i->op == OP_SYNC && call->sync && call->sync->kind == SYNC_JOIN && (h->why || h->target) &&
      spreads(w, h)) {
    other = thread_named(w, h);
    if (other < w->schedule->threads) w->wanted += !w->results[other], w->results[other] = true;
  }
  if (h->i->op == OP_HOST && h->i->a == w->ends && w->results[thread]) {
    w->results[thread] = false, --w->wanted;
    keep(w, h, BACKWALK_DATA);
  }
  if (h->i->op == OP_HOST && h->i->a == w->leaves && w->leaving[thread]) {
    w->leaving[thread] = false, --w->wanted;
    keep(w, h, BACKWALK_DATA);
  }
}

static bool is_of(const TraceEffect *e, const Here *h) {
  if (e->pc != TRACE_NONE && e->pc & TRACE_ARGUMENT) return false;
  return e->pc == h->pc || (e->pc == TRACE_NONE && ends_step(h->i));
}

// Arguments without a name, which the callee reads from memory.
static void listed_arguments(Backwalk *w, Here *h, const Call *call) {
  for (size_t i = w->effect; i-- > 0 && w->t->effects.at[i].step == w->step;) {
    const TraceEffect *e = &w->t->effects.at[i];
    if (e->pc == TRACE_NONE || !(e->pc & TRACE_ARGUMENT) || !memory_wanted(w, e->address, e->size, true))
      continue;
    const Pass *p = &w->c->passes.at[call->args + (e->pc & ~TRACE_ARGUMENT)];
    keep(w, h, BACKWALK_DATA);
    want_slots(w, h->frame, (SlotRange){p->slot, p->count});
  }
}

// What is not the program's: whatever it wrote may come from all that it was given and read.
static void effects(Backwalk *w, Here *h, const Call *call) {
  size_t from = w->effect;
  while (from && w->t->effects.at[from - 1].step == w->step) --from;
  for (size_t i = from; i < w->effect; ++i) {
    const TraceEffect *e = &w->t->effects.at[i];
    if (e->writes && is_of(e, h) && memory_wanted(w, e->address, e->size, true)) keep(w, h, BACKWALK_DATA);
  }
  if (call) thread_result(w, h, call);
  take_result(w, h);
  if (!(h->why & BACKWALK_DATA || h->target) || !spreads(w, h)) return;
  if (call) want_arguments(w, h->frame, call);
  for (size_t i = from; i < w->effect; ++i) {
    const TraceEffect *e = &w->t->effects.at[i];
    if (!e->writes && is_of(e, h)) backwalk_want_memory(w, e->address, e->size);
  }
}

static void do_call(Backwalk *w, Here *h) {
  const Call *call = &w->c->calls.at[h->i->imm];
  phis(w, h);
  // Its result came from the return that has been passed, if there was one.
  effects(w, h, call);
  listed_arguments(w, h, call);
  if (h->target && (h->i->op == OP_CALL || h->i->op == OP_ICALL)) want_arguments(w, h->frame, call);
  callee(w, h, call);
}

static void do_local(Backwalk *w, Here *h) {
  uint64_t at = w->t->frames.at[h->frame].memory + h->i->imm;
  if (h->i->op >= OP_PUT8 && h->i->op <= OP_PUT64)
    store_at(w, h, at, h->i->bytes);
  else
    load_at(w, h, at, h->i->bytes);
}

static bool other_way_matters(Backwalk *w, const Here *h) {
  const OtherWay *o = otherway_of(w->ways, h->pc);
  const TraceFrame *f = &w->t->frames.at[h->frame];
  if (o->misses || (o->unknown && w->wanted_apart)) return true;
  if (o->frame && memory_wanted(w, f->memory, function_of(w, h->frame)->frame, false)) return true;
  for (vec_each(i, &o->writes)) {
    const OtherWrite *x = &o->writes.at[i];
    if (memory_wanted(w, x->absolute ? x->at : f->memory + x->at, x->size, false)) return true;
  }
  return false;
}

static void do_inst(Backwalk *w, Here *h) {
  Op op = (Op)h->i->op;
  if (op >= OP_LOAD8 && op <= OP_LOADN) {
    load_at(w, h, next_address(w), h->i->bytes);
  } else if (op >= OP_STORE8 && op <= OP_STOREN) {
    store_at(w, h, next_address(w), h->i->bytes);
  } else if (op >= OP_GET8 && op <= OP_PUT64) {
    do_local(w, h);
  } else if (op == OP_RMW || op == OP_CMPXCHG) {
    exchange_at(w, h);
  } else if (op == OP_COPY) {
    copy_at(w, h);
  } else if (op == OP_FILL || op == OP_BEGIN || op == OP_ALLOCA) {
    uint64_t size = next_address(w);
    store_at(w, h, next_address(w), size);
    take_result(w, h);
  } else if (op == OP_CALL || op == OP_ICALL || op == OP_SYNC || op == OP_HOST) {
    do_call(w, h);
  } else if (op == OP_VASTART || op == OP_VACOPY || op == OP_SETJMP || op == OP_LONGJMP) {
    effects(w, h, NULL);
  } else if (op == OP_RET) {
    return_from(w, h);
  } else if (op == OP_BR || op == OP_CBR || op == OP_SWITCH) {
    phis(w, h);
    if (branch_wanted(w, h->frame, h->pc))
      keep(w, h, BACKWALK_CONTROL);
    else if (w->ways && op != OP_BR && !function_of(w, h->frame)->model && other_way_matters(w, h))
      keep(w, h, BACKWALK_OTHER_WAY);
  } else {
    take_result(w, h);
  }
}

// --- judges

static bool is_write(Op op) {
  return (op >= OP_STORE8 && op <= OP_STOREN) || op == OP_RMW || op == OP_CMPXCHG || op == OP_COPY ||
         op == OP_FILL;
}

static bool is_judged(Op op) {
  return is_write(op) || op == OP_CBR || op == OP_SWITCH || op == OP_CALL || op == OP_ICALL ||
         op == OP_SYNC || op == OP_HOST;
}

static BackwalkVisit visit_of(const Backwalk *w, const Here *h) {
  size_t first = w->effect;
  while (first && w->t->effects.at[first - 1].step == w->step) --first;
  return (BackwalkVisit){.at = {(uint32_t)w->step, h->pc},
                         .frame = h->frame,
                         .thread = w->t->frames.at[h->frame].thread,
                         .why = h->why,
                         .inst = bytecode_origin(w->c, h->pc),
                         .model = w->c->functions.at[w->t->frames.at[h->frame].function].model,
                         .address = h->address,
                         .from = h->from,
                         .size = h->size,
                         .behind = w->frames[h->frame].behind,
                         .child = h->child,
                         .effects = first,
                         .effects_end = w->effect};
}

static BackwalkVerdict ask_judge(Backwalk *w, const Here *h) {
  BackwalkVisit v = visit_of(w, h);
  return w->judge(w->judge_self, w, &v);
}

static void keep_judged(Backwalk *w, Here *h) {
  bool kept = h->why || h->target;
  keep(w, h, BACKWALK_JUDGED);
  if (kept) return;
  w->frames[h->frame].kept = true;
  if (is_write((Op)h->i->op) && h->i->op != OP_COPY)
    want_slots(w, h->frame, h->o.reads[0]);
  else
    want_reads(w, h->frame, &h->o);
  if (h->i->op == OP_FILL) want_slots(w, h->frame, h->o.reads[2]);
  want_branches(w, h->frame, h->pc);
}

void backwalk_judge(Backwalk *w, BackwalkJudge *judge, void *self) {
  w->judge = judge, w->judge_self = self;
}
void backwalk_want_slots(Backwalk *w, uint32_t frame, uint32_t first, uint32_t count) {
  want_slots(w, frame, (SlotRange){first, count});
}
bool backwalk_slots_wanted(Backwalk *w, uint32_t frame, uint32_t first, uint32_t count) {
  return slots_wanted(w, frame, (SlotRange){first, count}, false);
}
bool backwalk_result_wanted(Backwalk *w, uint32_t frame, bool take) {
  const TraceFrame *f = &w->t->frames.at[frame];
  const Inst *i = f->caller == TRACE_NONE || f->starts ? NULL : &w->c->insts.at[f->call];
  if (!i || (i->op != OP_CALL && i->op != OP_ICALL)) return false;
  const Call *call = &w->c->calls.at[i->imm];
  return slots_wanted(w, f->caller, (SlotRange){call->result, call->result_count}, take);
}
Ids backwalk_readers(const Backwalk *w) {
  return (Ids){w->live_pcs.at, w->live_pcs.len};
}

// --- the steps

static void enter_step(Backwalk *w) {
  const TraceStep *s = &w->t->steps.at[--w->step];
  uint32_t frame = s->frame & ~TRACE_GOES_ON;
  WalkFrame *x = &w->frames[frame];
  w->first = s->pc;
  uint32_t end = s->pc;
  if (x->cut != TRACE_NONE) {
    end = x->cut;
  } else {
    while (!ends_step(&w->c->insts.at[end])) ++end;
    ++end;
  }
  assert(end >= s->pc);
  x->cut = s->frame & TRACE_GOES_ON ? s->pc : TRACE_NONE;
  w->pc = end;
  w->inside = true;
}

// Its variables were nothing's before, whatever else has stood there.
static void begin_frame(Backwalk *w, uint32_t frame) {
  const TraceFrame *f = &w->t->frames.at[frame];
  Op op = f->caller == TRACE_NONE ? OPS : (Op)w->c->insts.at[f->call].op;
  if (op != OPS && (!f->given || op == OP_SYNC || op == OP_HOST || f->function == w->once))
    w->frames[f->caller].child = frame;
  else if (slots_wanted(w, frame, (SlotRange){0, function_of(w, frame)->params}, true))
    w->wanted += !w->leaving[f->thread], w->leaving[f->thread] = true;
  uint64_t size = function_of(w, frame)->frame;
  if (!memory_wanted(w, f->memory, size, false)) return;
  for (uint64_t i = 0; i < size; ++i)
    if (memory_wanted(w, f->memory + i, 1, true)) vec_push(&w->unwritten, f->memory + i);
}

static void leave_step(Backwalk *w) {
  const TraceStep *s = &w->t->steps.at[w->step];
  uint32_t frame = s->frame & ~TRACE_GOES_ON;
  const TraceFrame *f = &w->t->frames.at[frame];
  bool begins = !(s->frame & TRACE_GOES_ON) && w->c->blocks.at[w->c->block_of.at[s->pc]].first == s->pc;
  if (!(s->frame & TRACE_GOES_ON)) w->frames[frame].behind = begins ? w->c->block_of.at[s->pc] : CODE_NONE;
  if (f->entered == w->step) begin_frame(w, frame);
  while (w->effect && w->t->effects.at[w->effect - 1].step >= w->step) --w->effect;
  while (w->event && w->t->events.at[w->event - 1].step >= w->step) --w->event;
  w->inside = false;
}

enum { WANTED = 1, WANTED_HAPPENED };

static uint64_t wanted_as(const Backwalk *w, uint32_t pc) {
  return map_or(w->targets, target_key((uint32_t)w->step, pc), 0);
}

static bool has_targets(const Backwalk *w) {
  return w->targets_left && w->target_steps[w->step / 64] >> (w->step % 64) & 1;
}

static bool gives_wanted(const WalkFrame *x, SlotRange r) {
  if (!x->slots) return false;
  for (uint32_t s = r.first; s < r.first + r.count; ++s)
    if (x->slots[s / 64] >> (s & 63) & 1) return true;
  return false;
}

// Most instances are of no interest. If this one is not, it is passed at once.
static bool is_unwanted(Backwalk *w, uint32_t frame, uint32_t pc) {
  const WalkFrame *x = &w->frames[frame];
  const Inst *i = &w->c->insts.at[pc];
  switch ((Does)w->facts->does[pc]) {
    case DOES_RESULT:
    case DOES_GET:
      return !gives_wanted(x, w->facts->operands[pc].gives);
    case DOES_LOAD:
      if (gives_wanted(x, w->facts->operands[pc].gives)) return false;
      break;
    case DOES_STORE:
      if (memory_wanted(w, w->t->addresses.at[w->address - 1], i->bytes, false)) return false;
      break;
    case DOES_PUT:
      return !memory_wanted(w, w->t->frames.at[frame].memory + i->imm, i->bytes, false);
    case DOES_OTHER:
      return false;
  }
  next_address(w);
  return true;
}

// Nothing is wanted but instances of earlier steps.
static bool can_skip(const Backwalk *w) {
  uint32_t frame = w->t->steps.at[w->step].frame & ~TRACE_GOES_ON;
  if (w->wanted || w->judge || (!w->faulted && frame == w->t->fault_frame)) return false;
  return !has_targets(w);
}

static void skip_step(Backwalk *w) {
  w->address -= w->facts->addresses[w->pc] - w->facts->addresses[w->first];
  leave_step(w);
}

bool backwalk_next(Backwalk *w, BackwalkVisit *out) {
  for (;;) {
    if (!w->wanted && !w->targets_left && !w->judge) return false;
    if (!w->inside) {
      if (!w->step) return false;
      enter_step(w);
      if (can_skip(w)) {
        skip_step(w);
        continue;
      }
    }
    uint32_t frame = w->t->steps.at[w->step].frame & ~TRACE_GOES_ON;
    bool targets = has_targets(w), faults = !w->faulted && frame == w->t->fault_frame;
    while (w->pc > w->first) {
      if (!targets && !faults && !w->judge && is_unwanted(w, frame, w->pc - 1)) {
        --w->pc, ++w->passed;
        continue;
      }
      const Inst *i = &w->c->insts.at[--w->pc];
      ++w->passed;
      Here h = {.frame = frame, .pc = w->pc, .i = i, .o = w->facts->operands[w->pc], .child = TRACE_NONE};
      h.target = targets && wanted_as(w, w->pc) == WANTED;
      if (h.target) --w->targets_left;
      bool happened = targets && wanted_as(w, h.pc) == WANTED_HAPPENED;
      w->at_frame = frame, w->at_pc = w->pc;
      bool only = w->judge && i->op == OP_RET && ask_judge(w, &h) == BACKWALK_ONLY;
      if (only) h.why = BACKWALK_JUDGED;
      bool fault = !w->faulted && frame == w->t->fault_frame && w->pc + 1 == w->t->frames.at[frame].stopped;
      if (fault)
        w->faulted = true;  // it read and wrote nothing
      else
        do_inst(w, &h);
      if (happened) --w->targets_left, h.why |= BACKWALK_HAPPENED;
      bool kept = h.why || h.target;
      if (kept && !only) go_spread(w, &h);
      if (w->judge && !fault && is_judged((Op)i->op) && ask_judge(w, &h) == BACKWALK_KEEP) keep_judged(w, &h);
      if (!h.why && !h.target) continue;
      *out = visit_of(w, &h);
      return true;
    }
    leave_step(w);
  }
}

Backwalk *backwalk_new(const Runner *r, const RunTrace *t, unsigned options) {
  Backwalk *w = mem_alloc(sizeof *w);
  w->c = runner_code(r), w->facts = runner_facts(r), w->t = t, w->options = options;
  w->schedule = t->schedule;
  w->frames = mem_array(t->frames.len + 1, sizeof *w->frames);
  for (vec_each(i, &t->frames)) {
    w->frames[i].cut = t->frames.at[i].stopped;
    w->frames[i].behind = w->frames[i].child = CODE_NONE;
  }
  w->paths = mem_array(w->c->functions.len + 1, sizeof(Paths *));
  w->results = mem_array((size_t)w->schedule->threads + 1, sizeof *w->results);
  w->leaving = mem_array((size_t)w->schedule->threads + 1, sizeof *w->leaving);
  w->leaves = host_find("host_thread_leaves", true), w->ends = host_find("host_thread_end", true);
  w->once = bytecode_function(w->c, "specialize_call");
  w->targets = map_new(), w->reader_of = map_new();
  if (options & BACKWALK_PATH) {
    w->ways = otherways_new(w->c);
    w->stacks = mem_array((size_t)w->schedule->threads + 1, sizeof *w->stacks);
    for (size_t k = t->frames.len; k-- > 0;)
      if (t->frames.at[k].starts) w->stacks[t->frames.at[k].thread] = t->frames.at[k].memory;
  }
  w->step = t->steps.len, w->address = t->addresses.len, w->effect = t->effects.len, w->event = t->events.len;
  return w;
}

void backwalk_through(Backwalk *w, BackwalkThrough *f, void *data) {
  w->through = f, w->through_data = data;
}

void backwalk_free(Backwalk *w) {
  if (!w) return;
  for (vec_each(i, &w->t->frames)) mem_free(w->frames[i].slots), mem_free(w->frames[i].blocks);
  for (vec_each(i, &w->c->functions)) paths_free(w->paths[i]);
  map_free(w->targets), map_free(w->reader_of);
  vec_free(&w->reader_pcs), vec_free(&w->places), vec_free(&w->reader_bytes);
  vec_free(&w->live), vec_free(&w->live_pcs);
  vec_free(&w->unwritten);
  mem_free(w->target_steps), mem_free(w->stacks);
  otherways_free(w->ways);
  mem_free(w->frames), mem_free(w->paths), mem_free(w->results), mem_free(w->leaving), mem_free(w->pieces);
  mem_free(w);
}

static void want_instance(Backwalk *w, BackwalkInstance i, uint64_t as) {
  assert(i.step < w->step || (i.step == w->step && (!w->inside || i.pc < w->pc)));
  uint64_t was = map_or(w->targets, target_key(i.step, i.pc), 0);
  if (was == WANTED || was == as) return;
  map_put(w->targets, target_key(i.step, i.pc), as);
  if (!w->target_steps) w->target_steps = mem_array(w->t->steps.len / 64 + 1, sizeof *w->target_steps);
  w->target_steps[i.step / 64] |= UINT64_C(1) << (i.step % 64);
  w->targets_left += !was;
}
void backwalk_want(Backwalk *w, BackwalkInstance i) {
  want_instance(w, i, WANTED);
}
void backwalk_want_happened(Backwalk *w, BackwalkInstance i) {
  want_instance(w, i, WANTED_HAPPENED);
}

uint64_t backwalk_unwritten(const Backwalk *w, uint64_t *addresses, size_t room) {
  uint64_t n = w->unwritten.len;
  for (size_t i = 0; i < n && i < room; ++i) addresses[i] = w->unwritten.at[i];
  for (size_t i = 0; i < w->room; ++i)
    for (unsigned b = 0; b < 8; ++b) {
      if (!(w->pieces[i].bytes >> b & 1)) continue;
      if (n < room) addresses[n] = (w->pieces[i].piece - 1) * 8 + b;
      ++n;
    }
  return n;
}

uint64_t backwalk_passed(const Backwalk *w) {
  return w->passed;
}

// Where all has been gone over, every address of the trace has been used.
void backwalk_check(const Backwalk *w) {
  uint64_t pieces = 0;
  for (size_t i = 0; i < w->room; ++i) pieces += w->pieces[i].bytes != 0;
  assert(pieces <= w->wanted);
  if (!w->step && !w->inside) assert(!w->address && !w->effect);
}
