#include "gaps.h"
#include "alias/alias.h"

// What such a library does in threads of its own is in no recording.
static void tell_exported(const Program *l, Diags *d) {
  AliasFunctions all = {0};
  targets_exported(l->module, &l->app, &all);
  for (vec_each(i, &all)) {
    size_t len;
    diag_at(d, DIAG_WARNING, all.at[i], "a shared library may use %s in threads that are not recorded",
            LLVMGetValueName2(all.at[i], &len));
  }
  vec_free(&all);
}

// So is what a library did in threads that it made.
static void tell_outside(const Sigma *s, uint32_t schedule, Diags *d) {
  const Schedule *c = s->schedules.at[schedule];
  for (vec_each(i, &c->outside)) {
    const SigmaOutside *o = &c->outside.at[i];
    if (o->threads)
      diag_warning(d, "%s created %u thread%s that %s not recorded", sigma_text(s, o->name), o->threads,
                   o->threads == 1 ? "" : "s", o->threads == 1 ? "is" : "are");
  }
}

static LLVMValueRef call_at(const Program *l, const Sigma *s, uint32_t site) {
  const char *name = sigma_text(s, s->sites.at[site].name);
  uint32_t id = sites_find(l->sites, name, strlen(name));
  return id == SITE_NONE ? NULL : sites_call(l->sites, id);
}

static LLVMValueRef returning_twice(LLVMValueRef function) {
  for (all_blocks(b, function))
    for (all_insts(i, b))
      if (call_returns_twice(i)) return i;
  return NULL;
}

// Left by longjmp, a call does not go on where the clone of its caller does: the code behind setjmp is in
// none.
static void tell_jumps(const Program *l, const Sigma *s, const Schedule *c, Diags *d) {
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    LLVMValueRef call = e->kind == EVENT_UNWIND && e->site != SIGMA_NONE ? call_at(l, s, e->site) : NULL;
    LLVMValueRef to = call ? returning_twice(LLVMGetBasicBlockParent(LLVMGetInstructionParent(call))) : NULL;
    if (e->kind == EVENT_JUMP) to = call_at(l, s, e->site);
    if (to)
      diag_at(
          d, DIAG_WARNING, to,
          "longjmp may come back here out of code that synchronizes; what follows was not examined in full");
  }
}

// What runs at the end of an incomplete schedule inside a call of outside code, a handler of a signal mostly,
// may give back locks that its thread is taken to hold.
static void tell_open_callbacks(const Program *l, const Sigma *s, const Schedule *c, Diags *d) {
  EventStacks *stacks = stacks_new(c);
  for (uint32_t i = 0; i < c->events.len; ++i) stacks_pass(stacks, i);
  for (uint32_t t = 0; t < c->threads; ++t) {
    uint32_t inner = stacks_inner(stacks, t), outer = stacks_call(stacks, t);
    if (inner == SIGMA_NONE || c->events.at[inner].kind != EVENT_CALLBACK) continue;
    LLVMValueRef call = outer == SIGMA_NONE ? NULL : call_at(l, s, c->events.at[outer].site);
    const char *function = sigma_text(s, c->events.at[inner].other);
    if (call)
      diag_at(d, DIAG_WARNING, call, "the schedule ends inside %s, which ran during this call", function);
    else
      diag_warning(d, "the schedule ends inside %s", function);
  }
  stacks_free(stacks);
}

// Who resumes a coroutine, and when, is not followed.
static void tell_coroutines(const Program *l, Diags *d) {
  for (all_functions(f, l->module))
    if (!LLVMIsDeclaration(f) && attribute_has(f, "presplitcoroutine"))
      diag_at(d, DIAG_WARNING, f, "a coroutine: what runs after it was resumed was not examined");
}

bool gaps_forks(const Program *l) {
  static const char *const names[] = {"fork",  "_Fork",   "__libc_fork", "forkpty",
                                      "clone", "__clone", "clone3"};
  bool forks = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    LLVMValueRef f = LLVMGetNamedFunction(l->module, names[i]);
    forks |= f && LLVMIsDeclaration(f) && LLVMGetFirstUse(f);
  }
  return forks;
}

void gaps_tell(const Program *l, const Sigma *s, uint32_t schedule, Diags *d) {
  const Schedule *c = s->schedules.at[schedule];
  tell_exported(l, d);
  tell_outside(s, schedule, d);
  tell_jumps(l, s, c, d);
  tell_coroutines(l, d);
  if (c->incomplete) tell_open_callbacks(l, s, c, d);
}
