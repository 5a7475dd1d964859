// One instruction, one call of `specialize_atomic_OPERATION_SIZE`: with its address, its operands, and a
// number that says the rest (rt/atomic.h). A pointer that is loaded or stored stays one, so that points-to
// sees it (ir/library.def); floating point goes as the bits that it has.
#include "atomics.h"
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "atomic_waits.h"
#include "call.h"
#include "each.h"
#include "rt/rt.h"
#include "where.h"

static const char prefix[] = "specialize_atomic_";

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMBuilderRef b;
  LLVMTypeRef i32, ptr;
  bool all, told;
  const char *const *objects;
  size_t count;
  Diags *diags;
} Lowering;

bool atomics_is_call(LLVMValueRef call) {
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  size_t len;
  return f && LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName2(f, &len), prefix, sizeof prefix - 1);
}

static bool is_atomic(LLVMValueRef i) {
  if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i)) return true;
  return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static unsigned address_of(LLVMValueRef i) {
  return LLVMIsAStoreInst(i) ? 1 : 0;
}

// -- which

static bool is_place(LLVMValueRef v) {
  if (LLVMIsAGetElementPtrInst(v)) return true;
  return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr;
}

static LLVMValueRef base_of(LLVMValueRef pointer) {
  while (is_place(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

// All that is done with the address: accesses of what is there, and places in it.
static bool shows(LLVMValueRef address) {
  for (all_uses(u, address)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool access = LLVMIsALoadInst(user) || LLVMIsAStoreInst(user) || LLVMIsAAtomicRMWInst(user) ||
                  LLVMIsAAtomicCmpXchgInst(user);
    if (access ? LLVMGetOperand(user, address_of(user)) != address : !is_place(user) || !shows(user))
      return false;
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address) return false;
  }
  return true;
}

static bool are_known(const Lowering *k) {
  bool ok = true;
  for (size_t i = 0; i < k->count && !k->all; ++i) {
    LLVMValueRef g = LLVMGetNamedGlobal(k->m, k->objects[i]);
    if (g && shows(g)) continue;
    ok = false;
    diag_error(k->diags,
               g ? "--atomics %s: its address is passed on, so its operations cannot all be found; "
                   "use --atomics all"
                 : "--atomics %s: the program has no variable of this name; use a name, all or none",
               k->objects[i]);
  }
  return ok;
}

static bool is_wanted(const Lowering *k, LLVMValueRef i) {
  if (atomics_is_ordinary(i)) return false;
  if (k->all || LLVMIsAFenceInst(i)) return true;
  LLVMValueRef base = base_of(LLVMGetOperand(i, address_of(i)));
  if (!LLVMIsAGlobalVariable(base)) return false;
  for (size_t n = 0; n < k->count; ++n)
    if (!strcmp(LLVMGetValueName(base), k->objects[n])) return true;
  return false;
}

// -- to calls

static LLVMTypeRef value_type(LLVMValueRef i) {
  if (LLVMIsAStoreInst(i)) return LLVMTypeOf(LLVMGetOperand(i, 0));
  return LLVMIsAAtomicCmpXchgInst(i) ? LLVMTypeOf(LLVMGetOperand(i, 1)) : LLVMTypeOf(i);
}

// The letter of its size in names, and the type that the call has for it; 0: none.
static char size_of(const Lowering *k, LLVMTypeRef type, LLVMTypeRef *as) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  unsigned bits = kind == LLVMIntegerTypeKind  ? LLVMGetIntTypeWidth(type)
                  : kind == LLVMFloatTypeKind  ? 32
                  : kind == LLVMDoubleTypeKind ? 64
                                               : 0;
  if (kind == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == 0) return *as = k->ptr, 'p';
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return 0;
  return *as = LLVMIntTypeInContext(k->c, bits < 32 ? 32 : bits), (char)('0' + bits / 8);
}

static unsigned bytes_of(char size) {
  return size == 'p' ? 8 : (unsigned)(size - '0');
}

static bool may_be_call(Lowering *k, LLVMValueRef i, char size) {
  bool rmw = LLVMIsAAtomicRMWInst(i) != NULL;
  bool known = !rmw || LLVMGetAtomicRMWBinOp(i) < (LLVMAtomicRMWBinOp)RT_RMW_LAST;
  LLVMValueRef address = LLVMGetOperand(i, address_of(i));
  if (size && known && LLVMTypeOf(address) == k->ptr && LLVMGetAlignment(i) >= bytes_of(size)) return true;
  if (!k->told)
    diag_at(k->diags, DIAG_WARNING, i, "an atomic operation of this size or kind cannot be an event");
  k->told = true;
  return false;
}

static uint32_t how_of(LLVMValueRef i) {
  if (LLVMIsAAtomicCmpXchgInst(i))
    return (uint32_t)LLVMGetCmpXchgSuccessOrdering(i) |
           (uint32_t)LLVMGetCmpXchgFailureOrdering(i) << RT_HOW_FAILURE |
           (LLVMGetVolatile(i) ? RT_HOW_VOLATILE : 0) | (LLVMGetWeak(i) ? RT_HOW_WEAK : 0);
  uint32_t how = (uint32_t)LLVMGetOrdering(i);
  if (LLVMIsAFenceInst(i)) return how;
  if (LLVMIsAAtomicRMWInst(i)) how |= (uint32_t)LLVMGetAtomicRMWBinOp(i) << RT_HOW_OPERATION;
  LLVMTypeKind kind = LLVMGetTypeKind(value_type(i));
  if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) how |= RT_HOW_REAL;
  return how | (LLVMGetVolatile(i) ? RT_HOW_VOLATILE : 0);
}

