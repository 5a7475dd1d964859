// LLVM's own reg2mem makes every value that crosses blocks a slot in the entry block, phis included: then
// blocks can be cloned in any number and order. It runs on whole modules; functions that are not wanted are
// marked so that it leaves them alone, and unmarked again.
#include <llvm-c/Transforms/PassBuilder.h>
#include "specializer.h"

enum { OPTNONE, NOINLINE, MARKS };
static const char *const marks[MARKS] = {"optnone", "noinline"};

typedef Vec(LLVMValueRef) Values;

// Asking LLVM for the address of a block makes one: look at those that there are. False: assembler code has
// one of them, where a number would be another thing.
static bool find_addresses(LLVMValueRef f, Values *addresses) {
  bool plain = true;
  for (all_uses(u, f)) {
    LLVMValueRef address = LLVMGetUser(u);
    if (!LLVMIsABlockAddress(address)) continue;
    vec_push(addresses, address);
    for (all_uses(v, address))
      plain &= !LLVMIsACallInst(LLVMGetUser(v)) && !LLVMIsACallBrInst(LLVMGetUser(v));
  }
  return plain;
}

// Each way stays one: a phi at its end has a value for it. What can never be jumped to, or is there twice,
// gets a number that nothing else has.
static void number_jump(Module *k, LLVMValueRef jump, Map *numbers, uint64_t *last) {
  unsigned n = LLVMGetNumSuccessors(jump);
  LLVMPositionBuilderBefore(k->b, jump);
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(jump));
  LLVMBasicBlockRef none = LLVMInsertBasicBlockInContext(k->c, LLVMGetInstructionParent(jump), "");
  LLVMValueRef target = LLVMBuildPtrToInt(k->b, LLVMGetOperand(jump, 0), k->i64, "");
  LLVMValueRef choice = LLVMBuildSwitch(k->b, target, none, n);
  Map *seen = map_new();
  for (unsigned s = 0; s < n; ++s) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(jump, s);
    uint64_t is = map_or(numbers, map_key(to), 0);
    if (!is || map_or(seen, is, 0)) is = ++*last;
    map_put(seen, is, 1);
    LLVMAddCase(choice, LLVMConstInt(k->i64, is, 0), to);
  }
  map_free(seen);
  LLVMInstructionEraseFromParent(jump);
  LLVMPositionBuilderAtEnd(k->b, none);
  LLVMBuildUnreachable(k->b);
}

// Computed gotos. A block's address in a clone would lead into the original: it becomes a number, and the
// jump a switch. Functions whose addresses assembler code takes keep them (obstacle).
static void number_blocks(Module *k, LLVMValueRef f) {
  Values jumps = {0}, addresses = {0};
  uint64_t last = 0;
  Map *numbers = map_new();
  if (!find_addresses(f, &addresses)) addresses.len = 0;
  for (all_blocks(b, f)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (addresses.len && LLVMIsAIndirectBrInst(end)) vec_push(&jumps, end);
  }
  for (vec_each(i, &addresses)) {
    map_put(numbers, map_key(LLVMGetBlockAddressBasicBlock(addresses.at[i])), ++last);
    LLVMReplaceAllUsesWith(addresses.at[i], LLVMConstIntToPtr(LLVMConstInt(k->i64, last, 0), k->ptr));
  }
  for (vec_each(i, &jumps)) number_jump(k, jumps.at[i], numbers, &last);
  map_free(numbers);
  vec_free(&jumps), vec_free(&addresses);
}

static bool has_block_address(LLVMValueRef i) {
  for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); ++n)
    if (LLVMIsABlockAddress(LLVMGetOperand(i, n))) return true;
  return false;
}

// What cannot be cut into segments. setjmp can: who jumps back comes to the segment that called it, and
// leaves the schedule there unless no event was in between.
static const char *obstacle(LLVMValueRef i) {
  LLVMTypeRef type = LLVMTypeOf(i);
  if (LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail &&
      LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)))
    return "a musttail call with variable arguments";
  if (LLVMIsACallBrInst(i)) return "assembly that jumps (asm goto)";
  if (LLVMIsAIndirectBrInst(i) || has_block_address(i)) return "a label whose address is used by assembly";
  if (LLVMGetTypeKind(type) == LLVMTokenTypeKind) return "a coroutine or another use of tokens";
  return NULL;
}

bool can_be_cut(Module *k, LLVMValueRef f, bool say) {
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      const char *what = obstacle(i);
      if (!what) continue;
      if (say)
        diag_at(k->diags, DIAG_ERROR, i,
                "%s in %s: a function that synchronizes cannot be specialized with this", what,
                function_name(k, f));
      return false;
    }
  return true;
}

static bool to_memory(Module *k) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(k->m, "function(reg2mem)", NULL, options);
  LLVMDisposePassBuilderOptions(options);
  if (!error) return true;
  char *text = LLVMGetErrorMessage(error);
  diag_error(k->diags, "internal: reg2mem failed: %s", text);
  LLVMDisposeErrorMessage(text);
  return false;
}

bool prepare_functions(Module *k, const bool *wanted, const bool *left) {
  uint32_t n = callgraph_count(k->graph);
  uint8_t *had = mem_array(n + 1, sizeof *had);
  for (uint32_t f = 0; f < n; ++f) {
    LLVMValueRef v = callgraph_function(k->graph, f);
    if (LLVMIsDeclaration(v)) continue;
    had[f] = (uint8_t)(attribute_has(v, marks[OPTNONE]) << OPTNONE | attribute_has(v, marks[NOINLINE])
                                                                         << NOINLINE);
    attribute_set(v, marks[OPTNONE], !wanted[f]);
    if (!wanted[f]) attribute_set(v, marks[NOINLINE], true);
    if (wanted[f]) number_blocks(k, v);
    if (wanted[f] && left[f] && can_be_cut(k, v, false)) cut_for_exits(k, v);
  }
  bool ok = to_memory(k);
  for (uint32_t f = 0; f < n; ++f) {
    LLVMValueRef v = callgraph_function(k->graph, f);
    if (LLVMIsDeclaration(v)) continue;
    for (int mark = 0; mark < MARKS; ++mark) attribute_set(v, marks[mark], had[f] >> mark & 1);
  }
  mem_free(had);
  return ok;
}
