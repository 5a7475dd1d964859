// How large clones will be, told from the plan and the pieces before anything is changed.
#include "specializer.h"

typedef struct {
  const CfspecInput *in;
  const Plan *plan;
  Pieces **pieces;  // by function
  Map *sizes;       // of sets, by function, place and end
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

static void add_activation(Sizer *z, const Activation *a) {
  const CfspecInput *in = z->in;
  Pieces **pieces = &z->pieces[a->function];
  if (!*pieces)
    *pieces = pieces_new(callgraph_function(in->graph, a->function), in->sites, in->sync, z->plan->soft);
  uint32_t from = 0;
  for (vec_each(i, &a->steps)) {
    const Step *s = &a->steps.at[i];
    add_segment(z, *pieces, from, s->site);
    from = pieces_after(*pieces, s->site, s->end == END_UNWINDS);
  }
  add_segment(z, *pieces, from, a->end == END_RETURNS ? TO_RETURN : TO_ANYWHERE);
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
