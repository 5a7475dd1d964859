#include "tell.h"
#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include "ir/ir.h"

enum { LONGEST = 100 };

typedef struct {
  const Examined *of;
  const Chain *c;
  Sources *sources;
  SliceReport *out;
  Vec(RunInstance) watched;
  RunValue *values;
  uint32_t *steps;  // by node: number of its step; 0: none
} Teller;

// --- values

static uint32_t watch(Teller *t, RunInstance at) {
  for (vec_each(i, &t->watched))
    if (t->watched.at[i].step == at.step && t->watched.at[i].pc == at.pc) return (uint32_t)i;
  vec_push(&t->watched, at);
  return (uint32_t)t->watched.len - 1;
}

// The instance of a node whose value says most: what it stored, or else what it gave.
static RunInstance telling(const Teller *t, const ChainNode *n) {
  const Evidence *e = n->evidence;
  if (e && n->kind == CHAIN_PAIR) return e->kind == EVIDENCE_LOST ? e->write.at : e->read.at;
  if (e && n->kind == CHAIN_OTHER) return e->kind == EVIDENCE_LOST ? e->other.at : e->write.at;
  RunInstance best = n->at;
  for (vec_each(i, &n->group))
    if (runner_role(t->of->runner, n->group.at[i].pc) == CODE_STORE) return n->group.at[i];
  return best;
}

static void watch_all(Teller *t, Diags *d) {
  for (vec_each(i, &t->c->told)) {
    const ChainNode *n = &t->c->nodes.at[t->c->told.at[i]];
    watch(t, telling(t, n));
    if (n->evidence) watch(t, n->evidence->read.at);
  }
  t->values = mem_array(t->watched.len + 1, sizeof *t->values);
  RunTrace *again = run_trace_new();
  RunResult result = {0};
  RunOptions how = {.sigma = t->of->sigma, .schedule = t->of->schedule, .trace = again, .tail = t->of->tail};
  how.watch = t->watched.at, how.watch_count = t->watched.len, how.values = t->values;
  if (t->watched.len) runner_run(t->of->runner, &how, &result, d);
  run_result_free(&result);
  run_trace_free(again);
}

static LLVMTypeRef type_of(LLVMValueRef inst) {
  if (LLVMIsAStoreInst(inst)) return LLVMTypeOf(LLVMGetOperand(inst, 0));
  if (LLVMIsABranchInst(inst) || LLVMIsASwitchInst(inst))
    return LLVMIsABranchInst(inst) && !LLVMIsConditional(inst)
               ? NULL
               : LLVMTypeOf(LLVMIsABranchInst(inst) ? LLVMGetCondition(inst) : LLVMGetOperand(inst, 0));
  return LLVMTypeOf(inst);
}

static void put_number(LLVMTypeRef type, uint64_t word, Bytes *out) {
  char text[64] = "";
  float f;
  double x;
  unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      if (bits == 1)
        snprintf(text, sizeof text, word & 1 ? "true" : "false");
      else if (bits <= 64)
        snprintf(text, sizeof text, "%" PRId64, (int64_t)(word << (64 - bits)) >> (64 - bits));
      break;
    case LLVMFloatTypeKind:
      memcpy(&f, &word, sizeof f);
      snprintf(text, sizeof text, "%.9g", (double)f);
      break;
    case LLVMDoubleTypeKind:
      memcpy(&x, &word, sizeof x);
      snprintf(text, sizeof text, "%.17g", x);
      break;
    case LLVMPointerTypeKind:
      if (!word) snprintf(text, sizeof text, "null");
      break;
    default:
      break;
  }
  bytes_text(out, text);
}

// Empty: not known, or nothing that says anything.
static void put_value(Teller *t, RunInstance at, Bytes *out) {
  const RunValue *v = &t->values[watch(t, at)];
  LLVMValueRef inst = runner_inst(t->of->runner, at.pc);
  LLVMTypeRef type = inst && v->known ? type_of(inst) : NULL;
  if (type) put_number(type, v->words[0], out);
}

// --- words

static void put_code(Teller *t, const ChainNode *n, Bytes *out) {
  LLVMValueRef inst = n->inst ? n->inst : runner_inst(t->of->runner, n->at.pc);
  Place p = inst ? where(inst) : (Place){0};
  Span line = t->sources && p.file ? sources_line(t->sources, p.file, p.line) : (Span){0};
  while (line.len && (*line.at == ' ' || *line.at == '\t')) ++line.at, --line.len;
  while (line.len && (line.at[line.len - 1] == ' ' || line.at[line.len - 1] == '{')) --line.len;
  bytes_text(out, "`");
  if (line.len)
    vec_append(out, line.at, line.len < LONGEST ? line.len : LONGEST);
  else
    bytes_text(out, "this line");
  bytes_text(out, "`");
}

