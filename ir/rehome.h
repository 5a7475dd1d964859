// ir/rehome -- source places of code that moves into another function, or is copied there. A place says in
// which function its line is, and where that was inlined, up to the function that holds the code: that last
// part is exchanged, or a new last part added.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include "core/core.h"

typedef struct {
  LLVMContextRef context;
  LLVMMetadataRef root;  // in the new function; NULL: it has no debug information
  bool inlines;          // the old function counts as inlined at root; else root stands for what was last
  Map *moved;            // between rehome_begin and rehome_end
} Rehome;
void rehome_begin(Rehome *r);
void rehome_end(Rehome *r);

LLVMMetadataRef rehome_place(Rehome *r, LLVMMetadataRef place);
// The metadata of a loop, which names itself and where the loop stands: a node of its own for each copy.
LLVMValueRef rehome_loop(Rehome *r, LLVMValueRef node);
// A subprogram `name` without variables, in the file and unit of `like`, which becomes that of f: root.
LLVMMetadataRef rehome_function(LLVMDIBuilderRef b, LLVMMetadataRef like, LLVMValueRef f, const char *name,
                                size_t len);
// What a place is inlined in at last: two places of one function have the same.
LLVMMetadataRef rehome_last(LLVMMetadataRef place);
// The same line of the same function, inlined alike, whatever is last.
bool rehome_same(LLVMMetadataRef a, LLVMMetadataRef b);
