#include "call.h"
#include "attribute.h"
#include <assert.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>

bool call_is(LLVMValueRef v) {
  return LLVMIsACallInst(v) || LLVMIsAInvokeInst(v) || LLVMIsACallBrInst(v);
}

bool call_is_debug(LLVMValueRef call) {
  assert(call_is(call));
  LLVMValueRef f = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(f)) return false;
  size_t len;
  return !strncmp(LLVMGetValueName2(f, &len), "llvm.dbg.", 9);
}

bool call_is_asm(LLVMValueRef call) {
  assert(call_is(call));
  return LLVMIsAInlineAsm(LLVMGetCalledValue(call));
}

static bool is_cast(LLVMValueRef v) {
  // The C API has no names for dso_local_equivalent and no_cfi and takes them for instructions.
  if (LLVMIsAConstant(v) && LLVMGetValueKind(v) == LLVMInstructionValueKind) return true;
  if (!LLVMIsAConstantExpr(v)) return false;
  LLVMOpcode op = LLVMGetConstOpcode(v);
  return op == LLVMBitCast || op == LLVMAddrSpaceCast || op == LLVMIntToPtr || op == LLVMPtrToInt;
}

LLVMValueRef call_strip(LLVMValueRef v) {
  for (;;) {
    if (LLVMIsAGlobalAlias(v))
      v = LLVMAliasGetAliasee(v);
    else if (is_cast(v))
      v = LLVMGetOperand(v, 0);
    else if (LLVMGetValueKind(v) == LLVMConstantPtrAuthValueKind)
      v = LLVMGetConstantPtrAuthPointer(v);
    else
      return v;
  }
}

LLVMValueRef call_function(LLVMValueRef call) {
  assert(call_is(call));
  return LLVMIsAFunction(call_strip(LLVMGetCalledValue(call)));
}

// Waking, or moving sleepers elsewhere, orders nothing and writes no memory of the program's.
static SyncKind futex_kind(unsigned long long op) {
  switch (op & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return SYNC_FUTEX_WAIT;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      return SYNC_FUTEX_WAKE;
    default:
      return SYNC_UNMODELLED;
  }
}

static const Sync *futex_of_syscall(LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  LLVMValueRef number = count ? LLVMIsAConstantInt(LLVMGetOperand(call, 0)) : NULL;
  if (!number || LLVMConstIntGetZExtValue(number) != SYS_futex) return NULL;
  LLVMValueRef op = count > 2 ? LLVMIsAConstantInt(LLVMGetOperand(call, 2)) : NULL;
  SyncKind kind = op ? futex_kind(LLVMConstIntGetZExtValue(op)) : SYNC_UNMODELLED;
  size_t row = 0;
  while (row < sync_count() && (sync_at(row)->home != SYNC_IN_KERNEL || sync_at(row)->kind != kind)) ++row;
  assert(row < sync_count());  // syncs.def has one of each
  return sync_at(row);
}

const Sync *sync_of_call(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  if (!f || !LLVMIsDeclaration(f)) return NULL;
  size_t len;
  const char *name = LLVMGetValueName2(f, &len);
  if (*name == 1) ++name;  // "as it stands": an asm label
  const Sync *s = strcmp(name, "syscall") ? sync_find(name) : futex_of_syscall(call);
  return s && LLVMGetNumArgOperands(call) >= s->args ? s : NULL;
}

LLVMValueRef sync_operand(LLVMValueRef call, SyncArg operand) {
  if (operand.place == SYNC_ABSENT) return NULL;
  assert(operand.place == SYNC_RESULT || operand.arg < LLVMGetNumArgOperands(call));
  return operand.place == SYNC_RESULT ? call : LLVMGetOperand(call, operand.arg);
}

bool call_returns_twice(LLVMValueRef inst) {
  LLVMValueRef f = call_is(inst) ? call_function(inst) : NULL;
  if (!call_is(inst)) return false;
  if (attribute_call_has(inst, "returns_twice")) return true;
  if (!f || !LLVMIsAFunction(f)) return false;
  const char *name = LLVMGetValueName(f);
  return attribute_has(f, "returns_twice") || strstr(name, "setjmp") || !strcmp(name, "getcontext");
}
