#include "alias/alias.h"
#include "options.h"
#include "symex/symex.h"
#include "verbs.h"

enum { SIGMA_FILE, SCHEDULE, LIMIT_MILLIONS, TRACE, COUNTS, CHECK, CONSTRAINT };
static const Option options[] = {
    {"--sigma", "SIGMA", "the file with the recorded run", NULL},
    {"--schedule", "N", "which run: schedule N (default: 0)", NULL},
    {"--limit", "N", "give up after N million instructions", &limits[LIMIT_OF_INTERPRET]},
    {"--trace", NULL, "keep a trace, and say how large it is", NULL},
    {"--counts", NULL, "print the counts of instructions and events on standard error", NULL},
    {"--check-walk", NULL, "walk back over the whole trace, and say how much the last output depends on",
     NULL},
    {"--constraint", NULL, "say which inputs follow the schedule, as far as the run alone shows it", NULL},
};
static const Usage usage = {
    "rerun",
    "APP --sigma SIGMA [--schedule N]",
    "Executes a recorded run of APP again, in an interpreter: the stored module, with the inputs and the "
    "order of\n"
    "events that SIGMA has. Prints what the program printed, and ends with its exit status.",
    "  specialize rerun ./app --sigma app.sigma --counts\n",
    options,
    sizeof options / sizeof *options,
    0};

static void say_where(const RunResult *r, Diags *d) {
  Place p = {r->file, r->line, r->column};
  DiagKind kind = r->end == RUN_LEFT || r->end == RUN_REFUSED || r->end == RUN_LIMIT ? DIAG_ERROR : DIAG_NOTE;
  if (r->end == RUN_DIED)
    diag(d, kind, p, "thread %u dies by signal %d: %s", r->thread, r->signal, r->why);
  else if (r->end == RUN_LEFT)
    diag(d, kind, p, "thread %u leaves the recording: %s", r->thread, r->why);
  else if (r->end == RUN_REFUSED)
    diag(d, kind, p, "thread %u cannot go on: %s", r->thread, r->why);
  else if (r->why)
    diag(d, kind, p, "%s", r->why);
}

static void say_counts(const RunResult *r, const RunTrace *t, Diags *d) {
  for (vec_each(i, &r->assumed)) diag_note(d, "%s", r->assumed.at[i]);
  diag_note(d, "%s, %llu instructions, %llu events", run_end_word(r->end),
            (unsigned long long)r->instructions, (unsigned long long)r->events);
  if (t && r->instructions)
    diag_note(d, "trace: %llu bytes, %.2f for each instruction", (unsigned long long)run_trace_bytes(t),
              (double)run_trace_bytes(t) / (double)r->instructions);
}

// Over the whole trace, from what was written last.
static void check_walk(const Runner *r, const RunTrace *t, Diags *d) {
  BackwalkInstance last;
  BackwalkVisit v;
  uint64_t kept = 0, own = 0;
  Backwalk *w = backwalk_new(r, t, BACKWALK_WITH_CONTROL);
  if (backwalk_output(r, t, &last)) backwalk_want(w, last);
  while (backwalk_next(w, &v)) ++kept, own += !v.model;
  backwalk_check(w);
  diag_note(
      d,
      "walk: %llu of %llu instances kept, %llu of them the program's; %llu bytes were there at the beginning",
      (unsigned long long)kept, (unsigned long long)backwalk_passed(w), (unsigned long long)own,
      (unsigned long long)backwalk_unwritten(w, NULL, 0));
  backwalk_free(w);
}

