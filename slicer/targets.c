#include "targets.h"
#include <assert.h>
#include <signal.h>

bool target_parse(const char *text, Target *out, Diags *d) {
  *out = (Target){.thread = SIGMA_NONE};
  if (!strcmp(text, "sync")) return out->kind = TARGET_SYNC, true;
  if (!strcmp(text, "value")) return out->kind = TARGET_VALUE, true;
  for (const char *at = text; *at;) {
    size_t len = strcspn(at, ",");
    char *one = mem_format("%.*s", (int)len, at);
    PlaceWanted p;
    bool ok = place_parse(one, &p);
    if (ok) p.file = at, vec_push(&out->places, p);
    if (!ok) diag_error(d, "--target must be FILE:LINE, sync or value, not '%s'", one);
    mem_free(one);
    if (!ok) return target_free(out), false;
    at += len + (at[len] == ',');
  }
  if (!out->places.len) return diag_error(d, "--target must be FILE:LINE, sync or value"), false;
  return true;
}

void target_free(Target *t) {
  vec_free(&t->places);
}

// Last executions of what `wanted` says of a pc, in the frame that executed one of them last.
static bool last_executions(const Examined *of, const bool *wanted, uint32_t thread, SliceTargets *out) {
  const RunTrace *t = of->trace;
  bool *seen = mem_array((size_t)runner_pcs(of->runner) + 1, sizeof *seen);
  uint32_t frame = TRACE_NONE;
  for (size_t s = t->steps.len; s-- > 0;) {
    uint32_t step = (uint32_t)s, f = instances_frame(of->all, step);
    if (frame != TRACE_NONE && s < t->frames.at[frame].entered) break;
    if (frame != TRACE_NONE ? f != frame : thread != SIGMA_NONE && t->frames.at[f].thread != thread) continue;
    for (uint32_t pc = instances_end(of->all, step); pc-- > t->steps.at[s].pc;) {
      if (!wanted[pc] || seen[pc]) continue;
      seen[pc] = true, frame = f;
      RunInstance at = {step, pc};
      vec_push(out, at);
    }
  }
  mem_free(seen);
  return frame != TRACE_NONE;
}

static bool find_place(const Examined *of, const PlaceWanted *p, uint32_t thread, SliceTargets *out,
                       Diags *d) {
  uint32_t pcs = runner_pcs(of->runner), nearest = 0;
  bool *wanted = mem_array((size_t)pcs + 1, sizeof *wanted), any = false;
  for (uint32_t pc = 0; pc < pcs; ++pc) {
    LLVMValueRef inst = runner_inst(of->runner, pc);
    if (!inst || runner_model(of->runner, runner_function_of(of->runner, pc))) continue;
    Place at = where(inst);
    wanted[pc] = place_matches(p, at);
    any |= wanted[pc];
    PlaceWanted near = *p;
    near.line = at.line, near.column = 0;
    if (place_matches(&near, at) && at.line > p->line && (!nearest || at.line < nearest)) nearest = at.line;
  }
  bool found = any && last_executions(of, wanted, thread, out);
  if (!any && nearest)
    diag_error(d, "%.*s:%u: no code of the program stands there; the next line with code is %u", (int)p->len,
               p->file, p->line, nearest);
  else if (!any)
    diag_error(d, "%.*s:%u: no code of the program stands there", (int)p->len, p->file, p->line);
  else if (!found && thread != SIGMA_NONE)
    diag_error(d, "%.*s:%u: thread T%u did not execute it in this run", (int)p->len, p->file, p->line,
               thread);
  else if (!found)
    diag_error(d, "%.*s:%u: was not executed in this run", (int)p->len, p->file, p->line);
  mem_free(wanted);
  return found;
}

bool target_of_fault(const Examined *of, RunInstance *out) {
  const RunTrace *t = of->trace;
  uint32_t frame = t->fault_frame;
  if (frame == TRACE_NONE || t->frames.at[frame].stopped == TRACE_NONE || !t->steps.len) return false;
  return examined_last(of, frame, t->frames.at[frame].stopped - 1, (uint32_t)t->steps.len - 1, out);
}

bool target_of_death(const Examined *of, RunInstance *out) {
  RunInstance at;
  return target_of_fault(of, &at) && examined_own(of, at, out);
}

// The call that ended the process, or the return from main.
static bool exit_instance(const Examined *of, RunInstance *out) {
  const RunTrace *t = of->trace;
  LLVMValueRef main = LLVMGetNamedFunction(of->program->module, "main");
  for (size_t s = t->steps.len; s-- > 0;) {
    uint32_t step = (uint32_t)s, frame = instances_frame(of->all, step);
    uint32_t function = t->frames.at[frame].function, last = instances_end(of->all, step);
    if (runner_model(of->runner, function) || last == t->steps.at[s].pc) continue;
    CodeRole role = runner_role(of->runner, last - 1);
    bool leaves = role == CODE_RETURN && runner_function(of->runner, function) == main;
    bool calls = role == CODE_CALL && t->frames.at[frame].stopped != TRACE_NONE;
    if (leaves || calls) return *out = (RunInstance){step, last - 1}, true;
  }
  return false;
}

