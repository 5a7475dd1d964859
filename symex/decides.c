// Everything that is asked of a place in the code is asked many times, so it is kept: for each way of a
// branch that was not taken its region, the blocks up to where both ways meet; for each region and write
// which of the places that want memory it could write to.
#include "decides.h"
#include <assert.h>
#include "inside.h"
#include "operands.h"
#include "paths.h"

// Instructions that write, and for each reader whether one of them may hit what it reads.
typedef struct {
  IdVec writes;
  Bytes known;  // by reader: 0 not asked yet, 1 no, 2 yes
} Effect;

typedef struct {
  Effect effect;
  Vec(SlotRange) gives;
  bool decides;  // it comes to an event, or leaves
} Region;

typedef struct {
  IdVec writes;
  bool ends, unknown;  // it may end the process, or do nobody knows what
} CallSummary;

typedef struct {
  AliasAccesses all;
  bool known;
} Touched;

struct Decides {
  const Bytecode *c;
  const RunTrace *t;
  const Alias *alias;
  Paths **paths;  // by function
  bool past_ends;
  Map *region_of, *effect_of, *summary_of, *inst_of;
  Vec(Region *) regions;
  Vec(Effect *) effects;
  Vec(CallSummary *) summaries;
  Vec(LLVMValueRef) insts;
  Vec(Touched) touched;  // by instruction
  uint32_t *reader_of;   // by pc: reader + 1
  IdVec readers;
  uint8_t *strict;  // by frame: 1 no, 2 yes
  Bytes own_state;  // by function: of a model, 1 no, 2 yes
};

enum { NO = 1, YES = 2 };

// --- what instructions touch

static uint32_t inst_id(Decides *d, LLVMValueRef inst) {
  uint64_t known = map_or(d->inst_of, map_key(inst), 0);
  if (known) return (uint32_t)known - 1;
  Touched none = {0};
  vec_push(&d->insts, inst), vec_push(&d->touched, none);
  map_put(d->inst_of, map_key(inst), d->insts.len);
  return (uint32_t)d->insts.len - 1;
}

static bool of_program(const Decides *d, LLVMValueRef inst) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  return LLVMGetGlobalParent(f) == d->c->modules[0];
}

static const AliasAccesses *touched(Decides *d, uint32_t inst) {
  Touched *x = &d->touched.at[inst];
  if (!x->known) alias_accesses(d->alias, d->insts.at[inst], &x->all);
  x->known = true;
  return &x->all;
}

static bool accesses_meet(const Alias *a, const AliasAccess *x, const AliasAccess *y) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges))
      if (alias_ranges_meet(a, &x->ranges.at[i], &y->ranges.at[k])) return true;
  return false;
}

static bool value_uses_state(LLVMValueRef v, unsigned depth) {
  if (LLVMIsAGlobalVariable(v)) return !LLVMIsGlobalConstant(v) && !LLVMIsThreadLocal(v);
  bool uses = false;
  if (LLVMIsAConstantExpr(v) && depth < 8)
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(v); ++i)
      uses |= value_uses_state(LLVMGetOperand(v, i), depth + 1);
  return uses;
}

// Whether a model, or what it calls, has to do with variables of the models.
static bool has_state(Decides *d, uint32_t function) {
  uint8_t *known = &d->own_state.at[function];
  const Function *f = &d->c->functions.at[function];
  if (*known) return *known == YES;
  *known = NO;
  bool has = false;
  if (LLVMIsDeclaration(f->value)) return false;
  for (all_blocks(b, f->value))
    for (all_insts(i, b)) {
      for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i) && !has; ++n)
        has = value_uses_state(LLVMGetOperand(i, n), 0);
      LLVMValueRef to = call_is(i) ? call_function(i) : NULL;
      uint32_t callee = to ? (uint32_t)map_or(d->c->function_of, map_key(to), CODE_NONE) : CODE_NONE;
      if (callee != CODE_NONE && d->c->functions.at[callee].model) has = has || has_state(d, callee);
    }
  if (has) d->own_state.at[function] = YES;
  return has;
}

