// One pass over the sites of the module. A sync operation becomes a call of its hook, a derived sync is
// bracketed; functions that may synchronize and can be entered from outside say so. What the calls are is
// decided before anything is changed, by site number.
#include "instrument.h"
#include <assert.h>
#include "instrumenter.h"
#include "rt/rt.h"

LLVMValueRef hook_named(Instrumenter *k, const char *name, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(k->m, name);
  return f ? f : LLVMAddFunction(k->m, name, type);
}

void hook_call(Instrumenter *k, const char *name, LLVMValueRef *args, unsigned count) {
  LLVMTypeRef types[4];
  assert(count <= 4);
  for (unsigned i = 0; i < count; ++i) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(k->none, types, count, 0);
  LLVMBuildCall2(k->b, type, hook_named(k, name, type), args, count, "");
}

LLVMValueRef number(Instrumenter *k, uint32_t n) {
  return LLVMConstInt(k->i32, n, 0);
}

// Calls in functions with debug information must have a location: where there is none, line 0 of the
// function.
static void locate(Instrumenter *k, LLVMValueRef inst) {
  if (LLVMGetCurrentDebugLocation2(k->b)) return;
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  LLVMMetadataRef sub = LLVMGetSubprogram(f);
  if (sub) LLVMSetCurrentDebugLocation2(k->b, LLVMDIBuilderCreateDebugLocation(k->c, 0, 0, sub, NULL));
}

void stand_before(Instrumenter *k, LLVMValueRef inst) {
  assert(LLVMIsAInstruction(inst));
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  LLVMPositionBuilderBefore(k->b, inst);
  if (LLVMIsAInstruction(inst)) LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(inst));
  locate(k, inst);
}

LLVMValueRef first_place(LLVMBasicBlockRef block) {
  LLVMValueRef i = LLVMGetFirstInstruction(block);
  while (LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i)) i = LLVMGetNextInstruction(i);
  return i;
}

LLVMValueRef entry_place(LLVMValueRef f) {
  LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
  while (LLVMIsAAllocaInst(i)) i = LLVMGetNextInstruction(i);
  return i;
}

// Operations that have no hook of their own.
static bool is_hooked(const Instrumenter *k, const Sync *s) {
  if (sync_events(s->kind)) return s->kind != SYNC_UNMODELLED;
  return !k->o->events && (s->kind == SYNC_INIT || s->kind == SYNC_DESTROY);
}

static LLVMTypeRef hook_type(Instrumenter *k, LLVMTypeRef of) {
  unsigned n = LLVMCountParamTypes(of);
  LLVMTypeRef *params = mem_array(n + 1, sizeof *params);
  params[0] = k->i32;
  LLVMGetParamTypes(of, params + 1);
  LLVMTypeRef type = LLVMFunctionType(LLVMGetReturnType(of), params, n + 1, LLVMIsFunctionVarArg(of));
  mem_free(params);
  return type;
}

// f(a, b) becomes rt_rec_f(site, a, b), as call or invoke.
static LLVMValueRef replace_call(Instrumenter *k, LLVMValueRef call, const char *function, uint32_t site) {
  unsigned n = LLVMGetNumArgOperands(call);
  LLVMValueRef *args = mem_array(n + 1, sizeof *args), with;
  char *name = mem_format("rt_rec_%s", function);
  LLVMTypeRef type = hook_type(k, LLVMGetCalledFunctionType(call));
  LLVMValueRef hook = hook_named(k, name, type);
  args[0] = number(k, site);
  for (unsigned i = 0; i < n; ++i) args[i + 1] = LLVMGetArgOperand(call, i);
  stand_before(k, call);
  if (LLVMIsAInvokeInst(call))
    with =
        LLVMBuildInvoke2(k->b, type, hook, args, n + 1, LLVMGetNormalDest(call), LLVMGetUnwindDest(call), "");
  else
    with = LLVMBuildCall2(k->b, type, hook, args, n + 1, "");
  LLVMReplaceAllUsesWith(call, with);
  LLVMInstructionEraseFromParent(call);
  mem_free(args), mem_free(name);
  return with;
}