// Where threads stand when the run ends: the last that each frame of the program did.
static void standing_instances(const Examined *of, SliceTargets *out) {
  const Schedule *c = of->sigma->schedules.at[of->schedule];
  bool *seen = mem_array((size_t)c->threads + 1, sizeof *seen);
  for (vec_each(i, &c->standing)) seen[c->standing.at[i].thread] = true;
  for (size_t s = of->trace->steps.len; s-- > 0;) {
    uint32_t step = (uint32_t)s, thread = instances_thread(of->all, step);
    const TraceFrame *f = &of->trace->frames.at[instances_frame(of->all, step)];
    if (!seen[thread] || runner_model(of->runner, f->function)) continue;
    uint32_t end = instances_end(of->all, step);
    if (end == of->trace->steps.at[s].pc) continue;
    RunInstance at = {step, end - 1};
    vec_push(out, at);
    seen[thread] = false;
  }
  mem_free(seen);
}

static bool find_crash(const Examined *of, SliceTargets *out, Diags *d) {
  RunInstance at;
  const RunResult *r = of->result;
  if (r->end == RUN_DIED && target_of_death(of, &at)) {
    vec_push(out, at);
    return true;
  }
  if (r->end == RUN_EXITED && r->status && exit_instance(of, &at)) {
    vec_push(out, at);
    return true;
  }
  if (r->end == RUN_RECORDING_ENDS) standing_instances(of, out);
  if (!out->len)
    diag_error(d, "the run that was executed again did not fail, so there is no crash to explain");
  return out->len > 0;
}

static bool find_sync(const Examined *of, uint32_t thread, SliceTargets *out, Diags *d) {
  const Schedule *c = of->sigma->schedules.at[of->schedule];
  Map *seen = map_new();
  for (vec_each(i, &c->events)) {
    RunInstance at = of->performed[i];
    if (at.step == TRACE_NONE || (thread != SIGMA_NONE && c->events.at[i].thread != thread)) continue;
    uint32_t n = instances_number(of->all, at);
    if (map_or(seen, n, 0)) continue;
    map_put(seen, n, 1);
    vec_push(out, at);
  }
  map_free(seen);
  if (!out->len) diag_error(d, "the run performed no synchronization");
  return out->len > 0;
}

static bool prints(LLVMValueRef call) {
  static const char *const names[] = {"printf",  "fprintf", "vprintf", "vfprintf", "puts",  "fputs",
                                      "putchar", "fputc",   "putc",    "fwrite",   "write", "dprintf"};
  LLVMValueRef callee =
      call && (LLVMIsACallInst(call) || LLVMIsAInvokeInst(call)) ? LLVMGetCalledValue(call) : NULL;
  size_t len;
  const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  return !strncmp(name, "_ZNSo", 5) || !strncmp(name, "_ZStls", 6) ||
         !strncmp(name, "_ZSt16__ostream_insert", 22);
}

// The last call that prints, and those of the same line.
static bool find_value(const Examined *of, uint32_t thread, SliceTargets *out, Diags *d) {
  const RunTrace *t = of->trace;
  for (size_t s = t->steps.len; s-- > 0;) {
    uint32_t step = (uint32_t)s, frame = instances_frame(of->all, step), end = instances_end(of->all, step);
    if (thread != SIGMA_NONE && t->frames.at[frame].thread != thread) continue;
    if (end == t->steps.at[s].pc || runner_model(of->runner, t->frames.at[frame].function)) continue;
    LLVMValueRef inst = runner_inst(of->runner, end - 1);
    if (runner_role(of->runner, end - 1) != CODE_CALL || !prints(inst)) continue;
    Place at = where(inst);
    if (!at.file) {
      RunInstance one = {step, end - 1};
      vec_push(out, one);
      return true;
    }
    PlaceWanted p = {at.file, strlen(at.file), at.line, 0};
    return find_place(of, &p, t->frames.at[frame].thread, out, d);
  }
  diag_error(d, "the run printed nothing");
  return false;
}

bool target_find(const Examined *of, const Target *t, SliceTargets *out, Diags *d) {
  bool ok = true;
  switch (t->kind) {
    case TARGET_PLACES:
      for (vec_each(i, &t->places)) ok = find_place(of, &t->places.at[i], t->thread, out, d) && ok;
      return ok;
    case TARGET_CRASH:
      return find_crash(of, out, d);
    case TARGET_SYNC:
      return find_sync(of, t->thread, out, d);
    case TARGET_VALUE:
      return find_value(of, t->thread, out, d);
  }
  return false;
}
