#include <inttypes.h>
#include <stdlib.h>
#include "options.h"
#include "report/report.h"
#include "session/session.h"
#include "verbs.h"

enum {
  OUT,
  ORDER,
  EXCLUDE,
  ATOMICS,
  MAX_EVENTS,
  TIMEOUT,
  CONSTRAINT,
  CONSTRAINT_TIME,
  PATH_TRACE,
  VERBOSE,
  FROM,
  CANNOT_START = 125
};
static const Option options[] = {
    {"-o", "SIGMA", "the schedule file to add to (default: PROGRAM.sigma)", NULL},
    {"--order", "ORDER", "the order to enforce later: hb (default) or total", NULL},
    {"--exclude", "WHAT", "locks to exclude: a file that lists them, auto, or auto:EVENTS", NULL},
    {"--atomics", "WHAT", "atomic operations to record: none (default), all, or names of variables", NULL},
    {"--max-events", "N", "stop recording after N events; the program continues", NULL},
    {"--timeout", "SECONDS", "end the run after this time, and keep what it did until then", NULL},
    {"--constraint", "HOW", "computed (default): all inputs that the code takes the same way; or exact",
     NULL},
    {"--constraint-time", "SECONDS", "how long to look for the constraint",
     &limits[LIMIT_OF_CONSTRAINT_TIME]},
    {"--path", NULL, "record branches too", NULL},
    {"--verbose", NULL, "list every unknown function that might call back, not only the first", NULL},
    {"--from", "DIR", "convert the recordings in DIR instead of running PROGRAM", NULL}};
static const Usage usage = {
    "record",
    "[-o SIGMA] -- PROGRAM [arguments]",
    "Runs PROGRAM, which was built with specialize-cc, and adds the schedule of the run to a file of\n"
    "schedules. The program has its usual input, output, signals and exit status, which is also that\n"
    "of this command (125 if the program could not be started).",
    "  specialize record -o app.sigma -- ./app 2 100\n"
    "  specialize record -o app.sigma --from DIR ./app\n",
    options,
    sizeof options / sizeof *options,
    SIGMA_IS_OUT};

static void tell_outside(const Sigma *s, const SigmaOutside *o) {
  Bytes text = {0};
  outside_print(s, o, &text);
  fprintf(stderr, "specialize: not recorded: %.*s\n", (int)text.len, text.at);
  vec_free(&text);
}

static void tell_incomplete(const Schedule *c) {
  const char *name = c->end == SIGMA_SIGNAL ? sigabbrev_np((int)c->end_number) : NULL;
  if (name)
    fprintf(stderr, "specialize: signal %s ended the program; ", name);
  else if (c->end == SIGMA_EXIT)
    fprintf(stderr,
            "specialize: the program ended with status %" PRIu32 ", but not all of its events can be used; ",
            c->end_number);
  else
    fprintf(stderr, "specialize: how the program ended is not known; ");
  fprintf(stderr, "show, race and alias accept the schedule as far as it goes, build does not\n");
}

// Who waits for whom, if the run was cut short while threads waited.
static void tell_standing(const Sigma *s, uint32_t id) {
  const Schedule *c = s->schedules.at[id];
  Bytes text = {0};
  size_t stuck = 0;
  if (!schedule_stands(c)) return;
  mem_free(stuck_threads(c, &stuck));
  if (stuck)
    fprintf(stderr, "specialize: deadlock: %zu thread%s can never go on:\n", stuck, stuck == 1 ? "" : "s");
  else
    fprintf(stderr, "specialize: when the run ended, threads waited:\n");
  report_standing(s, id, &text);
  fwrite(text.at, 1, text.len, stderr);
  vec_free(&text);
}