static bool calls_state(Decides *d, LLVMValueRef inst) {
  AliasFunctions to = {0};
  bool has = false;
  if (!call_is(inst)) return false;
  bool others = alias_callees(d->alias, inst, &to);
  for (vec_each(i, &to)) {
    if (!LLVMIsDeclaration(to.at[i])) continue;
    uint32_t f = bytecode_function(d->c, LLVMGetValueName(to.at[i]));
    has |= f != CODE_NONE && has_state(d, f);
  }
  vec_free(&to);
  return has || others;
}

static bool may_hit(Decides *d, uint32_t write, uint32_t reader_pc) {
  if (reader_pc == TRACE_NONE) return calls_state(d, d->insts.at[write]);
  LLVMValueRef reads = bytecode_origin(d->c, reader_pc);
  if (!of_program(d, reads)) return true;
  const AliasAccesses *x, *y;
  uint32_t reader = inst_id(d, reads);
  x = touched(d, write), y = touched(d, reader);
  bool read = false;
  for (vec_each(i, y)) {
    if (!(y->at[i].kind & ALIAS_READS)) continue;
    read = true;
    for (vec_each(k, x))
      if (x->at[k].kind & (ALIAS_WRITES | ALIAS_FREES) && accesses_meet(d->alias, &x->at[k], &y->at[i]))
        return true;
  }
  return !read;
}

static uint32_t reader_id(Decides *d, uint32_t pc) {
  uint32_t *id = &d->reader_of[pc == TRACE_NONE ? d->c->insts.len : pc];
  if (!*id) vec_push(&d->readers, pc), *id = (uint32_t)d->readers.len;
  return *id - 1;
}

static bool effect_hits(Decides *d, Effect *e, Ids readers) {
  for (vec_each(i, &readers)) {
    uint32_t reader = reader_id(d, readers.at[i]);
    while (e->known.len <= reader) vec_push(&e->known, 0);
    if (!e->known.at[reader]) {
      bool hits = false;
      for (vec_each(k, &e->writes))
        if ((hits = may_hit(d, e->writes.at[k], readers.at[i]))) break;
      e->known.at[reader] = hits ? YES : NO;
    }
    if (e->known.at[reader] == YES) return true;
  }
  return false;
}

// --- what calls may do

static void look_at_library(LLVMValueRef f, CallSummary *s) {
  size_t len;
  const char *name = LLVMGetValueName2(f, &len);
  if (!strncmp(name, "llvm.", 5) || sync_find(name)) return;
  const Library *l = library_find(name, true);
  s->unknown |= !l;
  s->ends |= l && (l->ends || l->ends_thread);
}

static void add_write(Decides *d, IdVec *to, LLVMValueRef inst) {
  bool writes = false;
  uint32_t id = inst_id(d, inst);
  const AliasAccesses *all = touched(d, id);
  for (vec_each(i, all)) writes |= (all->at[i].kind & (ALIAS_WRITES | ALIAS_FREES)) != 0;
  if (writes || calls_state(d, inst)) vec_push(to, id);
}

static void look_at_callees(Decides *d, LLVMValueRef call, CallSummary *s, Map *seen, AliasFunctions *work) {
  AliasFunctions to = {0};
  s->unknown |= alias_callees(d->alias, call, &to) && !call_is_asm(call);
  for (vec_each(i, &to)) {
    if (LLVMIsDeclaration(to.at[i]))
      look_at_library(to.at[i], s);
    else if (!map_or(seen, map_key(to.at[i]), 0))
      map_put(seen, map_key(to.at[i]), 1), vec_push(work, to.at[i]);
  }
  vec_free(&to);
}

