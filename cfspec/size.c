// How large clones will be, told from the plan and the pieces before anything is changed.
#include "specializer.h"
#include <assert.h>

typedef struct {
  const CfspecInput *in;
  const Plan *plan;
  Pieces **pieces;  // by function
  Map *sizes;       // of sets, by function, place and end
  bool *exits;      // by piece, of one activation: where generic code may be entered; NULL: none is made
  size_t total;
} Sizer;

static size_t piece_size(const Piece *p) {
  size_t n = 0;
  for (LLVMValueRef i = p->first; i; i = i == p->last ? NULL : LLVMGetNextInstruction(i)) ++n;
  return n;
}

static void add_segment(Sizer *z, Pieces *pieces, uint32_t from, uint32_t to) {
  if (from == PIECE_NONE) return;
  const uint64_t *set = pieces_between(pieces, from, to);
  uint64_t known;
  if (!map_get(z->sizes, map_key(set), &known)) {
    known = 0;
    for (uint32_t i = 0; i < pieces->pieces.len; ++i)
      if (pieces_in(set, i)) known += piece_size(&pieces->pieces.at[i]);
    map_put(z->sizes, map_key(set), known);
  }
  z->total += known;
}

static void mark(Sizer *z, uint32_t piece) {
  if (z->exits && piece != PIECE_NONE) z->exits[piece] = true;
}

// The ways that lead out of a segment (clone.c).
static void mark_segment(Sizer *z, Pieces *pieces, uint32_t from, uint32_t to) {
  if (!z->exits || from == PIECE_NONE) return;
  const uint64_t *set = pieces_between(pieces, from, to);
  if (!pieces_in(set, from)) mark(z, from);
  for (uint32_t i = 0; i < pieces->pieces.len; ++i) {
    if (!pieces_in(set, i)) continue;
    uint32_t site = pieces->pieces.at[i].site;
    if (site != SITE_NONE && site != to) mark(z, i);
    Ids next = lists_of(&pieces->next, i);
    for (vec_each(n, &next))
      if (!pieces_in(set, next.at[n])) mark(z, next.at[n]);
  }
}

// The ways that lead out at an event (step.c).
static void mark_step(Sizer *z, Pieces *pieces, const Step *s) {
  LLVMValueRef call = sites_call(z->in->sites, s->site);
  if (!callgraph_direct(z->in->graph, s->site))
    mark(z, (uint32_t)map_or(pieces->behind, s->site, PIECE_NONE));
  if (s->operation == SIGMA_NONE || s->end != END_RETURNS) mark(z, pieces_after(pieces, s->site, false));
  if (!LLVMIsAInvokeInst(call)) return;
  mark(z, pieces_after(pieces, s->site, false));
  mark(z, pieces_after(pieces, s->site, true));
}

static void spread(Sizer *z, uint32_t from, IdVec *queue) {
  if (from == PIECE_NONE || z->exits[from]) return;
  z->exits[from] = true;
  vec_push(queue, from);
}

// All that generic code can come to from there.
static void add_generic(Sizer *z, Pieces *pieces) {
  IdVec queue = {0};
  for (uint32_t i = 0; i < pieces->pieces.len; ++i)
    if (z->exits[i]) vec_push(&queue, i);
  for (size_t i = 0; i < queue.len; ++i) {
    const Piece *p = &pieces->pieces.at[queue.at[i]];
    Ids next = lists_of(&pieces->next, queue.at[i]);
    for (vec_each(n, &next)) spread(z, next.at[n], &queue);
    if (p->site != SITE_NONE) spread(z, pieces_after(pieces, p->site, false), &queue);
    if (p->site != SITE_NONE) spread(z, pieces_after(pieces, p->site, true), &queue);
    z->total += piece_size(p);
  }
  vec_free(&queue);
}

static void add_activation(Sizer *z, const Activation *a) {
  const CfspecInput *in = z->in;
  Pieces **pieces = &z->pieces[a->function];
  assert(!z->exits);
  if (!*pieces)
    *pieces = pieces_new(callgraph_function(in->graph, a->function), in->sites, in->sync, z->plan->soft);
  if (in->free) z->exits = mem_array((*pieces)->pieces.len + 1, sizeof *z->exits);
  uint32_t from = 0;
  for (vec_each(i, &a->steps)) {
    const Step *s = &a->steps.at[i];
    bool jumps = s->jump != SIGMA_NONE;
    add_segment(z, *pieces, from, jumps ? TO_ANYWHERE : s->site);
    mark_segment(z, *pieces, from, jumps ? TO_ANYWHERE : s->site);
    if (jumps) {
      from = pieces_behind(*pieces, sites_call(z->in->sites, s->site));
      continue;
    }
    mark_step(z, *pieces, s);
    from = pieces_after(*pieces, s->site, s->end == END_UNWINDS);
  }
  uint32_t to = a->end == END_RETURNS ? TO_RETURN : TO_ANYWHERE;
  add_segment(z, *pieces, from, to);
  mark_segment(z, *pieces, from, to);
  if (in->free) add_generic(z, *pieces);
  mem_free(z->exits);
  z->exits = NULL;
}

static bool add_schedule(Sizer *z, uint32_t id, Diags *diags) {
  Plan plan;
  uint32_t functions = callgraph_count(z->in->graph);
  bool ok = plan_make(&plan, z->in->sigma, id, z->in->graph, z->in->soften, diags);
  z->plan = &plan;
  z->pieces = mem_array(functions + 1, sizeof *z->pieces);
  z->sizes = map_new();
  for (size_t a = 0; ok && a < plan.activations.len; ++a)
    if (plan.activations.at[a].function != CALLGRAPH_NONE) add_activation(z, &plan.activations.at[a]);
  for (uint32_t f = 0; f < functions; ++f) pieces_free(z->pieces[f]);
  mem_free(z->pieces);
  map_free(z->sizes);
  plan_free(&plan);
  return ok;
}

size_t cfspec_size(const CfspecInput *in, Diags *diags) {
  Sizer z = {.in = in};
  for (size_t i = 0; i < in->count; ++i)
    if (!add_schedule(&z, in->schedules[i], diags)) return SIZE_MAX;
  return z.total;
}
