#include "view.h"
#include <assert.h>
#include <stdio.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include "alias/alias.h"
#include "check.h"
#include "foreign.h"
#include "rt/rt.h"
#include "start.h"

enum {
  NODE_THREAD = 0,
  NODE_POSITION = 1,
  NODE_OBJECT = 3,
  NODE_MUTEX = 4,
  NODE_OUTCOME = 5,
  NODE_ROUND = 7,
  NODE_DEPART = 8,
  NODE_CODE = 9,
  NODE_FUNCTION = 10,
  NODE_WAKER = 12
};  // members of RtNode (rt/enforce.h)
static const char event_note[] = "specialize.event", choice_note[] = "specialize.routine-chosen";
static const char prefix[] = "rt_enf_";

const char *const cfspec_view_summaries[] = {
    "",
    "rt_enf_begin rt_enf_stop rt_enf_stop_call rt_enf_leave rt_enf_leave_call rt_enf_rest rt_enf_stay "
    "rt_enf_before rt_enf_after rt_enf_stub rt_enf_jump rt_enf_call rt_enf_position "
    "rt_enf_futex_wait rt_enf_futex_wait_until rt_enf_cancelled rt_enf_fact rt_enf_probe1 rt_enf_probe8 "
    "rt_enf_probe16 rt_enf_probe32 rt_enf_probe64 "
    "rt_enf_probep",
    NULL};

static const char lead[] = "specialize-lead";

bool cfspec_leads_to(LLVMValueRef stub, uint32_t *thread) {
  unsigned len;
  const char *text = attribute_noted(stub, lead, &len);
  return text && sscanf(text, "%u", thread) == 1;
}

static void tell_lead(LLVMValueRef stub, LLVMValueRef clone) {
  uint32_t thread, activation;
  size_t len;
  if (!cfspec_clone_of(clone, &thread, &activation, &len)) return;
  char *text = mem_format("%u", thread);
  attribute_note(stub, lead, text);
  mem_free(text);
}

// The last "." with this letter and a digit behind it, before `end`.
static const char *part(const char *name, const char *end, char letter) {
  for (const char *p = end - 1; p > name; --p)
    if (p[-1] == '.' && p[0] == letter && p[1] >= '0' && p[1] <= '9') return p - 1;
  return NULL;
}

bool cfspec_clone_of(LLVMValueRef f, uint32_t *thread, uint32_t *activation, size_t *name_len) {
  size_t len;
  const char *name = LLVMGetValueName2(f, &len);
  if (!check_is_clone(f)) return false;
  const char *t = part(name, name + len, 't'), *s = t ? part(name, t, 's') : NULL;
  if (!s || sscanf(t, ".t%u", thread) != 1) return false;
  const char *a = part(name, name + len, 'a');
  *activation = UINT32_MAX;
  if (a && a > t) sscanf(a, ".a%u", activation);
  *name_len = (size_t)(s - name);
  return true;
}

bool cfspec_owner(LLVMValueRef f, uint32_t *thread) {
  uint32_t activation;
  unsigned len;
  size_t name_len;
  const char *started = attribute_noted(f, START_NOTE, &len);
  if (started) return sscanf(started, "%u", thread) == 1;
  if (!strcmp(LLVMGetValueName(f), "main")) return *thread = 0, true;
  return cfspec_clone_of(f, thread, &activation, &name_len) || cfspec_leads_to(f, thread);
}

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMBuilderRef b;
  LLVMTypeRef ptr;
  uint32_t schedule;
  Vec(LLVMValueRef) methods;  // what threads of C++ run
} View;

static void erase(LLVMValueRef i) {
  if (LLVMGetFirstUse(i)) LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
  LLVMInstructionEraseFromParent(i);
}

static LLVMValueRef node_of(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  LLVMValueRef node = f && LLVMGetNumArgOperands(call) ? LLVMGetArgOperand(call, 0) : NULL;
  if (!node || !LLVMIsDeclaration(f) || strncmp(LLVMGetValueName(f), prefix, sizeof prefix - 1)) return NULL;
  const char *name = LLVMIsAGlobalVariable(node) ? LLVMGetValueName(node) : "";
  return !strncmp(name, "specialize.s", 12) && name[12] >= '0' && name[12] <= '9' ? node
                                                                                  : NULL;  // no schedule
}