// Of a call: with all functions of the program that it leads to.
static const CallSummary *summary_of(Decides *d, LLVMValueRef call) {
  uint64_t known = map_or(d->summary_of, map_key(call), 0);
  if (known) return d->summaries.at[known - 1];
  CallSummary *s = mem_alloc(sizeof *s);
  Map *seen = map_new();
  AliasFunctions work = {0};
  vec_push(&d->summaries, s);
  map_put(d->summary_of, map_key(call), d->summaries.len);
  add_write(d, &s->writes, call);
  look_at_callees(d, call, s, seen, &work);
  while (work.len) {
    LLVMValueRef f = vec_pop(&work);
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        add_write(d, &s->writes, i);
        if (call_is(i)) look_at_callees(d, i, s, seen, &work);
        s->unknown |= LLVMIsAResumeInst(i) != NULL;
      }
  }
  map_free(seen);
  vec_free(&work);
  return s;
}

static Effect *effect_new(Decides *d) {
  Effect *e = mem_alloc(sizeof *e);
  vec_push(&d->effects, e);
  return e;
}

// Of a write, or of a call of the C library, by itself.
static Effect *effect_of(Decides *d, LLVMValueRef inst) {
  uint64_t known = map_or(d->effect_of, map_key(inst), 0);
  if (known) return d->effects.at[known - 1];
  Effect *e = effect_new(d);
  map_put(d->effect_of, map_key(inst), d->effects.len);
  if (call_is(inst))
    vec_append(&e->writes, summary_of(d, inst)->writes.at, summary_of(d, inst)->writes.len);
  else
    vec_push(&e->writes, inst_id(d, inst));
  return e;
}

// --- regions

static bool is_setting_up(const Sync *s) {
  return s && (s->kind == SYNC_INIT || s->kind == SYNC_UNMODELLED);
}

// A loop around it may wait for another thread.
static bool waits_by_memory(LLVMValueRef i) {
  bool access = i && LLVMIsALoadInst(i);
  return i && (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
               (access && (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)));
}

static void look_at_inst(Decides *d, Region *g, uint32_t pc) {
  const Inst *i = &d->c->insts.at[pc];
  LLVMValueRef inst = bytecode_origin(d->c, pc);
  Operands o = operands_of(d->c, i);
  if (o.gives.count) vec_push(&g->gives, o.gives);
  g->decides |= waits_by_memory(inst);
  switch ((Op)i->op) {
    case OP_SYNC:
      g->decides |= d->c->calls.at[i->imm].event || is_setting_up(d->c->calls.at[i->imm].sync);
      break;
    case OP_CALL:
    case OP_ICALL: {
      const Call *call = &d->c->calls.at[i->imm];
      const CallSummary *s = summary_of(d, inst);
      g->decides |= call->event || call->derived || s->unknown || (s->ends && !d->past_ends);
      vec_append(&g->effect.writes, s->writes.at, s->writes.len);
      break;
    }
    case OP_LONGJMP:
    case OP_RESUME:
    case OP_REFUSED:
    case OP_INDIRECTBR:
      g->decides = true;
      break;
    case OP_HOST:
      break;
    default:
      if ((i->op >= OP_STORE8 && i->op <= OP_STOREN) || (i->op >= OP_PUT8 && i->op <= OP_PUT64) ||
          i->op == OP_RMW || i->op == OP_CMPXCHG || i->op == OP_COPY || i->op == OP_FILL)
        vec_push(&g->effect.writes, inst_id(d, inst));
  }
}

static void look_at_edge(const Decides *d, Region *g, uint32_t edge) {
  const Edge *e = &d->c->edges.at[edge];
  for (uint32_t n = 0; n < e->count; ++n) {
    SlotRange r = {d->c->moves.at[e->first + n].to, 1};
    vec_push(&g->gives, r);
  }
}

static void edges_of(const Bytecode *c, const Inst *i, IdVec *out) {
  bool calls = i->op == OP_CALL || i->op == OP_ICALL || i->op == OP_SYNC || i->op == OP_HOST;
  if (i->op == OP_BR) vec_push(out, (uint32_t)i->imm);
  if (i->op == OP_CBR) vec_push(out, i->to), vec_push(out, i->bytes);
  for (uint64_t n = 0; i->op == OP_SWITCH && n <= c->pool.at[i->imm]; ++n)
    vec_push(out, (uint32_t)c->pool.at[i->imm + 1 + 2 * n]);
  if (calls && c->calls.at[i->imm].normal != CODE_NONE) {
    vec_push(out, c->calls.at[i->imm].normal);
    vec_push(out, c->calls.at[i->imm].unwind);
  }
}

