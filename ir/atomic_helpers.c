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

// The library counts who waits, in one of a few counters that it finds by the address of the object, which is
// another in each run. They only decide whether a wake-up is worth a system call.
static bool counts_waiters(LLVMValueRef f) {
  static const char *const begins[] = {"_ZNSt8__detail18__waiter_pool_base",
                                       "_ZNKSt8__detail18__waiter_pool_base"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; ++i)
    if (!strncmp(LLVMGetValueName(f), begins[i], strlen(begins[i]))) return true;
  return false;
}

static unsigned ordinary_kind(LLVMValueRef i) {
  static const char name[] = "specialize.ordinary";
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), name, sizeof name - 1);
}

bool atomics_is_ordinary(LLVMValueRef i) {
  return LLVMGetMetadata(i, ordinary_kind(i)) != NULL;
}

static void leave_ordinary(LLVMValueRef f) {
  LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(f));
  LLVMValueRef none = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0));
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (is_atomic(i)) LLVMSetMetadata(i, ordinary_kind(i), none);
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

// What helpers compute by, as which order a failed compare-exchange has: so that constants get there.
static void take_small_callees(Helpers *k, bool *wanted) {
  enum { SMALL = 40 };
  for (vec_each(i, &k->all))
    for (all_blocks(b, k->all.at[i].function))
      for (all_insts(c, b)) {
        LLVMValueRef f = wanted[i] && call_is(c) ? call_function(c) : NULL;
        uint64_t at = f ? map_or(k->of, map_key(f), 0) : 0;
        if (at && !k->all.at[at - 1].other && k->all.at[at - 1].size <= SMALL) wanted[at - 1] = true;
      }
}

static void run_passes(LLVMModuleRef m, const char *passes) {
  LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(m, passes, NULL, o);
  if (error) LLVMConsumeError(error);
  LLVMDisposePassBuilderOptions(o);
}

// In helpers arguments are no variables any more: where they are constants, inlining drops what they rule
// out.
static void simplify_helpers(LLVMModuleRef m, const Helpers *k, const bool *wanted) {
  Vec(LLVMValueRef) optimized = {0}, inlined = {0};
  for (all_functions(f, m)) {
    uint64_t at = map_or(k->of, map_key(f), 0);
    bool helper = at && wanted[at - 1];
    if (LLVMIsDeclaration(f) || helper) continue;
    if (!attribute_has(f, "noinline")) attribute_set(f, "noinline", true), vec_push(&inlined, f);
    if (!attribute_has(f, "optnone")) attribute_set(f, "optnone", true), vec_push(&optimized, f);
  }
  run_passes(m, "function(sroa,simplifycfg)");
  for (vec_each(i, &optimized)) attribute_set(optimized.at[i], "optnone", false);
  for (vec_each(i, &inlined)) attribute_set(inlined.at[i], "noinline", false);
  vec_free(&optimized), vec_free(&inlined);
}

void atomics_inline_helpers(LLVMModuleRef m) {
  enum { ROUNDS = 16 };  // as deep as calls are followed
  Helpers k = {.of = map_new()};
  bool any = false;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || !is_of_library(f)) continue;
    if (counts_waiters(f)) leave_ordinary(f);
    vec_push(&k.all, look_at(f));
    map_put(k.of, map_key(f), k.all.len);
  }
  for (int round = 0, more = 1; round < ROUNDS && more; ++round) {
    more = 0;
    for (vec_each(i, &k.all)) more |= take_from_callees(&k, &k.all.at[i]);
  }
  bool *wanted = mem_array(k.all.len + 1, sizeof *wanted);
  for (vec_each(i, &k.all)) {
    wanted[i] = k.all.at[i].leads && !k.all.at[i].other && k.all.at[i].size <= HELPER_MOST;
    any |= wanted[i];
  }
  for (int round = 0; any && round < 3; ++round) take_small_callees(&k, wanted);
  for (vec_each(i, &k.all)) {
    if (!wanted[i]) continue;
    attribute_set(k.all.at[i].function, "noinline", false);
    attribute_set(k.all.at[i].function, "optnone", false);
    attribute_set(k.all.at[i].function, "alwaysinline", true);
  }
  if (any) simplify_helpers(m, &k, wanted), run_passes(m, "always-inline");
  mem_free(wanted);
  vec_free(&k.all);
  map_free(k.of);
}
