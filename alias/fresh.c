// Functions are looked at callees first, so that a wrapper of a wrapper is one. Inside a recursion nothing is
// a wrapper: the same call could be inner and outer.
#include "fresh.h"
#include <assert.h>

typedef struct {
  LLVMValueRef function;
  bool fresh;
  int size_arg, size_arg2;  // the parameters whose product is the size; -1: none
  int64_t size;             // or it is constant; -1: unknown
  FreshValues parts;        // of a wrapper: the calls whose memory it returns, and what else it may return
} Info;

struct Fresh {
  const Summaries *summaries;
  LLVMTargetDataRef layout;
  Vec(Info) infos;
  Map *ids;      // function -> index
  Map *wrapper;  // call -> wrapper
  Scc scc;
  Lists edges;
};

static const Info *info_of(const Fresh *f, LLVMValueRef function) {
  uint64_t id;
  return map_get(f->ids, map_key(function), &id) ? &f->infos.at[id] : NULL;
}

static LLVMValueRef function_of(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

bool fresh_is_variable(LLVMValueRef alloca, LLVMTargetDataRef layout) {
  assert(LLVMIsAAllocaInst(alloca));
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1 || !LLVMTypeIsSized(type))
    return false;
  unsigned long long bytes = LLVMStoreSizeOfType(layout, type);
  for (all_uses(u, alloca)) {
    LLVMValueRef user = LLVMGetUser(u);
    LLVMTypeRef used;
    if (LLVMIsALoadInst(user)) {
      used = LLVMTypeOf(user);
    } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != alloca) {
      used = LLVMTypeOf(LLVMGetOperand(user, 0));
    } else if (LLVMIsACallInst(user)) {
      LLVMValueRef callee = call_function(user);
      size_t len;
      const char *name = callee ? LLVMGetValueName2(callee, &len) : "";
      if (!strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.dbg.", 9)) continue;
      return false;
    } else {
      return false;
    }
    if (LLVMStoreSizeOfType(layout, used) > bytes) return false;
  }
  return true;
}

// -- allocators outside the module

static const Do *allocation(const Fresh *f, LLVMValueRef call) {
  LLVMValueRef callee = call_function(call);
  size_t len;
  Summary s;
  if (!callee || !LLVMIsDeclaration(callee)) return NULL;
  if (!summaries_find(f->summaries, LLVMGetValueName2(callee, &len), &s)) return NULL;
  const Do *found = NULL;
  for (size_t i = 0; i < s.len; ++i) {
    if (s.at[i].kind != DO_RETURN) continue;
    if (s.at[i].value.kind != VALUE_NEW) return NULL;
    found = &s.at[i];
  }
  return found;
}

static bool in_recursion(const Fresh *f, LLVMValueRef call, LLVMValueRef callee) {
  uint64_t a, b;
  if (!map_get(f->ids, map_key(function_of(call)), &a) || !map_get(f->ids, map_key(callee), &b)) return true;
  return f->scc.of[a] == f->scc.of[b];
}

bool fresh_call(const Fresh *f, LLVMValueRef call) {
  if (!call_is(call)) return false;
  if (allocation(f, call)) return true;
  LLVMValueRef callee = call_function(call);
  return callee && fresh_function(f, callee) && !in_recursion(f, call, callee);
}

bool fresh_function(const Fresh *f, LLVMValueRef function) {
  const Info *i = info_of(f, function);
  return i && i->fresh;
}

// -- what a function returns

typedef struct {
  const Fresh *f;
  const Cfg *cfg;
  Map *seen;
  FreshValues work, calls, others;
} Look;

static void look_at(Look *k, LLVMValueRef v) {
  if (map_or(k->seen, map_key(v), 0)) return;
  map_put(k->seen, map_key(v), 1);
  vec_push(&k->work, v);
}

// The stores that a load may see, on the ways back from it. Passing the entry, it sees nothing.
static void look_at_stores(Look *k, LLVMValueRef load, LLVMValueRef variable) {
  const Cfg *c = k->cfg;
  bool *seen = mem_array(cfg_count(c), sizeof *seen);
  Vec(LLVMValueRef) from = {0};
  vec_push(&from, LLVMGetPreviousInstruction(load));
  uint32_t block = cfg_of(c, load);
  IdVec blocks = {0};
  vec_push(&blocks, block);
  while (blocks.len) {
    block = vec_pop(&blocks);
    LLVMValueRef i = vec_pop(&from);
    while (i && !(LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == variable)) i = LLVMGetPreviousInstruction(i);
    if (i) {
      look_at(k, LLVMGetOperand(i, 0));
      continue;
    }
    Ids before = cfg_preds(c, block);
    for (vec_each(n, &before)) {
      if (seen[before.at[n]]) continue;
      seen[before.at[n]] = true;
      vec_push(&blocks, before.at[n]);
      vec_push(&from, LLVMGetLastInstruction(cfg_block(c, before.at[n])));
    }
  }
  mem_free(seen);
  vec_free(&from);
  vec_free(&blocks);
}

