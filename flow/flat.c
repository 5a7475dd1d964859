// One function a thread: activations have one call each, so inlining them costs nothing; functions that do
// not synchronize are inlined as long as the budget lasts, the smallest first.
#include "code.h"
#include <stdlib.h>
#include "own.h"
#include "split.h"
#include <llvm-c/Support.h>

typedef struct {
  LLVMValueRef function;
  size_t weight;  // instructions, once all that it calls is inlined too
  bool busy, done, recursive;
} Candidate;

typedef struct {
  Vec(Candidate) all;
  IdVec order;  // callees first
  Map *ids;
} Candidates;

static bool can_inline(LLVMValueRef f) {
  if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f))) return false;
  return !attribute_has(f, "returns_twice") && !attribute_has(f, "presplitcoroutine") &&
         !attribute_has(f, "naked");
}

static bool is_activation(LLVMValueRef f) {
  uint32_t thread, activation;
  size_t len;
  return cfspec_clone_of(f, &thread, &activation, &len) && activation != UINT32_MAX;
}

static void weigh(Candidates *cs, size_t id) {
  cs->all.at[id].busy = true;
  size_t weight = 0;
  for (all_blocks(b, cs->all.at[id].function))
    for (all_insts(i, b)) {
      LLVMValueRef callee = call_is(i) ? call_function(i) : NULL;
      uint64_t to;
      weight++;
      if (!callee || !map_get(cs->ids, map_key(callee), &to)) continue;
      if (cs->all.at[to].busy && !cs->all.at[to].done) cs->all.at[to].recursive = true;
      if (!cs->all.at[to].busy) weigh(cs, to);
      if (!cs->all.at[to].recursive && cs->all.at[to].done) weight += cs->all.at[to].weight;
      if (weight > SIZE_MAX / 4) weight = SIZE_MAX / 4;
    }
  cs->all.at[id].weight = weight;
  cs->all.at[id].done = true;
  vec_push(&cs->order, (uint32_t)id);
}

static void set_inline(LLVMValueRef f, bool on) {
  attribute_set(f, "noinline", false);
  attribute_set(f, "optnone", false);
  attribute_set(f, "alwaysinline", on);
}

static bool goes_in(const Candidate *x, size_t most) {
  return !x->recursive && can_inline(x->function) && (is_activation(x->function) || x->weight <= most);
}

static size_t size_with(const Candidates *cs, const size_t *size, LLVMValueRef f, size_t most) {
  size_t sum = 0;
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      LLVMValueRef callee = call_is(i) ? call_function(i) : NULL;
      uint64_t to;
      sum++;
      if (callee && map_get(cs->ids, map_key(callee), &to) && goes_in(&cs->all.at[to], most)) sum += size[to];
      if (sum > SIZE_MAX / 4) sum = SIZE_MAX / 4;
    }
  return sum;
}

// How large all becomes if functions up to this weight are inlined.
static size_t total(const Candidates *cs, size_t most) {
  size_t sum = 0, *size = mem_array(cs->all.len + 1, sizeof *size);
  for (vec_each(i, &cs->order)) {
    const Candidate *x = &cs->all.at[cs->order.at[i]];
    size[cs->order.at[i]] = size_with(cs, size, x->function, most);
    if (!goes_in(x, most)) sum += size[cs->order.at[i]];
    if (sum > SIZE_MAX / 4) sum = SIZE_MAX / 4;
  }
  mem_free(size);
  return sum;
}

// A guard that fails ends the run: inlined into a try block, it would seem to lead to the handler.
static void end_at_guards(LLVMModuleRef m) {
  for (all_functions(f, m)) {
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    if (LLVMIsDeclaration(f) && !strncmp(name, "rt_enf_stop", 11)) attribute_set(f, "nounwind", true);
  }
}

// A routine that does not synchronize is one function for all threads that run it. Each gets one of its own,
// which calls it, and into which it is inlined then.
static LLVMValueRef own_routine(LLVMModuleRef m, LLVMValueRef routine) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  size_t len;
  LLVMTypeRef type = LLVMGlobalGetValueType(routine);
  LLVMValueRef own = LLVMAddFunction(m, LLVMGetValueName2(routine, &len), type);
  unsigned n = LLVMCountParams(own);
  LLVMValueRef *args = mem_array(n + 1, sizeof *args);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMSetLinkage(own, LLVMInternalLinkage);
  LLVMGetParams(own, args);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, own, ""));
  LLVMValueRef call = LLVMBuildCall2(b, type, routine, args, n, "");
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(b);
  else
    LLVMBuildRet(b, call);
  LLVMDisposeBuilder(b);
  mem_free(args);
  return own;
}

static bool is_separate(LLVMValueRef routine) {
  LLVMUseRef first = LLVMGetFirstUse(routine);
  return first && !LLVMGetNextUse(first);
}

