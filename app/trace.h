// app/trace -- what a linker took, from what it prints under -t: object files, and members of archives.
#pragma once
#include <stdbool.h>
#include "core/core.h"

typedef struct {
  char *path;    // as the linker names it
  char *member;  // NULL for a file
} Traced;
typedef Vec(Traced) Trace;

// Understands GNU ld ((lib.a)member), gold, lld and mold (lib.a(member)). `known` are paths given to the
// linker, for names that hold a newline. Text that is not part of the trace goes to `rest`. Each entry is
// kept once, in order; archive members that occur several times are all kept.
void trace_read(Span text, const Strings *known, Trace *out, Bytes *rest);
void trace_free(Trace *t);