// Around a call, or beside one, that no operation of the runtime stands for.
static bool is_around(LLVMValueRef call) {
  static const char *const all[] = {"rt_enf_before", "rt_enf_after", "rt_enf_jump", "rt_enf_call"};
  bool is = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    is |= !strcmp(LLVMGetValueName(call_function(call)), all[i]);
  return is;
}

static LLVMValueRef real_function(View *v, LLVMValueRef call, LLVMTypeRef *type) {
  const char *name = LLVMGetValueName(call_function(call)) + sizeof prefix - 1;
  unsigned n = LLVMGetNumArgOperands(call) - 1;
  LLVMTypeRef *types = mem_array(n + 1, sizeof *types);
  for (unsigned i = 0; i < n; ++i) types[i] = LLVMTypeOf(LLVMGetArgOperand(call, i + 1));
  *type = LLVMFunctionType(LLVMTypeOf(call), types, n, 0);
  mem_free(types);
  LLVMValueRef f = LLVMGetNamedFunction(v->m, name);
  return f ? f : LLVMAddFunction(v->m, name, *type);
}

static LLVMValueRef member(LLVMValueRef node, unsigned i) {
  assert(LLVMGetInitializer(node) && i < LLVMCountStructElementTypes(LLVMGlobalGetValueType(node)));
  return LLVMGetAggregateElement(LLVMGetInitializer(node), i);  // it may be all zeros
}

static uint32_t number_in(LLVMValueRef node, unsigned i) {
  return (uint32_t)LLVMConstIntGetZExtValue(member(node, i));
}

static unsigned number_kind(LLVMValueRef i) {
  static const char name[] = "specialize.number";
  return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), name, sizeof name - 1);
}

void cfspec_view_number(LLVMValueRef i, uint32_t number) {
  LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
  LLVMMetadataRef text = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(c), number, 0));
  LLVMSetMetadata(i, number_kind(i), LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &text, 1)));
}

bool cfspec_view_numbered(LLVMValueRef i, uint32_t *number) {
  LLVMValueRef node = LLVMGetMetadata(i, number_kind(i)), value;
  if (!node) return false;
  LLVMGetMDNodeOperands(node, &value);
  *number = (uint32_t)LLVMConstIntGetZExtValue(value);
  return true;
}

static void keep_number(LLVMValueRef from, LLVMValueRef to) {
  uint32_t n;
  if (cfspec_view_numbered(from, &n)) cfspec_view_number(to, n);
}

// Thread, first event and last event, for cfspec_event_of.
static void mark(LLVMValueRef call, LLVMValueRef node) {
  LLVMValueRef depart = member(node, NODE_DEPART);
  LLVMValueRef last = LLVMIsAGlobalVariable(depart) ? depart : node;
  char *text = mem_format("%u %u %u", number_in(node, NODE_THREAD), number_in(node, NODE_POSITION),
                          number_in(last, NODE_POSITION));
  attribute_call_note(call, event_note, text);
  mem_free(text);
}

bool cfspec_event_of(LLVMValueRef call, uint32_t *thread, uint32_t *first, uint32_t *last) {
  unsigned len;
  const char *text = attribute_call_noted(call, event_note, &len);
  return text && sscanf(text, "%u %u %u", thread, first, last) == 3;
}

// The child runs the clone that the node names.
static LLVMValueRef routine_of(LLVMValueRef call, unsigned arg, LLVMValueRef code) {
  const Sync *s = sync_find(LLVMGetValueName(call_function(call)) + sizeof prefix - 1);
  bool starts = s && s->kind == SYNC_CREATE && s->start.place == SYNC_VALUE && s->start.arg == arg - 1;
  return starts && !LLVMIsNull(code) ? code : LLVMGetArgOperand(call, arg);
}

// What starts a std::thread, whose run method is known: pthread_create, of a routine that runs it; else NULL.
static LLVMValueRef start_thread(View *v, LLVMValueRef call, LLVMValueRef node) {
  const Sync *s = sync_find(LLVMGetValueName(call_function(call)) + sizeof prefix - 1);
  LLVMValueRef code = member(node, NODE_CODE), method = member(node, NODE_FUNCTION);
  if (!s || s->kind != SYNC_CREATE || s->start.place != SYNC_VIRTUAL || LLVMIsNull(method)) return NULL;
  vec_push(&v->methods, method);
  return start_lower(v->m, call, 1, LLVMIsNull(code) ? method : code, LLVMGetValueName(method),
                     number_in(node, NODE_OBJECT));
}

