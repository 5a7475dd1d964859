// Comments in lines of source, which may be anything.
#undef NDEBUG
#include <assert.h>
#include "fuzz.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned char *line = mem_copy(data, size);  // its own block, so that reading behind it shows
  Span reason = {0};
  for (int alone = 0; alone < 2; ++alone)
    if (annotation_benign(span_of(line, size), alone, &reason))
      assert(reason.at >= line && reason.at + reason.len <= line + size);
  mem_free(line);
  return 0;
}