static bool is_integer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
}

// Of other size, or floating point.
static LLVMValueRef as_type(LLVMBuilderRef b, LLVMValueRef v, LLVMTypeRef type) {
  LLVMTypeRef from = LLVMTypeOf(v);
  if (from == type) return v;
  if (!is_integer(from) || !is_integer(type)) return LLVMBuildBitCast(b, v, type, "");
  bool wider = LLVMGetIntTypeWidth(type) > LLVMGetIntTypeWidth(from);
  return wider ? LLVMBuildZExt(b, v, type, "") : LLVMBuildTrunc(b, v, type, "");
}

static LLVMValueRef build_call(Lowering *k, LLVMValueRef at, const char *operation, char size,
                               LLVMTypeRef result, LLVMValueRef *args, unsigned n) {
  LLVMTypeRef types[4];
  char name[48];
  snprintf(name, sizeof name, size ? "%s%s_%c" : "%s%s", prefix, operation, size);
  assert(n < 4);
  args[n++] = LLVMConstInt(k->i32, how_of(at), 0);
  for (unsigned i = 0; i < n; ++i) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n, 0);
  LLVMValueRef f = LLVMGetNamedFunction(k->m, name);
  return LLVMBuildCall2(k->b, type, f ? f : LLVMAddFunction(k->m, name, type), args, n, "");
}

static void replace(LLVMValueRef i, LLVMValueRef by) {
  if (by && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) LLVMReplaceAllUsesWith(i, by);
  LLVMInstructionEraseFromParent(i);
}

// Old value, and whether it was what was expected.
static LLVMValueRef build_pair(Lowering *k, LLVMTypeRef pair, LLVMValueRef old, LLVMValueRef expected) {
  LLVMValueRef same = LLVMBuildICmp(k->b, LLVMIntEQ, old, expected, "");
  LLVMValueRef first = LLVMBuildInsertValue(k->b, LLVMGetUndef(pair), old, 0, "");
  return LLVMBuildInsertValue(k->b, first, same, 1, "");
}

static void lower(Lowering *k, LLVMValueRef i) {
  LLVMTypeRef none = LLVMVoidTypeInContext(k->c), as = none, type = LLVMTypeOf(i);
  LLVMValueRef args[4], made;
  bool fence = LLVMIsAFenceInst(i) != NULL;
  char size = fence ? 0 : size_of(k, value_type(i), &as);
  if (!fence && !may_be_call(k, i, size)) return;
  LLVMPositionBuilderBefore(k->b, i);
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(i));
  if (!fence) args[0] = LLVMGetOperand(i, address_of(i));
  if (fence) {
    made = build_call(k, i, "fence", 0, none, args, 0);
  } else if (LLVMIsALoadInst(i)) {
    made = as_type(k->b, build_call(k, i, "load", size, as, args, 1), type);
  } else if (LLVMIsAStoreInst(i)) {
    args[1] = as_type(k->b, LLVMGetOperand(i, 0), as);
    made = build_call(k, i, "store", size, none, args, 2);
  } else if (LLVMIsAAtomicRMWInst(i)) {
    args[1] = as_type(k->b, LLVMGetOperand(i, 1), as);
    made = as_type(k->b, build_call(k, i, "rmw", size, as, args, 2), type);
  } else {
    LLVMTypeRef held = LLVMTypeOf(LLVMGetOperand(i, 1));
    for (unsigned n = 1; n < 3; ++n) args[n] = as_type(k->b, LLVMGetOperand(i, n), as);
    made = as_type(k->b, build_call(k, i, "cas", size, as, args, 3), held);
    made = build_pair(k, type, made, LLVMGetOperand(i, 1));
  }
  replace(i, made);
}