static bool is_once(LLVMValueRef call) {
  const Sync *s = sync_of_call(call);
  return s && s->kind == SYNC_ONCE;
}

static bool outcome_in(LLVMValueRef node, SyncOutcome *out) {
  LLVMValueRef depart = member(node, NODE_DEPART);
  int32_t n = (int32_t)number_in(LLVMIsAGlobalVariable(depart) ? depart : node, NODE_OUTCOME);
  *out = n == RT_ENF_RAN ? SYNC_RAN : n == RT_ENF_SERIAL ? SYNC_SERIAL : SYNC_OK;
  if (n > 0) *out = sync_outcome_of_error(n);
  return *out != SYNC_FAILED && n != RT_ENF_CANCELLED && n != RT_ENF_FAILED;
}

// What an atomic operation read; the runtime compares it before anything uses it.
static LLVMValueRef value_read(LLVMTypeRef type, LLVMValueRef node) {
  if (number_in(node, NODE_MUTEX) != 0) return NULL;
  uint64_t was = number_in(node, NODE_ROUND) | (uint64_t)number_in(node, NODE_WAKER) << 32;
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) return LLVMConstInt(type, was, 0);
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind && !was ? LLVMConstNull(type) : NULL;
}

// What the call returns, for the runtime compares its outcome with the recorded one. NULL: that does not
// tell.
static LLVMValueRef result_of(LLVMValueRef call, LLVMValueRef node) {
  const Sync *s = sync_find(LLVMGetValueName(call_function(call)) + sizeof prefix - 1);
  LLVMTypeRef type = LLVMTypeOf(call);
  SyncOutcome outcome;
  long result;
  int error;
  if (s && s->kind == SYNC_ATOMIC) return value_read(type, node);
  if (!s || LLVMGetTypeKind(type) != LLVMIntegerTypeKind || !outcome_in(node, &outcome)) return NULL;
  if (!sync_result_of(s, outcome, &result, &error)) return NULL;
  return LLVMConstInt(type, (unsigned long long)result, 1);
}

// Which routine the child is to run, the code decides, and the runtime compares.
static bool chooses_routine(LLVMValueRef call, LLVMValueRef code) {
  const Sync *s = sync_find(LLVMGetValueName(call_function(call)) + sizeof prefix - 1);
  if (!s || s->kind != SYNC_CREATE || s->start.place != SYNC_VALUE || LLVMIsNull(code)) return false;
  return !LLVMIsAFunction(call_strip(LLVMGetArgOperand(call, s->start.arg + 1)));
}

bool cfspec_routine_chosen(LLVMValueRef create) {
  return attribute_call_noted(create, choice_note, &(unsigned){0}) != NULL;
}

// rt_enf_f(node, a, b) becomes f(a, b).
static LLVMValueRef restore_plain(View *v, LLVMValueRef call) {
  LLVMValueRef node = node_of(call), code = member(node, NODE_CODE), made;
  assert(!is_around(call));
  unsigned n = LLVMGetNumArgOperands(call) - 1;
  LLVMValueRef *args = mem_array(n + 1, sizeof *args);
  LLVMTypeRef type;
  LLVMValueRef f = real_function(v, call, &type);
  for (unsigned i = 0; i < n; ++i) args[i] = routine_of(call, i + 1, code);
  LLVMPositionBuilderBefore(v->b, call);
  LLVMSetCurrentDebugLocation2(v->b, LLVMInstructionGetDebugLoc(call));
  made = LLVMIsAInvokeInst(call)
             ? LLVMBuildInvoke2(v->b, type, f, args, n, LLVMGetNormalDest(call), LLVMGetUnwindDest(call), "")
             : LLVMBuildCall2(v->b, type, f, args, n, "");
  mark(made, node);
  if (chooses_routine(call, code)) attribute_call_note(made, choice_note, "");
  if (!is_once(made)) keep_number(call, made);
  LLVMValueRef result = result_of(call, node);
  LLVMReplaceAllUsesWith(call, result ? result : made);
  LLVMInstructionEraseFromParent(call);
  mem_free(args);
  return made;
}

