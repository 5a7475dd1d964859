#include "probe.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include "cfspec/cfspec.h"

static const char prefix[] = "rt_enf_probe";

static bool leaves(LLVMValueRef i) {
  static const char *const all[] = {"rt_enf_stop", "rt_enf_stop_call", "rt_enf_rest"};
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  bool is = check_leaves(i);
  for (size_t n = 0; f && n < sizeof all / sizeof *all; ++n) is |= !strcmp(LLVMGetValueName(f), all[n]);
  return is;
}

LLVMValueRef guard_in(LLVMBasicBlockRef b) {
  for (all_insts(i, b))
    if (leaves(i)) return i;
  return NULL;
}

LLVMValueRef probe_condition(LLVMValueRef end) {
  if (LLVMIsABranchInst(end) && LLVMIsConditional(end)) return LLVMGetCondition(end);
  return LLVMIsASwitchInst(end) ? LLVMGetOperand(end, 0) : NULL;
}

bool guard_branch(LLVMValueRef end) {
  bool leaving = false;
  if (!probe_condition(end)) return false;
  for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n)
    leaving |= guard_in(LLVMGetSuccessor(end, n)) != NULL;
  return leaving;
}

// What the runtime answers is none of the program's: the view takes the run to be held.
static bool asks_runtime(LLVMValueRef x) {
  LLVMValueRef of = LLVMIsAICmpInst(x) ? LLVMGetOperand(x, 0) : x;
  LLVMValueRef f = LLVMIsAInstruction(of) && call_is(of) ? call_function(of) : NULL;
  bool event = f && LLVMGetNumArgOperands(of) && LLVMIsAGlobalVariable(LLVMGetArgOperand(of, 0));
  return f && !event && !strncmp(LLVMGetValueName(f), "rt_enf_", 7);
}

static bool has_type(LLVMTypeRef t) {
  if (LLVMGetTypeKind(t) == LLVMPointerTypeKind) return LLVMGetPointerAddressSpace(t) == 0;
  if (LLVMGetTypeKind(t) != LLVMIntegerTypeKind) return false;
  unsigned w = LLVMGetIntTypeWidth(t);
  return w == 1 || w == 8 || w == 16 || w == 32 || w == 64;
}

// Memory of the function itself: what is in it, LLVM finds out.
static bool is_own_memory(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return LLVMIsAAllocaInst(pointer);
}

static const char settled[] = "specialize.settled";

static char *parameter_name(LLVMValueRef x) {
  unsigned n = 0;
  for (LLVMValueRef p = LLVMGetFirstParam(LLVMGetParamParent(x)); p != x; p = LLVMGetNextParam(p)) ++n;
  return mem_format("%s.%u", settled, n);
}

static unsigned settled_kind(LLVMValueRef i) {
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), settled, sizeof settled - 1);
}

void probe_settle(LLVMValueRef x) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(x));
  if (LLVMIsAInstruction(x)) {
    LLVMSetMetadata(x, settled_kind(x), LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, NULL, 0)));
    return;
  }
  char *name = parameter_name(x);
  attribute_note(LLVMGetParamParent(x), name, "");
  mem_free(name);
}

static bool is_settled(LLVMValueRef x) {
  if (LLVMIsAInstruction(x)) return LLVMGetMetadata(x, settled_kind(x)) != NULL;
  char *name = parameter_name(x);
  bool is = attribute_noted(LLVMGetParamParent(x), name, &(unsigned){0}) != NULL;
  mem_free(name);
  return is;
}

static bool is_value(LLVMValueRef i) {
  if (is_settled(i) || !LLVMGetFirstUse(i) || !has_type(LLVMTypeOf(i)) || asks_runtime(i)) return false;
  if (LLVMIsALoadInst(i)) return !LLVMGetVolatile(i) && !is_own_memory(LLVMGetOperand(i, 0));
  if (LLVMIsACallInst(i)) return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
  return LLVMIsAPHINode(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
}

static bool is_question(LLVMValueRef end) {
  LLVMValueRef c = probe_condition(end);
  return c && !LLVMIsAConstant(c) && has_type(LLVMTypeOf(c)) && !asks_runtime(c);
}

static LLVMValueRef function_for(LLVMModuleRef m, LLVMTypeRef type) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  LLVMTypeRef params[] = {LLVMInt32TypeInContext(c), type};
  bool pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  char *name = pointer ? mem_format("%sp", prefix) : mem_format("%s%u", prefix, LLVMGetIntTypeWidth(type));
  LLVMValueRef f = LLVMGetNamedFunction(m, name);
  if (!f) {
    f = LLVMAddFunction(m, name, LLVMFunctionType(LLVMVoidTypeInContext(c), params, 2, 0));
    attribute_set(f, "nounwind", true);
    attribute_set(f, "willreturn", true);
  }
  mem_free(name);
  return f;
}

