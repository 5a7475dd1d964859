// Where atomic operations are events, their order says when a thread may go on; the futex that it sleeps on
// meanwhile does not, and a wake-up that came early when the run was recorded does not come again. So clones
// wait for a futex through the runtime, which comes back at once while the run is held: any such wait may.
#include "specializer.h"

// By an argument that is no constant nobody knows how long it waits: it stays as it is.
static const char *endless_wait(LLVMValueRef call) {
  const Sync *s = call_is(call) ? sync_of_call(call) : NULL;
  if (!s || s->kind != SYNC_FUTEX_WAIT) return NULL;
  bool kernel = s->home == SYNC_IN_KERNEL, flag = !strncmp(s->name, "__atomic_flag_wait", 18);
  unsigned timed = kernel ? 4 : 3;
  if (flag || LLVMGetNumArgOperands(call) <= timed) return NULL;
  LLVMValueRef limit = LLVMGetArgOperand(call, timed);
  if (!LLVMIsAConstant(limit) || !LLVMIsNull(limit)) return NULL;
  return kernel ? "rt_enf_futex_wait" : "rt_enf_futex_wait_until";
}

void futexes_hold(Module *k) {
  for (all_functions(f, k->m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        const char *name = check_is_clone(f) ? endless_wait(i) : NULL;
        if (!name) continue;
        LLVMTypeRef type = LLVMGetCalledFunctionType(i);
        LLVMValueRef by = LLVMGetNamedFunction(k->m, name);
        if (!by) by = LLVMAddFunction(k->m, name, type);
        LLVMSetOperand(i, (unsigned)LLVMGetNumOperands(i) - 1, by);
      }
}
