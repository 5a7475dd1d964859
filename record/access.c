#include "access.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <llvm-c/Target.h>
#include "rt/rt.h"

static void whole(AccessOf *out, LLVMValueRef inst, LLVMValueRef address, LLVMTypeRef type) {
  LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)));
  out->at[0] =
      (AccessRange){.address = address, .bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(m), type)};
  out->count = 1;
}

// Where the words say how much, in front of the call. False: they do not.
static bool touch(AccessOf *out, LLVMValueRef call, const Do *d, SummaryValue place) {
  unsigned args = LLVMGetNumArgOperands(call);
  if (place.kind == VALUE_ITSELF && place.operand >= OPERAND_NAMED) return true;  // the library's own
  if (place.kind != VALUE_ITSELF || place.operand >= args || d->rest || out->count == 2) return false;
  AccessRange r = {.address = LLVMGetArgOperand(call, place.operand)};
  bool sized = d->times != OPERAND_NONE;
  if (LLVMGetTypeKind(LLVMTypeOf(r.address)) != LLVMPointerTypeKind) return false;
  if (sized && (d->times >= args || (d->times2 != OPERAND_NONE && d->times2 >= args))) return false;
  if (sized) r.size = LLVMGetArgOperand(call, d->times);
  if (sized && d->times2 != OPERAND_NONE) r.times = LLVMGetArgOperand(call, d->times2);
  if (d->kind == DO_FREE) r.bytes = RT_TOUCH_HEAP;
  if (d->text) r.bytes = RT_TOUCH_TEXT;
  if (d->fixed) r.bytes = (uint64_t)d->fixed;
  out->at[out->count++] = r;
  return sized || r.bytes;
}

static bool touches(AccessOf *out, LLVMValueRef call, const Do *d, bool writes) {
  switch (d->kind) {
    case DO_READ:
      return writes || touch(out, call, d, d->place);
    case DO_USE:
      return !writes;
    case DO_WRITE:
    case DO_FREE:
      return !writes || touch(out, call, d, d->place);
    case DO_COPY:
      return touch(out, call, d, writes ? d->place : d->value);
    case DO_STORE:
    case DO_MIX:
      return !writes;
    case DO_CALL:
    case DO_SPAWN:
      return false;  // and what that does
    default:
      return true;
  }
}

static const Summaries *rows;
static void read_rows(void) {
  rows = summaries_new();
}

// The library's name of what clang writes as llvm.memcpy.p0.p0.i64, llvm.memcpy.inline....; as it is, else.
static void plain_name(const char *name, char *out, size_t size) {
  const char *at = strncmp(name, "llvm.mem", 8) ? name : name + 5;
  snprintf(out, size, "%.*s", at == name ? (int)size : (int)strcspn(at, "."), at);
}

static void of_call(LLVMValueRef call, bool writes, AccessOf *out) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  LLVMValueRef f = call_function(call);
  char name[512];
  Summary what;
  if (!f || !LLVMIsAFunction(f) || !LLVMIsDeclaration(f)) return;
  pthread_once(&once, read_rows);
  plain_name(LLVMGetValueName(f), name, sizeof name);
  if (!summaries_find(rows, name, &what)) return;
  for (size_t i = 0; i < what.len; ++i)
    if (!touches(out, call, &what.at[i], writes)) {
      *out = (AccessOf){0};
      return;
    }
}

bool access_of(LLVMValueRef i, bool writes, AccessOf *out) {
  *out = (AccessOf){0};
  if (LLVMIsALoadInst(i) && !writes)
    whole(out, i, LLVMGetOperand(i, 0), LLVMTypeOf(i));
  else if (LLVMIsAStoreInst(i) && writes)
    whole(out, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
  else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
    whole(out, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)));
  else if (call_is(i))
    of_call(i, writes, out);
  return out->count > 0;
}

static unsigned of_ordering(LLVMAtomicOrdering o) {
  switch (o) {
    case LLVMAtomicOrderingAcquire:
      return SYNC_ACQUIRES;
    case LLVMAtomicOrderingRelease:
      return SYNC_RELEASES;
    case LLVMAtomicOrderingAcquireRelease:
    case LLVMAtomicOrderingSequentiallyConsistent:
      return SYNC_ACQUIRES | SYNC_RELEASES;
    default:
      return 0;
  }
}

// A load releases nothing, whatever its ordering, and a store acquires nothing.
unsigned access_orders(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return of_ordering(LLVMGetOrdering(i)) & SYNC_ACQUIRES;
  if (LLVMIsAStoreInst(i)) return of_ordering(LLVMGetOrdering(i)) & SYNC_RELEASES;
  if (LLVMIsAAtomicRMWInst(i) || LLVMIsAFenceInst(i))
    return of_ordering(LLVMGetOrdering(i));
  if (LLVMIsAAtomicCmpXchgInst(i))
    return of_ordering(LLVMGetCmpXchgSuccessOrdering(i)) | of_ordering(LLVMGetCmpXchgFailureOrdering(i));
  return call_is(i) && call_is_asm(i) ? SYNC_ACQUIRES | SYNC_RELEASES : 0;
}