LLVMBasicBlockRef edge_block(Instrumenter *k, LLVMValueRef terminator, unsigned i) {
  assert(i < LLVMGetNumSuccessors(terminator));
  LLVMBasicBlockRef from = LLVMGetInstructionParent(terminator), to = LLVMGetSuccessor(terminator, i);
  LLVMBasicBlockRef between = LLVMInsertBasicBlockInContext(k->c, to, "");
  LLVMPositionBuilderAtEnd(k->b, between);
  LLVMSetCurrentDebugLocation2(k->b, LLVMInstructionGetDebugLoc(terminator));
  LLVMValueRef br = LLVMBuildBr(k->b, to);
  LLVMSetSuccessor(terminator, i, between);
  // One of the edges from there comes from the new block now. LLVM-C cannot change a phi: make it again.
  for (LLVMValueRef phi = LLVMGetFirstInstruction(to), next; LLVMIsAPHINode(phi); phi = next) {
    next = LLVMGetNextInstruction(phi);
    LLVMPositionBuilderBefore(k->b, phi);
    LLVMValueRef again = LLVMBuildPhi(k->b, LLVMTypeOf(phi), "");
    bool moved = false;
    for (unsigned n = 0; n < LLVMCountIncoming(phi); ++n) {
      LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, n);
      LLVMValueRef value = LLVMGetIncomingValue(phi, n);
      if (block == from && !moved) block = between, moved = true;
      LLVMAddIncoming(again, &value, &block, 1);
    }
    assert(moved);
    LLVMReplaceAllUsesWith(phi, again);
    LLVMInstructionEraseFromParent(phi);
  }
  stand_before(k, br);
  return between;
}

static void bracket(Instrumenter *k, LLVMValueRef call, uint32_t site) {
  LLVMValueRef id = number(k, site), now = NULL;
  stand_before(k, call);
  if (k->o->events)
    stack_call(k, now = stack_now(k), site);
  else
    hook_call(k, "rt_rec_call", &id, 1);
  if (LLVMIsAInvokeInst(call)) {
    edge_block(k, call, 0);
  } else {
    if (LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail)
      LLVMSetTailCallKind(call, LLVMTailCallKindNone);
    stand_before(k, LLVMGetNextInstruction(call));
  }
  if (now)
    stack_set(k, now);
  else
    hook_call(k, "rt_rec_ret", &id, 1);
}

static bool may_run_operation(Instrumenter *k, uint32_t site) {
  Ids targets = callgraph_targets(k->graph, site);
  for (vec_each(i, &targets)) {
    LLVMValueRef f = callgraph_function(k->graph, targets.at[i]);
    if (LLVMIsDeclaration(f) && sync_find(LLVMGetValueName(f))) return true;
  }
  return false;
}

static void hook_site(Instrumenter *k, uint32_t site, bool *held) {
  LLVMValueRef call = sites_call(k->sites, site);
  const Sync *s = maysync_operation(k->sync, site);
  bool derived = maysync_derived(k->sync, site) ||
                 (!s && !callgraph_direct(k->graph, site) && may_run_operation(k, site));
  if (LLVMIsACallBrInst(call) || (k->o->ordinary && k->o->ordinary[site])) return;
  if (s && is_hooked(k, s)) {
    call = replace_call(k, call, s->name, site);
  } else if (s && s->kind == SYNC_UNMODELLED) {
    LLVMValueRef object = sync_operand(call, s->object);
    LLVMValueRef args[] = {number(k, site),
                           object && LLVMTypeOf(object) == k->ptr ? object : LLVMConstNull(k->ptr)};
    stand_before(k, call);
    hook_call(k, "rt_rec_other", args, 2);
  }
  if (!derived) return;
  *held = true;
  bracket(k, call, site);
}

