// A clone is a subprogram of its own, into which the original's code is inlined at one place: so debuggers
// and our reports name the source line, and the clone.
#include "specializer.h"
#include <assert.h>

void locations_begin(Locations *l, Module *k, LLVMValueRef original, LLVMValueRef clone, const Map *values) {
  assert(original != clone && !LLVMGetSubprogram(clone));
  LLVMMetadataRef sub = LLVMGetSubprogram(original);
  size_t len;
  const char *name = LLVMGetValueName2(clone, &len);
  l->places = (Rehome){.context = k->c, .inlines = true};
  l->values = values;
  rehome_begin(&l->places);
  l->root = sub ? rehome_function(k->dib, sub, clone, name, len) : NULL;
  l->places.root = l->root;
}

void locations_end(Locations *l) {
  rehome_end(&l->places);
}

LLVMMetadataRef location_of(Locations *l, LLVMValueRef inst) {
  LLVMMetadataRef loc = l->root ? LLVMInstructionGetDebugLoc(inst) : NULL;
  if (loc) return rehome_place(&l->places, loc);
  return call_is(inst) ? l->root : NULL;
}

void location_fix(Locations *l, LLVMValueRef clone) {
  static const char *const scoped[] = {"alias.scope", "noalias"};
  for (size_t i = 0; i < 2; ++i) {  // a scope says something of one run of its code: clones would share it
    unsigned kind = LLVMGetMDKindIDInContext(l->places.context, scoped[i], (unsigned)strlen(scoped[i]));
    if (LLVMGetMetadata(clone, kind)) LLVMSetMetadata(clone, kind, NULL);
  }
  if (!LLVMIsATerminatorInst(clone)) return;
  unsigned loop = LLVMGetMDKindIDInContext(l->places.context, "llvm.loop", 9);
  LLVMValueRef node = LLVMGetMetadata(clone, loop);
  if (node) LLVMSetMetadata(clone, loop, rehome_loop(&l->places, node));
}

// Values that the clone does not have at this place are left out, and so is what is said of them.
static LLVMValueRef moved_value(void *locations, LLVMValueRef old) {
  const Locations *l = locations;
  return (LLVMValueRef)(uintptr_t)map_or(l->values, map_key(old), 0);
}

static LLVMMetadataRef moved_place(void *locations, LLVMMetadataRef old) {
  Locations *l = locations;
  return rehome_place(&l->places, old);
}

void location_frame(Locations *l, LLVMValueRef original, LLVMValueRef before) {
  VariablesMove how = {l, moved_value, moved_place, false, false};
  for (all_blocks(b, original))
    if (l->root) variables_frame(b, before, &how);
}

void location_variables(Locations *l, LLVMValueRef original, LLVMValueRef clone) {
  VariablesMove how = {l, moved_value, moved_place, false, false};
  if (l->root) variables_copy(original, clone, &how);
}
