// Archives: every member lies inside the file, and reading ends.
#include <assert.h>
#include "ir/ir.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Ar ar = ar_open(span_of(data, size));
  ArMember m;
  size_t count = 0;
  while (ar_next(&ar, &m)) {
    assert(++count <= size / 60);
    assert(m.data.at >= data && m.data.at + m.data.len <= data + size);
    assert(m.name.at >= data && m.name.at + m.name.len <= data + size);
  }
  return 0;
}