static bool say_constraint(Runner *r, const Program *l, const Sigma *s, uint32_t schedule, Diags *d) {
  AliasOptions how = {.open = targets_open(l->module, &l->app)};
  Alias *a = alias_new(l->module, &how, d);
  SlicedInput in = {r, a, s, schedule, true};
  ConstraintFound found;
  Bytes text = {0};
  bool ok = a && run_constraint_find(&in, s->terms, &found, d);
  for (size_t i = 0; ok && i < found.gaps.len; ++i) {
    const ConstraintGap *g = &found.gaps.at[i];
    diag(d, DIAG_NOTE, (Place){g->file, g->line, g->column}, "%s", g->why);
  }
  if (ok && found.when != TERM_NONE) term_print(s->terms, found.when, &text);
  if (ok)
    diag_note(d, "%s: %.*s", found.gaps.len ? "not whole" : "whole", (int)text.len, (const char *)text.at);
  if (ok) constraint_free(&found);
  vec_free(&text);
  alias_free(a);
  return ok;
}

static int status_of(const RunResult *r) {
  switch (r->end) {
    case RUN_EXITED:
      return r->status;
    case RUN_DIED:
      return 128 + r->signal;
    case RUN_RECORDING_ENDS:
    case RUN_REFUSED:
    case RUN_LIMIT:
      return EXIT_INCOMPLETE;
    case RUN_LEFT:
      return EXIT_INTERNAL;
  }
  return EXIT_INTERNAL;
}

static int rerun(const Program *l, const Sigma *s, const RunOptions *o, const Parsed *p, Diags *d) {
  Bytes models = {0};
  RunResult r = {0};
  int status = EXIT_USAGE;
  if (runner_models(&models, d)) {
    Runner *runner = runner_new(l, s, span_of(models.at, models.len), d);
    if (runner && runner_run(runner, o, &r, d)) {
      fwrite(r.out.at, 1, r.out.len, stdout);
      fflush(stdout);
      fwrite(r.err.at, 1, r.err.len, stderr);
      status = status_of(&r);
      if (r.end != RUN_EXITED) say_where(&r, d);
      if (p->value[COUNTS]) say_counts(&r, o->trace, d);
      if (p->value[CONSTRAINT] && !say_constraint(runner, l, s, o->schedule, d)) status = EXIT_USAGE;
      if (p->value[CHECK] && o->trace) check_walk(runner, o->trace, d);
    }
    run_result_free(&r);
    runner_free(runner);
  }
  vec_free(&models);
  return status;
}

int verb_rerun(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  size_t schedule = 0, millions = LIMIT_INTERPRET;
  status = EXIT_USAGE;
  if (!p.value[SIGMA_FILE]) diag_error(d, "--sigma FILE is required");
  options_number(&usage, &p, SCHEDULE, 0, &schedule, d);
  options_number(&usage, &p, LIMIT_MILLIONS, 1, &millions, d);
  Sigma *s = diags_errors(d) ? NULL : sigma_read(p.value[SIGMA_FILE], d);
  if (s && schedule >= s->schedules.len)
    diag_error(d, "%s has %zu schedule%s; there is no schedule %zu", p.value[SIGMA_FILE], s->schedules.len,
               s->schedules.len == 1 ? "" : "s", schedule);
  if (s && !diags_errors(d) && program_open(p.operands.at[0], targets_find, &l, d)) {
    if (strcmp(sigma_text(s, s->module), l.hash_text))
      diag(d, DIAG_ERROR, (Place){p.value[SIGMA_FILE], s->module_line, 0},
           "belongs to another program: the module hash of %s is %s", p.operands.at[0], l.hash_text);
    program_suit(&l, s);
    if (!diags_errors(d) && sigma_check(s, d) && sigma_validate(s, l.sites, l.graph, l.sync, d)) {
      RunTrace *t = p.value[TRACE] ? run_trace_new() : NULL;
      RunOptions o = {.sigma = s, .schedule = (uint32_t)schedule, .trace = t};
      o.limit = UINT64_C(1000000) * millions;
      status = rerun(&l, s, &o, &p, d);
      run_trace_free(t);
    }
  }
  sigma_free(s);
  program_free(&l);
  vec_free(&p.operands);
  return finish(d, status, status);
}
