#include "constraints.h"
#include "cfspec/cfspec.h"
#include "forge/forge.h"

typedef struct {
  const Sigma *s;
  const Schedule *c;
} Recorded;

static const char *recorded_variable(void *at, const char *name) {
  const Recorded *r = at;
  for (vec_each(i, &r->c->env)) {
    const SigmaEnv *e = &r->c->env.at[i];
    if (!strcmp(sigma_text(r->s, e->name), name))
      return e->value == SIGMA_NONE ? NULL : sigma_text(r->s, e->value);
  }
  return NULL;
}

// What the run was recorded with must fit.
static bool fits_recording(const Sigma *s, const Schedule *c, Term when) {
  Recorded r = {s, c};
  Vec(const char *) argv = {0};
  for (vec_each(i, &c->argv)) vec_push(&argv, sigma_text(s, c->argv.at[i]));
  TermInputs in = {.argc = (int)argv.len, .argv = argv.at, .env = recorded_variable, .at = &r};
  bool fits = !argv.len || term_holds(s->terms, when, &in);
  vec_free(&argv);
  return fits;
}

// With a Σ of its own: a view may leave out locks for its budget.
bool constraints_compute(const char *app, const char *sigma, uint32_t schedule, Bytes *when,
                         ConstraintFound *out, Diags *d) {
  Program l = {0};
  Diags *found = diags_new();
  Sigma *s = sigma_read(sigma, found);
  bool ok = s && program_open(app, targets_find, &l, found);
  size_t before = s ? s->exclusions.len : 0;
  AliasOptions how = {.open = ok && targets_open(l.module, &l.app), .summaries = cfspec_view_summaries};
  ok = ok && specializer_view(&l, app, s, schedule, how.open, 0, found) == VIEW_MADE;
  ConstraintInput in = {.view = l.module, .alias = &how, .sigma = s, .schedule = schedule};
  if (ok && s->exclusions.len > before)
    diag_error(found, "the schedule is too long to be looked at whole (--budget)"), ok = false;
  ok = ok && constraint_find(&in, out, found);
  if (ok && !out->gaps.len && !fits_recording(s, s->schedules.at[schedule], out->when))
    diag_error(found, "internal: the computed constraint does not fit the recorded input"), ok = false;
  if (ok && !out->gaps.len) term_print(s->terms, out->when, when);
  if (!ok) diags_append(d, found);
  diags_free(found);
  program_free(&l);
  sigma_free(s);
  return ok;
}
