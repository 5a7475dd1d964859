#include "shared.h"
#include <sys/mman.h>

static bool is_map(LLVMValueRef i) {
  static const char *const names[] = {"mmap", "mmap64", "mremap", "shmat"};
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  bool is = false;
  for (size_t n = 0; f && n < sizeof names / sizeof *names; ++n) is |= !strcmp(LLVMGetValueName(f), names[n]);
  return is && LLVMIsDeclaration(f);
}

// A private map of a file shows what others write to the file, until the process writes there itself.
static bool is_private(LLVMValueRef map) {
  LLVMValueRef flags = LLVMGetNumArgOperands(map) == 6 ? LLVMGetArgOperand(map, 3) : NULL;
  if (!flags || !LLVMIsAConstantInt(flags)) return false;
  unsigned long long is = LLVMConstIntGetZExtValue(flags);
  return (is & MAP_TYPE) == MAP_PRIVATE && is & MAP_ANONYMOUS;
}

bool shared_maps(LLVMModuleRef m) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (is_map(i) && !is_private(i)) return true;
  return false;
}

// Of a wrapper it is not looked up which memory it gives.
bool shared_object(const Alias *a, uint32_t object) {
  AliasObject o = alias_object(a, object);
  if (o.kind == ALIAS_HIDDEN || o.kind == ALIAS_LIBRARY) return true;
  if (o.kind != ALIAS_HEAP) return false;
  LLVMValueRef f = call_is(o.value) ? call_function(o.value) : NULL;
  return !f || !LLVMIsDeclaration(f) || (is_map(o.value) && !is_private(o.value));
}