// Which routine it is may show only when values are constants.
static void separate_threads(LLVMModuleRef m) {
  uint32_t thread, first, last;
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        const Sync *s = call_is(i) && cfspec_event_of(i, &thread, &first, &last) ? sync_of_call(i) : NULL;
        if (!s || s->kind != SYNC_CREATE || s->start.place != SYNC_VALUE) continue;
        LLVMValueRef routine = call_strip(LLVMGetOperand(i, s->start.arg));
        if (LLVMIsAFunction(routine) && is_separate(routine)) continue;
        if (!LLVMIsAFunction(routine) || LLVMIsDeclaration(routine) || is_activation(routine)) continue;
        if (!LLVMIsFunctionVarArg(LLVMGlobalGetValueType(routine)))
          LLVMSetOperand(i, s->start.arg, own_routine(m, routine));
      }
}

// Passes must not touch the program's accesses: while they run, all are volatile.
static const char plain_kind[] = "specialize.plain";

static bool is_access(LLVMValueRef i) {
  return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

// The operand of llvm.memcpy and the like that says so; NULL: it is none.
static LLVMUseRef volatile_flag(LLVMValueRef i) {
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  size_t len;
  if (!f || strncmp(LLVMGetValueName2(f, &len), "llvm.mem", 8) || LLVMGetNumArgOperands(i) != 4) return NULL;
  return LLVMGetOperandUse(i, 3);
}

static void protect(LLVMModuleRef m, bool on) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  unsigned kind = LLVMGetMDKindIDInContext(c, plain_kind, sizeof plain_kind - 1);
  LLVMValueRef mark = LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0));
  LLVMTypeRef bit = LLVMInt1TypeInContext(c);
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        bool access = is_access(i);
        LLVMUseRef flag = access ? NULL : volatile_flag(i);
        if (!access && !flag) continue;
        bool is = access ? LLVMGetVolatile(i) : LLVMConstIntGetZExtValue(LLVMGetUsedValue(flag)) != 0;
        if (on == is || (!on && !LLVMGetMetadata(i, kind))) continue;
        if (access)
          LLVMSetVolatile(i, on);
        else
          LLVMSetOperand(i, 3, LLVMConstInt(bit, on, 0));
        LLVMSetMetadata(i, kind, on ? mark : NULL);
      }
}

static bool is_idle(LLVMValueRef i) {
  LLVMOpcode op = LLVMGetInstructionOpcode(i);
  if (LLVMGetFirstUse(i)) return false;
  return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || op == LLVMPHI || op == LLVMSelect ||
         op == LLVMICmp || op == LLVMFCmp || op == LLVMGetElementPtr || op == LLVMFreeze ||
         op == LLVMExtractValue;
}

// What is computed for nothing, such as the routine of a thread that runs a clone instead. Accesses stay.
static void drop_idle(LLVMModuleRef m) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (LLVMValueRef i = LLVMGetLastInstruction(b), before; i; i = before) {
        before = LLVMGetPreviousInstruction(i);
        if (is_idle(i)) LLVMInstructionEraseFromParent(i);
      }
}

// Of the whole process. What looks like the header of a loop here mostly is none.
static void thread_everything(void) {
  static bool done;
  const char *const words[] = {"specialize", "-jump-threading-across-loop-headers"};
  if (!done) LLVMParseCommandLineOptions(2, words, NULL);
  done = true;
}

// Ways that cannot be taken, such as those from the end of a block back into a loop that it has left, look
// like loops; and loops that run a few times hide which of their rounds does what.
bool code_simplify(LLVMModuleRef m, Diags *d) {
  protect(m, true);
  thread_everything();
  bool ok = emit_passes(
      m, NULL,
      "function(sccp,simplifycfg,jump-threading,sccp,simplifycfg),function(loop(loop-unroll-full)),"
      "function(sccp,simplifycfg)",
      d);
  separate_threads(m);
  do ok = ok && emit_passes(m, NULL, "always-inline", d);
  while (ok && own_choices(m));
  protect(m, false);
  if (!ok) return false;
  drop_idle(m);
  return emit_passes(m, NULL, "globaldce", d) && module_verify(m, "the flat view", d);
}

bool code_flatten(LLVMModuleRef m, size_t budget, Diags *d) {
  Candidates cs = {.ids = map_new()};
  end_at_guards(m);
  split_structures(m);
  separate_threads(m);
  for (all_functions(f, m)) {
    Candidate x = {.function = f};
    if (LLVMIsDeclaration(f)) continue;
    map_put(cs.ids, map_key(f), cs.all.len);
    vec_push(&cs.all, x);
  }
  for (vec_each(i, &cs.all))
    if (!cs.all.at[i].busy) weigh(&cs, i);
  size_t most = 1 << 14;
  for (; most && total(&cs, most) > budget; most /= 4) limit_reached(LIMIT_OF_VIEW);
  for (vec_each(i, &cs.all)) set_inline(cs.all.at[i].function, goes_in(&cs.all.at[i], most));
  vec_free(&cs.all), vec_free(&cs.order);
  map_free(cs.ids);
  // First in small functions: in the large one each variable costs a walk over all blocks.
  return emit_passes(m, NULL, "function(mem2reg),always-inline,function(mem2reg)", d) && code_simplify(m, d);
}