static void putf(Bytes *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void putf(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  bytes_text(out, text);
  mem_free(text);
}

static char *function_name(const Teller *t, uint32_t frame) {
  size_t len;
  LLVMValueRef f = runner_function(t->of->runner, t->of->trace->frames.at[frame].function);
  char *whole = where_name(LLVMGetValueName2(f, &len)), *name = where_short(whole);
  mem_free(whole);
  return name;
}

static void put_object(const Teller *t, uint32_t object, Bytes *out) {
  const Schedule *c = t->of->sigma->schedules.at[t->of->schedule];
  const char *name = sigma_text(t->of->sigma, c->objects.at[object].name);
  if (name)
    putf(out, "`%s`", name);
  else
    object_print(c, object, out);
}

// For what a thread waits that stands at the end of the run.
static void put_wish(const Teller *t, uint32_t standing, Bytes *out) {
  const Event *e = &t->of->sigma->schedules.at[t->of->schedule]->standing.at[standing];
  if (e->object != SIGMA_NONE)
    bytes_text(out, " for "), put_object(t, e->object, out);
  else if (e->kind == SYNC_JOIN && e->other != SIGMA_NONE)
    putf(out, " for the end of T%u", e->other);
}

static void put_locks(Teller *t, const TraceAccess *a, Bytes *out) {
  const Schedule *c = t->of->sigma->schedules.at[t->of->schedule];
  HeldLocks held = {0};
  evidence_locks(t->of, a->at, &held);
  putf(out, "T%u held ", a->thread);
  if (!held.len) bytes_text(out, "no lock");
  for (vec_each(i, &held)) {
    uint32_t site = c->events.at[held.at[i].since].site;
    if (i) bytes_text(out, ", ");
    put_object(t, held.at[i].object, out);
    if (held.at[i].shared) bytes_text(out, " for reading");
    if (site != SIGMA_NONE && t->of->sigma->sites.at[site].line)
      putf(out, " (from line %u)", t->of->sigma->sites.at[site].line);
  }
  vec_free(&held);
}

static void put_nothing_orders(Teller *t, const TraceAccess *a, const TraceAccess *b, Bytes *out) {
  bytes_text(out, "; nothing orders the two: ");
  put_locks(t, a, out), bytes_text(out, ", "), put_locks(t, b, out);
}

static void put_pair(Teller *t, const ChainNode *n, Bytes *out) {
  const Evidence *e = n->evidence;
  size_t from;
  bool lost = e->kind == EVIDENCE_LOST;
  const TraceAccess *shown = n->kind == CHAIN_PAIR ? (lost ? &e->write : &e->read)
                             : lost                ? &e->other
                                                   : &e->write;
  if (n->kind == CHAIN_OTHER)
    bytes_text(out, lost                            ? "LOST: between that read and that write, "
                    : e->kind == EVIDENCE_UNORDERED ? "UNORDERED: it came from here, "
                                                    : "TOO LATE: only then, ");
  putf(out, "T%u %s ", shown->thread, shown->writes ? "wrote" : "read");
  from = out->len;
  put_value(t, shown->at, out);
  if (out->len > from && n->kind == CHAIN_PAIR && lost) {
    bytes_text(out, ", from the ");
    size_t before = out->len;
    put_value(t, e->read.at, out);
    if (out->len == before)
      out->len -= strlen(", from the ");
    else
      bytes_text(out, " it had read before");
  }
  bytes_text(out, out->len > from ? ": " : "");
  put_code(t, n, out);
  if (n->kind == CHAIN_OTHER) put_nothing_orders(t, lost ? &e->write : &e->read, shown, out);
}

static void put_end(Teller *t, const ChainNode *n, Bytes *out) {
  const RunResult *r = t->of->result;
  const char *name = r->end == RUN_DIED ? sigabbrev_np(r->signal) : NULL;
  size_t from = r->err.len;
  while (from && r->err.at[from - 1] == '\n') --from;
  size_t end = from;
  while (from && r->err.at[from - 1] != '\n') --from;
  if (r->end == RUN_DIED && r->signal == SIGABRT && end > from) {
    putf(out, "FAILED: %.*s", (int)(end - from), r->err.at + from);
  } else if (r->end == RUN_DIED) {
    putf(out, "CRASHED: %s: %s: ", name ? name : "a signal", r->why ? r->why : "");
    put_code(t, n, out);
  } else if (r->end == RUN_RECORDING_ENDS) {
    bool waits = n->inst != NULL;
    putf(out, waits ? "STUCK: T%u waits" : "STOPPED: T%u did not go on past ", n->thread);
    if (waits) put_wish(t, n->event, out), bytes_text(out, ": ");
    put_code(t, n, out);
  } else {
    putf(out, "ENDED with status %d: ", r->status);
    put_code(t, n, out);
  }
}

static void put_called(const Teller *t, const ChainNode *n, Bytes *out) {
  const TraceFrame *f = &t->of->trace->frames.at[n->frame];
  if (f->caller == TRACE_NONE || f->starts) return;
  const TraceFrame *caller = &t->of->trace->frames.at[f->caller];
  if (!runner_model(t->of->runner, caller->function) || caller->caller == TRACE_NONE) return;
  char *name = function_name(t, f->caller);
  if (!strcmp(name, "raise") || !strcmp(name, "kill"))
    bytes_text(out, ", by a signal handler");
  else if (strncmp(name, "specialize_", 11) != 0)
    putf(out, ", called by %s", name);
  mem_free(name);
}

static void put_event(const Teller *t, uint32_t event, Bytes *out) {
  const Schedule *c = t->of->sigma->schedules.at[t->of->schedule];
  const Event *e = &c->events.at[event];
  putf(out, "%s", event_word(e->kind));
  if (e->site != SIGMA_NONE && t->of->sigma->sites.at[e->site].line)
    putf(out, " at line %u", t->of->sigma->sites.at[e->site].line);
}

static void put_order(const Teller *t, const ChainNode *n, Bytes *out) {
  const ChainNode *of = &t->c->nodes.at[n->because];
  if (n->event == SIGMA_NONE) {
    bytes_text(out, "it came before that");
    return;
  }
  const Event *e = &t->of->sigma->schedules.at[t->of->schedule]->events.at[n->event];
  if (e->kind == SYNC_EXIT) {
    putf(out, "order: T%u went on when T%u had ended", n->thread, e->thread);
    return;
  }
  putf(out, "order: T%u's ", n->thread);
  put_event(t, n->event, out);
  putf(out, " let T%u go on", of->thread);
  if (n->woke != SIGMA_NONE) bytes_text(out, " from its "), put_event(t, n->woke, out);
}

static void put_initial(const Teller *t, const ChainNode *n, Bytes *out) {
  bool constant = false;
  const char *name = runner_global(t->of->runner, n->address, &constant);
  bool stack = false;
  for (vec_each(i, &t->of->trace->frames)) {
    const TraceFrame *f = &t->of->trace->frames.at[i];
    stack |= n->address >= f->memory && n->address - f->memory < (8u << 20);
    if (stack) break;
  }
  char *whole = name ? where_name(name) : NULL;
  if (name)
    putf(out, "`%s` still had its initial value: no thread had written it", whole);
  else if (stack)
    bytes_text(out, "nothing had written this variable since its function was called, or it is an input");
  else
    bytes_text(out, "nothing wrote these bytes since malloc, or they are an input");
  mem_free(whole);
}

// The thread that a call created. False: it is no such call.
static bool put_created(Teller *t, const ChainNode *n, Bytes *out) {
  const Schedule *c = t->of->sigma->schedules.at[t->of->schedule];
  for (vec_each(i, &n->group)) {
    bool sync = runner_role(t->of->runner, n->group.at[i].pc) == CODE_SYNC_CALL;
    uint32_t event = sync ? examined_event(t->of, n->group.at[i]) : SIGMA_NONE;
    if (event == SIGMA_NONE || c->events.at[event].kind != SYNC_CREATE) continue;
    putf(out, "T%u was started here: ", c->events.at[event].other), put_code(t, n, out);
    return true;
  }
  return false;
}

static void put_text(Teller *t, const ChainNode *n, bool crash, Bytes *out) {
  size_t from = 0;
  bool foreign = n->because != UINT32_MAX && t->c->nodes.at[n->because].thread != n->thread;
  char *name;
  switch (n->kind) {
    case CHAIN_TARGET:
      if (crash) {
        put_end(t, n, out);
        return;
      }
      put_code(t, n, out);
      break;
    case CHAIN_PAIR:
    case CHAIN_OTHER:
      put_pair(t, n, out);
      return;
    case CHAIN_VALUE:
      if (put_created(t, n, out)) return;
      if (foreign) putf(out, "T%u: ", n->thread);
      put_code(t, n, out);
      break;
    case CHAIN_BRANCH:
      bytes_text(out, "because of "), put_code(t, n, out);
      break;
    case CHAIN_ORDER:
      put_order(t, n, out);
      return;
    case CHAIN_CALL:
      name = function_name(t, t->c->nodes.at[n->because].frame);
      putf(out, "%s was called here: ", name), put_code(t, n, out);
      mem_free(name);
      return;
    case CHAIN_START:
      if (!put_created(t, n, out)) putf(out, "T%u was started here", t->c->nodes.at[n->because].thread);
      return;
    case CHAIN_INITIAL:
      put_initial(t, n, out);
      return;
    case CHAIN_LATE:
      bytes_text(out, "TOO LATE: "), put_code(t, n, out);
      putf(out, " was still to come; T%u had come to line %u", n->thread,
           where(runner_inst(t->of->runner, n->at.pc)).line);
      return;
    case CHAIN_FREED:
      putf(out, "T%u had freed this memory: ", n->thread), put_code(t, n, out);
      return;
    case CHAIN_HOLDS:
      putf(out, "T%u had taken it here: ", n->thread), put_code(t, n, out);
      return;
  }
  Bytes value = {0};
  put_value(t, telling(t, n), &value);
  from = value.len;
  if (from) putf(out, n->kind == CHAIN_BRANCH ? " being %.*s" : " gave %.*s", (int)value.len, value.at);
  vec_free(&value);
  put_called(t, n, out);
}

// --- steps

static SliceStepKind kind_of(const ChainNode *n) {
  static const SliceStepKind kinds[] = {[CHAIN_TARGET] = SLICE_STEP_TARGET, [CHAIN_PAIR] = SLICE_STEP_VALUE,
                                        [CHAIN_OTHER] = SLICE_STEP_LOST,    [CHAIN_VALUE] = SLICE_STEP_VALUE,
                                        [CHAIN_BRANCH] = SLICE_STEP_BRANCH, [CHAIN_ORDER] = SLICE_STEP_ORDER,
                                        [CHAIN_CALL] = SLICE_STEP_CALL,     [CHAIN_START] = SLICE_STEP_CALL,
                                        [CHAIN_INITIAL] = SLICE_STEP_INPUT, [CHAIN_LATE] = SLICE_STEP_LATE,
                                        [CHAIN_FREED] = SLICE_STEP_VALUE,   [CHAIN_HOLDS] = SLICE_STEP_ORDER};
  if (n->kind == CHAIN_OTHER && n->evidence->kind == EVIDENCE_UNORDERED) return SLICE_STEP_UNORDERED;
  if (n->kind == CHAIN_OTHER && n->evidence->kind == EVIDENCE_LATE) return SLICE_STEP_LATE;
  return kinds[n->kind];
}

// How often each told line was executed in its frame, and which time this was.
static void count_rounds(Teller *t) {
  const RunTrace *trace = t->of->trace;
  bool *frames = mem_array(trace->frames.len + 1, sizeof *frames);
  for (vec_each(i, &t->c->told)) frames[t->c->nodes.at[t->c->told.at[i]].frame] = true;
  for (size_t s = 0; s < trace->steps.len; ++s) {
    uint32_t frame = instances_frame(t->of->all, (uint32_t)s);
    if (!frames[frame]) continue;
    uint32_t first = trace->steps.at[s].pc, end = instances_end(t->of->all, (uint32_t)s);
    for (vec_each(i, &t->c->told)) {
      const ChainNode *n = &t->c->nodes.at[t->c->told.at[i]];
      if (n->frame != frame || n->at.pc < first || n->at.pc >= end) continue;
      SliceStep *x = &t->out->steps.at[i];
      ++x->rounds;
      x->round += s <= n->at.step;
    }
  }
  mem_free(frames);
  for (vec_each(i, &t->out->steps))
    if (t->out->steps.at[i].rounds < 2) t->out->steps.at[i].round = t->out->steps.at[i].rounds = 0;
}

static bool has_value(const ChainNode *n) {
  return !n->inst && (n->kind <= CHAIN_BRANCH || n->kind == CHAIN_TARGET);
}

static void tell_step(Teller *t, size_t index, bool crash) {
  uint32_t node = t->c->told.at[index];
  const ChainNode *n = &t->c->nodes.at[node];
  Bytes text = {0}, value = {0};
  Place p = where(n->inst ? n->inst : runner_inst(t->of->runner, n->at.pc));
  char *function = function_name(t, n->frame);
  put_text(t, n, crash, &text);
  if (has_value(n)) put_value(t, telling(t, n), &value);
  SliceStep s = {.kind = kind_of(n), .line = p.line, .thread = n->thread};
  s.file = p.file ? slice_text_of(t->out, "%s", p.file) : NULL;
  s.function = slice_text_of(t->out, "%s", function);
  s.text = slice_text_of(t->out, "%.*s", (int)text.len, text.at);
  s.value = value.len ? slice_text_of(t->out, "%.*s", (int)value.len, value.at) : NULL;
  s.because = n->because == UINT32_MAX ? 0 : t->steps[n->because];
  s.place = instances_number(t->of->all, n->at);
  vec_push(&t->out->steps, s);
  t->steps[node] = (uint32_t)t->out->steps.len;
  if (n->kind == CHAIN_TARGET) {
    SliceTargetPlace target = {s.file, s.value, s.line, s.thread};
    vec_push(&t->out->targets, target);
    if (!t->out->headline) t->out->headline = s.text;
  }
  mem_free(function);
  vec_free(&text), vec_free(&value);
}

void chain_tell(const Examined *of, const Chain *c, bool crash, Sources *sources, SliceReport *out,
                Diags *d) {
  Teller t = {.of = of, .c = c, .sources = sources, .out = out};
  t.steps = mem_array(c->nodes.len + 1, sizeof *t.steps);
  watch_all(&t, d);
  for (vec_each(i, &c->told)) tell_step(&t, i, crash);
  count_rounds(&t);
  mem_free(t.values), mem_free(t.steps);
  vec_free(&t.watched);
}

// --- what is not in the slice

typedef struct {
  bool code, executed, kept;
} LineState;

static LineState state_of(const Slice *s, const PlaceWanted *p, bool *pcs) {
  LineState state = {0};
  for (uint32_t pc = 0; pc < runner_pcs(s->of->runner); ++pc) {
    LLVMValueRef inst = runner_inst(s->of->runner, pc);
    if (!inst || runner_model(s->of->runner, runner_function_of(s->of->runner, pc))) continue;
    if (!place_matches(p, where(inst))) continue;
    pcs[pc] = state.code = true;
    state.executed |= s->executed_at[pc] > 0, state.kept |= s->kept_at[pc] > 0;
  }
  return state;
}

// The statement that replaced what the line wrote last. False: nothing did, or it wrote nothing.
static bool replaced_by(const Slice *s, const bool *pcs, RunInstance *out) {
  AccessWalk *w = access_walk_new(s->of->runner, s->of->all);
  Map *later = map_new();  // of a piece of memory: the number of the next write, + 1
  TraceAccess a;
  bool found = false;
  while (!found && access_walk_next(w, &a)) {
    if (!a.writes || a.begins || a.size > 4096) continue;
    uint64_t next = map_or(later, a.address / 8, 0);
    if (pcs[a.at.pc]) {
      if (!next) break;
      *out = instances_at(s->of->all, (uint32_t)(next - 1));
      found = examined_own(s->of, *out, out);
      break;
    }
    for (uint64_t p = a.address / 8; p <= (a.address + a.size - 1) / 8; ++p)
      map_put(later, p, (uint64_t)instances_number(s->of->all, a.at) + 1);
  }
  map_free(later);
  access_walk_free(w);
  return found;
}

const char *absence_tell(const Slice *s, const PlaceWanted *p, SliceReport *out) {
  bool *pcs = mem_array((size_t)runner_pcs(s->of->runner) + 1, sizeof *pcs);
  LineState state = state_of(s, p, pcs);
  RunInstance by;
  const char *text = "nothing that the target depends on uses what it did";
  if (!state.code)
    text = "no code of the program stands there";
  else if (!state.executed)
    text = "it was not executed in this run";
  else if (state.kept)
    text = "it is in the slice, but too far from the target for a chain";
  else if (replaced_by(s, pcs, &by)) {
    Place at = where(runner_inst(s->of->runner, by.pc));
    if (at.file)
      text = slice_text_of(out, "what it wrote was overwritten at %s:%u before the target could depend on it",
                           file_base(at.file), at.line);
  }
  mem_free(pcs);
  return slice_text_of(out, "%.*s:%u: %s", (int)p->len, p->file, p->line, text);
}
