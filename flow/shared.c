#include "shared.h"
#include <sys/mman.h>

static bool is_map(LLVMValueRef i) {
  static const char *const names[] = {"mmap", "mmap64", "mremap", "shmat"};
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  bool is = false;
  for (size_t n = 0; f && n < sizeof names / sizeof *names; ++n) is |= !strcmp(LLVMGetValueName(f), names[n]);
  return is && LLVMIsDeclaration(f);
}

static unsigned long long flags_of(LLVMValueRef map, bool *known) {
  LLVMValueRef flags = LLVMGetNumArgOperands(map) == 6 ? LLVMGetArgOperand(map, 3) : NULL;
  *known = flags && LLVMIsAConstantInt(flags);
  return *known ? LLVMConstIntGetZExtValue(flags) : 0;
}

// A private map of a file shows what others write to the file, until the process writes there itself.
static bool is_private(LLVMValueRef map) {
  bool known;
  unsigned long long is = flags_of(map, &known);
  return known && (is & MAP_TYPE) == MAP_PRIVATE && is & MAP_ANONYMOUS && !(is & MAP_FIXED);
}

static bool may_replace(LLVMValueRef map) {
  bool known;
  unsigned long long is = flags_of(map, &known);
  return !known || is & MAP_FIXED;
}

SharedMaps shared_maps(LLVMModuleRef m) {
  SharedMaps maps = SHARED_NO_MAPS;
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        if (!is_map(i) || is_private(i)) continue;
        if (may_replace(i)) return SHARED_REMAPS;
        maps = SHARED_MAPS;
      }
  return maps;
}

// Of a wrapper it is not looked up which memory it gives.
bool shared_object(const Alias *a, uint32_t object, SharedMaps maps) {
  AliasObject o = alias_object(a, object);
  if (o.kind == ALIAS_HIDDEN || o.kind == ALIAS_LIBRARY || maps == SHARED_REMAPS) return true;
  if (o.kind != ALIAS_HEAP || maps == SHARED_NO_MAPS) return false;
  LLVMValueRef f = call_is(o.value) ? call_function(o.value) : NULL;
  return !f || !LLVMIsDeclaration(f) || (is_map(o.value) && !is_private(o.value));
}
