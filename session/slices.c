#include "slices.h"
#include <stdlib.h>
#include <unistd.h>
#include "alias/alias.h"
#include "reproduce.h"
#include "slicer/slicer.h"

typedef struct {
  const SliceWishes *o;
  Program program;
  Sigma *sigma;
  Bytes models;
  Runner *runner;
  RunTrace *trace;
  RunResult result;
  uint64_t tail;  // the order in which the run ended as the recording did
  Examined of;
  SliceReport *report;
  Diags *d;
} Slicing;

static bool open_all(Slicing *s) {
  const SliceWishes *o = s->o;
  s->sigma = sigma_read(o->sigma, s->d);
  if (!s->sigma) return false;
  size_t count = s->sigma->schedules.len;
  if (o->schedule >= count)
    return diag_error(s->d, "%s has %zu schedule%s; there is no schedule %u", o->sigma, count,
                      count == 1 ? "" : "s", o->schedule),
           false;
  if (!program_open(o->app, targets_find, &s->program, s->d)) return false;
  if (strcmp(sigma_text(s->sigma, s->sigma->module), s->program.hash_text))
    return diag(s->d, DIAG_ERROR, (Place){o->sigma, s->sigma->module_line, 0},
                "belongs to another program: the module hash of %s is %s", o->app, s->program.hash_text),
           false;
  program_suit(&s->program, s->sigma);
  if (!sigma_check(s->sigma, s->d) ||
      !sigma_validate(s->sigma, s->program.sites, s->program.graph, s->program.sync, s->d))
    return false;
  if (!runner_models(&s->models, s->d)) return false;
  s->runner = runner_new(&s->program, s->sigma, span_of(s->models.at, s->models.len), s->d);
  return s->runner != NULL;
}

static void add_gap(Slicing *s, const char *file, uint32_t line, const char *text) {
  FindingGap g = {slice_text_of(s->report, "%s", text), file ? slice_text_of(s->report, "%s", file) : NULL,
                  line};
  vec_push(&s->report->incomplete, g);
}

static bool run_again(Slicing *s) {
  bool failed;
  Bytes expected = {0};
  int error = s->o->expected ? file_read(s->o->expected, &expected) : 0;
  if (error) return diag_error(s->d, "%s: %s", s->o->expected, strerror(error)), false;
  ReproduceWhat what = {s->sigma, s->o->schedule, s->o->tries ? s->o->tries : LIMIT_SLICE_TRIES,
                        s->o->expected ? &expected : NULL};
  progress("executing the run again");
  Reproduced how = reproduce(s->runner, &what, s->trace, &s->result, &s->tail, &failed, s->d);
  progress(NULL);
  vec_free(&expected);
  if (failed) return false;
  const RunResult *r = &s->result;
  if (how == REPRODUCE_NOT)
    add_gap(s, NULL, 0, "not reproduced: in no order that was tried did the run go as it did");
  if (how == REPRODUCED_EARLIER)
    add_gap(s, r->file, r->line, "the recorded run went on past this access to wrong memory, and died later");
  bool whole = r->end == RUN_EXITED || r->end == RUN_DIED || r->end == RUN_RECORDING_ENDS;
  if (!whole) {
    char *text = mem_format("the run could not be followed to its end: %s", r->why);
    add_gap(s, r->file, r->line, text);
    mem_free(text);
  }
  for (vec_each(i, &r->assumed)) add_gap(s, NULL, 0, r->assumed.at[i]);
  return true;
}

static bool find_targets(Slicing *s, SliceTargets *out) {
  Target t = {.kind = TARGET_CRASH};
  if (s->o->target && !target_parse(s->o->target, &t, s->d)) return false;
  t.thread = s->o->thread;
  bool ok = target_find(&s->of, &t, out, s->d);
  if (!ok)
    for (vec_each(i, &s->report->incomplete)) diag_note(s->d, "%s", s->report->incomplete.at[i].text);
  target_free(&t);
  return ok;
}

