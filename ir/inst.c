#include "inst.h"
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "call.h"
#include "each.h"
#include "core/core.h"
#include "site.h"

static bool counts(LLVMValueRef i) {
  return !call_is(i) || !call_is_debug(i);
}

LLVMValueRef inst_find(LLVMModuleRef m, const char *name, size_t len) {
  uint32_t ordinal;
  size_t end = place_split(name, len, '%', &ordinal);
  char *function = mem_format("%.*s", (int)end, name);
  LLVMValueRef f = end ? LLVMGetNamedFunction(m, function) : NULL;
  mem_free(function);
  if (!f) return NULL;
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (counts(i) && !ordinal--) return i;
  return NULL;
}

char *inst_name(LLVMValueRef inst) {
  size_t len;
  assert(LLVMIsAInstruction(inst) && counts(inst));
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  const char *name = LLVMGetValueName2(f, &len);
  uint32_t ordinal = 0;
  if (!len) return NULL;
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      if (i == inst) return mem_format("%s%%%u", name, ordinal);
      ordinal += counts(i);
    }
  return NULL;
}
