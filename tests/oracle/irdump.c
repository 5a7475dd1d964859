// irdump IN OUT: prints what core/ finds in a module, in lines that tests compare with what LLVM prints for
// OUT, the same module with its functions, blocks and instructions renamed f0, b0, v0 ... so that both use
// the same names.
#undef NDEBUG
#include <assert.h>
#include <stdlib.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include "ir/ir.h"

static void name(LLVMValueRef v, const char *letter, size_t number) {
  char *text = mem_format("%s%zu", letter, number);
  LLVMSetValueName2(v, text, strlen(text));
  mem_free(text);
}

static void name_all(LLVMModuleRef m) {
  size_t functions = 0;
  for (all_functions(f, m)) {
    size_t blocks = 0, values = 0;
    if (LLVMIsDeclaration(f)) continue;
    name(f, "f", functions++);
    for (unsigned i = 0; i < LLVMCountParams(f); ++i) name(LLVMGetParam(f, i), "a", i);
    for (all_blocks(b, f)) {
      name(LLVMBasicBlockAsValue(b), "b", blocks++);
      for (all_insts(i, b))
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) name(i, "v", values++);
    }
  }
}

static void print_blocks(const char *what, Ids blocks) {
  printf(" %s", what);
  for (vec_each(i, &blocks)) printf("%sb%u", i ? "," : " ", blocks.at[i]);
}

static void print_parent(const char *tree, const Dom *d, uint32_t b) {
  if (!dom_depth(d, b)) return;
  if (dom_parent(d, b) == DOM_NONE)
    printf("%s b%u -\n", tree, b);
  else
    printf("%s b%u b%u\n", tree, b, dom_parent(d, b));
}

static void print_loop(const Loops *l, uint32_t loop) {
  Pairs exits = {0};
  loop_exits(l, loop, &exits);
  printf("loop b%u depth %u", loop_header(l, loop), loop_depth(l, loop));
  print_blocks("blocks", loop_blocks(l, loop));
  print_blocks("latches", loop_latches(l, loop));
  printf(" exiting");
  for (vec_each(i, &exits)) printf("%sb%u", i ? "," : " ", exits.at[i].owner);
  printf("\n");
  vec_free(&exits);
}

static void print_value(const char *what, LLVMValueRef v) {
  size_t len;
  if (!v)
    printf(" %s ?", what);
  else if (LLVMIsAConstantInt(v))
    printf(" %s %lld", what, LLVMConstIntGetSExtValue(v));
  else
    printf(" %s %%%s", what, LLVMGetValueName2(v, &len));
}

static void print_induct(LLVMTargetDataRef layout, const Loops *l, const Inducts *in, const Induct *v) {
  size_t len;
  printf("induct %s loop b%u", LLVMGetValueName2(v->phi, &len), loop_header(l, v->loop));
  print_value("start", v->start);
  int64_t size = v->element ? (int64_t)LLVMABISizeOfType(layout, v->element) : 1;
  if (v->step)
    print_value("step", v->step);
  else
    printf(" amount %lld", (long long)(v->amount * size));
  printf(" flags %s%s%s%s%s%s%s\n", v->nuw ? "nuw," : "", v->nsw ? "nsw," : "",
         v->inbounds ? "inbounds," : "", v->minus ? "minus," : "", v->element ? "pointer," : "",
         inducts_monotone(in, v, true) ? "signed," : "", inducts_monotone(in, v, false) ? "unsigned," : "");
}

static void print_inducts(LLVMValueRef f, const Loops *l) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
  Inducts *in = inducts_new(l);
  for (size_t i = 0; i < inducts_count(in); ++i) print_induct(layout, l, in, inducts_at(in, i));
  inducts_free(in);
}

static void print_function(LLVMValueRef f) {
  size_t len;
  Cfg *c = cfg_new(f);
  Dom *d = dom_new(c), *p = dom_new_post(c);
  Loops *l = loops_new(c, d);
  printf("function %s\n", LLVMGetValueName2(f, &len));
  for (uint32_t b = 0; b < cfg_count(c); ++b) {
    print_parent("dom", d, b);
    print_parent("postdom", p, b);
    if (loops_irreducible(l, b) != LOOP_NONE) printf("irreducible b%u %u\n", b, loops_irreducible(l, b));
  }
  for (uint32_t i = 0; i < loops_count(l); ++i) print_loop(l, i);
  print_inducts(f, l);
  loops_free(l);
  dom_free(p);
  dom_free(d);
  cfg_free(c);
}

static void print_sites(LLVMModuleRef m) {
  size_t len;
  Sites *s = sites_new(m);
  Callgraph *g = callgraph_new(m, s);
  Maysync *may = maysync_new(g);
  for (uint32_t i = 0; i < sites_count(s); ++i) {
    char *site = sites_name(s, i);
    const Sync *op = maysync_operation(may, i);
    printf("site %s %s%s%s%s", site, op ? sync_word(op->kind) : "-", maysync_event(may, i) ? " event" : "",
           maysync_derived(may, i) ? " derived" : "", maysync_assumes(may, i) ? " assumed" : "");
    Ids targets = callgraph_targets(g, i);
    for (vec_each(k, &targets)) printf(" %s", LLVMGetValueName2(callgraph_function(g, targets.at[k]), &len));
    printf("\n");
    mem_free(site);
  }
  maysync_free(may);
  callgraph_free(g);
  sites_free(s);
}

static LLVMModuleRef load(LLVMContextRef c, const char *path) {
  LLVMMemoryBufferRef b;
  LLVMModuleRef m;
  char *error;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &b, &error) || LLVMParseIRInContext(c, b, &m, &error)) {
    fprintf(stderr, "irdump: %s: %s\n", path, error);
    exit(1);
  }
  return m;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: irdump IN OUT\n");
    return 2;
  }
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = load(c, argv[1]);
  print_sites(m);
  name_all(m);
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f)) print_function(f);
  int err = LLVMWriteBitcodeToFile(m, argv[2]);
  if (err) fprintf(stderr, "irdump: cannot write %s\n", argv[2]);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
  return err ? 1 : 0;
}