// Nothing but the mark of what cannot be.
static bool is_impossible(const Decides *d, uint32_t block) {
  const Block *b = &d->c->blocks.at[block];
  return d->c->insts.at[b->first].op == OP_UNREACHABLE;
}

static void fill_region(Decides *d, Region *g, uint32_t pc, uint32_t edge) {
  const Bytecode *c = d->c;
  uint32_t f = c->blocks.at[c->block_of.at[pc]].function, base = c->functions.at[f].first_block;
  if (!d->paths[f]) d->paths[f] = paths_new(c, f, d->past_ends);
  uint32_t meet = d->paths[f]->parent[c->block_of.at[pc] - base];
  const bool *dead = d->paths[f]->dead;
  bool *seen = mem_array(c->functions.at[f].block_count + 1, sizeof *seen);
  IdVec work = {0}, edges = {0};
  vec_push(&edges, edge);
  for (;;) {
    for (vec_each(i, &edges)) {
      uint32_t to = c->edges.at[edges.at[i]].block - base;
      if (to == meet || dead[to]) continue;
      look_at_edge(d, g, edges.at[i]);
      if (!seen[to]) seen[to] = true, vec_push(&work, to);
    }
    edges.len = 0;
    if (!work.len) break;
    uint32_t b = vec_pop(&work) + base;
    if (is_impossible(d, b)) continue;
    for (uint32_t at = c->blocks.at[b].first; at < c->blocks.at[b].end; ++at) {
      look_at_inst(d, g, at);
      edges_of(c, &c->insts.at[at], &edges);
    }
  }
  mem_free(seen);
  vec_free(&work), vec_free(&edges);
}

static Region *region_of(Decides *d, uint32_t pc, uint32_t edge) {
  uint64_t key = (uint64_t)pc << 32 | edge, known = map_or(d->region_of, key, 0);
  if (known) return d->regions.at[known - 1];
  Region *g = mem_alloc(sizeof *g);
  vec_push(&d->regions, g);
  map_put(d->region_of, key, d->regions.len);
  fill_region(d, g, pc, edge);
  return g;
}

static bool region_matters(Decides *d, Backwalk *w, Region *g, uint32_t frame) {
  if (g->decides) return true;
  for (vec_each(i, &g->gives))
    if (backwalk_slots_wanted(w, frame, g->gives.at[i].first, g->gives.at[i].count)) return true;
  return effect_hits(d, &g->effect, backwalk_readers(w));
}

// Where the run went to its end by this branch, it could have gone on.
static bool took_dead_end(Decides *d, const BackwalkVisit *v) {
  const Bytecode *c = d->c;
  uint32_t block = c->block_of.at[v->at.pc], f = c->blocks.at[block].function;
  uint32_t base = c->functions.at[f].first_block;
  if (!d->paths[f]) d->paths[f] = paths_new(c, f, d->past_ends);
  return d->paths[f]->dead[v->behind - base] && !d->paths[f]->dead[block - base];
}

static bool other_way_matters(Decides *d, Backwalk *w, const BackwalkVisit *v) {
  IdVec edges = {0};
  bool matters = v->behind == TRACE_NONE || took_dead_end(d, v);
  edges_of(d->c, &d->c->insts.at[v->at.pc], &edges);
  for (vec_each(i, &edges))
    if (!matters && d->c->edges.at[edges.at[i]].block != v->behind)
      matters = region_matters(d, w, region_of(d, v->at.pc, edges.at[i]), v->frame);
  vec_free(&edges);
  return matters;
}

// --- the C library

static const struct {
  const char *name;
  TextNumber number;
} numbers[] = {{"atoi", NUMBER_INT},
               {"atol", NUMBER_LONG},
               {"atoll", NUMBER_LONG},
               {"strtol", NUMBER_LONG},
               {"strtoll", NUMBER_LONG},
               {"__isoc23_strtol", NUMBER_LONG},
               {"__isoc23_strtoll", NUMBER_LONG},
               {"strtoul", NUMBER_UNSIGNED},
               {"strtoull", NUMBER_UNSIGNED},
               {"__isoc23_strtoul", NUMBER_UNSIGNED},
               {"__isoc23_strtoull", NUMBER_UNSIGNED},
               {"atof", NUMBER_REAL},
               {"strtod", NUMBER_REAL}};