// A loop that waits: in front of it what waits for its turn; in it the operation, as no event; on each way
// out the event, of the operation that came last.
static void lower_wait(Lowering *k, const AtomicWait *w) {
  LLVMTypeRef none = LLVMVoidTypeInContext(k->c), as = none, type = value_type(w->operation);
  LLVMValueRef i = w->operation, args[4], place, value;
  char size = size_of(k, type, &as);
  bool swaps = LLVMIsAAtomicRMWInst(i) != NULL;
  if (!may_be_call(k, i, size)) return;
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
  LLVMPositionBuilderBefore(k->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  place = LLVMBuildAlloca(k->b, k->ptr, ""), value = LLVMBuildAlloca(k->b, as, "");
  LLVMPositionBuilderBefore(k->b, w->before);
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(i));
  build_call(k, i, "await", 0, none, args, 0);
  for (vec_each(n, &w->exits)) {
    LLVMBasicBlockRef to = LLVMGetSuccessor(w->exits.at[n].branch, w->exits.at[n].successor);
    LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(k->c, to, "");
    LLVMPositionBuilderAtEnd(k->b, between);
    args[0] = LLVMBuildLoad2(k->b, k->ptr, place, "");
    args[1] = LLVMBuildLoad2(k->b, as, value, "");
    build_call(k, i, "waited", size, none, args, 2);
    LLVMBuildBr(k->b, to);
    LLVMSetSuccessor(w->exits.at[n].branch, w->exits.at[n].successor, between);
  }
  LLVMPositionBuilderBefore(k->b, i);
  args[0] = LLVMGetOperand(i, 0);
  LLVMBuildStore(k->b, args[0], place);
  if (swaps) args[1] = as_type(k->b, LLVMGetOperand(i, 1), as);
  LLVMValueRef made = build_call(k, i, swaps ? "spin_rmw" : "spin_load", size, as, args, swaps ? 2 : 1);
  LLVMBuildStore(k->b, made, value);
  replace(i, as_type(k->b, made, type));
}

static void lower_function(Lowering *k, LLVMValueRef f) {
  Vec(LLVMValueRef) all = {0};
  AtomicWaits waits = {0};
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (is_atomic(i) && is_wanted(k, i) && !LLVMIsAtomicSingleThread(i)) vec_push(&all, i);
  if (all.len) atomic_waits_find(f, all.at, all.len, &waits);
  for (vec_each(i, &waits)) lower_wait(k, &waits.at[i]);
  for (vec_each(i, &all)) {
    bool waited = false;
    for (vec_each(n, &waits)) waited |= waits.at[n].operation == all.at[i];
    if (!waited) lower(k, all.at[i]);
  }
  atomic_waits_free(&waits);
  vec_free(&all);
}

// Objects are cells of eight aligned bytes: which variables share one must not depend on how a program is
// laid out this time. What stands in a section of its own may be part of a table.
static void align_cells(LLVMModuleRef m) {
  enum { CELL = 8 };
  for (all_globals(g, m)) {
    const char *section = LLVMGetSection(g);
    bool ours = !LLVMIsDeclaration(g) && !(section && *section);
    if (ours && LLVMGetAlignment(g) && LLVMGetAlignment(g) < CELL) LLVMSetAlignment(g, CELL);
  }
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (LLVMIsAAllocaInst(i) && LLVMGetAlignment(i) < CELL) LLVMSetAlignment(i, CELL);
}

bool atomics_lower(LLVMModuleRef m, const char *const *objects, size_t count, Diags *diags) {
  if (!count) return true;
  LLVMContextRef c = LLVMGetModuleContext(m);
  Lowering k = {.m = m,
                .c = c,
                .i32 = LLVMInt32TypeInContext(c),
                .ptr = LLVMPointerTypeInContext(c, 0),
                .all = count == 1 && !strcmp(objects[0], "all"),
                .objects = objects,
                .count = count,
                .diags = diags};
  if (!are_known(&k)) return false;
  atomics_inline_helpers(m);
  align_cells(m);
  k.b = LLVMCreateBuilderInContext(c);
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f)) lower_function(&k, f);
  LLVMDisposeBuilder(k.b);
  return true;
}

bool atomics_left(LLVMModuleRef m) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (is_atomic(i)) return true;
  return false;
}

// -- and back

static LLVMTypeRef real_type(LLVMValueRef v) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(v));
  return LLVMGetIntTypeWidth(LLVMTypeOf(v)) == 64 ? LLVMDoubleTypeInContext(c) : LLVMFloatTypeInContext(c);
}

