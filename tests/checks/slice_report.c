// report/slice: what slice_report_check notices, and how what it lets pass is printed.
#undef NDEBUG
#include "report/slice.c"
#include "dies.h"

static void check(void *data) {
  slice_report_check(data);
}

static SliceReport *make(void) {
  SliceReport *r = slice_report_new();
  for (uint32_t n = 1; n < 4; ++n) {
    SliceLine l = {.file = slice_text_of(r, "t.c"), .line = 2 * n, .executed = 5, .kept = n - 1};
    if (l.kept) l.why = SLICE_WHY_DATA;
    vec_push(&r->lines, l);
    SliceStep s = {.kind = SLICE_STEP_VALUE, .text = slice_text_of(r, "step %u", n), .because = n - 1};
    vec_push(&r->steps, s);
  }
  r->executed = 15, r->kept = 3;
  return r;
}

int main(void) {
  SliceReport *r = make();
  check(r);
  assert(slice_report_line(r, "t.c", 4) == &r->lines.at[1] && !slice_report_line(r, "t.c", 5));
  assert(!slice_report_line(r, "u.c", 4));
  r->steps.at[1].because = 2;  // itself
  dies_in("slice_report_check", check, r);
  r->steps.at[1].because = 1;
  r->lines.at[2].line = 4;
  dies_in("slice_report_check", check, r);
  r->lines.at[2].line = 6;
  r->lines.at[2].kept = 6;
  dies_in("slice_report_check", check, r);
  r->lines.at[2].kept = 2, r->lines.at[0].why = SLICE_WHY_ORDER;
  dies_in("slice_report_check", check, r);
  r->lines.at[0].why = 0, r->kept = 16;
  dies_in("slice_report_check", check, r);
  r->kept = 3;
  check(r);
  slice_report_free(r);
  return 0;
}
