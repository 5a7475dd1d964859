// LLVM's passes make use of what has become constant. They may see only the clones of one schedule: the rest
// of the module is the program's, and is compiled as it always was.
#include "passes.h"
#include <llvm-c/DebugInfo.h>
#include "cfspec/cfspec.h"

// Other functions are the program's: passes leave alone what is marked so.
static void set_asleep(LLVMModuleRef m, uint32_t schedule, bool on, Map *was) {
  uint32_t of, thread;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || (cfspec_belongs(f, &of, &thread) && of == schedule)) continue;
    if (on) map_put(was, map_key(f), 1 + attribute_has(f, "optnone") + 2 * attribute_has(f, "noinline"));
    uint64_t had = map_or(was, map_key(f), 0);
    if (!had) continue;
    attribute_set(f, "optnone", on || ((had - 1) & 1));
    attribute_set(f, "noinline", on || ((had - 1) & 2));
  }
}

// A clone that is called in two places would be two, to whoever looks at the code.
static void set_unique(LLVMModuleRef m, uint32_t schedule, bool on) {
  uint32_t of, thread;
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f) && cfspec_belongs(f, &of, &thread) && of == schedule)
      attribute_set(f, "noduplicate", on);
}

// clang forbids unrolling at -O1. Loops whose rounds are known are to go all the same; what is left of the
// others is told so again.
static const char forbids[] = "llvm.loop.unroll.disable";

static unsigned loop_kind(LLVMModuleRef m) {
  return LLVMGetMDKindIDInContext(LLVMGetModuleContext(m), "llvm.loop", 9);
}

static bool says(LLVMValueRef node, const char *what) {
  unsigned n = LLVMGetMDNodeNumOperands(node), len;
  LLVMValueRef *parts = mem_array(n + 1, sizeof *parts);
  bool is = false;
  LLVMGetMDNodeOperands(node, parts);
  for (unsigned i = 1; i < n && !is; ++i) {
    LLVMValueRef word = NULL;
    bool list = parts[i] && LLVMIsAMDNode(parts[i]) && LLVMGetMDNodeNumOperands(parts[i]) == 1;
    if (list) LLVMGetMDNodeOperands(parts[i], &word);
    const char *text = word ? LLVMGetMDString(word, &len) : NULL;
    is = text && len == strlen(what) && !memcmp(text, what, len);
  }
  mem_free(parts);
  return is;
}

// A node that names itself is one of its own.
static LLVMValueRef no_unrolling(LLVMContextRef c) {
  LLVMMetadataRef word = LLVMMDStringInContext2(c, forbids, sizeof forbids - 1);
  LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0), parts[] = {self, LLVMMDNodeInContext2(c, &word, 1)};
  LLVMMetadataRef node = LLVMMDNodeInContext2(c, parts, 2);
  LLVMMetadataReplaceAllUsesWith(self, node);
  return LLVMMetadataAsValue(c, node);
}

static void allow_unrolling(LLVMModuleRef m, uint32_t schedule, Map *forbidden) {
  unsigned kind = loop_kind(m);
  uint32_t of, thread;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || !cfspec_belongs(f, &of, &thread) || of != schedule) continue;
    for (all_blocks(b, f)) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(b), node = LLVMGetMetadata(end, kind);
      if (!node || !says(node, forbids)) continue;
      LLVMSetMetadata(end, kind, NULL);
      map_put(forbidden, map_key(f), 1);
    }
  }
}

static void forbid_unrolling(LLVMModuleRef m, const Map *forbidden) {
  unsigned kind = loop_kind(m);
  for (all_functions(f, m)) {
    if (!map_or(forbidden, map_key(f), 0)) continue;
    Cfg *cfg = cfg_new(f);
    Dom *dom = dom_new(cfg);
    Loops *loops = loops_new(cfg, dom);
    for (uint32_t l = 0; l < loops_count(loops); ++l) {
      Ids latches = loop_latches(loops, l);
      for (vec_each(i, &latches)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(cfg, latches.at[i]));
        if (!LLVMGetMetadata(end, kind)) LLVMSetMetadata(end, kind, no_unrolling(LLVMGetModuleContext(m)));
      }
    }
    loops_free(loops), dom_free(dom), cfg_free(cfg);
  }
}

bool clones_optimize(LLVMModuleRef m, uint32_t schedule, Diags *d) {
  static const char list[] =
      "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,"
      "loop(loop-rotate),instcombine<no-verify-fixpoint>,loop(indvars,loop-unroll-full),"
      "sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)";
  Map *was = map_new(), *forbidden = map_new();
  allow_unrolling(m, schedule, forbidden);
  set_asleep(m, schedule, true, was);
  set_unique(m, schedule, true);
  bool ok = emit_passes(m, NULL, list, d);
  set_unique(m, schedule, false);
  set_asleep(m, schedule, false, was);
  if (ok) forbid_unrolling(m, forbidden);
  map_free(was), map_free(forbidden);
  return ok;
}
