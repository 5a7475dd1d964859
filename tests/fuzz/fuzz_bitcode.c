// Joined bitcode: the parts lie in the input, in order, and do not overlap.
#include <assert.h>
#include "ir/ir.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Spans out = {0};
  const uint8_t *end = data;
  if (!bitcode_split(span_of(data, size), &out)) assert(out.len);
  for (vec_each(i, &out)) {
    assert(out.at[i].at == end && bitcode_is(out.at[i]));
    end += out.at[i].len;
  }
  assert(end <= data + size);
  vec_free(&out);
  return 0;
}
