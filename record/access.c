#include "access.h"
#include <string.h>
#include <llvm-c/Target.h>
#include "rt/rt.h"

enum { NONE = -1, TEXT = -2, HEAP = -3 };
typedef struct {
  const char *name;
  int argument, size, times;
  bool writes;
} Touch;
static const Touch touches[] = {
#define TOUCH(name, argument, size, times, writes) {name, argument, size, times, writes},
#include "access.def"
};

static void whole(AccessOf *out, LLVMValueRef inst, LLVMValueRef address, LLVMTypeRef type) {
  LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)));
  out->at[0] =
      (AccessRange){.address = address, .bytes = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(m), type)};
  out->count = 1;
}

// memcpy of the library, or as clang writes it: llvm.memcpy.p0.p0.i64, llvm.memcpy.inline.…
static bool is_named(const char *function, const char *name) {
  size_t n = strlen(name);
  if (!strncmp(function, "llvm.", 5)) return !strncmp(function + 5, name, n) && function[5 + n] == '.';
  return !strcmp(function, name);
}

static void touch(AccessOf *out, LLVMValueRef call, const Touch *t) {
  int args = (int)LLVMGetNumArgOperands(call);
  if (t->argument >= args || t->size >= args || t->times >= args) return;
  AccessRange r = {.address = LLVMGetArgOperand(call, (unsigned)t->argument)};
  if (LLVMGetTypeKind(LLVMTypeOf(r.address)) != LLVMPointerTypeKind) return;
  if (t->size >= 0) r.size = LLVMGetArgOperand(call, (unsigned)t->size);
  if (t->times >= 0) r.times = LLVMGetArgOperand(call, (unsigned)t->times);
  if (t->size < 0) r.bytes = t->size == TEXT ? RT_TOUCH_TEXT : RT_TOUCH_HEAP;
  out->at[out->count++] = r;
}

static void of_call(LLVMValueRef call, bool writes, AccessOf *out) {
  LLVMValueRef f = call_function(call);
  if (!f || !LLVMIsAFunction(f) || !LLVMIsDeclaration(f)) return;
  const char *name = LLVMGetValueName(f);
  for (size_t i = 0; i < sizeof touches / sizeof *touches && out->count < 2; ++i)
    if (touches[i].writes == writes && is_named(name, touches[i].name)) touch(out, call, &touches[i]);
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

unsigned access_orders(LLVMValueRef i) {
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAFenceInst(i))
    return of_ordering(LLVMGetOrdering(i));
  if (LLVMIsAAtomicCmpXchgInst(i))
    return of_ordering(LLVMGetCmpXchgSuccessOrdering(i)) | of_ordering(LLVMGetCmpXchgFailureOrdering(i));
  return call_is(i) && call_is_asm(i) ? SYNC_ACQUIRES | SYNC_RELEASES : 0;
}
