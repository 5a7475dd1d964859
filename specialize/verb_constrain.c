#include <stdlib.h>
#include "options.h"
#include "app/app.h"
#include "sigma/sigma.h"
#include "verbs.h"

enum { SCHEDULE, WHEN, AT, EXPLAIN };
static const Option options[] = {
    {"--schedule", "N", "which schedule", NULL},
    {"--when", "TERM", "the constraint; docs/sigma.md describes its language", NULL},
    {"--at", "WHERE", "where it is tested: main or main:FILE:LINE", NULL},
    EXPLAIN_OPTION};
static const Usage usage = {
    "constrain",
    "SIGMA --schedule N --when TERM [--at main:FILE:LINE]",
    "Sets the constraint of a schedule by hand: for which inputs it holds. The term is parsed and\n"
    "type-checked; that it is right is the person's word.",
    "  specialize constrain app.sigma --schedule 0 --when '(and (= argc 3) (= (atoi (argv 1)) 2))'\n",
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

static void tell_change(const Sigma *s, const Schedule *c, const char *schedule, Term now) {
  Bytes old = {0}, what = {0};
  if (!decisions_wanted()) return;
  bytes_text(&what, "the constraint of schedule "), bytes_text(&what, schedule),
      bytes_text(&what, " becomes ");
  term_print(s->terms, now, &what);
  bytes_text(&old, "set by hand; it was "), bytes_text(&old, sigma_status_word(c->status));
  if (c->status != SIGMA_FALSE) bytes_text(&old, ", "), term_print(s->terms, c->when, &old);
  vec_push(&old, 0), vec_push(&what, 0);
  decided("constraint", (Place){s->file, c->line, 0}, (const char *)what.at, (const char *)old.at);
  vec_free(&old), vec_free(&what);
}

static void constrain(Sigma *s, const Parsed *p, Diags *d) {
  Schedule *c = schedule_named(s, p->value[SCHEDULE], d);
  const char *when = p->value[WHEN];
  if (!c) return;
  if (!when) {
    diag_error(d, "--when TERM is required");
    return;
  }
  Term t =
      term_parse(s->terms, span_of((const unsigned char *)when, strlen(when)), d, (Place){"--when", 1, 1});
  if (t == TERM_NONE || !set_place(s, c, p->value[AT], d)) return;
  tell_change(s, c, p->value[SCHEDULE], t);
  c->when = t;
  c->status = SIGMA_BY_HAND;
  c->because = SIGMA_NONE;
  sigma_save(s, p->operands.at[0], d);
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
  if (s) constrain(s, &p, d);
  file_unlock(lock);
  sigma_free(s);
  vec_free(&p.operands);
  explain_end(p.value[EXPLAIN], d);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
