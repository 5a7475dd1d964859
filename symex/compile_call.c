// Calls: of functions that have code, of what the interpreter does itself, of synchronization operations, and
// of LLVM's intrinsics.
#include <assert.h>
#include "compile.h"
#include "number.h"

static PassKind pass_kind(const Layout *l, bool vector) {
  if (vector && l->size <= 16) return PASS_VECTOR;
  if (l->len != 1) return PASS_MEMORY;
  switch (l->at->kind) {
    case SCALAR_FLOAT:
      return PASS_FLOAT;
    case SCALAR_DOUBLE:
      return PASS_DOUBLE;
    case SCALAR_LONG_DOUBLE:
      return PASS_LONG_DOUBLE;
    default:
      return l->at->bits > 64 ? PASS_WIDE : PASS_INT;
  }
}

static uint64_t by_value_size(Compiler *k, LLVMValueRef call, unsigned arg) {
  unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
  LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, arg + 1, kind);
  return a ? LLVMABISizeOfType(k->c->layout, LLVMGetTypeAttributeValue(a)) : 0;
}

static void pass_arguments(Compiler *k, LLVMValueRef v, Call *call) {
  Vec(Pass) all = {0};
  for (unsigned i = 0; i < LLVMGetNumArgOperands(v); ++i) {
    LLVMValueRef arg = LLVMGetArgOperand(v, i);
    if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMMetadataTypeKind) continue;
    bool vector = LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMVectorTypeKind;
    const Layout *l = layout_of_value(k, arg);
    if (k->refused) break;
    Pass p = {slot_of(k, arg), l->slots, (uint8_t)pass_kind(l, vector), by_value_size(k, v, i), l};
    if (p.size) p.kind = PASS_MEMORY;
    vec_push(&all, p);
  }
  call->args = (uint32_t)k->c->passes.len, call->arg_count = (uint32_t)all.len;
  vec_append(&k->c->passes, all.at, all.len);
  vec_free(&all);
}

static bool may_run_operation(const CodeSync *s, uint32_t site) {
  Ids targets = callgraph_targets(s->graph, site);
  for (vec_each(i, &targets)) {
    LLVMValueRef f = callgraph_function(s->graph, targets.at[i]);
    if (LLVMIsDeclaration(f) && sync_find(LLVMGetValueName(f))) return true;
  }
  return false;
}

// As record/instrument decides what it brackets.
static void judge_site(Compiler *k, LLVMValueRef v, Call *call) {
  call->site = k->c->functions.at[k->id].model ? SITE_NONE : sites_id(k->c->sites, v);
  if (call->site == SITE_NONE || !k->s->sync) return;
  const Sync *s = call->sync = maysync_operation(k->s->sync, call->site);
  call->event = maysync_event(k->s->sync, call->site) || (s && s->kind == SYNC_UNMODELLED);
  call->derived = maysync_derived(k->s->sync, call->site) ||
                  (!s && !callgraph_direct(k->s->graph, call->site) && may_run_operation(k->s, call->site));
}

static uint32_t add_call(Compiler *k, LLVMValueRef v) {
  bool returns = LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind;
  Call call = {.normal = CODE_NONE, .unwind = CODE_NONE, .site = SITE_NONE};
  call.result = returns ? slot_of(k, v) : SLOT_NONE;
  call.result_count = returns ? layout_of_value(k, v)->slots : 0;
  call.result_mask = call.result_count == 1 ? mask_of(layout_of_value(k, v)->at->bits) : UINT64_MAX;
  call.variadic = LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(v));
  pass_arguments(k, v, &call);
  judge_site(k, v, &call);
  if (LLVMIsAInvokeInst(v)) {
    LLVMBasicBlockRef here = LLVMGetInstructionParent(v);
    call.normal = edge_to(k, here, LLVMGetNormalDest(v));
    call.unwind = edge_to(k, here, LLVMGetUnwindDest(v));
  }
  vec_push(&k->c->calls, call);
  return (uint32_t)k->c->calls.len - 1;
}

static Inst *emit_call(Compiler *k, Op op, uint32_t call, uint32_t a) {
  Inst *i = emit(k, op);
  i->imm = call, i->a = a;
  return i;
}

