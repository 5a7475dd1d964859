// After an edit of the program: schedules that the new module still allows are taken over under its hash, the
// others are left out and named. Sites are the same by name, function#ordinal.
#include <llvm-c/Core.h>
#include "alias/alias.h"
#include "record/record.h"
#include "options.h"
#include "app/app.h"
#include "verbs.h"

enum { OUT };
static const Option options[] = {{"-o", "FILE", "output file (default: SIGMA itself)", NULL}};
static const Usage usage = {
    "rebase",
    "APP SIGMA [-o FILE]",
    "Takes the schedules in SIGMA over to APP, which was changed since. Each is checked against the new\n"
    "code; those that it no longer allows are left out and named, with the event that does not fit.\n"
    "Constraints that were proved or exact become by-hand: they spoke of the old code.",
    "  specialize rebase ./app app.sigma\n",
    options,
    sizeof options / sizeof *options,
    2};

// A file of schedules with one of them only: what is wrong with it is then wrong with that one.
static bool fits(const Sigma *s, size_t i, const Program *l, Diags *d) {
  Sigma one = *s;
  Schedule *alone[] = {s->schedules.at[i]};
  one.schedules.at = alone, one.schedules.len = one.schedules.cap = 1;
  return sigma_check(&one, d) && sigma_validate(&one, l->sites, l->graph, l->sync, d);
}

static void update_sites(Sigma *s, const Program *l) {
  for (vec_each(i, &s->sites)) {
    SigmaSite *site = &s->sites.at[i];
    const char *name = sigma_text(s, site->name);
    uint32_t id = sites_find(l->sites, name, strlen(name));
    Place w = id == SITE_NONE ? (Place){0} : where(sites_call(l->sites, id));
    if (w.file && w.line) site->file = sigma_intern(s, w.file), site->line = w.line, site->column = w.column;
  }
}

// Half of them must be left for a file to be replaced. What it was stays beside it if any are dropped.
static bool replace(Sigma *s, const char *path, const char *out, size_t count, Diags *d) {
  size_t keeps = s->schedules.len;
  bool own = !strcmp(path, out);
  if (own && keeps * 2 < count) {
    diag_warning(d,
                 "%s: only %zu of %zu schedules can be kept, so the file stays as it is; -o FILE writes them "
                 "to another file",
                 path, keeps, count);
    return false;
  }
  char *before = mem_format("%s~", path);
  Bytes old = {0};
  int err = own && keeps < count ? file_read(path, &old) : 0;
  if (!err && old.len) err = file_write(before, old.at, old.len, 0);
  if (err) diag_error(d, "%s: cannot be written: %s", before, strerror(err));
  bool saved = !err && sigma_save(s, out, d);
  if (saved && old.len) diag_note(d, "%s has the schedules from before", before);
  vec_free(&old);
  mem_free(before);
  return saved;
}

static bool rebase(Sigma *s, const Program *l, const char *path, const char *out, Diags *d) {
  Vec(Schedule *) kept = {0}, dropped = {0};
  size_t count = s->schedules.len;
  for (size_t i = 0; i < count; ++i) {
    Diags *why = diags_new();
    Schedule *c = s->schedules.at[i];
    if (schedule_is_witness(c)) {
      diag_warning(d, "schedule %zu dropped: a witness fits only the program that it was made for", i);
      vec_push(&dropped, c);
    } else if (fits(s, i, l, why)) {
      if (c->status == SIGMA_PROVED || c->status == SIGMA_EXACT) c->status = SIGMA_BY_HAND;
      vec_push(&kept, c);
    } else {
      diag_warning(d, "schedule %zu dropped: the changed code can no longer run it", i);
      if (diags_count(why)) diag_note(d, "%s", diags_at(why, 0)->text);
      vec_push(&dropped, c);
    }
    diags_free(why);
  }
  size_t keeps = kept.len;
  for (size_t i = 0; i < keeps; ++i) s->schedules.at[i] = kept.at[i];
  for (vec_each(i, &dropped)) s->schedules.at[keeps + i] = dropped.at[i];
  s->schedules.len = keeps;
  s->module = sigma_intern(s, l->hash_text);
  update_sites(s, l);
  if (replace(s, path, out, count, d)) printf("%s: kept %zu of %zu schedules\n", out, keeps, count);
  s->schedules.len = count;  // all of them are freed
  vec_free(&kept), vec_free(&dropped);
  return keeps == count;
}

int verb_rebase(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 2, 2, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  env_check(d);
  const char *path = p.operands.at[1];
  bool all = true;
  int lock = file_lock(p.value[OUT] ? p.value[OUT] : path);
  Sigma *s = p.value[OUT] || sigma_updatable(path, d) ? sigma_read(path, d) : NULL;
  if (s && program_open(p.operands.at[0], targets_find, &l, d)) {
    program_suit(&l, s);
    if (strcmp(sigma_text(s, s->module), l.hash_text))
      all = rebase(s, &l, path, p.value[OUT] ? p.value[OUT] : path, d);
    else if (!p.value[OUT] || sigma_save(s, p.value[OUT], d))
      printf("%s: already belongs to %s\n", path, p.operands.at[0]);
  }
  sigma_free(s);
  program_free(&l);
  vec_free(&p.operands);
  file_unlock(lock);
  return finish(d, all ? EXIT_CLEAN : EXIT_INCOMPLETE, EXIT_USAGE);
}
