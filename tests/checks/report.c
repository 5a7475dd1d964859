// report/finding: what report_check notices.
#undef NDEBUG
#include "report/finding.c"
#include "dies.h"
#include "sim_findings.h"

static void check(void *r) {
  report_check(r);
}

static void test_finding(Report *r) {
  Finding *f = &r->findings.at[0], kept = *f;
  f->rule = NULL;
  dies_in("check_finding", check, r);
  *f = kept, f->object.place = FINDING_OTHER + 1;
  dies_in("check_finding", check, r);
  *f = kept, f->a.kind = FINDING_READ, f->b.kind = FINDING_WRITE;  // the write comes first
  dies_in("check_finding", check, r);
  *f = kept, f->b.kind = FINDING_WAIT + 1;
  dies_in("check_access", check, r);
  *f = kept;
  uint32_t last = vec_last(&f->schedules);
  vec_push(&f->schedules, last);
  dies_in("check_finding", check, r);
  f->schedules.len--;
  vec_push(&f->a.locks, ((FindingLock){0}));
  dies_in("check_access", check, r);
  f->a.locks.len--;
  f->known = true;  // but there is no baseline
  dies_in("report_check", check, r);
  f->known = false;
}

static void test_steps(Report *r) {
  size_t i = 0;
  while (!r->findings.at[i].waits.len) ++i;
  FindingWait *w = &r->findings.at[i].waits.at[0], kept = *w;
  w->from = w->to;
  dies_in("check_steps", check, r);
  *w = kept, w->to = (uint32_t)r->findings.at[i].steps.len;
  dies_in("check_steps", check, r);
  *w = kept, r->findings.at[i].steps.at[0].role = FINDING_B + 1;
  dies_in("check_steps", check, r);
  r->findings.at[i].steps.at[0].role = FINDING_EVENT;
}

static void test_report(Report *r) {
  r->scheduled_share = 1.5;
  dies_in("report_check", check, r);
  r->scheduled_share = 1;
  Finding first = r->findings.at[0];
  r->findings.at[0] = r->findings.at[1];  // twice the same
  dies_in("report_check", check, r);
  r->findings.at[0] = vec_last(&r->findings);  // in no order
  dies_in("report_check", check, r);
  r->findings.at[0] = first;
  vec_push(&r->incomplete, ((FindingGap){0}));
  dies_in("report_check", check, r);
  r->incomplete.len--;
}

int main(void) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Report *r = sim_findings(seed, seed % 23, seed % 2);
    report_settle(r);
    report_check(r);
    report_free(r);
  }
  Report *r = sim_findings(7, 20, false);
  report_settle(r);
  assert(r->findings.len > 2);
  test_finding(r);
  test_steps(r);
  test_report(r);
  report_check(r);
  report_free(r);
  return 0;
}
