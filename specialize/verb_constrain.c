#include <stdlib.h>
#include "options.h"
#include "app/app.h"
#include "session/session.h"
#include "sigma/sigma.h"
#include "verbs.h"

enum { SCHEDULE, WHEN, COMPUTE, APP, AT, EXPLAIN };
static const Option options[] = {
    {"--schedule", "N", "which schedule", NULL},
    {"--when", "TERM", "the constraint; docs/sigma.md describes its language", NULL},
    {"--compute", NULL, "compute the constraint from the code; needs --app", NULL},
    {"--app", "APP", "the program of the schedule, for --compute", NULL},
    {"--at", "WHERE", "where it is tested: main or main:FILE:LINE", NULL},
    EXPLAIN_OPTION};
static const Usage usage = {
    "constrain",
    "SIGMA --schedule N (--when TERM [--at main:FILE:LINE] | --compute --app APP)",
    "Sets the constraint of a schedule: the inputs that it serves. A TERM is parsed and type-checked, but "
    "its\n"
    "correctness is not checked. --compute finds the constraint in the code that the schedule goes through: "
    "the\n"
    "inputs with which every test there goes the same way. Where a test depends on anything but numbers of "
    "the\n"
    "command line and the environment, the constraint stays as it is, and the reasons are printed (exit "
    "status 3).",
    "  specialize constrain app.sigma --schedule 0 --when '(and (= argc 3) (= (atoi (argv 1)) 2))'\n"
    "  specialize constrain app.sigma --schedule 0 --compute --app ./app\n",
    options,
    sizeof options / sizeof *options,
    1};

static Schedule *schedule_named(Sigma *s, const char *number, Diags *d) {
  char *end;
  unsigned long n = number ? strtoul(number, &end, 10) : 0;
  if (!number) return diag_error(d, "--schedule N is required"), NULL;
  if (!*number || *end || strspn(number, "0123456789") != strlen(number))
    return diag_error(d, "--schedule must be a number, not '%s'", number), NULL;
  if (n >= s->schedules.len)
    return diag_error(d, "%s has %zu schedule%s; there is no schedule %s", s->file, s->schedules.len,
                      s->schedules.len == 1 ? "" : "s", number),
           NULL;
  return s->schedules.at[n];
}

static bool set_place(Sigma *s, Schedule *c, const char *at, Diags *d) {
  if (!at || !strcmp(at, "main")) {
    if (at) c->at_file = SIGMA_NONE, c->at_line = 0;
    return true;
  }
  const char *colon = strrchr(at, ':');
  char *end = NULL;
  unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
  if (strncmp(at, "main:", 5) || colon < at + 6 || !line || line > UINT32_MAX || *end)
    return diag_error(d, "--at must be main or main:FILE:LINE, not '%s'", at), false;
  char *file = mem_format("%.*s", (int)(colon - at - 5), at + 5);
  c->at_file = sigma_intern(s, file), c->at_line = (uint32_t)line;
  mem_free(file);
  return true;
}

static void tell_change(const Sigma *s, const Schedule *c, const char *schedule, Term now,
                        SigmaStatus status) {
  Bytes old = {0}, what = {0};
  if (!decisions_wanted()) return;
  bytes_text(&what, "the constraint of schedule "), bytes_text(&what, schedule),
      bytes_text(&what, " becomes ");
  term_print(s->terms, now, &what);
  bytes_text(&old, status == SIGMA_BY_HAND ? "set by hand; it was " : "computed; it was "),
      bytes_text(&old, sigma_status_word(c->status));
  if (c->status != SIGMA_FALSE) bytes_text(&old, ", "), term_print(s->terms, c->when, &old);
  vec_push(&old, 0), vec_push(&what, 0);
  decided("constraint", (Place){s->file, c->line, 0}, (const char *)what.at, (const char *)old.at);
  vec_free(&old), vec_free(&what);
}

static void set(Sigma *s, Schedule *c, const Parsed *p, Term t, SigmaStatus status, Diags *d) {
  tell_change(s, c, p->value[SCHEDULE], t, status);
  c->when = t;
  c->status = (uint8_t)status;
  c->because = SIGMA_NONE;
  sigma_save(s, p->operands.at[0], d);
}

static void set_given(Sigma *s, Schedule *c, const Parsed *p, Diags *d) {
  const char *when = p->value[WHEN];
  Term t =
      term_parse(s->terms, span_of((const unsigned char *)when, strlen(when)), d, (Place){"--when", 1, 1});
  if (t != TERM_NONE && set_place(s, c, p->value[AT], d)) set(s, c, p, t, SIGMA_BY_HAND, d);
}

static void tell_found(const ConstraintFound *f, const Bytes *when, Diags *d) {
  for (vec_each(i, &f->gaps)) {
    const ConstraintGap *g = &f->gaps.at[i];
    diag(d, DIAG_NOTE, (Place){g->file, g->line, g->column}, "%s", g->why);
  }
  if (f->gaps.len)
    diag_warning(d,
                 "the constraint cannot be computed: %zu of %zu tests are not decided by the input's numbers",
                 f->gaps.len, f->guards > f->gaps.len ? f->guards : f->gaps.len);
  else
    diag_note(d, "computed: %.*s", (int)when->len, (const char *)when->at);
}

// False: it cannot be computed.
static bool set_computed(Sigma *s, Schedule *c, const Parsed *p, Diags *d) {
  Bytes when = {0};
  ConstraintFound found = {0};
  bool ok = constraints_compute(p->value[APP], p->operands.at[0],
                                (uint32_t)strtoul(p->value[SCHEDULE], NULL, 10), &when, &found, d);
  if (ok) tell_found(&found, &when, d);
  bool whole = ok && !found.gaps.len;
  Term t = whole ? term_parse(s->terms, span_of(when.at, when.len), d, (Place){"computed", 1, 1}) : TERM_NONE;
  if (t != TERM_NONE) set(s, c, p, t, SIGMA_PROVED, d);
  constraint_free(&found);
  vec_free(&when);
  return !ok || whole;
}

// False: something is missing for it.
static bool constrain(Sigma *s, const Parsed *p, Diags *d) {
  Schedule *c = schedule_named(s, p->value[SCHEDULE], d);
  if (!c) return true;
  if (!p->value[WHEN] == !p->value[COMPUTE])
    diag_error(d, "give --when TERM or --compute");
  else if (p->value[COMPUTE] && (!p->value[APP] || p->value[AT]))
    diag_error(d, p->value[AT] ? "--compute cannot be used with --at" : "--compute needs --app APP");
  else if (p->value[WHEN])
    set_given(s, c, p, d);
  else
    return set_computed(s, c, p, d);
  return true;
}

int verb_constrain(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  explain_begin(p.value[EXPLAIN]);
  int lock = file_lock(p.operands.at[0]);
  Sigma *s = sigma_updatable(p.operands.at[0], d) ? sigma_read(p.operands.at[0], d) : NULL;
  bool done = !s || constrain(s, &p, d);
  file_unlock(lock);
  sigma_free(s);
  vec_free(&p.operands);
  explain_end(p.value[EXPLAIN], d);
  return finish(d, done ? EXIT_CLEAN : EXIT_INCOMPLETE, EXIT_USAGE);
}