// What std::call_once gives to pthread_once: it calls what this thread has left in a variable of the library.
static void write_proxy(View *v) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(v->c), NULL, 0, 0);
  LLVMValueRef proxy = LLVMGetNamedFunction(v->m, "__once_proxy"),
               left = LLVMGetNamedGlobal(v->m, "_ZSt11__once_call");
  if (!proxy || !left || !LLVMIsDeclaration(proxy) || LLVMGlobalGetValueType(proxy) != type) return;
  LLVMPositionBuilderAtEnd(v->b, LLVMAppendBasicBlockInContext(v->c, proxy, ""));
  LLVMSetCurrentDebugLocation2(v->b, NULL);
  LLVMBuildCall2(v->b, type, LLVMBuildLoad2(v->b, v->ptr, left, ""), NULL, 0, "");
  LLVMBuildRetVoid(v->b);
  LLVMSetLinkage(proxy, LLVMInternalLinkage);
}

static void call_routine(View *v, LLVMValueRef once, LLVMValueRef node, LLVMValueRef given) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(v->c), NULL, 0, 0);
  LLVMBasicBlockRef b = LLVMGetInstructionParent(once), behind;
  LLVMPositionBuilderBefore(v->b, once);
  LLVMSetCurrentDebugLocation2(v->b, LLVMInstructionGetDebugLoc(once));
  LLVMValueRef code = member(node, NODE_CODE), routine = LLVMIsNull(code) ? given : code, args[2], plain;
  if (!LLVMIsAInvokeInst(once)) {
    LLVMBuildCall2(v->b, type, routine, NULL, 0, "");
    return;
  }
  for (unsigned i = 0; i < 2; ++i) args[i] = LLVMGetOperand(once, i);
  behind = LLVMInsertBasicBlockInContext(v->c, LLVMGetNormalDest(once), "");
  LLVMBuildInvoke2(v->b, type, routine, NULL, 0, behind, LLVMGetUnwindDest(once), "");
  LLVMPositionBuilderAtEnd(v->b, behind);
  plain = LLVMBuildCall2(v->b, LLVMGetCalledFunctionType(once), call_function(once), args, 2, "");
  mark(plain, node);
  LLVMBuildBr(v->b, LLVMGetNormalDest(once));
  LLVMReplaceAllUsesWith(once, plain);
  LLVMInstructionEraseFromParent(once);
  assert(LLVMGetBasicBlockTerminator(b));
}

// The routine runs in front of its event, if the schedule says that this thread ran it; else it does not.
static void place_routine(View *v, LLVMValueRef once, LLVMValueRef node) {
  if (!is_once(once)) return;
  const Sync *s = sync_of_call(once);
  LLVMValueRef given = LLVMGetOperand(once, s->start.arg);
  LLVMBasicBlockRef next = LLVMIsAInvokeInst(once) ? LLVMGetNormalDest(once) : NULL;
  if (next && LLVMIsAPHINode(LLVMGetFirstInstruction(next))) return;
  LLVMSetOperand(once, s->start.arg, LLVMConstNull(v->ptr));
  if ((int32_t)number_in(node, NODE_OUTCOME) == RT_ENF_RAN) call_routine(v, once, node, given);
}

static void restore(View *v, LLVMValueRef call) {
  LLVMValueRef node = node_of(call), made = start_thread(v, call, node);
  if (!made) {
    place_routine(v, restore_plain(v, call), node);
    return;
  }
  mark(made, node);
  keep_number(call, made);
  erase(call);
}

