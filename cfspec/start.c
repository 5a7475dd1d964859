#include "start.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMBuilderRef b;
  LLVMTypeRef ptr, none;
} Start;

static Start start_begin(LLVMModuleRef m) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  return (Start){m, c, LLVMCreateBuilderInContext(c), LLVMPointerTypeInContext(c, 0),
                 LLVMVoidTypeInContext(c)};
}

static LLVMValueRef declared(Start *s, const char *name, LLVMTypeRef type) {
  LLVMValueRef f = LLVMGetNamedFunction(s->m, name);
  return f ? f : LLVMAddFunction(s->m, name, type);
}

static LLVMBasicBlockRef block_in(Start *s, LLVMValueRef f) {
  return LLVMAppendBasicBlockInContext(s->c, f, "");
}

// X::_M_run() -> X::~X() that deletes; NULL: it has another name, or no body.
static LLVMValueRef deleter_of(Start *s, const char *method) {
  static const char tail[] = "6_M_runEv";
  size_t len = strlen(method), end = sizeof tail - 1;
  if (len < end || strcmp(method + len - end, tail)) return NULL;
  char *name = mem_format("%.*sD0Ev", (int)(len - end), method);
  LLVMValueRef f = LLVMGetNamedFunction(s->m, name);
  mem_free(name);
  return f && !LLVMIsDeclaration(f) ? f : NULL;
}

// By the vtable, whose second function it is, if it is not known by name.
static void delete_state(Start *s, LLVMValueRef state, LLVMValueRef deleter) {
  LLVMTypeRef type = LLVMFunctionType(s->none, &s->ptr, 1, 0);
  if (!deleter) {
    LLVMValueRef second = LLVMConstInt(LLVMInt64TypeInContext(s->c), 1, 0);
    LLVMValueRef table = LLVMBuildLoad2(s->b, s->ptr, state, "");
    deleter = LLVMBuildLoad2(s->b, s->ptr, LLVMBuildGEP2(s->b, s->ptr, table, &second, 1, ""), "");
  }
  LLVMBuildCall2(s->b, type, deleter, &state, 1, "");
}

// Who is cancelled, or calls pthread_exit, leaves the run method as an exception does.
static LLVMValueRef make_routine(Start *s, LLVMValueRef run, const char *method, uint32_t thread) {
  LLVMTypeRef type = LLVMFunctionType(s->ptr, &s->ptr, 1, 0), runs = LLVMFunctionType(s->none, &s->ptr, 1, 0);
  LLVMTypeRef pair[] = {s->ptr, LLVMInt32TypeInContext(s->c)};
  LLVMTypeRef handler = LLVMFunctionType(LLVMInt32TypeInContext(s->c), NULL, 0, 1);
  char *name = mem_format("%s.start%u", method, thread), *number = mem_format("%u", thread);
  LLVMValueRef f = LLVMAddFunction(s->m, name, type), state = LLVMGetParam(f, 0),
               deleter = deleter_of(s, method);
  LLVMBasicBlockRef entry = block_in(s, f), done = block_in(s, f), left = block_in(s, f);
  attribute_note(f, START_NOTE, number);
  mem_free(name), mem_free(number);
  LLVMSetLinkage(f, LLVMInternalLinkage);
  LLVMSetPersonalityFn(f, declared(s, "__gxx_personality_v0", handler));
  LLVMPositionBuilderAtEnd(s->b, entry);
  LLVMBuildInvoke2(s->b, runs, run, &state, 1, done, left, "");
  LLVMPositionBuilderAtEnd(s->b, done);
  delete_state(s, state, deleter);
  LLVMBuildRet(s->b, LLVMConstNull(s->ptr));
  LLVMPositionBuilderAtEnd(s->b, left);
  LLVMTypeRef thrown = LLVMStructTypeInContext(s->c, pair, 2, 0);
  LLVMValueRef pad = LLVMBuildLandingPad(s->b, thrown, NULL, 0, "");
  LLVMSetCleanup(pad, 1);
  delete_state(s, state, deleter);
  LLVMBuildResume(s->b, pad);
  return f;
}

LLVMValueRef start_lower(LLVMModuleRef m, LLVMValueRef call, unsigned first, LLVMValueRef run,
                         const char *method, uint32_t thread) {
  assert(LLVMGetNumArgOperands(call) == first + 3 && LLVMIsAFunction(run));
  Start s = start_begin(m);
  LLVMTypeRef types[] = {s.ptr, s.ptr, s.ptr, s.ptr};
  LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(s.c), types, 4, 0);
  LLVMValueRef create = declared(&s, "pthread_create", type), routine = make_routine(&s, run, method, thread);
  LLVMValueRef holder = LLVMGetArgOperand(call, first + 1), made;
  LLVMPositionBuilderBefore(s.b, call);
  LLVMSetCurrentDebugLocation2(s.b, LLVMInstructionGetDebugLoc(call));
  LLVMValueRef state = LLVMBuildLoad2(s.b, s.ptr, holder, "");
  LLVMBuildStore(s.b, LLVMConstNull(s.ptr), holder);
  LLVMValueRef args[] = {LLVMGetArgOperand(call, first), LLVMConstNull(s.ptr), routine, state};
  made = LLVMIsAInvokeInst(call) ? LLVMBuildInvoke2(s.b, type, create, args, 4, LLVMGetNormalDest(call),
                                                    LLVMGetUnwindDest(call), "")
                                 : LLVMBuildCall2(s.b, type, create, args, 4, "");
  LLVMDisposeBuilder(s.b);
  return made;
}

// Direct calls stay what they were.
static void call_back(LLVMValueRef never, LLVMValueRef method) {
  Vec(LLVMValueRef) calls = {0};
  for (all_uses(u, never))
    if (call_is(LLVMGetUser(u)) && call_function(LLVMGetUser(u)) == never) vec_push(&calls, LLVMGetUser(u));
  for (vec_each(i, &calls))
    LLVMSetOperand(calls.at[i], (unsigned)LLVMGetNumOperands(calls.at[i]) - 1, method);
  vec_free(&calls);
}

static bool is_in_constant(LLVMValueRef user) {
  return LLVMIsAConstant(user) && !LLVMIsAGlobalAlias(user);
}

// A direct call; or its own, when it is a stub that asks the runtime where it is.
static bool is_harmless(LLVMValueRef user, LLVMValueRef method) {
  if (!call_is(user)) return false;
  return call_function(user) == method || LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == method;
}

void start_take_out(LLVMModuleRef m, LLVMValueRef method) {
  Start s = start_begin(m);
  bool listed = false, other = false;
  for (all_uses(u, method)) {
    LLVMValueRef user = LLVMGetUser(u);
    listed |= is_in_constant(user);
    other |= !is_in_constant(user) && !is_harmless(user, method);
  }
  if (listed && !other) {
    LLVMTypeRef type = LLVMGlobalGetValueType(method);
    LLVMValueRef never = LLVMAddFunction(m, "specialize.never", type);
    LLVMSetLinkage(never, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(s.b, block_in(&s, never));
    LLVMBuildUnreachable(s.b);
    LLVMReplaceAllUsesWith(method, never);
    call_back(never, method);
  }
  LLVMDisposeBuilder(s.b);
}
