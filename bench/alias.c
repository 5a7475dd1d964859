// alias [--contexts] FILE...: points-to of modules (bitcode, or programs of specialize-cc); prints rows of a
// Markdown table. Each runs in a process of its own, so that the peak of memory is its own. --contexts: each
// once more, with calling contexts.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "alias/alias.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static LLVMModuleRef open_module(LLVMContextRef c, const char *path, Diags *d) {
  App app = {0};
  Bytes b = {0};
  size_t len = strlen(path);
  if (len > 3 && !strcmp(path + len - 3, ".bc"))
    file_read(path, &b);
  else if (app_read(path, &app, d))
    b = app.module;
  return module_parse(c, span_of(b.at, b.len), path, d);
}

static uint64_t state = 1;
static unsigned pick(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(state >> 33) % n;
}

enum { LOCALS = 100, STATEMENTS = 210 };

// As programs do: each function has pointer variables of its own, assigns their addresses, values and what
// they point to, and calls others.
static void fill_function(LLVMBuilderRef b, LLVMTypeRef ptr, LLVMTypeRef type, LLVMValueRef *functions,
                          unsigned count, unsigned self) {
  LLVMValueRef v[LOCALS];
  for (int i = 0; i < LOCALS; ++i) v[i] = LLVMBuildAlloca(b, ptr, "");
  LLVMBuildStore(b, LLVMGetParam(functions[self], 0), v[0]);
  for (int i = 0; i < STATEMENTS; ++i) {
    LLVMValueRef to = v[pick(LOCALS)], from = v[pick(LOCALS)], x = NULL;
    unsigned what = pick(40);
    if (what < 8)
      x = v[pick(LOCALS / 10) * 10];
    else
      x = LLVMBuildLoad2(b, ptr, from, "");
    if (what >= 8 && what < 12) x = LLVMBuildLoad2(b, ptr, x, "");
    if (what >= 12 && what < 16) to = LLVMBuildLoad2(b, ptr, to, "");
    if (what == 16 && !pick(8))
      x = LLVMBuildCall2(b, type, functions[(self + 1 + pick(8)) % count], &x, 1, "");
    LLVMBuildStore(b, x, to);
  }
  LLVMBuildRet(b, LLVMBuildLoad2(b, ptr, v[1], ""));
}

static LLVMModuleRef make_module(LLVMContextRef c, unsigned variables) {
  LLVMModuleRef m = LLVMModuleCreateWithNameInContext("random", c);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(c, 0), type = LLVMFunctionType(ptr, &ptr, 1, 0);
  unsigned count = (variables + LOCALS - 1) / LOCALS;
  LLVMValueRef *functions = mem_array(count, sizeof(LLVMValueRef));
  for (unsigned i = 0; i < count; ++i) functions[i] = LLVMAddFunction(m, i ? "f" : "main", type);
  for (unsigned i = 0; i < count; ++i) {
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(c, functions[i], ""));
    fill_function(b, ptr, type, functions, count, i);
  }
  mem_free(functions);
  LLVMDisposeBuilder(b);
  return m;
}

// Whether a budget was spent, so that the figures are those of less.
static bool gave_up(const Diags *d) {
  for (size_t i = 0; i < diags_count(d); ++i)
    if (strstr(diags_at(d, i)->text, "told apart")) return true;
  return false;
}

static double peak(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)u.ru_maxrss / 1024;
}

// kind 1: with calling contexts; 2: and cloned objects.
static void measure(const char *path, int kind) {
  Diags *d = diags_new();
  LLVMContextRef c = module_context(d);
  unsigned variables = (unsigned)strtoul(path, NULL, 10);
  LLVMModuleRef m = variables ? make_module(c, variables) : open_module(c, path, d);
  if (!m) {
    diags_print(d, stderr, "alias");
    exit(2);
  }
  size_t instructions = 0, pointers = 0, unknown = 0, places = 0;
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) instructions++;
  double before = peak(), start = now();
  AliasContexts contexts = {.clones = kind == 2, .seconds = 60};
  static const char *const kinds[] = {"", ", contexts", ", objects cloned"};
  AliasOptions how = {.contexts = kind ? &contexts : NULL};
  Alias *a = alias_new(m, &how, d);
  double took = now() - start, after = peak();
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        AliasAccesses all = {0};
        alias_accesses(a, i, &all);
        for (vec_each(k, &all)) {
          pointers++;
          places += all.at[k].ranges.len;
          bool known = true;
          for (vec_each(r, &all.at[k].ranges)) known &= all.at[k].ranges.at[r].object != 0;
          unknown += !known;
        }
        alias_accesses_free(&all);
      }
  const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
  printf("| %s%s%s | %zu | %.2f | %.0f | %.0f | %zu | %.1f | %.1f |\n", name, kinds[kind],
         gave_up(d) ? " (gave up)" : "", instructions, took, after, after - before, pointers,
         pointers ? (double)places / (double)pointers : 0.0,
         pointers ? 100.0 * (double)unknown / (double)pointers : 0.0);
  fflush(stdout);
  if (getenv("BENCH_VERBOSE")) diags_print(d, stderr, "alias");
}

static void measure_apart(const char *path, int kind) {
  pid_t child = fork();
  if (!child) {
    measure(path, kind);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  if (status) fprintf(stderr, "%s: status %d\n", path, status);
}

int main(int argc, char **argv) {
  printf(
      "| program | instructions | CPU s | MB, peak | MB, more than the module | accesses | places | unknown, "
      "%% "
      "|\n"
      "|---|---|---|---|---|---|---|---|\n");
  fflush(stdout);
  int all = argc > 1 && !strcmp(argv[1], "--contexts");
  for (int i = 1 + all; i < argc; ++i)
    for (int kind = 0; kind <= 2 * all; ++kind) measure_apart(argv[i], kind);
  return 0;
}