static void restore_all(View *v) {
  Vec(LLVMValueRef) calls = {0};
  for (all_functions(f, v->m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (call_is(i) && node_of(i)) vec_push(&calls, i);
  for (vec_each(i, &calls))
    if (is_around(calls.at[i]))
      mark(calls.at[i], node_of(calls.at[i]));
    else
      restore(v, calls.at[i]);
  vec_free(&calls);
}

// Of this schedule: what is in front of its name, and how long that is.
static bool is_activation(const View *v, LLVMValueRef f, size_t *name_len) {
  uint32_t thread, activation, schedule;
  if (!cfspec_clone_of(f, &thread, &activation, name_len) || activation == UINT32_MAX) return false;
  return sscanf(LLVMGetValueName(f) + *name_len, ".s%u", &schedule) == 1 && schedule == v->schedule;
}

static bool is_clone_of(const View *v, LLVMValueRef f, const char *name, size_t len) {
  size_t name_len;
  return is_activation(v, f, &name_len) && name_len == len && !memcmp(LLVMGetValueName(f), name, len);
}

// Whether it is null, which it is not.
static void decide(View *v, LLVMValueRef ask) {
  Vec(LLVMValueRef) asked = {0};
  for (all_uses(u, ask))
    if (LLVMIsAICmpInst(LLVMGetUser(u))) vec_push(&asked, LLVMGetUser(u));
  for (vec_each(i, &asked)) {
    bool equal = LLVMGetICmpPredicate(asked.at[i]) == LLVMIntEQ;
    LLVMReplaceAllUsesWith(asked.at[i], LLVMConstInt(LLVMInt1TypeInContext(v->c), !equal, 0));
  }
  vec_free(&asked);
}

// Behind a guard that comes back the run is held to nothing: what is analysed ends there.
static void end_block(View *v, LLVMValueRef leaving) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(leaving);
  while (LLVMGetLastInstruction(b) != leaving) erase(LLVMGetLastInstruction(b));
  LLVMPositionBuilderAtEnd(v->b, b);
  LLVMSetCurrentDebugLocation2(v->b, LLVMInstructionGetDebugLoc(leaving));
  LLVMBuildUnreachable(v->b);
}

// Records of variables that stood at its end would be found by the next block that LLVM makes at this
// address: an instruction takes them along.
static void delete_block(View *v, LLVMBasicBlockRef b) {
  LLVMPositionBuilderAtEnd(v->b, b);
  LLVMSetCurrentDebugLocation2(v->b, NULL);
  LLVMBuildUnreachable(v->b);
  LLVMDeleteBasicBlock(b);
}

static void drop_unreached(View *v, LLVMValueRef f) {
  Cfg *cfg = cfg_new(f);
  Vec(LLVMBasicBlockRef) dead = {0};
  for (uint32_t b = 0; b < cfg_count(cfg); ++b)
    if (cfg_place(cfg, b) == CFG_NONE) vec_push(&dead, cfg_block(cfg, b));
  for (vec_each(i, &dead))
    while (LLVMGetLastInstruction(dead.at[i])) erase(LLVMGetLastInstruction(dead.at[i]));
  for (vec_each(i, &dead)) delete_block(v, dead.at[i]);
  vec_free(&dead);
  cfg_free(cfg);
}

// An entry that no schedule has.
static void stop_at(View *v, LLVMValueRef ask) {
  LLVMValueRef stop = LLVMGetNamedFunction(v->m, "rt_enf_stop"), null = LLVMConstNull(v->ptr);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(v->c), &v->ptr, 1, 0);
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(ask));
  LLVMReplaceAllUsesWith(ask, null);
  LLVMPositionBuilderBefore(v->b, ask);
  end_block(
      v, LLVMBuildCall2(v->b, type, stop ? stop : LLVMAddFunction(v->m, "rt_enf_stop", type), &null, 1, ""));
  drop_unreached(v, f);
}

// Volatile: of an ordinary variable that nobody writes LLVM makes whatever suits it, here one of the clones.
static LLVMValueRef unknown_bit(View *v, LLVMValueRef any) {
  LLVMValueRef bit = LLVMBuildLoad2(v->b, LLVMInt1TypeInContext(v->c), any, "");
  LLVMSetVolatile(bit, 1);
  return bit;
}

// What the runtime would answer is a clone of the stub's function, nobody knows which; or null, if code
// enters it that is not of the schedule.
static void answer(View *v, LLVMValueRef ask, bool otherwise) {
  LLVMTypeRef bit = LLVMInt1TypeInContext(v->c);
  LLVMValueRef to = otherwise ? LLVMConstNull(v->ptr) : NULL;
  size_t len;
  const char *name = LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(ask)), &len);
  LLVMPositionBuilderBefore(v->b, ask);
  LLVMSetCurrentDebugLocation2(v->b, NULL);
  LLVMValueRef any = LLVMBuildAlloca(v->b, bit, "");
  for (all_functions(f, v->m))
    if (is_clone_of(v, f, name, len)) to = to ? LLVMBuildSelect(v->b, unknown_bit(v, any), f, to, "") : f;
  if (!to) {
    stop_at(v, ask);
    return;
  }
  if (!otherwise) decide(v, ask);
  if (LLVMIsAFunction(to)) tell_lead(LLVMGetBasicBlockParent(LLVMGetInstructionParent(ask)), to);
  LLVMReplaceAllUsesWith(ask, to);
  LLVMInstructionEraseFromParent(ask);
}

