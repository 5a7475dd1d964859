// The reader of findings; what it accepts is written in all formats, and read again as the same.
#undef NDEBUG
#include <assert.h>
#include "fuzz.h"
#include "report/report.h"

static void write_all(const Report *r) {
  static void (*const formats[])(const Report *, Bytes *, const FindingOptions *) = {
      finding_text, finding_sarif, finding_html, finding_github};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
    Bytes out = {0};
    formats[i](r, &out, &(FindingOptions){.root = "/src"});
    assert(out.len);
    vec_free(&out);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Diags *diags = diags_new();
  Report *r = finding_parse("fuzz", span_of(data, size), diags);
  assert(!r == (diags_errors(diags) == 1));
  if (r) {
    Bytes once = {0}, twice = {0};
    write_all(r);
    finding_json(r, &once, NULL);
    Report *again = finding_parse("again", span_of(once.at, once.len), diags);
    assert(again);
    finding_json(again, &twice, NULL);
    assert(once.len == twice.len && !memcmp(once.at, twice.at, once.len));
    baseline_mark(r, again);
    vec_free(&once), vec_free(&twice);
    report_free(again);
  }
  report_free(r);
  diags_free(diags);
  return 0;
}