static void look_at_variable(Look *k, LLVMValueRef load) {
  LLVMValueRef variable = LLVMGetOperand(load, 0);
  if (LLVMIsAAllocaInst(variable) && fresh_is_variable(variable, k->f->layout))
    look_at_stores(k, load, variable);
  else
    vec_push(&k->others, load);
}

static void look_through(Look *k, LLVMValueRef v) {
  if (LLVMIsAPHINode(v))
    for (unsigned i = 0; i < LLVMCountIncoming(v); ++i) look_at(k, LLVMGetIncomingValue(v, i));
  else if (LLVMIsASelectInst(v))
    look_at(k, LLVMGetOperand(v, 1)), look_at(k, LLVMGetOperand(v, 2));
  else if (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v))
    look_at(k, LLVMGetOperand(v, 0));
  else if (LLVMIsALoadInst(v))
    look_at_variable(k, v);
  else if (fresh_call(k->f, v))
    vec_push(&k->calls, v);
  else if (!LLVMIsAConstantPointerNull(v) && !LLVMIsAUndefValue(v))
    vec_push(&k->others, v);
}

// The argument of the wrapper that an argument of its allocation is, by itself or by the variable that clang
// keeps it in.
static int parameter_of(const Fresh *f, LLVMValueRef v, LLVMValueRef function) {
  if (LLVMIsALoadInst(v)) {
    LLVMValueRef variable = LLVMGetOperand(v, 0), stored = NULL;
    if (!LLVMIsAAllocaInst(variable) || !fresh_is_variable(variable, f->layout)) return -1;
    for (all_uses(u, variable)) {
      LLVMValueRef user = LLVMGetUser(u);
      if (!LLVMIsAStoreInst(user)) continue;
      if (stored) return -1;
      stored = LLVMGetOperand(user, 0);
    }
    v = stored;
  }
  if (!v || !LLVMIsAArgument(v) || LLVMGetParamParent(v) != function) return -1;
  int n = 0;
  for (LLVMValueRef p = LLVMGetFirstParam(function); p != v; p = LLVMGetNextParam(p)) ++n;
  return n;
}

// Which arguments of the call are its size; at most two, -1: one factor only.
static bool size_args(const Fresh *f, LLVMValueRef call, int *a, int *b) {
  const Do *d = allocation(f, call);
  const Info *i = d ? NULL : info_of(f, call_function(call));
  assert(d || i);
  *a = d ? d->times : i->size_arg;
  *b = d ? d->times2 : i->size_arg2;
  if (d && d->times == OPERAND_NONE) *a = -1;
  if (d && d->times2 == OPERAND_NONE) *b = -1;
  return *a >= 0 && *a < (int)LLVMGetNumArgOperands(call) && *b < (int)LLVMGetNumArgOperands(call);
}

static void find_size(const Fresh *f, Info *i, const Look *k) {
  int a, b;
  if (k->calls.len != 1) return;
  LLVMValueRef call = k->calls.at[0];
  i->size = fresh_size(f, call);
  if (i->size >= 0 || !size_args(f, call, &a, &b)) return;
  i->size_arg = parameter_of(f, LLVMGetOperand(call, (unsigned)a), i->function);
  if (b >= 0) i->size_arg2 = parameter_of(f, LLVMGetOperand(call, (unsigned)b), i->function);
  if (b >= 0 && i->size_arg2 < 0) i->size_arg = -1;
}

static void examine(Fresh *f, Info *i) {
  LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(i->function));
  if (LLVMIsDeclaration(i->function) || LLVMGetTypeKind(result) != LLVMPointerTypeKind) return;
  Cfg *cfg = cfg_new(i->function);
  Look k = {.f = f, .cfg = cfg, .seen = map_new()};
  for (all_blocks(b, i->function)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
    if (end && LLVMIsAReturnInst(end)) look_at(&k, LLVMGetOperand(end, 0));
  }
  while (k.work.len) look_through(&k, vec_pop(&k.work));
  i->fresh = k.calls.len > 0;
  if (i->fresh) find_size(f, i, &k);
  if (i->fresh)
    for (vec_each(c, &k.calls)) map_put(f->wrapper, map_key(k.calls.at[c]), map_key(i->function));
  if (i->fresh) {
    vec_append(&i->parts, k.calls.at, k.calls.len);
    vec_append(&i->parts, k.others.at, k.others.len);
  }
  map_free(k.seen);
  cfg_free(cfg);
  vec_free(&k.work);
  vec_free(&k.calls);
  vec_free(&k.others);
}

