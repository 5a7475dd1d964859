// An earlier finding answers for one later finding: the one at the same lines, else one that differs in lines
// only.
#include "findings.h"
#include "triage.h"

static bool same_line(const FindingAccess *a, const FindingAccess *b) {
  return a->at.line == b->at.line && a->at.column == b->at.column;
}

// Given that the fingerprints are equal.
static bool same_lines(const Finding *f, const Finding *g) {
  return (same_line(&f->a, &g->a) && same_line(&f->b, &g->b)) ||
         (same_line(&f->a, &g->b) && same_line(&f->b, &g->a));
}

static uint64_t *plain_prints(const Report *r) {
  uint64_t *all = mem_array(r->findings.len + 1, sizeof *all);
  for (vec_each(i, &r->findings)) all[i] = fingerprint(&r->findings.at[i], 0);
  return all;
}

// What was refuted or benign then and is not now is news.
void baseline_mark(Report *r, const Report *earlier) {
  uint64_t *now = plain_prints(r), *then = plain_prints(earlier);
  bool *taken = mem_array(earlier->findings.len + 1, sizeof *taken);
  r->has_baseline = true;
  for (vec_each(i, &r->findings)) r->findings.at[i].known = false;
  for (int pass = 0; pass < 2; ++pass)
    for (vec_each(i, &r->findings)) {
      Finding *f = &r->findings.at[i];
      for (size_t k = 0; k < earlier->findings.len && !f->known; ++k) {
        const Finding *g = &earlier->findings.at[k];
        if (taken[k] || now[i] != then[k] || !finding_open(g) || (!pass && !same_lines(f, g))) continue;
        f->known = taken[k] = true;
      }
    }
  mem_free(now);
  mem_free(then);
  mem_free(taken);
}