static void tell(const Sigma *s, uint32_t id, bool added, const char *path) {
  const Schedule *c = s->schedules.at[id];
  if (!added)
    fprintf(stderr, "specialize: this run follows schedule %u, which is already in %s\n", id, path);
  else
    fprintf(stderr, "specialize: schedule %u added to %s: %zu thread%s, %zu event%s, %s%s\n", id, path,
            (size_t)c->threads, c->threads == 1 ? "" : "s", c->events.len, c->events.len == 1 ? "" : "s",
            c->status == SIGMA_PROVED  ? "computed constraint"
            : c->status == SIGMA_EXACT ? "exact constraint"
                                       : "constraint false",
            c->incomplete ? ", incomplete" : "");
  if (added && c->left_out)
    fprintf(stderr,
            "specialize: %" PRIu64
            " operations on excluded objects are not in it; %.1f %% of all operations are\n",
            c->left_out, 100 * schedule_share(c));
  if (added && c->because != SIGMA_NONE && !c->incomplete) {
    char *because = shown(sigma_text(s, c->because));
    fprintf(stderr, "specialize: the constraint is false: %s\n", because);
    mem_free(because);
  }
  for (vec_each(i, &c->outside)) tell_outside(s, &c->outside.at[i]);
  if (added && c->incomplete) tell_incomplete(c);
  tell_standing(s, id);
}

static bool read_constraint(const Parsed *p, RunWishes *o, Diags *d) {
  const char *how = p->value[CONSTRAINT];
  o->constraint_time = LIMIT_CONSTRAINT_TIME;
  if (how && strcmp(how, "exact") && strcmp(how, "computed"))
    return diag_error(d, "--constraint must be exact or computed, not '%s'", how), false;
  if (!options_seconds(&usage, p, CONSTRAINT_TIME, &o->constraint_time, d)) return false;
  if (how && *how == 'e') o->constraint_time = 0;
  return true;
}

static bool read_options(const Parsed *p, RunWishes *o, Diags *d) {
  const char *order = p->value[ORDER];
  if (order && strcmp(order, "hb") && strcmp(order, "total"))
    return diag_error(d, "--order must be hb or total, not '%s'", order), false;
  o->order = order && *order == 't' ? SIGMA_TOTAL : SIGMA_HB;
  o->exclude = p->value[EXCLUDE];
  o->atomics = p->value[ATOMICS];
  Sigma *none = sigma_new("", "");  // whether it can be read is said before the program runs
  Exclude what;
  bool readable = exclude_read(none, o->exclude, &what, d);
  exclude_free(&what);
  sigma_free(none);
  if (!readable) return false;
  const char *max = p->value[MAX_EVENTS];
  if (max && (!*max || strspn(max, "0123456789") != strlen(max)))
    return diag_error(d, "--max-events must be a number, not '%s'", max), false;
  o->max_events = max;
  if (p->value[FROM] && p->value[TIMEOUT])
    return diag_error(d, "--timeout is for a run; --from runs nothing"), false;
  return options_seconds(&usage, p, TIMEOUT, &o->seconds, d) && read_constraint(p, o, d);
}

static void say(Diags *d) {
  diags_print(d, stderr, "specialize");
}

// The status to end with; -1: as the program did.
static int run(const Parsed *p, const RunOf *of, const RunWishes *o, int *ended, Diags *d) {
  if (p->value[FROM]) return run_convert(of, p->value[FROM], o, d) ? EXIT_CLEAN : EXIT_USAGE;
  return run_record(of, (char *const *)p->operands.at, o, ended, d) ? -1 : CANNOT_START;
}

int verb_record(int argc, char **argv) {
  Parsed p = {0};
  int status, ended = 0;
  if (!options_parse(&usage, argc, argv, 1, SIZE_MAX, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  char *program = run_find(p.operands.at[0]);
  char *path = p.value[OUT] ? mem_string(p.value[OUT]) : mem_format("%s.sigma", file_base(program));
  RunWishes o = {.say = say, .added = tell};
  RunOf of = {&l, program, path};
  o.how.branches = p.value[PATH_TRACE] != NULL, o.how.verbose = p.value[VERBOSE] != NULL;
  env_check(d);
  vec_push(&p.operands, NULL);
  if (!read_options(&p, &o, d) || !sigma_updatable(path, d))
    status = EXIT_USAGE;
  else if (!run_open(program, path, o.atomics, &l, d))
    status = p.value[FROM] ? EXIT_USAGE : CANNOT_START;
  else if (!run_can_save(&of, d))
    status = EXIT_USAGE;
  else
    status = run(&p, &of, &o, &ended, d);
  if (status >= 0) say(d);
  program_free(&l);
  diags_free(d);
  mem_free(program), mem_free(path);
  vec_free(&p.operands);
  if (status < 0) end_like(ended);
  return status;
}