static void tell_chain(Slicing *s, const Slice *slice, const SliceTargets *targets) {
  enum { STEPS = 20, WAY = 400 };
  Chain c;
  PlaceWanted why;
  bool wanted = s->o->why && place_parse(s->o->why, &why);
  Sources *sources = sources_new(s->report->directory);
  progress("finding causes");
  ChainWhat what = {wanted ? &why : NULL, wanted ? WAY : STEPS, !s->o->target};
  chain_make(slice, targets, &what, &c);
  chain_tell(&s->of, &c, !s->o->target, sources, s->report, s->d);
  if (wanted && !c.reached) s->report->absent = absence_tell(slice, &why, s->report);
  if (s->sigma->schedules.at[s->o->schedule]->left_out)
    add_gap(s, NULL, 0,
            "locks are excluded from the schedule: accesses that nothing orders were not looked for");
  if (!c.whole)
    add_gap(s, NULL, 0, "the chain was cut: not all of the run was looked at (specialize limits)");
  progress(NULL);
  chain_free(&c);
  sources_free(sources);
}

// The slice must compute by itself what the run computes.
static bool check(Slicing *s, const Slice *slice) {
  bool is_long = instances_count(s->of.all) > UINT64_C(1000000) * LIMIT_SLICE_CHECK;
  if (is_long || s->result.memory > UINT64_C(1000000) * LIMIT_SLICE_CHECK_MEMORY) {
    limit_reached(is_long ? LIMIT_OF_SLICE_CHECK : LIMIT_OF_SLICE_CHECK_MEMORY);
    add_gap(s, NULL, 0, "the run is too long, or uses too much memory, for the check (specialize limits)");
    return true;
  }
  RunTrace *again = run_trace_new();
  RunResult result = {0};
  PartialCheck c = {.all = s->of.all,
                    .kept = slice->kept,
                    .by_data = slice->by_data,
                    .unwritten = slice->unwritten.at,
                    .unwritten_count = slice->unwritten.len,
                    .memory = s->result.memory};
  c.fault.step = TRACE_NONE;
  target_of_fault(&s->of, &c.fault);
  RunOptions how = {
      .sigma = s->sigma, .schedule = s->o->schedule, .trace = again, .tail = s->tail, .check = &c};
  progress("checking");
  bool ok = runner_run(s->runner, &how, &result, s->d);
  progress(NULL);
  s->report->checked = ok, s->report->same = !c.differs;
  s->report->check_values = c.values, s->report->check_branches = c.branches;
  if (ok && c.differs) {
    RunInstance own = c.at;
    examined_own(&s->of, c.at, &own);
    diag_at(s->d, DIAG_ERROR, runner_inst(s->runner, own.pc),
            "internal error: executed alone, the slice differs from the run: %s", c.what);
  }
  run_result_free(&result);
  run_trace_free(again);
  return ok && !c.differs;
}

static SliceOutcome make(Slicing *s) {
  SliceTargets targets = {0};
  SliceOutcome outcome = SLICE_FAILED;
  s->of = (Examined){.program = &s->program,
                     .runner = s->runner,
                     .sigma = s->sigma,
                     .schedule = s->o->schedule,
                     .tail = s->tail,
                     .trace = s->trace,
                     .result = &s->result};
  if (examined_open(&s->of, s->d) && find_targets(s, &targets)) {
    Slice slice;
    progress("slicing");
    slice_make(&s->of, &targets, (SliceWhat){.path = s->o->path}, &slice);
    progress(NULL);
    lines_tell(&slice, s->report);
    if (!s->report->lines.len)
      add_gap(s, NULL, 0, "the program has no debug information, so no lines can be named: build it with -g");
    tell_chain(s, &slice, &targets);
    s->report->level = "original", s->report->basis = "path";
    bool same = check(s, &slice);
    CHECKED(slice_report_check(s->report));
    outcome = !same ? SLICE_WRONG : s->report->incomplete.len ? SLICE_INCOMPLETE : SLICE_MADE;
    slice_free(&slice);
  }
  examined_close(&s->of);
  vec_free(&targets);
  return outcome;
}

SliceOutcome slices_make(const SliceWishes *o, SliceReport *out, Diags *d) {
  Slicing s = {.o = o, .report = out, .d = d, .trace = run_trace_new()};
  char *directory = getcwd(NULL, 0);
  if (directory) out->directory = slice_text_of(out, "%s", directory);
  free(directory);
  SliceOutcome outcome = open_all(&s) && run_again(&s) ? make(&s) : SLICE_FAILED;
  run_result_free(&s.result);
  runner_free(s.runner);
  run_trace_free(s.trace);
  program_free(&s.program);
  sigma_free(s.sigma);
  vec_free(&s.models);
  return outcome;
}
