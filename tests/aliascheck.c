// aliascheck --instrument IN.bc OUT.bc: the module, logging through aliaslog.c where its accesses and
// indirect calls really go. aliascheck --check IN.bc LOG: whether all of that was predicted. Both number the
// instructions and objects of IN.bc alike. --scopes IN.bc OUT.bc: the module with metadata for the optimizer.
// $ALIAS_CONTEXTS: with calling contexts; clones: and objects of their own in them.
#include <stdio.h>
#include <stdlib.h>
#include <llvm-c/BitWriter.h>
#include "alias/alias.h"

typedef struct {
  LLVMContextRef c;
  LLVMModuleRef m;
  LLVMBuilderRef b;
  Alias *a;
  LLVMTypeRef i32, i64, ptr;
  Vec(LLVMValueRef) insts;
  Map *objects;   // alloca, allocation, parameter, global -> object
  Map *wrappers;  // functions whose calls are allocations
} Check;

static LLVMValueRef pointer_of(LLVMValueRef i) {
  if (LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
    return LLVMGetOperand(i, 0);
  if (LLVMIsAStoreInst(i)) return LLVMGetOperand(i, 1);
  if (call_is(i) && !call_is_asm(i) && !call_function(i)) return LLVMGetCalledValue(i);
  return NULL;
}

// What wrappers call to get their memory.
static void add_inner_wrappers(Check *k) {
  for (bool more = true; more;) {
    more = false;
    for (all_functions(f, k->m))
      for (all_blocks(block, f))
        for (all_insts(i, block)) {
          LLVMValueRef callee = call_is(i) && map_or(k->wrappers, map_key(f), 0) ? call_function(i) : NULL;
          if (!callee || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) continue;
          if (map_or(k->wrappers, map_key(callee), 0)) continue;
          map_put(k->wrappers, map_key(callee), 1);
          more = true;
        }
  }
}

static void open_check(Check *k, const char *path) {
  Diags *d = diags_new();
  Bytes b = {0};
  k->c = module_context(d);
  if (!file_read(path, &b)) k->m = module_parse(k->c, span_of(b.at, b.len), path, d);
  if (!k->m) exit(2);
  const char *wanted = getenv("ALIAS_CONTEXTS");
  AliasContexts contexts = {.clones = wanted && !strcmp(wanted, "clones")};
  AliasOptions how = {.contexts = wanted ? &contexts : NULL};
  k->a = alias_new(k->m, &how, d);
  k->b = LLVMCreateBuilderInContext(k->c);
  k->i32 = LLVMInt32TypeInContext(k->c);
  k->i64 = LLVMInt64TypeInContext(k->c);
  k->ptr = LLVMPointerTypeInContext(k->c, 0);
  k->objects = map_new();
  k->wrappers = map_new();
  for (all_functions(f, k->m))
    for (all_blocks(block, f))
      for (all_insts(i, block))
        if (pointer_of(i)) vec_push(&k->insts, i);
  for (uint32_t o = 1; o < alias_count(k->a); ++o) {
    AliasObject x = alias_object(k->a, o);
    LLVMValueRef wrapper = x.kind == ALIAS_HEAP && call_is(x.value) ? call_function(x.value) : NULL;
    if (wrapper && !LLVMIsDeclaration(wrapper)) map_put(k->wrappers, map_key(wrapper), 1);
    if (x.value && x.kind != ALIAS_LIBRARY && x.kind != ALIAS_VARARGS)
      map_put(k->objects, map_key(x.value), o);
  }
  add_inner_wrappers(k);
}

static void call_log(Check *k, const char *name, LLVMValueRef *args, unsigned count) {
  LLVMTypeRef types[3];
  for (unsigned i = 0; i < count; ++i) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(k->c), types, count, 0);
  LLVMValueRef f = LLVMGetNamedFunction(k->m, name);
  if (!f) f = LLVMAddFunction(k->m, name, type);
  LLVMBuildCall2(k->b, type, f, args, count, "");
}

static LLVMValueRef number(const Check *k, uint64_t n) {
  return LLVMConstInt(k->i32, n, 0);
}

static LLVMValueRef after(LLVMValueRef inst) {
  if (!LLVMIsAInvokeInst(inst)) return LLVMGetNextInstruction(inst);
  LLVMBasicBlockRef to = LLVMGetNormalDest(inst);
  LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(to));
  if (LLVMGetNextUse(use)) return NULL;
  LLVMValueRef i = LLVMGetFirstInstruction(to);
  while (LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
  return i;
}

