// The readers of programs and of relations. What is before the first zero byte is a program, what is behind
// it its relation `in`, as tuples and as a BDD; what is accepted is solved within a small budget, and
// printed.
#include "fuzz.h"
#include "datalog/datalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
  size_t len = zero ? (size_t)(zero - data) : size;
  Span program = span_of(data, len), rest = span_of(data + len + (zero != NULL), size - len - (zero != NULL));
  Diags *diags = diags_new();
  DatalogOptions options = {.input = "/nonexistent", .nodes = 20000, .seconds = 2, .explain = true};
  Datalog *d = datalog_parse("fuzz.datalog", program, &options, diags);
  if (d) {
    datalog_give_file(d, "in", rest.len % 2, rest);
    Bytes out = {0};
    if (datalog_solve(d, diags) == DATALOG_SOLVED) {
      double size_of_in = datalog_size(d, "in");
      if (size_of_in >= 0 && size_of_in < 10000) datalog_explain(d, &out);
    }
    vec_free(&out);
  }
  datalog_free(d);
  diags_free(diags);
  return 0;
}
