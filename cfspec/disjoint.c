// What points-to knows of the clones of a schedule, told to the optimizer. The module cannot be asked itself:
// its events are calls of the runtime. A copy of it is made a view of the schedule (view.c) and gets the
// metadata; instruction by instruction it goes from there to the module. A view changes calls of clones, one
// for one, and nothing else in them.
#include "disjoint.h"
#include <assert.h>
#include "alias/alias.h"
#include "view.h"

typedef struct {
  LLVMModuleRef module, copy;
  AliasFunctions clones, copies;
} Copied;

static bool is_of(LLVMValueRef f, uint32_t schedule) {
  uint32_t thread, activation;
  size_t name_len;
  if (LLVMIsDeclaration(f) || !cfspec_clone_of(f, &thread, &activation, &name_len)) return false;
  char *part = mem_format(".s%u.", schedule);
  bool is = !strncmp(LLVMGetValueName(f) + name_len, part, strlen(part));
  mem_free(part);
  return is;
}

// Before the view is made: later main has another name.
static void find_clones(Copied *c, uint32_t schedule) {
  for (all_functions(f, c->module)) {
    LLVMValueRef copy = is_of(f, schedule) ? LLVMGetNamedFunction(c->copy, LLVMGetValueName(f)) : NULL;
    if (!copy) continue;
    assert(!LLVMIsDeclaration(copy));
    vec_push(&c->clones, f);
    vec_push(&c->copies, copy);
  }
}

// What the view dropped is not reached from main: nobody runs it.
static void forget_dropped(Copied *c) {
  Map *there = map_new();
  size_t kept = 0;
  for (all_functions(f, c->copy)) map_put(there, map_key(f), 1);
  for (vec_each(i, &c->copies)) {
    if (!map_or(there, map_key(c->copies.at[i]), 0)) continue;
    c->clones.at[kept] = c->clones.at[i];
    c->copies.at[kept++] = c->copies.at[i];
  }
  c->clones.len = c->copies.len = kept;
  map_free(there);
}

static size_t length_of(LLVMValueRef f) {
  size_t n = 0;
  for (all_blocks(b, f))
    for (all_insts(i, b)) n++;
  return n;
}

static void take_over(LLVMValueRef from, LLVMValueRef to) {
  static const char *const kinds[] = {"alias.scope", "noalias"};
  for (int k = 0; k < 2; ++k) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(to));
    unsigned kind = LLVMGetMDKindIDInContext(c, kinds[k], (unsigned)strlen(kinds[k]));
    LLVMValueRef told = LLVMGetMetadata(from, kind);
    if (told) LLVMSetMetadata(to, kind, told);
  }
}

static void tell(LLVMValueRef copy, LLVMValueRef clone) {
  assert(length_of(copy) == length_of(clone));
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(copy);
  for (all_blocks(b, clone)) {
    LLVMValueRef from = LLVMGetFirstInstruction(block);
    for (all_insts(to, b)) {
      assert(LLVMGetInstructionOpcode(from) == LLVMGetInstructionOpcode(to));
      take_over(from, to);
      from = LLVMGetNextInstruction(from);
    }
    block = LLVMGetNextBasicBlock(block);
  }
}

bool cfspec_disjoint(LLVMModuleRef m, uint32_t schedule, bool open, size_t *marked, Diags *diags) {
  Copied c = {.module = m, .copy = LLVMCloneModule(m)};
  find_clones(&c, schedule);
  bool ok = cfspec_view(c.copy, schedule, open, diags);
  if (ok) {
    AliasOptions how = {.open = open, .summaries = cfspec_view_summaries};
    char *domain = mem_format("schedule %u", schedule);
    forget_dropped(&c);
    Alias *a = alias_new(c.copy, &how, NULL);
    *marked += alias_emit_scopes(a, c.copies.at, c.copies.len, domain);
    alias_free(a);
    for (vec_each(i, &c.clones)) tell(c.copies.at[i], c.clones.at[i]);
    mem_free(domain);
  }
  LLVMDisposeModule(c.copy);
  vec_free(&c.clones);
  vec_free(&c.copies);
  return ok;
}
