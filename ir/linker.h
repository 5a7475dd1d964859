// ir/linker -- modules added to one, many of them. LLVM-C's LLVMLinkModules2 scans all of the destination each
// time: 100 modules cost 100 scans; this scans it once.
#pragma once
#include <stdbool.h>
#include <llvm-c/Core.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef struct Linker Linker;
Linker *linker_new(LLVMModuleRef into);
bool linker_add(Linker *l, LLVMModuleRef m);  // destroys m. True if it failed: the context's handler knows why
void linker_free(Linker *l);
#ifdef __cplusplus
}
#endif
