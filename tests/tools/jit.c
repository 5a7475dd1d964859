#undef NDEBUG
#include "jit.h"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include "rt/rt.h"

Bytes jit_compile(const char *source, const char *flags) {
  char *dir = file_temp_dir(), *c = file_join(dir, "t.c"), *bc = file_join(dir, "t.bc");
  FILE *f = fopen(c, "w");
  assert(f && fputs(source, f) >= 0 && !fclose(f));
  char *command = mem_format("cd '%s' && %s -c -emit-llvm -Xclang -disable-llvm-passes %s t.c -o t.bc", dir,
                             CLANG, flags);
  assert(!system(command));
  Bytes out = {0};
  assert(!file_read(bc, &out));
  file_remove_tree(dir);
  mem_free(dir), mem_free(c), mem_free(bc), mem_free(command);
  return out;
}

Jit jit_open(Span bitcode) {
  Diags *d = diags_new();
  Jit j = {.context = module_context(d)};
  j.module = module_parse(j.context, bitcode, "test", d);
  diags_print(d, stderr, "test");
  assert(j.module);
  diags_free(d);
  return j;
}

void jit_bind(Jit *j, const char *name, void *at) {
  vec_push(&j->bound, mem_string(name));
  vec_push(&j->bound_to, at);
}

// The engine does not see what this executable does not export.
static void bind_library(Jit *j) {
  static const struct {
    const char *name;
    void (*at)(void);
  } all[] = {
#define BIND(f) {#f, (void (*)(void))f}
      BIND(rt_select_env),           BIND(rt_select_sysconf),       BIND(rt_select_read),
      BIND(rt_select_text),          BIND(rt_select_array),         BIND(rt_select_char),
      BIND(rt_select_atoi),          BIND(rt_select_strtol),        BIND(rt_select_strtoul),
      BIND(rt_select_strtod),        BIND(rt_select_strlen),        BIND(rt_select_strcmp),
      BIND(rt_select_strncmp),       BIND(rt_select_strcasecmp),    BIND(rt_select_strncasecmp),
      BIND(rt_select_which),         BIND(rt_select_distinct_ints), BIND(rt_select_distinct_reals),
      BIND(rt_select_distinct_texts)};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    jit_bind(j, all[i].name, (void *)(uintptr_t)all[i].at);
}

Dispatcher *jit_run(Jit *j, LLVMValueRef function, unsigned level) {
  Diags *d = diags_new();
  char *error = NULL, *name = mem_string(LLVMGetValueName(function));
  emit_targets();
  if (!module_verify(j->module, "test", d)) diags_print(d, stderr, "test"), assert(!"it verifies");
  diags_free(d);
  bind_library(j);
  LLVMSetLinkage(function, LLVMExternalLinkage);
  if (level) {
    char passes[] = "default<O0>";
    passes[sizeof passes - 3] = (char)('0' + level);
    LLVMPassBuilderOptionsRef o = LLVMCreatePassBuilderOptions();
    assert(!LLVMRunPasses(j->module, passes, NULL, o));
    LLVMDisposePassBuilderOptions(o);
  }
  struct LLVMMCJITCompilerOptions options;
  LLVMInitializeMCJITCompilerOptions(&options, sizeof options);
  options.OptLevel = level;
  LLVMLinkInMCJIT();
  bool failed = LLVMCreateMCJITCompilerForModule(&j->engine, j->module, &options, sizeof options, &error);
  if (failed) fprintf(stderr, "%s\n", error);
  assert(!failed);
  for (vec_each(i, &j->bound)) {
    LLVMValueRef v = LLVMGetNamedGlobal(j->module, j->bound.at[i]);
    if (!v) v = LLVMGetNamedFunction(j->module, j->bound.at[i]);
    if (v) LLVMAddGlobalMapping(j->engine, v, j->bound_to.at[i]);
  }
  uint64_t at = LLVMGetFunctionAddress(j->engine, name);
  // A symbol that is not found: the engine says nothing, and leaves every address 0.
  LLVMBool lost = LLVMExecutionEngineGetErrMsg(j->engine, &error);
  if (lost) fprintf(stderr, "%s\n", error);
  assert(at && !lost);
  mem_free(name);
  return (Dispatcher *)(uintptr_t)at;
}

void *jit_address(Jit *j, const char *global) {
  uint64_t at = LLVMGetGlobalValueAddress(j->engine, global);
  assert(at);
  return (void *)(uintptr_t)at;
}

void jit_close(Jit *j) {
  if (j->engine)
    LLVMDisposeExecutionEngine(j->engine);
  else
    LLVMDisposeModule(j->module);
  LLVMContextDispose(j->context);
  strings_free(&j->bound);
  vec_free(&j->bound_to);
}