// It has the source line of what it looks at: inlining wants one.
static void place(LLVMModuleRef m, LLVMBuilderRef b, LLVMValueRef before, LLVMValueRef value, size_t number) {
  LLVMValueRef f = function_for(m, LLVMTypeOf(value));
  LLVMMetadataRef where = LLVMInstructionGetDebugLoc(before);
  if (!where)
    where = LLVMInstructionGetDebugLoc(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(before)));
  LLVMValueRef args[] = {LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(m)), number, 0), value};
  LLVMPositionBuilderBefore(b, before);
  LLVMSetCurrentDebugLocation2(b, where);
  attribute_call_add(LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, ""), "nomerge");
}

static LLVMValueRef behind(LLVMValueRef i) {
  LLVMValueRef at = LLVMGetNextInstruction(i);
  while (LLVMIsAPHINode(at) || LLVMIsALandingPadInst(at)) at = LLVMGetNextInstruction(at);
  return at;
}

typedef struct {
  LLVMValueRef before, value;
} Probe;
typedef Vec(Probe) Probes;

static void ask_parameters(LLVMValueRef f, LLVMValueRef copy, Facts *out, Probes *at) {
  LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(copy));
  for (unsigned p = 0; p < LLVMCountParams(f); ++p) {
    LLVMValueRef x = LLVMGetParam(f, p);
    if (!LLVMGetFirstUse(x) || LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind ||
        !has_type(LLVMTypeOf(x)) || is_settled(x))
      continue;
    vec_push(out, ((Fact){.inst = f, .parameter = p}));
    vec_push(at, ((Probe){first, LLVMGetParam(copy, p)}));
  }
}

static Fact branch_fact(LLVMValueRef end, Map *asked) {
  Fact f = {.inst = end, .guard = guard_branch(end)};
  if (!f.guard || LLVMIsASwitchInst(end)) return f;
  LLVMValueRef guard = guard_in(LLVMGetSuccessor(end, 0));
  f.stays = !guard;
  if (!guard) guard = guard_in(LLVMGetSuccessor(end, 1));
  uint64_t edge = map_key(LLVMGetArgOperand(guard, 0)), tries = map_or(asked, edge, 0);
  map_put(asked, edge, tries + 1);
  f.solve = tries < PROBE_TRIES;
  return f;
}

static void ask_block(LLVMBasicBlockRef b, LLVMBasicBlockRef copy, Map *asked, Facts *out, Probes *at) {
  LLVMValueRef twin = LLVMGetFirstInstruction(copy), end = LLVMGetBasicBlockTerminator(b);
  for (all_insts(i, b)) {
    assert(LLVMGetInstructionOpcode(i) == LLVMGetInstructionOpcode(twin));
    if (is_value(i)) {
      vec_push(out, ((Fact){.inst = i}));
      vec_push(at, ((Probe){behind(twin), twin}));
    }
    if (i == end && is_question(i)) {
      vec_push(out, branch_fact(i, asked));
      vec_push(at, ((Probe){twin, probe_condition(twin)}));
    }
    twin = LLVMGetNextInstruction(twin);
  }
}

void probes_place(LLVMModuleRef m, LLVMModuleRef copy, uint32_t schedule, Map *asked, Facts *out) {
  LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(copy));
  Probes at = {0};
  uint32_t of, thread;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || !cfspec_belongs(f, &of, &thread) || of != schedule) continue;
    LLVMValueRef g = LLVMGetNamedFunction(copy, LLVMGetValueName(f));
    LLVMBasicBlockRef twin = LLVMGetFirstBasicBlock(g);
    ask_parameters(f, g, out, &at);
    for (all_blocks(block, f)) {
      ask_block(block, twin, asked, out, &at);
      twin = LLVMGetNextBasicBlock(twin);
    }
  }
  assert(at.len == out->len);
  for (vec_each(i, &at)) place(copy, b, at.at[i].before, at.at[i].value, i);
  vec_free(&at);
  LLVMDisposeBuilder(b);
}

bool probe_of(LLVMValueRef call, size_t *number, LLVMValueRef *value) {
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  if (!f || !LLVMIsDeclaration(f) || strncmp(LLVMGetValueName(f), prefix, sizeof prefix - 1)) return false;
  assert(LLVMIsAConstantInt(LLVMGetOperand(call, 0)));
  *number = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  *value = LLVMGetOperand(call, 1);
  return true;
}
