#include "enumeration.h"

static bool make(const EnumerationWishes *w, const Program *l, Sigma *s, EnumerateFound *out,
                 Bytes *uncovered, Diags *d) {
  Bytes models = {0};
  AliasOptions how = {.open = targets_open(l->module, &l->app)};
  EnumerateInput in = {.program = l,
                       .sigma = s,
                       .assume = TERM_NONE,
                       .most_runs = w->runs,
                       .most_schedules = w->schedules,
                       .seconds = w->seconds};
  Alias *a = runner_models(&models, d) ? alias_new(l->module, &how, NULL) : NULL;
  in.alias = a, in.models = span_of(models.at, models.len);
  if (w->assume)
    in.assume = term_parse(s->terms, span_of((const unsigned char *)w->assume, strlen(w->assume)), d,
                           (Place){"--assume", 1, 1});
  vec_push(&in.seed, mem_string(w->app));
  for (size_t i = 0; i < w->seeds; ++i) vec_push(&in.seed, mem_string(w->seed[i]));
  bool ok = a && !diags_errors(d) && enumerate_all(&in, out, d);
  if (ok && out->uncovered != TERM_NONE) term_print(s->terms, out->uncovered, uncovered);
  ok = ok && (!s->schedules.len || sigma_save(s, w->sigma, d));
  strings_free(&in.seed);
  alias_free(a);
  vec_free(&models);
  return ok;
}

// What was enumerated can be again; what was recorded or written would be lost.
static bool may_replace(const char *path, Diags *d) {
  int err = file_writable(path);
  if (err) return diag_error(d, "%s: cannot be written: %s", path, strerror(err)), false;
  if (!file_exists(path)) return true;
  Diags *found = diags_new();
  Sigma *s = sigma_read(path, found);
  bool may = s != NULL;
  if (s)
    for (vec_each(i, &s->schedules)) may &= s->schedules.at[i]->origin == SIGMA_ENUMERATED;
  if (!may)
    diag_error(d, "%s: has something other than enumerated schedules; give another file, or remove it", path);
  sigma_free(s);
  diags_free(found);
  return may;
}

bool enumeration_make(const EnumerationWishes *w, EnumerateFound *out, Bytes *uncovered, Diags *d) {
  Program l = {0};
  bool ok =
      sigma_updatable(w->sigma, d) && may_replace(w->sigma, d) && program_open(w->app, targets_find, &l, d);
  Sigma *s = ok ? sigma_new(file_base(w->app), l.hash_text) : NULL;
  ok = ok && make(w, &l, s, out, uncovered, d);
  sigma_free(s);
  program_free(&l);
  return ok;
}
