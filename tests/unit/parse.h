// IR text to a module, for tests of what looks at IR.
#pragma once
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <llvm-c/IRReader.h>
#include "core/core.h"

static inline LLVMModuleRef parse(LLVMContextRef c, const char *text) {
  LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
  LLVMModuleRef m;
  char *error;
  if (!LLVMParseIRInContext(c, b, &m, &error)) return m;
  fprintf(stderr, "%s\n", error);
  assert(!"the test's IR parses");
  return NULL;
}
