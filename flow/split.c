#include "split.h"
#include <llvm-c/DebugInfo.h>
#include "ir/ir.h"

static LLVMTypeRef structure_of(LLVMValueRef i) {
  LLVMTypeRef t = LLVMIsALoadInst(i)    ? LLVMTypeOf(i)
                  : LLVMIsAStoreInst(i) ? LLVMTypeOf(LLVMGetOperand(i, 0))
                                        : NULL;
  return t && LLVMGetTypeKind(t) == LLVMStructTypeKind && !LLVMGetVolatile(i) ? t : NULL;
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to) {
  size_t count = 0;
  LLVMValueMetadataEntry *all = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &count);
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(from));
  for (unsigned i = 0; i < count; ++i)
    LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(all, i),
                    LLVMMetadataAsValue(c, LLVMValueMetadataEntriesGetMetadata(all, i)));
  LLVMDisposeValueMetadataEntries(all);
}

static void split(LLVMBuilderRef b, LLVMValueRef i, LLVMTypeRef t) {
  bool loads = LLVMIsALoadInst(i) != NULL;
  LLVMValueRef pointer = LLVMGetOperand(i, loads ? 0 : 1), whole = LLVMGetPoison(t);
  LLVMPositionBuilderBefore(b, i);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
  for (unsigned k = 0; k < LLVMCountStructElementTypes(t); ++k) {
    LLVMValueRef at = LLVMBuildStructGEP2(b, t, pointer, k, ""), made;
    made = loads ? LLVMBuildLoad2(b, LLVMStructGetTypeAtIndex(t, k), at, "")
                 : LLVMBuildStore(b, LLVMBuildExtractValue(b, LLVMGetOperand(i, 0), k, ""), at);
    LLVMSetAlignment(made, 1);
    copy_metadata(i, made);
    if (loads) whole = LLVMBuildInsertValue(b, whole, made, k, "");
  }
  if (loads) LLVMReplaceAllUsesWith(i, whole);
  LLVMInstructionEraseFromParent(i);
}

void split_structures(LLVMModuleRef m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  Vec(LLVMValueRef) all = {0};
  for (bool more = true; more;) {  // members may be structures
    all.len = 0;
    for (all_functions(f, m))
      for (all_blocks(block, f))
        for (all_insts(i, block))
          if (structure_of(i)) vec_push(&all, i);
    for (vec_each(n, &all)) split(b, all.at[n], structure_of(all.at[n]));
    more = all.len > 0;
  }
  vec_free(&all);
  LLVMDisposeBuilder(b);
}
