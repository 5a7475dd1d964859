// Hooks for replay: in front of named accesses, and of what orders memory without being an event.
#include "access.h"
#include "instrumenter.h"

static LLVMValueRef widened(Instrumenter *k, LLVMValueRef v) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(k->c);
  return LLVMTypeOf(v) == i64 ? v : LLVMBuildZExtOrBitCast(k->b, v, i64, "");
}

static LLVMValueRef size_of(Instrumenter *k, const AccessRange *r) {
  LLVMValueRef size = r->size ? widened(k, r->size) : LLVMConstInt(LLVMInt64TypeInContext(k->c), r->bytes, 0);
  return r->times ? LLVMBuildMul(k->b, size, widened(k, r->times), "") : size;
}

static void hook_access(Instrumenter *k, LLVMValueRef inst, uint32_t id, const AccessOf *a) {
  stand_before(k, inst);
  for (size_t i = 0; i < a->count; ++i) {
    LLVMValueRef args[] = {number(k, id), a->at[i].address, size_of(k, &a->at[i])};
    if (LLVMTypeOf(args[1]) != k->ptr) args[1] = LLVMBuildAddrSpaceCast(k->b, args[1], k->ptr, "");
    hook_call(k, "rt_rep_access", args, 3);
  }
}

static void hook_orders(Instrumenter *k) {
  Vec(LLVMValueRef) all = {0};
  for (all_functions(f, k->m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (access_orders(i)) vec_push(&all, i);
  for (vec_each(i, &all)) {
    LLVMValueRef how = number(k, access_orders(all.at[i]));
    stand_before(k, all.at[i]);
    hook_call(k, "rt_rep_orders", &how, 1);
  }
  vec_free(&all);
}

static LLVMValueRef find(Instrumenter *k, const InstrumentAccess *a, AccessOf *of) {
  LLVMValueRef inst = inst_find(k->m, a->name, strlen(a->name));
  if (!inst)
    diag_error(k->diags, "the module has no instruction %s", a->name);
  else if (!access_of(inst, a->writes, of))
    diag_error(k->diags, "%s: the address it %s is not known before the call", a->name,
               a->writes ? "writes" : "reads");
  else
    return inst;
  return NULL;
}

// All are found by their numbers before anything is changed.
bool hook_accesses(Instrumenter *k, const InstrumentOptions *o) {
  LLVMValueRef *inst = mem_array(o->access_count, sizeof *inst);
  AccessOf *of = mem_array(o->access_count, sizeof *of);
  bool ok = true;
  for (size_t i = 0; i < o->access_count; ++i) ok &= (inst[i] = find(k, &o->accesses[i], &of[i])) != NULL;
  if (ok) hook_orders(k);
  for (size_t i = 0; i < o->access_count && ok; ++i) hook_access(k, inst[i], (uint32_t)i, &of[i]);
  mem_free(inst);
  mem_free(of);
  return ok;
}
