// The parser of constraints; what it accepts prints, parses to the same, and has a value.
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include "fuzz.h"
#include "sigma/sigma.h"

static bool variable(void *at, const char *name, TermAccess access, TermValue *out) {
  (void)at;
  if (access == TERM_AS_STRING) out->as.s = name;
  return strlen(name) % 2;
}
static bool memory(void *at, int64_t address, TermAccess access, TermValue *out) {
  return variable(at, "memory", access, out) || address % 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const argv[] = {"prog", "12", "-q", "0x7fffffffffffffff", "1e400", NULL};
  TermInputs inputs = {.argc = 5, .argv = argv, .var = variable, .mem = memory};
  Diags *diags = diags_new();
  Terms *ts = terms_new();
  Term t = term_parse(ts, span_of(data, size), diags, (Place){"fuzz", 1, 1});
  assert((t == TERM_NONE) == (diags_errors(diags) == 1));
  if (t != TERM_NONE) {
    Bytes once = {0};
    term_print(ts, t, &once);
    Term again = term_parse(ts, span_of(once.at, once.len), diags, (Place){"again", 1, 1});
    assert(again != TERM_NONE && term_same(ts, t, ts, again));
    errno = 99;
    bool holds = term_holds(ts, t, &inputs);
    assert(errno == 99 && holds == term_holds(ts, again, &inputs));
    vec_free(&once);
  }
  terms_free(ts);
  diags_free(diags);
  return 0;
}
