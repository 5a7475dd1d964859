#include "mention.h"
#include <assert.h>
#include <string.h>
#include "call.h"
#include "each.h"
#include "core/core.h"
#include "library.h"

struct Mentions {
  bool into_globals;
  Map *seen;
  Vec(LLVMValueRef) work, functions;
};

Mentions *mentions_new(bool into_globals) {
  Mentions *m = mem_alloc(sizeof *m);
  m->into_globals = into_globals;
  m->seen = map_new();
  return m;
}

void mentions_free(Mentions *m) {
  if (!m) return;
  map_free(m->seen);
  vec_free(&m->work);
  vec_free(&m->functions);
  mem_free(m);
}

size_t mentions_count(const Mentions *m) {
  return m->functions.len;
}
LLVMValueRef mentions_at(const Mentions *m, size_t i) {
  assert(i < m->functions.len);
  return m->functions.at[i];
}

static void push(Mentions *m, LLVMValueRef v) {
  if (!v || !LLVMIsAConstant(v) || map_or(m->seen, map_key(v), 0)) return;
  map_put(m->seen, map_key(v), 1);
  vec_push(&m->work, v);
}

// Of the others, numbers hold no pointers, and the address of a block is not that of its function.
static bool has_parts(LLVMValueRef v) {
  switch (LLVMGetValueKind(v)) {
    case LLVMConstantArrayValueKind:
    case LLVMConstantStructValueKind:
    case LLVMConstantVectorValueKind:
    case LLVMConstantExprValueKind:
      return true;
    default:
      return false;
  }
}

static void look(Mentions *m, LLVMValueRef v) {
  if (LLVMIsAFunction(v))
    vec_push(&m->functions, v);
  else if (LLVMIsAGlobalVariable(v))
    push(m, m->into_globals ? LLVMGetInitializer(v) : NULL);
  else if (call_strip(v) != v)
    push(m, call_strip(v));
  else if (has_parts(v))
    for (int i = 0; i < LLVMGetNumOperands(v); ++i) push(m, LLVMGetOperand(v, (unsigned)i));
}

void mentions_add(Mentions *m, LLVMValueRef constant) {
  assert(!m->work.len);
  push(m, constant);
  while (m->work.len) look(m, vec_pop(&m->work));
}

// signal() and set_terminate() return what they were given before.
static bool is_swallowed(const LibraryCall *rows, size_t count, unsigned arg) {
  for (size_t i = 0; i < count; ++i)
    if (rows[i].arg == arg) return rows[i].when != LIBRARY_ON_SIGNAL && rows[i].when != LIBRARY_LATER;
  return false;
}

static void add_instruction(Mentions *m, LLVMValueRef inst) {
  if (LLVMIsAICmpInst(inst)) return;
  unsigned operands = (unsigned)LLVMGetNumOperands(inst);
  LLVMValueRef callee = call_is(inst) ? call_function(inst) : NULL;
  const LibraryCall *rows = NULL;
  size_t len, count = 0;
  if (callee && LLVMIsDeclaration(callee)) count = library_calls(LLVMGetValueName2(callee, &len), &rows);
  for (unsigned i = 0; i < operands - (callee != NULL); ++i)
    if (!is_swallowed(rows, count, i)) mentions_add(m, LLVMGetOperand(inst, i));
}

static bool is_list_of_llvm(LLVMValueRef global) {
  size_t len;
  const char *name = LLVMGetValueName2(global, &len);
  return !strncmp(name, "llvm.", 5);
}

void mentions_add_body(Mentions *m, LLVMValueRef function) {
  if (LLVMHasPrefixData(function)) mentions_add(m, LLVMGetPrefixData(function));
  if (LLVMHasPrologueData(function)) mentions_add(m, LLVMGetPrologueData(function));
  for (all_blocks(b, function))
    for (all_insts(i, b)) add_instruction(m, i);
}

void mentions_add_module(Mentions *m, LLVMModuleRef module) {
  for (all_functions(f, module)) mentions_add_body(m, f);
  for (all_globals(g, module))
    if (!is_list_of_llvm(g)) mentions_add(m, LLVMGetInitializer(g));
  CHECKED(mentions_check(m));
}

void mentions_check(const Mentions *m) {
  Map *once = map_new();
  assert(!m->work.len);
  for (vec_each(i, &m->functions)) {
    uint64_t f = map_key(m->functions.at[i]);
    assert(LLVMIsAFunction(m->functions.at[i]));
    assert(map_or(m->seen, f, 0));
    map_put(once, f, 1);
  }
  assert(map_count(once) == m->functions.len);
  map_free(once);
}
