// aliasdump FILE.bc: the constraints of a module and the sets that alias/ finds, for naive.py.
// aliasdump --random SEED: those of a random module.
// aliasdump --rules FIRST LAST [FILE.bc...]: whether the rules on BDDs find the same sets in random modules
// and these, and with contexts no others.
#include <stdio.h>
#include <stdlib.h>
#include "alias/alias.h"

static LLVMModuleRef read_module(LLVMContextRef c, const char *path, Diags *d) {
  Bytes b = {0};
  if (file_read(path, &b)) return NULL;
  LLVMModuleRef m = module_parse(c, span_of(b.at, b.len), path, d);
  vec_free(&b);
  return m;
}

static uint64_t state;
static unsigned pick(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

// A body of random pointer operations on a pool of values.
typedef struct {
  LLVMContextRef c;
  LLVMModuleRef m;
  LLVMBuilderRef b;
  LLVMTypeRef ptr, i64, type[4];  // function types by number of parameters
  Vec(LLVMValueRef) functions, globals, pool;
} Random;

static LLVMValueRef any(Random *r) {
  unsigned n = (unsigned)r->pool.len;
  return pick(3) ? r->pool.at[pick(n)] : r->globals.at[pick((unsigned)r->globals.len)];
}

static void step(Random *r) {
  LLVMTypeRef pair[] = {r->i64, r->ptr}, shape = LLVMStructTypeInContext(r->c, pair, 2, 0);
  LLVMTypeRef array = LLVMArrayType2(r->ptr, 4);
  LLVMValueRef zero = LLVMConstInt(r->i64, 0, 0), index[2] = {zero, LLVMConstInt(r->i64, pick(4), 0)};
  LLVMValueRef args[3] = {any(r), any(r), any(r)}, v = NULL, at = any(r);
  unsigned n = pick(4);
  switch (pick(12)) {
    case 0:
      v = LLVMBuildAlloca(r->b, pick(2) ? array : shape, "");
      break;
    case 1:
    case 2:
      v = LLVMBuildLoad2(r->b, r->ptr, at, "");
      break;
    case 3:
    case 4:
      LLVMBuildStore(r->b, any(r), at);
      break;
    case 5:
      v = LLVMBuildStructGEP2(r->b, shape, at, 1, "");
      break;
    case 6:
      v = LLVMBuildGEP2(r->b, array, at, index, 2, "");
      break;
    case 7:
      index[1] = LLVMBuildPtrToInt(r->b, any(r), r->i64, "");
      v = LLVMBuildGEP2(r->b, pick(2) ? array : r->ptr, at, pick(2) ? index : index + 1, 1 + pick(1), "");
      break;
    case 8:
      LLVMBuildMemMove(r->b, at, 8, any(r), 8, pick(3) ? LLVMConstInt(r->i64, 8 + 8 * pick(3), 0) : index[1]);
      break;
    case 9:
      v = LLVMBuildSelect(r->b, LLVMGetUndef(LLVMInt1TypeInContext(r->c)), any(r), any(r), "");
      break;
    case 10:
      v = LLVMBuildCall2(r->b, r->type[n], r->functions.at[pick((unsigned)r->functions.len)], args, n, "");
      break;
    case 11:
      v = LLVMBuildCall2(r->b, r->type[n], at, args, n, "");
      break;
  }
  if (v) vec_push(&r->pool, v);
}

static LLVMModuleRef random_module(LLVMContextRef c, uint64_t seed) {
  Random r = {
      .c = c, .m = LLVMModuleCreateWithNameInContext("random", c), .b = LLVMCreateBuilderInContext(c)};
  state = seed * 2654435761u + 1;
  r.ptr = LLVMPointerTypeInContext(c, 0);
  r.i64 = LLVMInt64TypeInContext(c);
  LLVMTypeRef params[] = {r.ptr, r.ptr, r.ptr};
  for (unsigned i = 0; i < 4; ++i) r.type[i] = LLVMFunctionType(r.ptr, params, i, 0);
  LLVMSetDataLayout(r.m, "e-m:e-p:64:64-i64:64-n8:16:32:64-S128");
  for (unsigned i = 0; i < 4; ++i) {
    LLVMValueRef g = LLVMAddGlobal(r.m, LLVMArrayType2(r.ptr, 1 + pick(4)), "g");
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetInitializer(g, LLVMConstNull(LLVMGlobalGetValueType(g)));
    vec_push(&r.globals, g);
  }
  static const char *const names[] = {"main", "malloc", "unknown", "f", "f", "f", "f"};
  for (unsigned i = 0; i < 7; ++i) {
    if (i == 2 && pick(2)) continue;
    LLVMValueRef f = LLVMAddFunction(r.m, names[i], r.type[i == 1 ? 1 : pick(4)]);
    vec_push(&r.functions, f);
    if (i > 2) vec_push(&r.globals, f);
  }
  for (vec_each(i, &r.functions)) {
    LLVMValueRef f = r.functions.at[i];
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    if (!strcmp(name, "malloc") || !strcmp(name, "unknown")) continue;
    r.pool.len = 0;
    for (unsigned k = 0; k < LLVMCountParams(f); ++k) vec_push(&r.pool, LLVMGetParam(f, k));
    LLVMPositionBuilderAtEnd(r.b, LLVMAppendBasicBlockInContext(c, f, ""));
    vec_push(&r.pool, LLVMBuildAlloca(r.b, r.ptr, ""));
    for (unsigned k = 3 + pick(25); k--;) step(&r);
    LLVMBuildRet(r.b, any(&r));
  }
  LLVMDisposeBuilder(r.b);
  vec_free(&r.functions);
  vec_free(&r.globals);
  vec_free(&r.pool);
  return r.m;
}

static int differ(LLVMModuleRef m, const char *name, Diags *d) {
  Alias *a = alias_new(m, NULL, NULL);
  size_t one = alias_compare_contexts(a, false, d), all = alias_compare_contexts(a, true, d);
  if (one || all) printf("%s: %zu differences without contexts, %zu with\n", name, one, all);
  alias_free(a);
  LLVMDisposeModule(m);
  return one || all;
}

static int compare_rules(LLVMContextRef c, int argc, char **argv, Diags *d) {
  int bad = 0;
  uint64_t last = strtoull(argv[3], NULL, 10);
  for (uint64_t seed = strtoull(argv[2], NULL, 10); seed < last; ++seed) {
    char name[32];
    snprintf(name, sizeof name, "--random %llu", (unsigned long long)seed);
    bad += differ(random_module(c, seed), name, d);
  }
  for (int i = 4; i < argc; ++i) {
    LLVMModuleRef m = read_module(c, argv[i], d);
    bad += m ? differ(m, argv[i], d) : 1;
  }
  diags_print(d, stderr, "aliasdump");
  printf("%d modules differ\n", bad);
  LLVMContextDispose(c);
  diags_free(d);
  return bad != 0;
}

int main(int argc, char **argv) {
  Diags *d = diags_new();
  LLVMContextRef c = module_context(d);
  if (argc >= 4 && !strcmp(argv[1], "--rules")) return compare_rules(c, argc, argv, d);
  Bytes out = {0};
  LLVMModuleRef m = NULL;
  if (argc == 3) m = random_module(c, strtoull(argv[2], NULL, 10));
  if (argc == 2) m = read_module(c, argv[1], d);
  if (!m || !module_verify(m, argv[argc - 1], d)) {
    diags_print(d, stderr, "aliasdump");
    return 2;
  }
  Alias *a = alias_new(m, NULL, NULL);
  alias_dump(a, &out);
  fwrite(out.at, 1, out.len, stdout);
  vec_free(&out);
  alias_free(a);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
  diags_free(d);
  return 0;
}
