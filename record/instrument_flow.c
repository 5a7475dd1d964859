// Where control goes other than by calls and returns: unwinding, setjmp, branches.
#include "instrumenter.h"

// With the exception as the C++ ABI has it.
static bool lands(LLVMValueRef i) {
  if (!LLVMIsALandingPadInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMStructTypeKind) return false;
  LLVMTypeRef type = LLVMTypeOf(i);
  return LLVMCountStructElementTypes(type) &&
         LLVMGetTypeKind(LLVMStructGetTypeAtIndex(type, 0)) == LLVMPointerTypeKind;
}

static bool comes_back(LLVMValueRef i) {
  return LLVMIsALandingPadInst(i) || (LLVMIsACallInst(i) && call_returns_twice(i));
}

static bool is_setjmp(LLVMValueRef i) {
  LLVMValueRef f = LLVMIsACallInst(i) ? call_function(i) : NULL;
  return f && LLVMIsAFunction(f) && strstr(LLVMGetValueName(f), "setjmp") && LLVMTypeOf(i) &&
         LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
}

static LLVMValueRef base_of(LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p) || LLVMIsABitCastInst(p)) p = LLVMGetOperand(p, 0);
  return p;
}

// pthread_cleanup_push: its buffer is registered.
static bool is_cleanup(LLVMValueRef setjmp) {
  LLVMValueRef buffer = base_of(LLVMGetArgOperand(setjmp, 0));
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(setjmp));
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      LLVMValueRef to = LLVMIsACallInst(i) ? call_function(i) : NULL;
      bool is = to && LLVMIsAFunction(to) && !strncmp(LLVMGetValueName(to), "__pthread_register_cancel", 25);
      if (is && base_of(LLVMGetArgOperand(i, 0)) == buffer) return true;
    }
  return false;
}

bool calls_setjmp(LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (is_setjmp(i)) return true;
  return false;
}

static void hook_jump(Instrumenter *k, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMBasicBlockRef here = LLVMGetInsertBlock(k->b);
  stand_before(k, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
  LLVMValueRef mark = LLVMBuildAlloca(k->b, LLVMInt64TypeInContext(LLVMGetModuleContext(k->m)), "");
  LLVMPositionBuilderAtEnd(k->b, here);
  stand_before(k, LLVMGetNextInstruction(LLVMGetNextInstruction(LLVMGetNextInstruction(call))));
  LLVMValueRef args[] = {number(k, sites_id(k->sites, call)), call, mark, number(k, is_cleanup(call))};
  hook_call(k, "rt_rec_jumped", args, 4);
}

// How many calls are open is kept at the start; where control comes back, all opened since have been left.
void hook_unwinding(Instrumenter *k, LLVMValueRef f) {
  Vec(LLVMValueRef) places = {0};
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (comes_back(i)) vec_push(&places, i);
  if (places.len) {
    LLVMTypeRef type = LLVMFunctionType(k->i32, NULL, 0, 0);
    stand_before(k, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)));
    LLVMValueRef kept = LLVMBuildAlloca(k->b, k->i32, "");
    stand_before(k, entry_place(f));
    LLVMValueRef depth = k->o->events
                             ? stack_now(k)
                             : LLVMBuildCall2(k->b, type, hook_named(k, "rt_rec_depth", type), NULL, 0, "");
    LLVMSetVolatile(LLVMBuildStore(k->b, depth, kept), 1);  // setjmp: it must not live in a register
    for (vec_each(i, &places)) {
      LLVMValueRef p = places.at[i];
      stand_before(
          k, LLVMIsALandingPadInst(p) ? first_place(LLVMGetInstructionParent(p)) : LLVMGetNextInstruction(p));
      LLVMValueRef then = LLVMBuildLoad2(k->b, k->i32, kept, "");
      LLVMSetVolatile(then, 1);
      if (k->o->events) {
        stack_set(k, then);
        continue;
      }
      if (lands(p)) {
        LLVMValueRef args[] = {then, LLVMBuildExtractValue(k->b, p, 0, "")};
        hook_call(k, "rt_rec_landed", args, 2);
      } else {
        hook_call(k, "rt_rec_unwound", &then, 1);
      }
      if (is_setjmp(p)) hook_jump(k, p);
    }
  }
  vec_free(&places);
}

// One number for each way out of a block that has several.
void hook_branches(Instrumenter *k) {
  Vec(LLVMValueRef) ends = {0};
  uint32_t id = 0;
  for (all_functions(f, k->m))
    for (all_blocks(b, f)) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
      if (LLVMGetNumSuccessors(end) > 1 && (LLVMIsABranchInst(end) || LLVMIsASwitchInst(end)))
        vec_push(&ends, end);
    }
  for (vec_each(i, &ends))
    for (unsigned s = 0; s < LLVMGetNumSuccessors(ends.at[i]); ++s) {
      LLVMValueRef which = number(k, ++id);
      edge_block(k, ends.at[i], s);
      hook_call(k, "rt_rec_branch", &which, 1);
    }
  vec_free(&ends);
}