// &pthread_mutex_lock as a value: a function of ours that does what it does, and records it.
static void replace_address(Instrumenter *k, LLVMValueRef f, const char *name) {
  LLVMTypeRef type = LLVMGlobalGetValueType(f);
  char *ours = mem_format("specialize.%s", name);
  LLVMValueRef stand_in = LLVMAddFunction(k->m, ours, type);
  LLVMSetLinkage(stand_in, LLVMInternalLinkage);
  LLVMReplaceAllUsesWith(f, stand_in);
  LLVMPositionBuilderAtEnd(k->b, LLVMAppendBasicBlockInContext(k->c, stand_in, ""));
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  unsigned n = LLVMCountParams(stand_in);
  LLVMValueRef *args = mem_array(n + 1, sizeof *args);
  char *hook = mem_format("rt_rec_%s", name);
  args[0] = number(k, RT_SITE_INDIRECT);
  LLVMGetParams(stand_in, args + 1);
  LLVMTypeRef hooked = hook_type(k, type);
  LLVMValueRef result = LLVMBuildCall2(k->b, hooked, hook_named(k, hook, hooked), args, n + 1, "");
  if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
    LLVMBuildRetVoid(k->b);
  else
    LLVMBuildRet(k->b, result);
  mem_free(args), mem_free(hook), mem_free(ours);
}

// After the calls are replaced: whatever still uses the function takes its address.
static void replace_addresses(Instrumenter *k) {
  Vec(LLVMValueRef) all = {0};
  for (all_functions(f, k->m))
    if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f)) vec_push(&all, f);
  for (vec_each(i, &all)) {
    const char *name = LLVMGetValueName(all.at[i]);
    const Sync *s = sync_find(name);
    if (s && is_hooked(k, s) && !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(all.at[i])))
      replace_address(k, all.at[i], name);
  }
  vec_free(&all);
}

static void handler(Instrumenter *k, LLVMValueRef f) {
  LLVMValueRef signal = LLVMCountParams(f) ? LLVMGetParam(f, 0) : NULL;
  if (!signal || LLVMTypeOf(signal) != k->i32) signal = number(k, 0);
  stand_before(k, entry_place(f));
  hook_call(k, "rt_rec_handler", &signal, 1);
  for (all_blocks(b, f)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (!LLVMIsAReturnInst(end)) continue;
    stand_before(k, end);
    hook_call(k, "rt_rec_handled", &signal, 1);
  }
}

// Rounds of loops that wait are no events, and not recorded by site.
static void hook_spins(LLVMModuleRef m) {
  static const char prefix[] = "specialize_atomic_spin_";
  for (all_functions(f, m)) {
    const char *name = LLVMGetValueName(f);
    if (strncmp(name, prefix, sizeof prefix - 1)) continue;
    char *hook = mem_format("rt_rec_%s", name);
    LLVMSetValueName2(f, hook, strlen(hook));
    mem_free(hook);
  }
}

static void hook_function(Instrumenter *k, uint32_t id) {
  LLVMValueRef f = callgraph_function(k->graph, id);
  if (LLVMIsDeclaration(f) || is_resolver(k, f)) return;
  unsigned entries = callgraph_entries(k->graph, id);
  uint32_t first, count = sites_of(k->sites, f, &first);
  bool held = false;
  for (uint32_t s = first; s < first + count; ++s) hook_site(k, s, &held);
  if (held || (maysync_function(k->sync, id) && calls_setjmp(f))) hook_unwinding(k, f);
  if (entries & ENTRY_SIGNAL) handler(k, f);
  if (k->o->events) return;
  LLVMValueRef number_of = number(k, entries & ENTRY_MAIN ? 0 : id);
  if (!(entries & ENTRY_MAIN) && (!maysync_enterable(k->sync, id) || library_replaced(LLVMGetValueName(f))))
    return;
  stand_before(k, entry_place(f));
  hook_call(k, entries & ENTRY_MAIN ? "rt_rec_dispatch" : "rt_rec_entered", &number_of, 1);
}