static void answer_all(View *v, bool keep) {
  LLVMValueRef f = LLVMGetNamedFunction(v->m, "rt_enf_stub");
  Vec(LLVMValueRef) calls = {0};
  if (f)
    for (all_uses(u, f))
      if (call_is(LLVMGetUser(u))) vec_push(&calls, LLVMGetUser(u));
  Foreign *foreign = calls.len ? foreign_new(v->m, keep) : NULL;
  bool *enters = mem_array(calls.len + 1, sizeof *enters);
  for (vec_each(i, &calls)) enters[i] = foreign_enters(foreign, calls.at[i]);
  for (vec_each(i, &calls)) answer(v, calls.at[i], enters[i]);
  foreign_free(foreign);
  mem_free(enters);
  vec_free(&calls);
}

// Whether the run is free, or this a forked process: not in the run that is analysed.
static bool is_question(const char *name) {
  static const char *const all[] = {"rt_enf_is_free", "rt_enf_forked", "rt_enf_vforked"};
  bool is = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) is |= !strcmp(name, all[i]);
  return is;
}

static void drop_generic(View *v, LLVMValueRef f) {
  Vec(LLVMValueRef) ends = {0}, tests = {0};
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      LLVMValueRef to = call_is(i) ? call_function(i) : NULL;
      if (check_leaves(i) && (!ends.len || LLVMGetInstructionParent(vec_last(&ends)) != b))
        vec_push(&ends, i);
      if (to && is_question(LLVMGetValueName(to))) vec_push(&tests, i);
    }
  for (vec_each(i, &tests)) {
    LLVMReplaceAllUsesWith(tests.at[i], LLVMConstNull(LLVMTypeOf(tests.at[i])));
    LLVMInstructionEraseFromParent(tests.at[i]);
  }
  for (vec_each(i, &ends)) end_block(v, ends.at[i]);
  if (ends.len) drop_unreached(v, f);
  vec_free(&ends), vec_free(&tests);
}

static void drop_all_generic(View *v) {
  for (all_functions(f, v->m))
    if (check_is_clone(f) && !LLVMIsDeclaration(f)) drop_generic(v, f);
}

static LLVMBasicBlockRef only_pred(LLVMBasicBlockRef b) {
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(b));
  assert(use && LLVMIsATerminatorInst(LLVMGetUser(use)) && !LLVMGetNextUse(use));
  return LLVMGetInstructionParent(LLVMGetUser(use));
}

static void go_to(View *v, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
  LLVMPositionBuilderAtEnd(v->b, from);
  LLVMSetCurrentDebugLocation2(v->b, NULL);
  LLVMBuildBr(v->b, to);
}

// A schedule that begins inside main: the original up to there, which always takes this clone. The blocks are
// those that cfspec/point.c has made: before -> (test) -> go -> schedule -> begin, with the call.
static void lead_to_clone(View *v, LLVMValueRef original, LLVMValueRef clone) {
  LLVMValueRef call = LLVMGetUser(LLVMGetFirstUse(clone));
  assert(call_is(call) && call_function(call) == clone);
  LLVMBasicBlockRef begin = LLVMGetInstructionParent(call), schedule = only_pred(begin);
  LLVMBasicBlockRef go = only_pred(schedule), before = NULL;
  LLVMValueRef id = LLVMGetFirstInstruction(go);
  assert(LLVMIsAPHINode(id) && LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(go)));
  for (unsigned i = 0; i < LLVMCountIncoming(id); ++i) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(id, i));
    if (LLVMIsConditional(end)) before = LLVMGetIncomingBlock(id, i);
  }
  assert(before);
  LLVMReplaceAllUsesWith(id, LLVMConstInt(LLVMTypeOf(id), v->schedule, 0));
  LLVMInstructionEraseFromParent(id);
  go_to(v, before, go), go_to(v, go, schedule), go_to(v, schedule, begin);
  drop_unreached(v, original);
  Vec(LLVMValueRef) asks = {0};
  for (all_blocks(b, original))
    for (all_insts(i, b)) {
      LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
      const char *name = f ? LLVMGetValueName(f) : "";
      if (!strncmp(name, "rt_select_", 10) || !strcmp(name, "rt_enf_ready_alone")) vec_push(&asks, i);
    }
  for (vec_each(i, &asks)) erase(asks.at[i]);
  vec_free(&asks);
}

