#include "rehome.h"
#include <assert.h>

enum { UNIT_OPERAND = 5 };  // of a subprogram

void rehome_begin(Rehome *r) {
  r->moved = map_new();
}

void rehome_end(Rehome *r) {
  map_free(r->moved);
}

LLVMMetadataRef rehome_place(Rehome *r, LLVMMetadataRef place) {
  uint64_t known;
  if (!r->root) return NULL;
  if (map_get(r->moved, map_key(place), &known)) return (LLVMMetadataRef)(uintptr_t)known;
  LLVMMetadataRef at = LLVMDILocationGetInlinedAt(place), moved = r->root;
  if (at || r->inlines)
    moved = LLVMDIBuilderCreateDebugLocation(r->context, LLVMDILocationGetLine(place),
                                             LLVMDILocationGetColumn(place), LLVMDILocationGetScope(place),
                                             at ? rehome_place(r, at) : r->root);
  map_put(r->moved, map_key(place), map_key(moved));
  return moved;
}

LLVMValueRef rehome_loop(Rehome *r, LLVMValueRef node) {
  unsigned n = LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *operands = mem_array(n + 1, sizeof *operands);
  LLVMMetadataRef *with = mem_array(n + 1, sizeof *with), none = LLVMTemporaryMDNode(r->context, NULL, 0);
  LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 0; i < n; ++i) {
    with[i] = operands[i] ? LLVMValueAsMetadata(operands[i]) : NULL;
    bool place = with[i] && i && LLVMGetMetadataKind(with[i]) == LLVMDILocationMetadataKind;
    if (place) with[i] = rehome_place(r, with[i]);
  }
  with[0] = none;
  unsigned kept = 0;
  for (unsigned i = 0; i < n; ++i)
    if (with[i]) with[kept++] = with[i];
  LLVMMetadataRef made = LLVMMDNodeInContext2(r->context, with, kept);
  LLVMValueRef self = LLVMMetadataAsValue(r->context, made);
  LLVMReplaceMDNodeOperandWith(self, 0, made);
  LLVMDisposeTemporaryMDNode(none);
  mem_free(operands), mem_free(with);
  return self;
}

static LLVMMetadataRef subprogram_like(LLVMContextRef c, LLVMDIBuilderRef b, LLVMMetadataRef like,
                                       const char *name, size_t len) {
  LLVMMetadataRef file = LLVMDIScopeGetFile(like);
  LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(b, file, NULL, 0, LLVMDIFlagZero);
  unsigned line = LLVMDISubprogramGetLine(like);
  LLVMMetadataRef sub = LLVMDIBuilderCreateFunction(b, file, name, len, name, len, file, line, type, 1, 1,
                                                    line, LLVMDIFlagArtificial, 1);
  LLVMValueRef old = LLVMMetadataAsValue(c, like), made = LLVMMetadataAsValue(c, sub);
  unsigned n = LLVMGetMDNodeNumOperands(old);
  LLVMValueRef *operands = mem_array(n + 1, sizeof *operands);
  LLVMGetMDNodeOperands(old, operands);
  // LLVM-C cannot say which unit a new one is of.
  LLVMReplaceMDNodeOperandWith(made, UNIT_OPERAND, LLVMValueAsMetadata(operands[UNIT_OPERAND]));
  mem_free(operands);
  return sub;
}

LLVMMetadataRef rehome_function(LLVMDIBuilderRef b, LLVMMetadataRef like, LLVMValueRef f, const char *name,
                                size_t len) {
  assert(like && !LLVMGetSubprogram(f));
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  LLVMMetadataRef mine = subprogram_like(c, b, like, name, len);
  LLVMSetSubprogram(f, mine);
  return LLVMDIBuilderCreateDebugLocation(c, LLVMDISubprogramGetLine(like), 0, mine, NULL);
}

LLVMMetadataRef rehome_last(LLVMMetadataRef place) {
  for (LLVMMetadataRef at; (at = LLVMDILocationGetInlinedAt(place));) place = at;
  return place;
}

bool rehome_same(LLVMMetadataRef a, LLVMMetadataRef b) {
  if (!a || !b) return a == b;
  for (;;) {
    LLVMMetadataRef a_at = LLVMDILocationGetInlinedAt(a), b_at = LLVMDILocationGetInlinedAt(b);
    if (!a_at || !b_at) return a_at == b_at;
    if (a_at == b_at && a == b) return true;
    if (LLVMDILocationGetLine(a) != LLVMDILocationGetLine(b) ||
        LLVMDILocationGetColumn(a) != LLVMDILocationGetColumn(b) ||
        LLVMDILocationGetScope(a) != LLVMDILocationGetScope(b))
      return false;
    a = a_at, b = b_at;
  }
}
