#include "meetings.h"
#include <stdlib.h>
#include "cfspec/cfspec.h"
#include "flow/flow.h"
#include "forge/forge.h"

typedef struct {
  const Access *access;
  char *text;  // t1 writes app.c:12:3
} Side;
typedef Vec(Side) Sides;

static const char *const reasons[] = {[FLOW_DISTINCT] = "what is known of their addresses keeps them apart",
                                      [FLOW_NEVER] = "one of them is never executed",
                                      [FLOW_OVERLAP] = "their addresses are always the same, or overlap",
                                      [FLOW_MAY_OVERLAP] = "for some values their addresses are the same",
                                      [FLOW_TOO_HARD] = "the question is too hard for the solver",
                                      [FLOW_ANYWHERE] = "where one of them points is not known"};

static char *side_text(const Access *x, uint32_t thread) {
  Place at = where(x->inst);
  const char *file = strrchr(at.file, '/') ? strrchr(at.file, '/') + 1 : at.file;
  const char *what = x->kind & ALIAS_FREES       ? "frees"
                     : !(x->kind & ALIAS_WRITES) ? "reads"
                     : x->kind & ALIAS_READS     ? "reads and writes"
                                                 : "writes";
  return mem_format("t%u %s %s:%u:%u", thread, what, file, at.line, at.column);
}

static bool collect(Flow *f, const char *text, Sides *out, Diags *d) {
  PlaceWanted want;
  const Accesses *all = flow_accesses(f);
  if (!place_parse(text, &want)) return diag_error(d, "%s: not FILE:LINE", text), false;
  for (size_t i = 0; i < accesses_count(all); ++i) {
    const Access *x = accesses_at(all, i);
    if (x->syncs || !place_matches(&want, where(x->inst))) continue;
    for (vec_each(k, &x->regions)) {
      uint32_t thread = x->regions.at[k].thread;
      bool again = false;
      for (size_t n = 0; n < k; ++n) again |= x->regions.at[n].thread == thread;
      if (!again) vec_push(out, ((Side){x, side_text(x, thread)}));
    }
  }
  return true;
}

static bool are_ordered(const Code *c, const Access *x, const Access *y) {
  for (vec_each(i, &x->regions))
    for (vec_each(k, &y->regions)) {
      Region r = x->regions.at[i], s = y->regions.at[k];
      if (r.thread != s.thread && !code_before(c, r, s, false) && !code_before(c, s, r, false)) return false;
    }
  return true;
}

static bool ranges_meet(const Alias *a, const Access *x, const Access *y) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges))
      if (alias_ranges_meet(a, &x->ranges.at[i], &y->ranges.at[k])) return true;
  return false;
}

static Meeting ask(Flow *f, const Side *x, const Side *y) {
  Meeting m = {.first = x->text, .second = y->text, .answer = MEETING_NO};
  m.why = "points-to gives them no byte in common";
  m.ordered = are_ordered(flow_code(f), x->access, y->access);
  if (!ranges_meet(flow_aliases(f), x->access, y->access)) return m;
  FlowMeeting is = flow_meet(f, x->access, y->access, NULL);
  m.answer = is == FLOW_OVERLAP                        ? MEETING_MUST
             : is == FLOW_DISTINCT || is == FLOW_NEVER ? MEETING_NO
                                                       : MEETING_MAY;
  m.why = reasons[is];
  return m;
}

// Copies that loops and calls made of one access are one to the reader: what holds for all of them.
static void add(Meetings *out, const Meeting *m) {
  for (vec_each(i, out)) {
    Meeting *old = &out->at[i];
    if (strcmp(old->first, m->first) || strcmp(old->second, m->second)) continue;
    old->ordered &= m->ordered;
    if (old->answer == m->answer || old->answer == MEETING_MAY) return;
    *old = (Meeting){old->first, old->second, MEETING_MAY,
                     m->answer == MEETING_MAY ? m->why : "some of their copies meet, others do not",
                     old->ordered};
    return;
  }
  Meeting one = *m;
  one.first = mem_string(m->first), one.second = mem_string(m->second);
  vec_push(out, one);
}

static int by_text(const void *x, const void *y) {
  const Meeting *a = x, *b = y;
  int first = strcmp(a->first, b->first);
  return first ? first : strcmp(a->second, b->second);
}

static bool find(const MeetingsWish *w, Flow *f, Meetings *out, Diags *d) {
  Sides sides[2] = {{0}, {0}};
  bool ok = collect(f, w->places[0], &sides[0], d) && collect(f, w->places[1], &sides[1], d);
  for (size_t i = 0; ok && i < sides[0].len; ++i)
    for (size_t k = 0; k < sides[1].len; ++k) {
      Meeting m = ask(f, &sides[0].at[i], &sides[1].at[k]);
      add(out, &m);
    }
  if (out->len) qsort(out->at, out->len, sizeof *out->at, by_text);
  for (int s = 0; s < 2; ++s) {
    for (vec_each(i, &sides[s])) mem_free(sides[s].at[i].text);
    vec_free(&sides[s]);
  }
  return ok;
}

bool meetings_find(const MeetingsWish *w, Meetings *out, Diags *d) {
  Program l = {0};
  Diags *found = diags_new();
  Sigma *s = sigma_read(w->sigma, d);
  bool ok = s && program_open(w->app, targets_find, &l, found);
  AliasOptions how = {.open = ok && targets_open(l.module, &l.app), .summaries = cfspec_view_summaries};
  ok = ok && specializer_view(&l, w->app, s, w->schedule, how.open, 0, found) == VIEW_MADE;
  Order *order = ok ? order_new(s, w->schedule, found) : NULL;
  FlowInput in = {.view = l.module, .order = order, .alias = &how};
  Flow *f = order ? flow_new(&in, found) : NULL;
  ok = f && find(w, f, out, d);
  if (s && !f) diags_append(d, found);
  flow_free(f);
  order_free(order);
  program_free(&l);
  sigma_free(s);
  diags_free(found);
  return ok;
}

void meetings_free(Meetings *m) {
  for (vec_each(i, m)) mem_free(m->at[i].first), mem_free(m->at[i].second);
  vec_free(m);
}
