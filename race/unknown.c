#include "unknown.h"
#include "frames.h"
#include "alias/alias.h"
#include "cfspec/cfspec.h"
#include "ir/ir.h"

static void tell(Report *out, const char *text, LLVMValueRef at) {
  FindingGap gap = {.text = text};
  FindingFrames frames = {0};
  if (at) frames_of(out, at, &frames);
  if (frames.len) gap.file = frames.at[0].file, gap.line = frames.at[0].line;
  vec_free(&frames);
  for (vec_each(i, &out->incomplete)) {
    const FindingGap *g = &out->incomplete.at[i];
    if (g->text == gap.text && g->file == gap.file && g->line == gap.line) return;
  }
  vec_push(&out->incomplete, gap);
}

static void tell_threads(const Code *c, const Sigma *s, Report *out) {
  for (uint32_t t = 0; t < order_schedule(code_order(c))->threads; ++t) {
    uint32_t event = SIGMA_NONE;
    CodeFollowed how = code_followed(c, t, &event);
    if (how == CODE_FOLLOWED) continue;
    const char *routine = frames_routine(out, s, code_order(c), t);
    if (!routine) routine = "main";
    const char *text =
        how == CODE_ALWAYS_LEAVES
            ? report_print(out, "t%u (%s): every path through its code leaves the schedule", t, routine)
            : report_print(out, "t%u (%s): its event %u was not found in its code", t, routine, event);
    tell(out, text, t ? code_create(c, t) : NULL);
  }
}

// Before main begins, or behind where a thread was last seen.
static void tell_creates(const Code *c, const Alias *a, Report *out) {
  for (uint32_t t = 0; t < alias_threads(a); ++t) {
    LLVMValueRef create = alias_thread(a, t).create;
    uint32_t thread, first, last;
    Regions at = {0};
    const Sync *s = create ? sync_of_call(create) : NULL;  // NULL: a handler, or what a library starts
    if (s && s->kind == SYNC_CREATE && !cfspec_event_of(create, &thread, &first, &last))
      code_regions(c, create, &at);
    if (at.len) tell(out, report_print(out, "a thread created here is not in the schedule"), create);
    vec_free(&at);
  }
}

// A function that is not known is told of where points-to is computed; here, a pointer to code that is not.
static void tell_calls(const Alias *a, const Accesses *all, Report *out) {
  for (size_t i = 0; i < accesses_count(all); ++i) {
    const Access *x = accesses_at(all, i);
    AliasFunctions targets = {0};
    if (call_is(x->inst) && !call_function(x->inst) && !call_is_asm(x->inst) && x->regions.len &&
        alias_targets(a, x->inst, &targets))
      tell(out, report_print(out, "this call may run unknown code"), x->inst);
    vec_free(&targets);
  }
}

static bool is_vfork(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  return f && !strcmp(LLVMGetValueName(f), "vfork");
}

// Where longjmp comes back to a clone, it may take a branch that the schedule does not take: that code is
// gone.
static void tell_jumps(const Code *c, Report *out) {
  for (size_t k = 0; k < code_count(c); ++k) {
    const CodeFunction *f = code_at(c, k);
    bool cut = false;
    for (uint32_t b = 0; f->again && b < cfg_count(f->cfg); ++b) cut |= f->again[b] && f->leaves[b];
    if (!cut) continue;
    for (all_blocks(b, f->function))
      for (all_insts(i, b))
        if (call_returns_twice(i) && !is_vfork(i))
          tell(out, report_print(out, "longjmp may come back here and take a branch that was not examined"),
               i);
  }
}

void unknown_tell(Flow *flow, const Sigma *s, Report *out) {
  tell_threads(flow_code(flow), s, out);
  tell_jumps(flow_code(flow), out);
  tell_creates(flow_code(flow), flow_aliases(flow), out);
  tell_calls(flow_aliases(flow), flow_accesses(flow), out);
}
