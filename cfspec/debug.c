// A clone is a subprogram of its own, into which the original's code is inlined at one place: so debuggers
// and our reports name the source line, and the clone.
#include "specializer.h"
#include <assert.h>

enum { UNIT_OPERAND = 5 };  // of a subprogram

static LLVMMetadataRef subprogram_like(Module *k, LLVMMetadataRef original, LLVMValueRef clone) {
  size_t len;
  const char *name = LLVMGetValueName2(clone, &len);
  LLVMMetadataRef file = LLVMDIScopeGetFile(original);
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(k->dib, file, NULL, 0, LLVMDIFlagZero);
  unsigned line = LLVMDISubprogramGetLine(original);
  LLVMMetadataRef sub = LLVMDIBuilderCreateFunction(k->dib, file, name, len, name, len, file, line, type, 1,
                                                    1, line, LLVMDIFlagArtificial, 1);
  LLVMValueRef old = LLVMMetadataAsValue(k->c, original), made = LLVMMetadataAsValue(k->c, sub);
  unsigned n = LLVMGetMDNodeNumOperands(old);
  LLVMValueRef *operands = mem_array(n + 1, sizeof *operands);
  LLVMGetMDNodeOperands(old, operands);
  // LLVM-C cannot say which unit a new one is of.
  LLVMReplaceMDNodeOperandWith(made, UNIT_OPERAND, LLVMValueAsMetadata(operands[UNIT_OPERAND]));
  mem_free(operands);
  return sub;
}

void locations_begin(Locations *l, Module *k, LLVMValueRef original, LLVMValueRef clone, const Map *values) {
  assert(original != clone && !LLVMGetSubprogram(clone));
  LLVMMetadataRef sub = LLVMGetSubprogram(original);
  *l = (Locations){.k = k, .moved = map_new(), .values = values};
  if (!sub) return;
  LLVMMetadataRef mine = subprogram_like(k, sub, clone);
  LLVMSetSubprogram(clone, mine);
  l->root = LLVMDIBuilderCreateDebugLocation(k->c, LLVMDISubprogramGetLine(sub), 0, mine, NULL);
}

void locations_end(Locations *l) {
  map_free(l->moved);
}

static LLVMMetadataRef move(Locations *l, LLVMMetadataRef loc) {
  uint64_t known;
  if (map_get(l->moved, map_key(loc), &known)) return (LLVMMetadataRef)(uintptr_t)known;
  LLVMMetadataRef at = LLVMDILocationGetInlinedAt(loc);
  LLVMMetadataRef moved =
      LLVMDIBuilderCreateDebugLocation(l->k->c, LLVMDILocationGetLine(loc), LLVMDILocationGetColumn(loc),
                                       LLVMDILocationGetScope(loc), at ? move(l, at) : l->root);
  map_put(l->moved, map_key(loc), map_key(moved));
  return moved;
}

LLVMMetadataRef location_of(Locations *l, LLVMValueRef inst) {
  LLVMMetadataRef loc = l->root ? LLVMInstructionGetDebugLoc(inst) : NULL;
  if (loc) return move(l, loc);
  return call_is(inst) ? l->root : NULL;
}

// The node of a loop names itself, and where the loop stands.
static LLVMValueRef loop_moved(Locations *l, LLVMValueRef node) {
  unsigned n = LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *operands = mem_array(n + 1, sizeof *operands);
  LLVMMetadataRef *with = mem_array(n + 1, sizeof *with), none = LLVMTemporaryMDNode(l->k->c, NULL, 0);
  LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 0; i < n; ++i) {
    with[i] = operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
    bool place = with[i] && i && LLVMGetMetadataKind(with[i]) == LLVMDILocationMetadataKind;
    if (place) with[i] = l->root ? move(l, with[i]) : NULL;
  }
  with[0] = none;
  unsigned kept = 0;
  for (unsigned i = 0; i < n; ++i)
    if (with[i]) with[kept++] = with[i];
  LLVMMetadataRef made = LLVMMDNodeInContext2(l->k->c, with, kept);
  LLVMValueRef self = LLVMMetadataAsValue(l->k->c, made);
  LLVMReplaceMDNodeOperandWith(self, 0, made);
  LLVMDisposeTemporaryMDNode(none);
  mem_free(operands), mem_free(with);
  return self;
}

void location_fix(Locations *l, LLVMValueRef clone) {
  static const char *const scoped[] = {"alias.scope", "noalias"};
  for (size_t i = 0; i < 2; ++i) {  // a scope says something of one run of its code: clones would share it
    unsigned kind = LLVMGetMDKindIDInContext(l->k->c, scoped[i], (unsigned)strlen(scoped[i]));
    if (LLVMGetMetadata(clone, kind)) LLVMSetMetadata(clone, kind, NULL);
  }
  if (!LLVMIsATerminatorInst(clone)) return;
  unsigned loop = LLVMGetMDKindIDInContext(l->k->c, "llvm.loop", 9);
  LLVMValueRef node = LLVMGetMetadata(clone, loop);
  if (node) LLVMSetMetadata(clone, loop, loop_moved(l, node));
}

// Values that the clone does not have at this place are left out, and so is what is said of them.
static LLVMValueRef moved_value(void *locations, LLVMValueRef old) {
  const Locations *l = locations;
  return (LLVMValueRef)(uintptr_t)map_or(l->values, map_key(old), 0);
}

static LLVMMetadataRef moved_place(void *locations, LLVMMetadataRef old) {
  return move(locations, old);
}

void location_frame(Locations *l, LLVMValueRef original, LLVMValueRef before) {
  VariablesMove how = {l, moved_value, moved_place};
  if (l->root) variables_frame(original, before, &how);
}

void location_variables(Locations *l, LLVMValueRef original, LLVMValueRef clone) {
  VariablesMove how = {l, moved_value, moved_place};
  if (l->root) variables_copy(original, clone, &how);
}