static LLVMValueRef size_of_alloca(Check *k, LLVMValueRef i) {
  unsigned long long one = LLVMABISizeOfType(LLVMGetModuleDataLayout(k->m), LLVMGetAllocatedType(i));
  LLVMValueRef n = LLVMBuildZExtOrBitCast(k->b, LLVMGetOperand(i, 0), k->i64, "");
  return LLVMBuildMul(k->b, n, LLVMConstInt(k->i64, one, 0), "");
}

// What a wrapper allocates is known for its caller's once it returns; until then it is nobody's.
static bool is_inner(const Check *k, LLVMValueRef call) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  return map_or(k->wrappers, map_key(f), 0);
}

// Behind the births of an object, in front of an access and of what frees.
static void instrument_inst(Check *k, LLVMValueRef i, uint64_t *next) {
  uint64_t object;
  bool born = map_get(k->objects, map_key(i), &object);
  if (pointer_of(i)) {
    LLVMPositionBuilderBefore(k->b, i);
    call_log(k, "aliaslog_access", (LLVMValueRef[]){number(k, (*next)++), pointer_of(i)}, 2);
  }
  LLVMValueRef callee = call_is(i) ? call_function(i) : NULL;
  size_t len;
  const char *name = callee ? LLVMGetValueName2(callee, &len) : "";
  if (!strcmp(name, "free") || !strcmp(name, "realloc") || !strncmp(name, "_Zd", 3)) {
    LLVMPositionBuilderBefore(k->b, i);
    call_log(k, "aliaslog_gone", (LLVMValueRef[]){LLVMGetOperand(i, 0), LLVMConstInt(k->i64, 0, 0)}, 2);
  }
  LLVMValueRef at = born ? after(i) : NULL;
  if (!at || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) return;
  LLVMPositionBuilderBefore(k->b, at);
  if (LLVMIsAAllocaInst(i))
    call_log(k, "aliaslog_object", (LLVMValueRef[]){number(k, object), i, size_of_alloca(k, i)}, 3);
  else if (is_inner(k, i))
    call_log(k, "aliaslog_gone", (LLVMValueRef[]){i, LLVMConstInt(k->i64, 0, 0)}, 2);
  else if (strcmp(name, "mmap") && strcmp(name, "fopen") && strcmp(name, "fdopen"))
    call_log(k, "aliaslog_heap", (LLVMValueRef[]){number(k, object), i}, 2);
}

static bool is_lifetime(LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? call_function(i) : NULL;
  size_t len;
  return callee && !strncmp(LLVMGetValueName2(callee, &len), "llvm.lifetime.", 14);
}

static void instrument_function(Check *k, LLVMValueRef f, uint64_t *next) {
  Vec(LLVMValueRef) all = {0}, locals = {0};
  for (all_blocks(block, f))
    for (all_insts(i, block)) {
      vec_push(&all, i);
      if (LLVMIsAAllocaInst(i) && block == LLVMGetEntryBasicBlock(f)) vec_push(&locals, i);
    }
  for (vec_each(n, &all)) {
    LLVMValueRef i = all.at[n];
    if (is_lifetime(i)) {  // without these every variable has a place of its own
      LLVMInstructionEraseFromParent(i);
      continue;
    }
    instrument_inst(k, i, next);
    if (!LLVMIsAReturnInst(i) && !LLVMIsAResumeInst(i)) continue;
    LLVMValueRef before = LLVMGetPreviousInstruction(i);
    bool tail = before && LLVMIsACallInst(before) && LLVMGetTailCallKind(before) == LLVMTailCallKindMustTail;
    LLVMPositionBuilderBefore(k->b, tail ? before : i);
    for (vec_each(l, &locals))
      call_log(k, "aliaslog_gone", (LLVMValueRef[]){locals.at[l], size_of_alloca(k, locals.at[l])}, 2);
  }
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
  LLVMPositionBuilderBefore(k->b, LLVMGetFirstInstruction(entry));
  for (unsigned p = 0; p < LLVMCountParams(f); ++p) {
    uint64_t object;
    LLVMValueRef param = LLVMGetParam(f, p);
    if (!map_get(k->objects, map_key(param), &object)) continue;
    LLVMValueRef size = LLVMConstInt(k->i64, (uint64_t)alias_object(k->a, (uint32_t)object).size, 0);
    call_log(k, "aliaslog_object", (LLVMValueRef[]){number(k, object), param, size}, 3);
  }
  vec_free(&all);
  vec_free(&locals);
}

