// Atomic operations of C++ stand in functions of the library's headers, 1 to 7 calls below the program's code
// and shared by all objects. Those that lead to one are inlined, if they are small, lead to no other
// operation that synchronizes, and are not made of the program's own code.
#include <llvm-c/Transforms/PassBuilder.h>
#include <string.h>
#include "atomics.h"
#include "attribute.h"
#include "call.h"
#include "each.h"

enum { HELPER_MOST = 400 };  // instructions, with what is inlined into it

typedef struct {
  LLVMValueRef function;
  unsigned size;  // of its own instructions, then with those of the helpers it calls
  bool leads;     // to an atomic operation
  bool other;     // to another that synchronizes
} Helper;
typedef struct {
  Vec(Helper) all;
  Map *of;  // function -> index and one
} Helpers;

static bool is_of_library(LLVMValueRef f) {
  static const char *const begins[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  LLVMLinkage linkage = LLVMGetLinkage(f);
  if (linkage != LLVMLinkOnceODRLinkage && linkage != LLVMLinkOnceAnyLinkage &&
      linkage != LLVMInternalLinkage)
    return false;
  for (size_t i = 0; i < sizeof begins / sizeof *begins; ++i)
    if (!strncmp(LLVMGetValueName(f), begins[i], strlen(begins[i]))) return true;
  return false;
}

static bool is_atomic(LLVMValueRef i) {
  if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i)) return true;
  return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
}

static Helper look_at(LLVMValueRef f) {
  Helper h = {.function = f};
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
      ++h.size;
      h.leads |= is_atomic(i);
      h.other |= (s && (sync_events(s->kind) || s->kind == SYNC_UNMODELLED)) || call_returns_twice(i);
    }
  return h;
}

// True if anything is new.
static bool take_from_callees(Helpers *k, Helper *h) {
  Helper was = *h;
  unsigned size = 0;
  for (all_blocks(b, h->function))
    for (all_insts(i, b)) {
      LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
      uint64_t at = f ? map_or(k->of, map_key(f), 0) : 0;
      const Helper *callee = at ? &k->all.at[at - 1] : NULL;
      ++size;
      if (!callee || !(callee->leads || callee->other)) continue;
      h->leads |= callee->leads, h->other |= callee->other;
      size += callee->size < HELPER_MOST ? callee->size : HELPER_MOST;
      if (size > HELPER_MOST) size = HELPER_MOST + 1;
    }
  h->size = size;
  return h->leads != was.leads || h->other != was.other || h->size != was.size;
}

void atomics_inline_helpers(LLVMModuleRef m) {
  enum { ROUNDS = 16 };  // as deep as calls are followed
  Helpers k = {.of = map_new()};
  bool any = false;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || !is_of_library(f)) continue;
    vec_push(&k.all, look_at(f));
    map_put(k.of, map_key(f), k.all.len);
  }
  for (int round = 0, more = 1; round < ROUNDS && more; ++round) {
    more = 0;
    for (vec_each(i, &k.all)) more |= take_from_callees(&k, &k.all.at[i]);
  }
  for (vec_each(i, &k.all)) {
    const Helper *h = &k.all.at[i];
    if (!h->leads || h->other || h->size > HELPER_MOST) continue;
    any = true;
    attribute_set(h->function, "noinline", false);
    attribute_set(h->function, "optnone", false);
    attribute_set(h->function, "alwaysinline", true);
  }
  if (any) {
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(m, "always-inline", NULL, o);
    if (error) LLVMConsumeError(error);
    LLVMDisposePassBuilderOptions(o);
  }
  vec_free(&k.all);
  map_free(k.of);
}