TextNumber decides_number(const Runner *r, uint32_t function) {
  const Bytecode *c = runner_code(r);
  if (!c->functions.at[function].model) return NUMBER_NONE;
  const char *name = bytecode_name(c, function);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (!strcmp(numbers[i].name, name)) return numbers[i].number;
  return NUMBER_NONE;
}

static TextNumber number_of(const Decides *d, uint32_t frame) {
  uint32_t f = d->t->frames.at[frame].function;
  if (!d->c->functions.at[f].model) return NUMBER_NONE;
  const char *name = bytecode_name(d->c, f);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    if (!strcmp(numbers[i].name, name)) return numbers[i].number;
  return NUMBER_NONE;
}

static bool is_model(const Decides *d, uint32_t frame) {
  return d->c->functions.at[d->t->frames.at[frame].function].model;
}

// Asked where the walk comes to the end of the frame, when all that is wanted of the call is known.
static bool is_strict(Decides *d, Backwalk *w, uint32_t frame) {
  if (d->strict[frame]) return d->strict[frame] == YES;
  const TraceFrame *f = &d->t->frames.at[frame];
  bool strict = false;
  if (is_model(d, frame) && f->caller != TRACE_NONE && !f->starts) {
    if (is_model(d, f->caller))
      strict = is_strict(d, w, f->caller);
    else
      strict = effect_hits(d, effect_of(d, bytecode_origin(d->c, f->call)), backwalk_readers(w)) ||
               (number_of(d, frame) == NUMBER_NONE && backwalk_result_wanted(w, frame, false));
  }
  d->strict[frame] = strict ? YES : NO;
  return strict;
}

// A number that the program reads from a text is one thing, unless it looks at where the number ends too.
static BackwalkVerdict judge_return(Decides *d, Backwalk *w, const BackwalkVisit *v) {
  if (!is_model(d, v->frame)) return BACKWALK_PASS;
  const TraceFrame *f = &d->t->frames.at[v->frame];
  bool strict = is_strict(d, w, v->frame);
  bool number = number_of(d, v->frame) != NUMBER_NONE && f->caller != TRACE_NONE && !is_model(d, f->caller);
  if (strict || !number || !backwalk_result_wanted(w, v->frame, true)) return BACKWALK_PASS;
  const Function *to = &d->c->functions.at[f->function];
  backwalk_want_slots(w, v->frame, 0, 1);
  if (to->params > 2) backwalk_want_slots(w, v->frame, 2, 1);
  return BACKWALK_ONLY;
}

// --- events

static void want_argument(const Decides *d, Backwalk *w, uint32_t frame, const Call *call, SyncArg a) {
  if (a.place == SYNC_ABSENT || a.place == SYNC_RESULT || a.arg >= call->arg_count) return;
  const Pass *p = &d->c->passes.at[call->args + a.arg];
  backwalk_want_slots(w, frame, p->slot, p->count);
}

static BackwalkVerdict judge_operation(Decides *d, Backwalk *w, const BackwalkVisit *v, const Call *call) {
  const Sync *s = call->sync;
  if (!s || (!call->event && s->kind != SYNC_INIT)) return BACKWALK_PASS;
  want_argument(d, w, v->frame, call, s->object);
  want_argument(d, w, v->frame, call, s->mutex);
  want_argument(d, w, v->frame, call, s->id);
  want_argument(d, w, v->frame, call, s->start);
  for (uint32_t i = 0; s->kind == SYNC_INIT && i < call->arg_count; ++i)
    want_argument(d, w, v->frame, call, (SyncArg){SYNC_VALUE, i});
  for (size_t n = v->effects; n < v->effects_end && s->kind == SYNC_INIT; ++n)
    if (!d->t->effects.at[n].writes)
      backwalk_want_memory(w, d->t->effects.at[n].address, d->t->effects.at[n].size);
  return BACKWALK_KEEP;
}

