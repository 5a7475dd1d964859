// The reader of suppressions; what it accepts is tried on a finding.
#undef NDEBUG
#include <assert.h>
#include "fuzz.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const FindingFrame stack[] = {{.function = "inner(int)", .file = "src/a.c", .line = 10},
                                       {.function = "qsort", .library = "/lib/libc.so.6"},
                                       {.function = "outer", .file = "b*.c", .line = 7}};
  Diags *diags = diags_new();
  Suppressions *s = suppressions_parse("fuzz", span_of(data, size), diags);
  assert(!s == (diags_errors(diags) > 0));
  if (s) {
    Report *r = report_new();
    Finding *f = report_add(r);
    f->a.at = stack[0], f->b.at = stack[2], f->object.name = "counter";
    vec_append(&f->a.stack, stack, 3);
    suppressions_apply(s, r);
    suppressions_unused(s, diags);
    report_free(r);
  }
  suppressions_free(s);
  diags_free(diags);
  return 0;
}
