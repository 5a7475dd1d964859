#include "lines.h"
#include <assert.h>
#include "llvm_gap.h"
#include "core/core.h"

struct Lines {
  GapLines *gap;
  size_t frames;  // at the address last asked for
};

Lines *lines_new(const char *program) {
  Lines *l = mem_alloc(sizeof *l);
  l->gap = gap_lines_new(program);
  return l;
}

void lines_free(Lines *l) {
  if (!l) return;
  gap_lines_free(l->gap);
  mem_free(l);
}

size_t lines_at(Lines *l, uint64_t address) {
  return l->frames = gap_lines_at(l->gap, address);
}

LineFrame lines_frame(const Lines *l, size_t i) {
  LineFrame f = {0};
  assert(i < l->frames);
  gap_lines_frame(l->gap, i, &f.function, &f.place.file, &f.place.line, &f.place.column);
  return f;
}
