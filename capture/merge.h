// capture/merge -- the bitcode of the objects of one link, as one module. The module has what the linker
// took, no more: symbols replaced or wrapped by the linker are treated as it treated them.
#pragma once
#include <llvm-c/Core.h>
#include "app/app.h"
#include "core/core.h"

typedef struct {
  const char *name;
  Spans bitcode;       // one module, or several where `ld -r` joined objects
  Span object;         // the ELF object that the bitcode stands for; empty for an LTO object
  char *why;           // out: why this part could not be merged, NULL if it was; the caller frees it
  unsigned functions;  // out: how many functions its machine code defines
} MergePart;

// NULL if no part could be merged. `wraps`: the symbols of --wrap.
LLVMModuleRef merge_parts(MergePart *parts, size_t count, const Strings *wraps, const char *name,
                          LLVMContextRef *context);