// Variables and functions are there from the beginning. A function is one byte, its first.
static void instrument_globals(Check *k) {
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(k->c), NULL, 0, 0);
  LLVMValueRef f = LLVMAddFunction(k->m, "aliaslog_begin", type);
  LLVMPositionBuilderAtEnd(k->b, LLVMAppendBasicBlockInContext(k->c, f, ""));
  for (uint32_t o = 1; o < alias_count(k->a); ++o) {
    AliasObject x = alias_object(k->a, o);
    size_t len;
    if (x.kind != ALIAS_GLOBAL && x.kind != ALIAS_FUNCTION) continue;
    if (!strncmp(LLVMGetValueName2(x.value, &len), "llvm.", 5) || LLVMIsDeclaration(x.value)) continue;
    LLVMSetUnnamedAddress(x.value, LLVMNoUnnamedAddr);  // no two of them may become one
    LLVMValueRef size = LLVMConstInt(k->i64, (uint64_t)(x.kind == ALIAS_GLOBAL ? x.size : 1), 0);
    call_log(k, "aliaslog_object", (LLVMValueRef[]){number(k, o), x.value, size}, 3);
  }
  LLVMBuildRetVoid(k->b);
  LLVMSetLinkage(f, LLVMExternalLinkage);
}

static int instrument(Check *k, const char *out) {
  uint64_t next = 0;
  Vec(LLVMValueRef) functions = {0};
  for (all_functions(f, k->m))
    if (!LLVMIsDeclaration(f)) vec_push(&functions, f);
  for (vec_each(i, &functions)) instrument_function(k, functions.at[i], &next);
  instrument_globals(k);
  vec_free(&functions);
  return LLVMWriteBitcodeToFile(k->m, out);
}

// -- check

static bool covers(const Check *k, const AliasRange *r, uint32_t object, long offset) {
  if (r->object == 0) return alias_object(k->a, object).escaped;
  if (r->object != object) return false;
  if (!r->stride) return offset == r->first;
  if (r->end == INT64_MAX) return (offset - r->first) % r->stride == 0;
  return offset >= r->first && offset < r->end && (offset - r->first) % r->stride == 0;
}

static bool predicted(const Check *k, LLVMValueRef inst, uint32_t object, long offset) {
  AliasRanges r = {0};
  bool ok = false;
  alias_points_to(k->a, pointer_of(inst), &r);
  for (vec_each(i, &r)) ok |= covers(k, &r.at[i], object, offset);
  vec_free(&r);
  return ok;
}

// A call is checked by its targets as well.
static bool target_predicted(const Check *k, LLVMValueRef call, uint32_t object) {
  AliasFunctions f = {0};
  bool ok = !call_is(call);
  if (!ok) alias_targets(k->a, call, &f);
  for (vec_each(i, &f)) ok |= f.at[i] == alias_object(k->a, object).value;
  vec_free(&f);
  return ok;
}

static int check(Check *k, const char *path) {
  FILE *f = fopen(path, "r");
  unsigned inst, object;
  unsigned long hits = 0, misses = 0;
  long offset;
  size_t bad = 0, all = 0;
  if (!f) return 2;
  while (fscanf(f, "%u %u %ld", &inst, &object, &offset) == 3) {
    LLVMValueRef i = k->insts.at[inst];
    all++;
    if (predicted(k, i, object, offset) && target_predicted(k, i, object)) continue;
    char *name = alias_name(k->a, object), *text = LLVMPrintValueToString(i);
    if (bad++ < 5) printf("not predicted: line %u:%s touches %s at %ld\n", where(i).line, text, name, offset);
    LLVMDisposeMessage(text);
    mem_free(name);
  }
  bool whole = fscanf(f, " total %lu %lu", &hits, &misses) == 2;
  fclose(f);
  printf("%zu targets of %zu instructions, %lu accesses known, %lu not, %zu not predicted\n", all,
         k->insts.len, hits, misses, bad);
  return bad || !all || !whole;
}

static int emit_scopes(Check *k, const char *out) {
  AliasFunctions all = {0};
  for (all_functions(f, k->m)) vec_push(&all, f);
  size_t marked = alias_emit_scopes(k->a, all.at, all.len, "aliascheck");
  vec_free(&all);
  printf("%zu marked\n", marked);
  return !module_verify(k->m, out, diags_new()) || LLVMWriteBitcodeToFile(k->m, out);
}

int main(int argc, char **argv) {
  Check k = {0};
  if (argc != 4) return 2;
  open_check(&k, argv[2]);
  if (!strcmp(argv[1], "--scopes")) return emit_scopes(&k, argv[3]);
  return strcmp(argv[1], "--instrument") ? check(&k, argv[3]) : instrument(&k, argv[3]);
}
