#include "single.h"

// Main's operations between which there surely was another thread. False: it makes none.
static bool find_span(const Code *c, uint32_t *first, uint32_t *last) {
  const Schedule *s = order_schedule(code_order(c));
  bool found = false;
  *last = 0;
  for (uint32_t n = 0, p = 0; p < order_count(code_order(c), 0) && n < code_operations(c, 0); ++p) {
    const Event *e = &s->events.at[order_event(code_order(c), 0, p)];
    if (e->kind >= EVENT_CALL || e->kind == SYNC_ENTER || e->kind == SYNC_EXIT || e->phase == EVENT_DEPART)
      continue;
    if (e->kind == SYNC_CREATE && e->outcome == SYNC_OK && !found) *first = n, found = true;
    if (e->kind == SYNC_JOIN) *last = n;
    ++n;
  }
  return found;
}

static bool is_surely_false(const Code *c, LLVMValueRef load) {
  uint32_t first, last;
  Regions at = {0};
  bool spans = find_span(c, &first, &last);
  code_regions(c, load, &at);
  bool is = at.len > 0;
  for (vec_each(i, &at)) is &= at.at[i].thread || (spans && at.at[i].from > first && at.at[i].to <= last);
  vec_free(&at);
  return is;
}

size_t single_threaded_known(LLVMModuleRef m, const Code *c) {
  LLVMValueRef variable = LLVMGetNamedGlobal(m, "__libc_single_threaded");
  if (!variable || !LLVMIsDeclaration(variable)) return 0;
  size_t n = 0;
  for (all_uses(u, variable)) {
    LLVMValueRef load = LLVMGetUser(u);
    if (!LLVMIsALoadInst(load) || !LLVMGetFirstUse(load) || !is_surely_false(c, load)) continue;
    LLVMReplaceAllUsesWith(load, LLVMConstNull(LLVMTypeOf(load)));
    n++;
  }
  return n;
}