static void find_recursion(Fresh *f) {
  Pairs pairs = {0};
  for (vec_each(i, &f->infos))
    for (all_blocks(b, f->infos.at[i].function))
      for (all_insts(inst, b)) {
        LLVMValueRef callee = call_is(inst) ? call_function(inst) : NULL;
        uint64_t id;
        if (callee && map_get(f->ids, map_key(callee), &id)) pairs_add(&pairs, (uint32_t)i, (uint32_t)id);
      }
  f->edges = lists_new((uint32_t)f->infos.len, &pairs);
  f->scc = scc_new((uint32_t)f->infos.len, &f->edges);
  vec_free(&pairs);
}

Fresh *fresh_new(LLVMModuleRef m, const Summaries *s) {
  Fresh *f = mem_alloc(sizeof *f);
  f->summaries = s;
  f->layout = LLVMGetModuleDataLayout(m);
  f->ids = map_new();
  f->wrapper = map_new();
  for (all_functions(fn, m)) {
    Info i = {fn, false, -1, -1, -1, {0}};
    map_put(f->ids, map_key(fn), f->infos.len);
    vec_push(&f->infos, i);
  }
  find_recursion(f);
  for (uint32_t c = 0; c < f->scc.count; ++c) {
    Ids members = lists_of(&f->scc.members, c);
    if (!f->scc.cyclic[c]) examine(f, &f->infos.at[members.at[0]]);
  }
  CHECKED(fresh_check(f));
  return f;
}

static void check_info(const Fresh *f, const Info *i, size_t *calls) {
  int params = (int)LLVMCountParams(i->function);
  assert(i->fresh == (i->parts.len != 0) && (i->fresh || (i->size < 0 && i->size_arg < 0)));
  assert(i->size >= -1 && i->size_arg >= -1 && i->size_arg < params && i->size_arg2 < params);
  for (vec_each(k, &i->parts)) {
    bool call = fresh_call(f, i->parts.at[k]);
    LLVMValueRef wrapper = fresh_wrapper(f, i->parts.at[k]);
    *calls += call;
    assert(call ? wrapper == i->function && function_of(i->parts.at[k]) == i->function : !wrapper);
  }
}

void fresh_check(const Fresh *f) {
  size_t calls = 0;
  for (vec_each(i, &f->infos)) {
    assert(info_of(f, f->infos.at[i].function) == &f->infos.at[i]);
    assert(!f->infos.at[i].fresh || !f->scc.cyclic[f->scc.of[i]]);
    check_info(f, &f->infos.at[i], &calls);
  }
  assert(map_count(f->ids) == f->infos.len && map_count(f->wrapper) == calls);
}

void fresh_free(Fresh *f) {
  if (!f) return;
  for (vec_each(i, &f->infos)) vec_free(&f->infos.at[i].parts);
  vec_free(&f->infos);
  map_free(f->ids);
  map_free(f->wrapper);
  scc_free(&f->scc);
  lists_free(&f->edges);
  mem_free(f);
}

const FreshValues *fresh_parts(const Fresh *f, LLVMValueRef wrapper) {
  assert(fresh_function(f, wrapper));
  return &info_of(f, wrapper)->parts;
}

LLVMValueRef fresh_wrapper(const Fresh *f, LLVMValueRef call) {
  return (LLVMValueRef)(uintptr_t)map_or(f->wrapper, map_key(call), 0);
}

static int64_t constant(LLVMValueRef v) {
  if (!LLVMIsAConstantInt(v)) return -1;
  unsigned long long n = LLVMConstIntGetZExtValue(v);
  return n < 1ull << 31 ? (int64_t)n : -1;
}

int64_t fresh_size(const Fresh *f, LLVMValueRef call) {
  assert(fresh_call(f, call));
  const Info *i = info_of(f, call_function(call));
  if (i && i->fresh && i->size >= 0) return i->size;
  int a, b;
  if (!size_args(f, call, &a, &b)) return -1;
  int64_t n = constant(LLVMGetOperand(call, (unsigned)a)), m = 1;
  if (b >= 0) m = constant(LLVMGetOperand(call, (unsigned)b));
  return n < 0 || m < 0 ? -1 : n * m;
}