static void want_all(const Decides *d, Backwalk *w, uint32_t frame, const Call *call) {
  for (uint32_t i = 0; i < call->arg_count; ++i) want_argument(d, w, frame, call, (SyncArg){SYNC_VALUE, i});
}

BackwalkVerdict decides_judge(void *self, Backwalk *w, const BackwalkVisit *v) {
  Decides *d = self;
  const Inst *i = &d->c->insts.at[v->at.pc];
  if (i->op == OP_RET) return judge_return(d, w, v);
  bool model = is_model(d, v->frame), strict = model && is_strict(d, w, v->frame);
  switch ((Op)i->op) {
    case OP_CBR:
    case OP_SWITCH:
      return (model ? strict : other_way_matters(d, w, v)) ? BACKWALK_KEEP : BACKWALK_PASS;
    case OP_CALL:
      return d->c->calls.at[i->imm].derived ? BACKWALK_KEEP : BACKWALK_PASS;
    case OP_ICALL: {
      const CallSummary *s;
      if (model) return strict ? BACKWALK_KEEP : BACKWALK_PASS;
      if (d->c->calls.at[i->imm].derived || d->c->calls.at[i->imm].event) return BACKWALK_KEEP;
      s = summary_of(d, v->inst);
      bool may = s->unknown || effect_hits(d, effect_of(d, v->inst), backwalk_readers(w));
      return may ? BACKWALK_KEEP : BACKWALK_PASS;
    }
    case OP_SYNC:
      return judge_operation(d, w, v, &d->c->calls.at[i->imm]);
    case OP_HOST:
      if (strict) want_all(d, w, v->frame, &d->c->calls.at[i->imm]);
      return strict ? BACKWALK_KEEP : BACKWALK_PASS;
    default: {
      bool may = model ? strict : effect_hits(d, effect_of(d, v->inst), backwalk_readers(w));
      return may ? BACKWALK_KEEP : BACKWALK_PASS;
    }
  }
}

Decides *decides_new(const Runner *r, const RunTrace *t, const Alias *a, bool past_ends) {
  Decides *d = mem_alloc(sizeof *d);
  d->c = runner_code(r), d->t = t, d->alias = a;
  d->past_ends = past_ends;
  d->paths = mem_array(d->c->functions.len + 1, sizeof(Paths *));
  d->region_of = map_new(), d->effect_of = map_new(), d->summary_of = map_new(), d->inst_of = map_new();
  d->reader_of = mem_array(d->c->insts.len + 1, sizeof *d->reader_of);
  d->strict = mem_array(t->frames.len + 1, 1);
  for (size_t i = 0; i < d->c->functions.len; ++i) vec_push(&d->own_state, 0);
  return d;
}

void decides_free(Decides *d) {
  if (!d) return;
  for (vec_each(i, &d->c->functions)) paths_free(d->paths[i]);
  for (vec_each(i, &d->regions)) {
    Region *g = d->regions.at[i];
    vec_free(&g->effect.writes), vec_free(&g->effect.known), vec_free(&g->gives);
    mem_free(g);
  }
  for (vec_each(i, &d->effects)) {
    vec_free(&d->effects.at[i]->writes), vec_free(&d->effects.at[i]->known);
    mem_free(d->effects.at[i]);
  }
  for (vec_each(i, &d->summaries)) vec_free(&d->summaries.at[i]->writes), mem_free(d->summaries.at[i]);
  for (vec_each(i, &d->touched)) alias_accesses_free(&d->touched.at[i].all);
  vec_free(&d->regions), vec_free(&d->effects), vec_free(&d->summaries), vec_free(&d->insts),
      vec_free(&d->touched), vec_free(&d->readers), vec_free(&d->own_state);
  map_free(d->region_of), map_free(d->effect_of), map_free(d->summary_of), map_free(d->inst_of);
  mem_free(d->reader_of), mem_free(d->strict);
  mem_free(d->paths);
  mem_free(d);
}