static bool put_main(View *v, uint32_t schedule, Diags *d) {
  char *name = mem_format("main.s%u.t0.a0", schedule);
  LLVMValueRef clone = LLVMGetNamedFunction(v->m, name), old = LLVMGetNamedFunction(v->m, "main");
  mem_free(name);
  if (!clone || !old) return diag_error(d, "schedule %u has no clone of main", schedule), false;
  LLVMSetValueName2(old, "specialize.dispatch", 19);
  LLVMSetLinkage(old, LLVMInternalLinkage);
  LLVMValueRef original = LLVMGetNamedFunction(v->m, "main.original");
  bool inside = original && LLVMCountParams(clone) > LLVMCountParams(original);
  if (inside) lead_to_clone(v, original, clone);
  LLVMValueRef main = inside ? original : clone;
  LLVMSetValueName2(main, "main", 4);
  LLVMSetLinkage(main, LLVMExternalLinkage);
  return true;
}

static Map *find_named_by_assembly(LLVMModuleRef m) {
  Map *named = map_new();
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        AliasFunctions found = {0};
        if (call_is(i) && call_is_asm(i)) alias_named_by(m, i, &found);
        for (vec_each(k, &found)) map_put(named, map_key(found.at[k]), 1);
        vec_free(&found);
      }
  return named;
}

// Functions that the library or assembly calls by name stay too.
static void hide(LLVMModuleRef m) {
  Map *named = find_named_by_assembly(m);
  for (all_functions(f, m)) {
    const char *name = LLVMGetValueName(f);
    if (LLVMIsDeclaration(f) || !strcmp(name, "main") || library_replaced(name)) continue;
    if (map_or(named, map_key(f), 0)) continue;
    LLVMSetComdat(f, NULL);
    LLVMSetVisibility(f, LLVMDefaultVisibility);
    LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  map_free(named);
}

static bool drop_unused(LLVMModuleRef m, Diags *d) {
  return emit_passes(m, NULL, "globaldce", d);
}

// The dispatcher and what only it needs, for nobody looks into the runtime. What stubs will lead to stays.
static bool drop_dispatcher(View *v, Diags *d) {
  Vec(LLVMValueRef) kept = {0};
  size_t len;
  for (all_functions(f, v->m))
    if (is_activation(v, f, &len) && LLVMGetLinkage(f) == LLVMInternalLinkage) vec_push(&kept, f);
  for (vec_each(i, &kept)) LLVMSetLinkage(kept.at[i], LLVMExternalLinkage);
  bool ok = drop_unused(v->m, d);
  for (vec_each(i, &kept)) LLVMSetLinkage(kept.at[i], LLVMInternalLinkage);
  vec_free(&kept);
  return ok;
}

static bool starts_more(LLVMModuleRef m) {
  for (all_functions(f, m)) {
    const Sync *s = LLVMIsDeclaration(f) ? sync_find(LLVMGetValueName(f)) : NULL;
    if (s && s->kind == SYNC_CREATE && s->start.place == SYNC_VIRTUAL && LLVMGetFirstUse(f)) return true;
  }
  return false;
}

// Where each std::thread is one of the schedule, nobody else calls the run methods.
static bool take_out_methods(View *v, Diags *d) {
  if (!v->methods.len || starts_more(v->m)) return true;
  for (vec_each(i, &v->methods)) start_take_out(v->m, v->methods.at[i]);
  return drop_dispatcher(v, d);
}

bool cfspec_view(LLVMModuleRef m, uint32_t schedule, bool keep, Diags *d) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  View v = {.m = m, .c = c, .b = LLVMCreateBuilderInContext(c), .ptr = LLVMPointerTypeInContext(c, 0)};
  v.schedule = schedule;
  drop_all_generic(&v);
  restore_all(&v);
  write_proxy(&v);
  bool ok = put_main(&v, schedule, d);
  if (!keep) hide(m);
  ok = ok && drop_dispatcher(&v, d) && take_out_methods(&v, d);
  if (ok) answer_all(&v, keep);
  vec_free(&v.methods);
  LLVMDisposeBuilder(v.b);
  return ok && drop_unused(m, d) && module_verify(m, "the view of the schedule", d);
}
