#include "deadlocks.h"
#include "gaps.h"
#include "ir/ir.h"
#include "replay/replay.h"

// What tries, and what gives up after some time, waits for nobody without end. An operation that is called
// through a pointer may be any.
static bool *endless_sites(const Program *l, const Sigma *s) {
  bool *endless = mem_array(s->sites.len + 1, sizeof *endless);
  for (vec_each(i, &s->sites)) {
    const char *name = sigma_text(s, s->sites.at[i].name);
    uint32_t site = sites_find(l->sites, name, strlen(name));
    const Sync *sync = site == SITE_NONE ? NULL : maysync_operation(l->sync, site);
    endless[i] = !sync || (sync->waiting != SYNC_TRY && sync->waiting != SYNC_TIMED);
  }
  return endless;
}

static char *name_for_people(const char *symbol) {
  char *whole = where_name(symbol), *name = where_short(whole);
  mem_free(whole);
  return name;
}

static bool run_one(const Program *l, const Replayer *r, const DeadlockOptions *o, const Chance *c,
                    const DeadlockTries *t, Report *out, Diags *d) {
  Vec(ChanceStood) stood = {0};
  Strings names = {0};
  ReplayOptions how = {.until = t->until};
  ReplayResult result = replayer_run(r, c->prefix, &how);
  for (vec_each(i, &result.stood)) {
    const ReplayStood *s = &result.stood.at[i];
    char *name = s->site < sites_count(l->sites) ? sites_name(l->sites, s->site) : NULL;
    if (!name) continue;
    vec_push(&names, name);
    vec_push(&stood, ((ChanceStood){s->thread, name, s->joins}));
  }
  bool stands = result.verdict == REPLAY_REPLAYED;
  if (stands) chance_tell(o, c, stood.at, stood.len, out, d);
  replay_result_free(&result);
  strings_free(&names);
  vec_free(&stood);
  return stands;
}

bool deadlocks_run(const Program *l, const Sigma *s, uint32_t schedule, const DeadlockTries *t,
                   WitnessVec *witnesses, Report *out, Diags *found) {
  Chances all = {0};
  bool *endless = endless_sites(l, s);
  DeadlockOptions o = {s, schedule, endless, name_for_people, witnesses, 0, stop_wanted};
  bool ok = chances_find(&o, t->tried, t->names, &all, found);
  Vec(const Sigma *) prefixes = {0};
  for (vec_each(i, &all)) vec_push(&prefixes, all.at[i].prefix);
  Replayer *r = all.len ? replayer_new(t->app, prefixes.at, prefixes.len, found) : NULL;
  for (size_t i = 0; r && i < all.len && replay_clock() < t->until && !stop_wanted(); ++i) {
    char *text = mem_format("trying other orders: %zu of %zu", i + 1, all.len);
    progress(text);
    mem_free(text);
    run_one(l, r, &o, &all.at[i], t, out, found);
  }
  progress(NULL);
  replayer_free(r);
  vec_free(&prefixes);
  chances_free(&all);
  mem_free(endless);
  return ok;
}

bool deadlocks_check(const Program *l, const Sigma *s, uint32_t schedule, size_t limit, WitnessVec *witnesses,
                     Report *out, DeadlockFigures *figures, Diags *found) {
  if (strcmp(sigma_text(s, s->module), l->hash_text)) {
    diag(found, DIAG_ERROR, (Place){s->file, s->module_line, 0},
         "belongs to another program: the module hash of this one is %s", l->hash_text);
    return false;
  }
  bool *endless = endless_sites(l, s);
  DeadlockOptions o = {s, schedule, endless, name_for_people, witnesses, limit, stop_wanted};
  gaps_tell(l, s, schedule, found);
  bool ok = deadlock_check(&o, out, figures, found);
  mem_free(endless);
  return ok;
}
