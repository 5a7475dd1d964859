#include "deadlocks.h"
#include "gaps.h"
#include "ir/ir.h"

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

bool deadlocks_check(const Program *l, const Sigma *s, uint32_t schedule, WitnessVec *witnesses, Report *out,
                     Diags *found) {
  if (strcmp(sigma_text(s, s->module), l->hash_text)) {
    diag(found, DIAG_ERROR, (Place){s->file, s->module_line, 0},
         "belongs to another program: the module hash of this one is %s", l->hash_text);
    return false;
  }
  bool *endless = endless_sites(l, s);
  DeadlockFigures figures = {0};
  DeadlockOptions o = {s, schedule, endless, name_for_people, witnesses, stop_wanted};
  gaps_tell(l, s, schedule, found);
  bool ok = deadlock_check(&o, out, &figures, found);
  mem_free(endless);
  return ok;
}