// Defines rt_program (rt/record.h).
static void describe(Instrumenter *k, const uint8_t hash[HASH_BYTES], const char *directory) {
  LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(k->c), HASH_BYTES);
  LLVMValueRef where = LLVMConstNull(k->ptr);
  if (directory) {
    LLVMValueRef text = LLVMConstStringInContext2(k->c, directory, strlen(directory), 0);
    where = LLVMAddGlobal(k->m, LLVMTypeOf(text), "specialize.directory");
    LLVMSetInitializer(where, text);
    LLVMSetLinkage(where, LLVMPrivateLinkage);
  }
  LLVMValueRef fields[] = {number(k, RT_PROGRAM_VERSION), number(k, sites_count(k->sites)),
                           LLVMConstStringInContext2(k->c, (const char *)hash, HASH_BYTES, 1), where};
  LLVMTypeRef types[] = {k->i32, k->i32, bytes, k->ptr};
  LLVMTypeRef type = LLVMStructTypeInContext(k->c, types, 4, 0);
  LLVMValueRef g = LLVMAddGlobal(k->m, type, "rt_program");
  LLVMSetInitializer(g, LLVMConstStructInContext(k->c, fields, 4, 0));
  LLVMSetGlobalConstant(g, 1);
}

bool instrument_module(LLVMModuleRef m, const uint8_t hash[HASH_BYTES], const InstrumentOptions *o,
                       Diags *d) {
  LLVMValueRef main = LLVMGetNamedFunction(m, "main");
  if (!main || LLVMIsDeclaration(main)) return diag_error(d, "its module has no main"), false;
  assert(!o->access_count || o->accesses);
  LLVMContextRef c = LLVMGetModuleContext(m);
  Sites *sites = sites_new(m);
  Callgraph *graph = callgraph_new_with(m, sites, o->targets);
  Maysync *sync = maysync_new(graph);
  Instrumenter k = {.m = m,
                    .c = c,
                    .b = LLVMCreateBuilderInContext(c),
                    .i32 = LLVMInt32TypeInContext(c),
                    .ptr = LLVMPointerTypeInContext(c, 0),
                    .none = LLVMVoidTypeInContext(c),
                    .sites = sites,
                    .graph = graph,
                    .sync = sync,
                    .o = o,
                    .diags = d};
  CHECKED(instrumenter_check(&k));
  bool ok = !o->access_count || hook_accesses(&k, o);
  if (o->watch) hook_all_accesses(&k);
  if (o->branches) hook_branches(&k);
  if (!o->events) hook_inputs(&k);
  if (!o->events && !o->access_count && !o->watch) hook_lives(&k);
  for (uint32_t f = 0, n = callgraph_count(graph); f < n; ++f) hook_function(&k, f);
  redirect_calls(&k);
  if (!o->events) replace_addresses(&k);
  set_replaced_apart(&k);
  hook_spins(m);
  atomics_raise(m);  // where nothing may be recorded
  describe(&k, hash, o->directory);
  LLVMDisposeBuilder(k.b);
  maysync_free(sync);
  callgraph_free(graph);
  sites_free(sites);
  return ok && module_verify(m, "the instrumented module", d);
}

void instrumenter_check(const Instrumenter *k) {
  assert(LLVMGetModuleContext(k->m) == k->c && LLVMGetTypeContext(k->ptr) == k->c);
  assert(k->i32 == LLVMInt32TypeInContext(k->c) && k->none == LLVMVoidTypeInContext(k->c));
  assert(LLVMGetTypeKind(k->ptr) == LLVMPointerTypeKind);
  assert(callgraph_sites(k->graph) == k->sites);
  for (uint32_t s = 0; s < sites_count(k->sites); ++s) {
    assert(LLVMGetGlobalParent(sites_function(k->sites, s)) == k->m);
    assert(sites_id(k->sites, sites_call(k->sites, s)) == s);  // not replaced yet
  }
}
