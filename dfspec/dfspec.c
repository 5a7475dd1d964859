#include "dfspec.h"
#include <assert.h>
#include "ask.h"
#include "cfspec/cfspec.h"
#include "explain.h"
#include "passes.h"
#include "put.h"

typedef struct {
  size_t instructions, guards, loops;
} Count;

// Passes may make several branches of one guard, or one of several: what counts is what is named as left.
static Count count_clones(LLVMModuleRef m, uint32_t schedule) {
  Count n = {0};
  Map *met = map_new();
  uint32_t of, thread;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || !cfspec_belongs(f, &of, &thread) || of != schedule) continue;
    Cfg *cfg = cfg_new(f);
    Dom *dom = dom_new(cfg);
    Loops *loops = loops_new(cfg, dom);
    n.loops += loops_count(loops);
    for (all_blocks(b, f)) {
      if (cfg_place(cfg, cfg_id(cfg, b)) == CFG_NONE) continue;
      LLVMValueRef guard = guard_in(b), edge = guard ? LLVMGetArgOperand(guard, 0) : NULL;
      n.guards += edge && !map_or(met, map_key(edge), 0);
      if (edge) map_put(met, map_key(edge), 1);
      for (all_insts(i, b)) n.instructions++;
    }
    loops_free(loops), dom_free(dom), cfg_free(cfg);
  }
  map_free(met);
  return n;
}

// For --explain: what is known without the constraint.
static void explain(const DfspecInput *in, const Facts *facts) {
  if (!decisions_wanted()) return;
  DfspecInput bare = *in;
  Facts without = {0};
  Map *asked = map_new();
  Diags *found = diags_new();
  LLVMModuleRef copy = LLVMCloneModule(in->module);
  bare.ignore_constraint = true;
  probes_place(in->module, copy, in->schedule, asked, &without);
  explain_removed(facts, facts_ask(&bare, copy, &without, found) ? &without : NULL);
  LLVMDisposeModule(copy);
  diags_free(found);
  map_free(asked);
  vec_free(&without);
}

// One round: how much became constant; SIZE_MAX after an error.
static size_t improve(const DfspecInput *in, Map *asked, DfspecFigures *out, Diags *d) {
  Facts facts = {0};
  LLVMModuleRef copy = LLVMCloneModule(in->module);
  probes_place(in->module, copy, in->schedule, asked, &facts);
  bool ok = facts_ask(in, copy, &facts, d);
  LLVMDisposeModule(copy);
  if (ok) explain(in, &facts), explain_notes(&facts, in->notes);
  size_t changed = ok ? facts_put(in->module, &facts, in->check, !in->optimize, out) : SIZE_MAX;
  if (ok && changed && in->optimize && !clones_optimize(in->module, in->schedule, d)) changed = SIZE_MAX;
  vec_free(&facts);
  return changed;
}

bool dfspec_apply(const DfspecInput *in, DfspecFigures *out, Diags *d) {
  *out = (DfspecFigures){0};
  Count n = count_clones(in->module, in->schedule);
  out->before = n.instructions, out->guards = n.guards, out->loops = n.loops;
  size_t changed = 1;
  Map *asked = map_new();
  while (changed && changed != SIZE_MAX) {
    if (out->rounds == LIMIT_DATAFLOW_ROUNDS) {
      limit_reached(LIMIT_OF_DATAFLOW_ROUNDS);
      break;
    }
    Diags *found = diags_new();  // each round says the same
    changed = improve(in, asked, out, out->rounds ? found : d);
    if (changed == SIZE_MAX) diags_append(d, found);
    diags_free(found);
    out->rounds++;
  }
  map_free(asked);
  n = count_clones(in->module, in->schedule);
  out->after = n.instructions, out->left = n.guards, out->loops_left = n.loops;
  explain_kept(in->module, in->schedule);
  explain_sum(in->schedule, out);
  return changed != SIZE_MAX && module_verify(in->module, "the module after data-flow specialization", d) &&
         cfspec_check(in->module, d);
}
