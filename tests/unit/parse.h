// IR text to a module, for tests of what looks at IR.
#pragma once
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <llvm-c/IRReader.h>
#include "ir/ir.h"

static inline LLVMModuleRef parse(LLVMContextRef c, const char *text) {
  LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
  LLVMModuleRef m;
  char *error;
  if (!LLVMParseIRInContext(c, b, &m, &error)) return m;
  fprintf(stderr, "%s\n", error);
  assert(!"the test's IR parses");
  return NULL;
}

static inline LLVMValueRef local_of(LLVMModuleRef m, const char *function, const char *name) {
  size_t len;
  for (all_blocks(b, LLVMGetNamedFunction(m, function)))
    for (all_insts(i, b))
      if (!strcmp(LLVMGetValueName2(i, &len), name)) return i;
  assert(!"the test's function has that value");
  return NULL;
}
