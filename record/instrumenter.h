// record/instrumenter -- inside sigma/: what the parts of the instrumentation share.
#pragma once
#include <llvm-c/DebugInfo.h>
#include "instrument.h"

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMBuilderRef b;
  LLVMTypeRef i32, ptr, none;
  const Sites *sites;
  const Callgraph *graph;
  const Maysync *sync;
  const InstrumentOptions *o;
  Diags *diags;
} Instrumenter;

// A function of the runtime, declared when it is first asked for.
LLVMValueRef hook_named(Instrumenter *k, const char *name, LLVMTypeRef type);
// Calls `void name(arguments)` where the builder stands.
void hook_call(Instrumenter *k, const char *name, LLVMValueRef *args, unsigned count);
LLVMValueRef number(Instrumenter *k, uint32_t n);
void stand_before(Instrumenter *k, LLVMValueRef inst);
// Where code may be put at the start of a block, or of a function behind its allocas.
LLVMValueRef first_place(LLVMBasicBlockRef block);
LLVMValueRef entry_place(LLVMValueRef function);
// A new block on the way from the block of this terminator to its successor number i; holds only a branch,
// and the builder stands before that.
LLVMBasicBlockRef edge_block(Instrumenter *k, LLVMValueRef terminator, unsigned i);

// The parts. Each looks at the sites as they were before any part changed the module.
// False after an error: an access is not there, or not known to be one. Before all others.
bool hook_accesses(Instrumenter *k, const InstrumentOptions *o);
void hook_all_accesses(Instrumenter *k);
bool is_resolver(Instrumenter *k, LLVMValueRef f);  // runs while the program is loaded: nothing may be called
void hook_inputs(Instrumenter *k);                  // before sync operations are replaced
void hook_addresses(Instrumenter *k);               // where pointers become numbers that may decide
void hook_lives(Instrumenter *k);                   // before sync operations are replaced
void redirect_calls(Instrumenter *k);  // behind all else: calls that may synchronize are bracketed by then
void set_replaced_apart(Instrumenter *k);  // last of all
void hook_branches(Instrumenter *k);       // first of all: it counts the program's own branches
bool calls_setjmp(LLVMValueRef f);
// In the place of brackets: the calls that are open, as rt/roll.h has them.
LLVMValueRef stack_now(Instrumenter *k);
void stack_set(Instrumenter *k, LLVMValueRef to);
void stack_call(Instrumenter *k, LLVMValueRef now, uint32_t site);
void hook_unwinding(Instrumenter *k, LLVMValueRef function);  // for functions that hold derived syncs

void instrumenter_check(const Instrumenter *k);  // asserts that it is whole, before anything is changed
