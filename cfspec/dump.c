// What --dump shows: the segments of each activation as they will be cut, before values go to memory, so that
// instructions are those of the program.
#include <stdarg.h>
#include "specializer.h"

typedef struct {
  Module *k;
  const CfspecInput *in;
  const Plan *plan;
  const Point *point;
  Pieces **pieces;  // by function
} Dumper;

__attribute__((format(printf, 2, 3))) static void put(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  size_t len = strlen(text);
  bool ends = len && text[len - 1] == '\n';  // ours; names of the program are before it
  put_shown_span(out, span_of(text, len - ends));
  if (ends) bytes_text(out, "\n");
  mem_free(text);
}

// The first instruction from there on that has a line.
static void put_place(Bytes *out, LLVMValueRef i) {
  Place w = {0};
  for (; i && !w.file; i = LLVMGetNextInstruction(i)) w = where(i);
  if (w.file)
    put(out, "%s:%u:%u", w.file, w.line, w.column);
  else
    put(out, "an unknown line");
}

static uint64_t count(const Pieces *p, const uint64_t *set) {
  uint64_t n = 0;
  for (uint32_t i = 0; i < p->pieces.len; ++i) {
    const Piece *one = &p->pieces.at[i];
    if (!pieces_in(set, i)) continue;
    for (LLVMValueRef x = one->first; x; x = x == one->last ? NULL : LLVMGetNextInstruction(x)) ++n;
  }
  return n;
}

// Of all segments: what the log of decisions keeps of a way that is never taken.
static void decide_branches(const Pieces *p, const uint64_t *set, LLVMValueRef end) {
  for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, n);
    if (pieces_in(set, pieces_block(p, to))) continue;
    Bytes what = {0};
    put(&what, "not to ");
    put_place(&what, LLVMGetFirstInstruction(to));
    vec_push(&what, 0);
    decided("branches", where(end), (const char *)what.at,
            "from there the next event of the schedule cannot be reached");
    vec_free(&what);
  }
}

// A branch that a segment can come to, and ways from it that the segment cannot take.
static void put_branch(Bytes *out, const Pieces *p, const uint64_t *set, LLVMValueRef end) {
  for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(end, n);
    if (pieces_in(set, pieces_block(p, to))) continue;
    put(out, "    ");
    put_place(out, end);
    put(out, ": never to ");
    put_place(out, LLVMGetFirstInstruction(to));
    put(out, "\n");
  }
}

static void put_end(const Dumper *d, Bytes *out, const Step *step, uint32_t to) {
  if (!step) {
    put(out, to == TO_RETURN ? "its return" : "the end of the thread");
    return;
  }
  uint32_t event = step->call != SIGMA_NONE ? step->call : step->operation;
  event_print(d->plan->sigma, d->plan->schedule, event, out);
  put(out, " (");
  put_place(out, sites_call(d->k->sites, step->site));
  put(out, ")");
}

static void put_segment(const Dumper *d, Bytes *out, Pieces *p, uint32_t from, const Step *step,
                        uint32_t to) {
  put(out, "  ");
  put_place(out, p->pieces.at[from].first ? p->pieces.at[from].first : p->pieces.at[from].last);
  put(out, " to ");
  put_end(d, out, step, to);
}

static void dump_segment(const Dumper *d, Pieces *p, uint32_t from, const Step *step, uint32_t to) {
  const uint64_t *set = pieces_between(p, from, to), *all = pieces_between(p, from, TO_ANYWHERE);
  if (d->in->segments) {
    uint64_t kept = count(p, set);
    put_segment(d, d->in->segments, p, from, step, to);
    put(d->in->segments, ": %llu kept, %llu removed\n", (unsigned long long)kept,
        (unsigned long long)(count(p, all) - kept));
  }
  for (uint32_t i = 0; i < p->pieces.len && decisions_wanted(); ++i)
    if (pieces_in(set, i) && p->pieces.at[i].site == SITE_NONE) decide_branches(p, set, p->pieces.at[i].last);
  if (!d->in->branches) return;
  put_segment(d, d->in->branches, p, from, step, to);
  put(d->in->branches, "\n");
  for (uint32_t i = 0; i < p->pieces.len; ++i)
    if (pieces_in(set, i) && p->pieces.at[i].site == SITE_NONE)
      put_branch(d->in->branches, p, set, p->pieces.at[i].last);
}

static Pieces *pieces_of(const Dumper *d, uint32_t function) {
  Pieces **p = &d->pieces[function];
  LLVMValueRef f = callgraph_function(d->k->graph, function);
  if (!*p) *p = pieces_new(f, d->k->sites, d->k->sync, d->plan->soft);
  return *p;
}

static void dump_activation(const Dumper *d, const Activation *a) {
  Pieces *p = pieces_of(d, a->function);
  bool inside = d->point && a->begin == BEGIN_MAIN;
  uint32_t from = inside ? pieces_block(p, LLVMGetInstructionParent(d->point->at)) : 0;
  for (vec_each(i, &a->steps)) {
    const Step *s = &a->steps.at[i];
    bool jumps = s->jump != SIGMA_NONE;
    dump_segment(d, p, from, jumps ? NULL : s, jumps ? TO_ANYWHERE : s->site);
    if (jumps) {
      from = pieces_behind(p, sites_call(d->k->sites, s->site));
      continue;
    }
    from = s->end == END_STOPS ? PIECE_NONE : pieces_after(p, s->site, s->end == END_UNWINDS);
    if (from == PIECE_NONE) return;
  }
  dump_segment(d, p, from, NULL, a->end == END_RETURNS ? TO_RETURN : TO_ANYWHERE);
}

void dump_schedule(Module *k, const CfspecInput *in, const Plan *plan, const Point *point, uint32_t id) {
  if (!in->segments && !in->branches && !decisions_wanted()) return;
  uint32_t functions = callgraph_count(k->graph);
  Dumper d = {.k = k, .in = in, .plan = plan, .point = point};
  d.pieces = mem_array(functions + 1, sizeof *d.pieces);
  Bytes *outs[] = {in->segments, in->branches};
  for (vec_each(i, &plan->activations)) {
    const Activation *a = &plan->activations.at[i];
    if (a->function == CALLGRAPH_NONE) continue;
    for (int o = 0; o < 2; ++o)
      if (outs[o])
        put(outs[o], "%s of schedule %u, thread %u, activation %zu: %s\n", o ? "cf" : "segments", id,
            a->thread, i, LLVMGetValueName(callgraph_function(k->graph, a->function)));
    dump_activation(&d, a);
  }
  for (uint32_t f = 0; f < functions; ++f) pieces_free(d.pieces[f]);
  mem_free(d.pieces);
}
