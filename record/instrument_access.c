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

// -- all of them

// A variable that is only read and written as a whole: of one thread.
static bool is_private(LLVMValueRef pointer) {
  if (!pointer || !LLVMIsAAllocaInst(pointer)) return false;
  for (all_uses(u, pointer)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool whole = LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != pointer);
    if (!whole && !LLVMIsADbgInfoIntrinsic(user)) return false;
  }
  return true;
}

static LLVMValueRef pointer_of(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return LLVMGetOperand(i, 0);
  return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

typedef struct {
  LLVMValueRef inst;
  bool writes;
  AccessOf of;
} Touch;
typedef Vec(Touch) Touches;

static void find_all(LLVMModuleRef m, Touches *out) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        if (is_private(pointer_of(i)) || (call_is(i) && call_is_debug(i))) continue;
        for (int writes = 0; writes < 2; ++writes) {
          Touch t = {.inst = i, .writes = writes != 0};
          if (access_of(i, t.writes, &t.of) && t.of.count) vec_push(out, t);
        }
      }
}

void accesses_all(LLVMModuleRef m, InstrumentAccesses *out) {
  Touches all = {0};
  find_all(m, &all);
  for (vec_each(i, &all)) {
    char *name = inst_name(all.at[i].inst);
    vec_push(out, ((InstrumentAccess){name, all.at[i].writes}));
  }
  vec_free(&all);
}

void accesses_free_all(InstrumentAccesses *all) {
  for (vec_each(i, all)) mem_free((char *)(uintptr_t)all->at[i].name);
  vec_free(all);
}

static LLVMValueRef make_wanted(Instrumenter *k, size_t count) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(k->c), type = LLVMArrayType2(byte, count + 1);
  LLVMValueRef wanted = LLVMAddGlobal(k->m, type, "rt_rep_wanted"),
               number_of = LLVMAddGlobal(k->m, k->i32, "rt_rep_accesses");
  LLVMSetInitializer(wanted, LLVMConstNull(type));
  LLVMSetInitializer(number_of, number(k, (uint32_t)count));
  LLVMSetGlobalConstant(number_of, 1);
  LLVMSetVisibility(wanted, LLVMHiddenVisibility), LLVMSetVisibility(number_of, LLVMHiddenVisibility);
  return wanted;
}

// Calls the hook if somebody asked for this access; to be inlined.
static LLVMValueRef make_touch(Instrumenter *k, LLVMValueRef wanted) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(k->c), types[] = {k->i32, k->ptr, LLVMInt64TypeInContext(k->c)};
  LLVMTypeRef type = LLVMFunctionType(k->none, types, 3, 0);
  LLVMValueRef f = LLVMAddFunction(k->m, "specialize.touch", type), args[3];
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(k->c, f, ""),
                    hook = LLVMAppendBasicBlockInContext(k->c, f, ""),
                    done = LLVMAppendBasicBlockInContext(k->c, f, "");
  LLVMSetLinkage(f, LLVMInternalLinkage);
  attribute_set(f, "alwaysinline", true);
  LLVMGetParams(f, args);
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  LLVMPositionBuilderAtEnd(k->b, entry);
  LLVMValueRef at = LLVMBuildGEP2(k->b, byte, wanted, args, 1, "");
  LLVMBuildCondBr(k->b, LLVMBuildIsNotNull(k->b, LLVMBuildLoad2(k->b, byte, at, ""), ""), hook, done);
  LLVMPositionBuilderAtEnd(k->b, hook);
  hook_call(k, "rt_rep_access", args, 3);
  LLVMBuildBr(k->b, done);
  LLVMPositionBuilderAtEnd(k->b, done);
  LLVMBuildRetVoid(k->b);
  return f;
}

static void hook_if_wanted(Instrumenter *k, const Touch *t, uint32_t id, LLVMValueRef touch) {
  stand_before(k, t->inst);
  for (size_t i = 0; i < t->of.count; ++i) {
    LLVMValueRef args[] = {number(k, id), t->of.at[i].address, size_of(k, &t->of.at[i])};
    if (LLVMTypeOf(args[1]) != k->ptr) args[1] = LLVMBuildAddrSpaceCast(k->b, args[1], k->ptr, "");
    LLVMBuildCall2(k->b, LLVMGlobalGetValueType(touch), touch, args, 3, "");
  }
}

void hook_all_accesses(Instrumenter *k) {
  Touches all = {0};
  find_all(k->m, &all);
  hook_orders(k);
  LLVMValueRef touch = make_touch(k, make_wanted(k, all.len));
  for (vec_each(i, &all)) hook_if_wanted(k, &all.at[i], (uint32_t)i, touch);
  vec_free(&all);
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