static void refuse_function(Compiler *k, uint32_t f) {
  char *why = mem_format("a call of %s, which has no model", bytecode_name(k->c, f));
  emit(k, OP_REFUSED)->imm = k->c->reasons.len;
  vec_push(&k->c->reasons, why);
}

static void call_known(Compiler *k, LLVMValueRef v, LLVMValueRef f) {
  Bytecode *c = k->c;
  uint32_t id = (uint32_t)map_or(c->function_of, map_key(f), CODE_NONE);
  assert(id != CODE_NONE);
  uint32_t name = id;
  if (c->functions.at[id].callee != CODE_NONE) id = c->functions.at[id].callee;
  uint32_t call = add_call(k, v);
  if (k->refused) return;
  const Function *to = &c->functions.at[id];
  const Pass *args = c->passes.at + c->calls.at[call].args;
  if (c->calls.at[call].sync && to->kind != CODE_BODY) {
    emit_call(k, OP_SYNC, call, 0);
    return;
  }
  switch ((FunctionKind)to->kind) {
    case CODE_BODY:
      emit_call(k, OP_CALL, call, id);
      break;
    case CODE_HOST:
      emit_call(k, OP_HOST, call, to->host);
      break;
    case CODE_SETJMP: {
      uint32_t buffer = args->slot;
      Inst *i = emit_call(k, OP_SETJMP, call, buffer);
      i->to = c->calls.at[call].result;
      break;
    }
    case CODE_LONGJMP: {
      uint32_t buffer = args[0].slot, value = args[1].slot;
      emit_call(k, OP_LONGJMP, call, buffer)->b = value;
      break;
    }
    case CODE_SYNC:
      refuse(k, "a synchronization operation that is called in another way than declared");
      break;
    case CODE_UNKNOWN:
      refuse_function(k, name);
      break;
  }
}

// Only what keeps the compiler from moving code, and waiting for a moment.
static void assembly(Compiler *k, LLVMValueRef v) {
  size_t len, constraint_len;
  LLVMValueRef callee = LLVMGetCalledValue(v);
  const char *text = LLVMGetInlineAsmAsmString(callee, &len);
  const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraint_len);
  bool returns = LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMVoidTypeKind;
  bool pause = (len == 5 && !strncmp(text, "pause", 5)) || (len == 8 && !strncmp(text, "rep; nop", 8));
  bool tied = returns && constraint_len > 4 && strstr(constraints, ",0") && LLVMGetNumArgOperands(v) == 1;
  if (pause && !returns) {
    emit(k, OP_PAUSE);
  } else if (!len && tied) {
    uint32_t to = slot_of(k, v), from = slot_of(k, LLVMGetArgOperand(v, 0));
    Inst *i = emit(k, OP_MOVES);
    i->to = to, i->a = from, i->bytes = layout_of_value(k, v)->slots;
  } else if (len || returns) {
    refuse(k, "inline assembly");
  }
}

void compile_call(Compiler *k, LLVMValueRef v) {
  size_t len;
  LLVMValueRef f = call_function(v);
  if (LLVMIsACallBrInst(v)) {
    refuse(k, "inline assembly that jumps");
  } else if (call_is_asm(v)) {
    assembly(k, v);
  } else if (f && LLVMIsAFunction(f) && !strncmp(LLVMGetValueName2(f, &len), "llvm.", 5)) {
    if (!compile_intrinsic(k, v, LLVMGetValueName2(f, &len))) {
      char *why = mem_format("the intrinsic %s", LLVMGetValueName2(f, &len));
      emit(k, OP_REFUSED)->imm = k->c->reasons.len;
      vec_push(&k->c->reasons, why);
    }
  } else if (f && LLVMIsAFunction(f)) {
    call_known(k, v, f);
  } else if (f) {
    refuse(k, "a call of a function that is chosen when the program is loaded");
  } else {
    uint32_t to = slot_of(k, LLVMGetCalledValue(v)), call = add_call(k, v);
    emit_call(k, OP_ICALL, call, to);
  }
}