// An operand as wide as the access.
static LLVMValueRef operand(LLVMBuilderRef b, LLVMValueRef call, unsigned n, unsigned bytes) {
  LLVMValueRef v = LLVMGetArgOperand(call, n);
  return bytes < 4 ? as_type(b, v, LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(v)), 8 * bytes)) : v;
}

static LLVMValueRef raise_rmw(LLVMBuilderRef b, LLVMValueRef call, uint32_t how, LLVMValueRef *access,
                              unsigned bytes) {
  LLVMValueRef v = operand(b, call, 1, bytes), made;
  uint32_t operation = how >> RT_HOW_OPERATION & 0xff;
  bool real = how & RT_HOW_REAL && operation != RT_RMW_XCHG;
  if (real) v = as_type(b, v, real_type(v));
  made = LLVMBuildAtomicRMW(b, (LLVMAtomicRMWBinOp)operation, LLVMGetArgOperand(call, 0), v,
                            (LLVMAtomicOrdering)(how & RT_HOW_ORDER), 0);
  *access = made;
  return as_type(b, made, LLVMTypeOf(call));
}

static LLVMValueRef raise_cas(LLVMBuilderRef b, LLVMValueRef call, uint32_t how, LLVMValueRef *access,
                              unsigned bytes) {
  LLVMValueRef made =
      LLVMBuildAtomicCmpXchg(b, LLVMGetArgOperand(call, 0), operand(b, call, 1, bytes),
                             operand(b, call, 2, bytes), (LLVMAtomicOrdering)(how & RT_HOW_ORDER),
                             (LLVMAtomicOrdering)(how >> RT_HOW_FAILURE & RT_HOW_ORDER), 0);
  LLVMSetWeak(made, (how & RT_HOW_WEAK) != 0);
  *access = made;
  return as_type(b, LLVMBuildExtractValue(b, made, 0, ""), LLVMTypeOf(call));
}

static void raise_call(LLVMBuilderRef b, LLVMValueRef call) {
  const char *name = LLVMGetValueName(call_function(call)) + sizeof prefix - 1;
  unsigned n = LLVMGetNumArgOperands(call);
  uint32_t how = (uint32_t)LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, n - 1));
  LLVMAtomicOrdering order = (LLVMAtomicOrdering)(how & RT_HOW_ORDER);
  if (!strncmp(name, "spin_", 5)) name += 5;
  LLVMValueRef at = LLVMGetArgOperand(call, 0), access = NULL, made;
  const char *size = strchr(name, '_');  // a fence has none
  unsigned bytes = size ? bytes_of(size[1]) : 0;
  LLVMPositionBuilderBefore(b, call);
  LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
  if (!strncmp(name, "await", 5) || !strncmp(name, "waited", 6)) {
    made = NULL;
  } else if (!strncmp(name, "fence", 5)) {
    made = LLVMBuildFence(b, order, 0, "");
  } else if (!strncmp(name, "load", 4)) {
    LLVMTypeRef type = LLVMTypeOf(call);
    if (bytes < 4) type = LLVMIntTypeInContext(LLVMGetTypeContext(type), 8 * bytes);
    access = LLVMBuildLoad2(b, type, at, "");
    LLVMSetOrdering(access, order);
    made = as_type(b, access, LLVMTypeOf(call));
  } else if (!strncmp(name, "store", 5)) {
    made = access = LLVMBuildStore(b, operand(b, call, 1, bytes), at);
    LLVMSetOrdering(made, order);
  } else {
    made = *name == 'r' ? raise_rmw(b, call, how, &access, bytes) : raise_cas(b, call, how, &access, bytes);
  }
  if (access) LLVMSetVolatile(access, (how & RT_HOW_VOLATILE) != 0);
  if (access) LLVMSetAlignment(access, bytes);
  replace(call, made);
}

void atomics_raise(LLVMModuleRef m) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m));
  Vec(LLVMValueRef) functions = {0};
  for (all_functions(f, m)) {
    for (all_blocks(block, f))
      for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (call_is(i) && atomics_is_call(i)) raise_call(b, i);
      }
    if (LLVMIsDeclaration(f) && !strncmp(LLVMGetValueName(f), prefix, sizeof prefix - 1))
      vec_push(&functions, f);
  }
  for (vec_each(i, &functions))
    if (!LLVMGetFirstUse(functions.at[i])) LLVMDeleteFunction(functions.at[i]);
  vec_free(&functions);
  LLVMDisposeBuilder(b);
}
