#include "own.h"
#include <string.h>
#include "cfspec/cfspec.h"
#include "ir/ir.h"

static const char mark[] = ".thread";

typedef struct {
  LLVMValueRef inst;
  uint32_t thread;
} Use;
typedef Vec(Use) Uses;

// The library's own start as zeros; of others that are only declared nothing is known.
static bool has_known_start(LLVMValueRef global) {
  size_t len;
  return LLVMGetInitializer(global) || libstdcxx_exports(LLVMGetValueName2(global, &len));
}

static bool find_uses(LLVMValueRef global, Uses *out) {
  for (all_uses(u, global)) {
    Use use = {LLVMGetUser(u), 0};
    if (!LLVMIsAInstruction(use.inst)) return false;
    LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(use.inst));
    if (!cfspec_owner(f, &use.thread)) return false;
    vec_push(out, use);
  }
  return out->len > 0;
}

static LLVMValueRef variable_of(LLVMModuleRef m, LLVMValueRef global, uint32_t thread) {
  size_t len;
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  char *name = mem_format("%s%s%u", LLVMGetValueName2(global, &len), mark, thread);
  LLVMValueRef own = LLVMGetNamedGlobal(m, name);
  if (!own) {
    own = LLVMAddGlobal(m, type, name);
    LLVMValueRef start = LLVMGetInitializer(global);
    LLVMSetInitializer(own, start ? start : LLVMConstNull(type));
    LLVMSetLinkage(own, LLVMInternalLinkage);
    LLVMSetAlignment(own, LLVMGetAlignment(global));
  }
  mem_free(name);
  return own;
}

static bool asks_for_address(LLVMValueRef inst) {
  LLVMValueRef f = call_is(inst) ? call_function(inst) : NULL;
  size_t len;
  return f && !strncmp(LLVMGetValueName2(f, &len), "llvm.threadlocal.address", 24);
}

static void give(LLVMValueRef inst, LLVMValueRef global, LLVMValueRef own) {
  if (asks_for_address(inst)) {
    LLVMReplaceAllUsesWith(inst, own);
    LLVMInstructionEraseFromParent(inst);
    return;
  }
  for (int i = 0; i < LLVMGetNumOperands(inst); ++i)
    if (LLVMGetOperand(inst, (unsigned)i) == global) LLVMSetOperand(inst, (unsigned)i, own);
}

void own_variables(LLVMModuleRef m) {
  Vec(LLVMValueRef) all = {0};
  for (all_globals(g, m))
    if (LLVMIsThreadLocal(g) && has_known_start(g)) vec_push(&all, g);
  for (vec_each(i, &all)) {
    Uses uses = {0};
    bool known = find_uses(all.at[i], &uses);
    for (size_t k = 0; known && k < uses.len; ++k)
      give(uses.at[k].inst, all.at[i], variable_of(m, all.at[i], uses.at[k].thread));
    vec_free(&uses);
  }
  vec_free(&all);
}

static bool is_foreign(LLVMValueRef f, uint32_t thread) {
  uint32_t owner, activation;
  size_t len;
  return LLVMIsAFunction(f) && cfspec_clone_of(f, &owner, &activation, &len) && owner != thread;
}

// NULL: it may be either.
static LLVMValueRef only_choice(LLVMValueRef i, uint32_t thread) {
  if (!LLVMIsASelectInst(i)) return NULL;
  LLVMValueRef a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2);
  bool not_a = is_foreign(a, thread), not_b = is_foreign(b, thread);
  return not_a == not_b ? NULL : not_a ? b : a;
}

static bool choose_in(LLVMValueRef f, uint32_t thread) {
  bool any = false;
  for (all_blocks(b, f))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef only = only_choice(i, thread);
      if (!only) continue;
      LLVMReplaceAllUsesWith(i, only);
      LLVMInstructionEraseFromParent(i);
      any = true;
    }
  return any;
}

bool own_choices(LLVMModuleRef m) {
  uint32_t thread;
  bool any = false;
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f) && cfspec_owner(f, &thread)) any |= choose_in(f, thread);
  return any;
}

const char *own_name(LLVMValueRef global, size_t *len) {
  const char *name = LLVMGetValueName2(global, len), *at = strstr(name, mark);
  if (!at || !at[sizeof mark - 1] ||
      strspn(at + sizeof mark - 1, "0123456789") != strlen(at) - sizeof mark + 1)
    return NULL;
  *len = (size_t)(at - name);
  return name;
}
