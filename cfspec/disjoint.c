// What points-to knows of the clones of a schedule, told to the optimizer. The module cannot be asked itself:
// its events are calls of the runtime. A copy of it is made a view of the schedule (view.c) and gets the
// metadata; instruction by instruction it goes from there to the module: before the view is made each access
// and call gets a number in the copy, and what stands for it in the view keeps the number.
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

static bool has_number(LLVMValueRef i) {
  return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || call_is(i);
}

static void number_all(LLVMValueRef copy) {
  uint32_t n = 0;
  for (all_blocks(b, copy))
    for (all_insts(i, b))
      if (has_number(i)) cfspec_view_number(i, n++);
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

typedef Vec(LLVMValueRef) Instructions;

static void in_order(LLVMValueRef clone, Instructions *all) {
  all->len = 0;
  for (all_blocks(b, clone))
    for (all_insts(i, b))
      if (has_number(i)) vec_push(all, i);
}

// Whether the view has each load and store of the clone. If not, it left out code that runs only in another
// process, or once the run is free: what is true of the rest need not be true there.
static bool is_whole(LLVMValueRef copy, LLVMValueRef clone) {
  Instructions all = {0};
  size_t missing = 0;
  uint32_t n;
  in_order(clone, &all);
  for (vec_each(i, &all)) missing += !call_is(all.at[i]);
  for (all_blocks(b, copy))
    for (all_insts(i, b)) missing -= !call_is(i) && has_number(i) && cfspec_view_numbered(i, &n);
  vec_free(&all);
  return !missing;
}

static void tell(LLVMValueRef copy, LLVMValueRef clone) {
  Instructions all = {0};
  uint32_t n;
  in_order(clone, &all);
  for (all_blocks(b, copy))
    for (all_insts(i, b))
      if (cfspec_view_numbered(i, &n)) {
        assert(n < all.len && call_is(i) == call_is(all.at[n]));
        take_over(i, all.at[n]);
      }
  vec_free(&all);
}

static bool are_whole(const Copied *c) {
  bool whole = true;
  for (vec_each(i, &c->clones)) whole = whole && is_whole(c->copies.at[i], c->clones.at[i]);
  return whole;
}

static void tell_all(Copied *c, uint32_t schedule, bool open, size_t *marked) {
  AliasOptions how = {.open = open, .summaries = cfspec_view_summaries};
  char *domain = mem_format("schedule %u", schedule);
  Alias *a = alias_new(c->copy, &how, NULL);
  *marked += alias_emit_scopes(a, c->copies.at, c->copies.len, domain);
  alias_free(a);
  for (vec_each(i, &c->clones)) tell(c->copies.at[i], c->clones.at[i]);
  mem_free(domain);
}

bool cfspec_disjoint(LLVMModuleRef m, uint32_t schedule, bool open, size_t *marked, Diags *diags) {
  Copied c = {.module = m, .copy = LLVMCloneModule(m)};
  find_clones(&c, schedule);
  for (vec_each(i, &c.copies)) number_all(c.copies.at[i]);
  bool ok = cfspec_view(c.copy, schedule, open, diags);
  if (ok) forget_dropped(&c);
  if (ok && are_whole(&c))
    tell_all(&c, schedule, open, marked);
  else if (ok)
    diag_note(diags, "schedule %u: --alias does not apply to it: parts of it may run outside of the schedule",
              schedule);
  LLVMDisposeModule(c.copy);
  vec_free(&c.clones);
  vec_free(&c.copies);
  return ok;
}
