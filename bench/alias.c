// alias FILE...: points-to of modules (bitcode, or programs of specialize-cc); prints rows of a Markdown
// table. Each runs in a process of its own, so that the peak of memory is its own.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "alias/alias.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
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

static double peak(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return (double)u.ru_maxrss / 1024;
}

static void measure(const char *path) {
  Diags *d = diags_new();
  LLVMModuleRef m = open_module(module_context(d), path, d);
  if (!m) {
    diags_print(d, stderr, "alias");
    exit(2);
  }
  size_t instructions = 0, pointers = 0, unknown = 0, places = 0;
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) instructions++;
  double before = peak(), start = now();
  Alias *a = alias_new(m, NULL, d);
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
  printf("| %s | %zu | %.2f | %.0f | %.0f | %zu | %.1f | %.1f |\n", name, instructions, took, after,
         after - before, pointers, pointers ? (double)places / (double)pointers : 0.0,
         pointers ? 100.0 * (double)unknown / (double)pointers : 0.0);
  fflush(stdout);
  if (getenv("BENCH_VERBOSE")) diags_print(d, stderr, "alias");
}

int main(int argc, char **argv) {
  printf(
      "| program | instructions | s | MB, peak | MB, more than the module | accesses | places | unknown, %% "
      "|\n"
      "|---|---|---|---|---|---|---|---|\n");
  fflush(stdout);
  for (int i = 1; i < argc; ++i) {
    pid_t child = fork();
    if (!child) {
      measure(argv[i]);
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status) fprintf(stderr, "%s: status %d\n", argv[i], status);
  }
  return 0;
}
