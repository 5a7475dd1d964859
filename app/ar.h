// app/ar -- members of an archive: GNU and BSD names, thin archives. Input may be hostile.
#pragma once
#include <stdbool.h>
#include "core/core.h"

typedef struct {
  Span name;  // of a thin archive: the member's path, relative to the archive's directory
  Span data;  // empty in a thin archive
} ArMember;

typedef struct {
  Span file, names;
  size_t at;
  bool thin;
  const char *wrong;
} Ar;

bool ar_is(Span file);
Ar ar_open(Span file);
// The next ordinary member (no symbol table, no name table); false at the end, or with ar->wrong set.
bool ar_next(Ar *ar, ArMember *out);
