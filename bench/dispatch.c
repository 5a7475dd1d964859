// dispatch: what choosing among schedules costs, when built and when run; prints rows of a Markdown table.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "jit.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
  const char *name;
  char *(*constraint)(unsigned k);
} Kind;

static char *number(unsigned k) {
  return mem_format("(= (atoi (argv 1)) %u)", k);
}
// As `record` writes it.
static char *recorded(unsigned k) {
  return mem_format(
      "(and (= argc 4) (= (argv 1) \"%u\") (= (argv 2) \"%u\") (= (argv 3) \"file%u\") "
      "(= (env \"HOME\") \"/home/u\"))",
      k, k % 10, k / 10);
}
static char *range(unsigned k) {
  return mem_format("(and (>= (atoi (argv 1)) %u) (< (atoi (argv 1)) %u) (<= (strlen (argv 2)) 4))", 3 * k,
                    3 * k + 2);
}
// Nothing that two of them share but the atoms.
static char *apart(unsigned k) {
  return mem_format("(= (+ %u (atoi (argv 1))) (+ (* %u (strtol (argv 2))) %u))", k, k + 7, 3 * k + 1);
}
static const Kind kinds[] = {
    {"a number", number}, {"recorded arguments", recorded}, {"ranges", range}, {"apart", apart}};

static Sigma *make(const Kind *kind, unsigned n, uint32_t *all) {
  Sigma *s = sigma_new("bench", "00");
  Diags *d = diags_new();
  for (unsigned k = 0; k < n; ++k) {
    Schedule *c = sigma_add_schedule(s);
    char *text = kind->constraint(k);
    c->when = term_parse(s->terms, span_of(text, strlen(text)), d, (Place){0});
    c->status = SIGMA_PROVED;
    all[k] = k;
    mem_free(text);
  }
  diags_free(d);
  return s;
}

static double nanoseconds(Dispatcher *f, const char *const *argv, int64_t *id) {
  unsigned rounds = 0;
  double start = now(), end;
  do {
    for (int i = 0; i < 100; ++i) *id = f(4, argv, NULL);
    rounds += 100;
  } while ((end = now()) - start < 0.05);
  return (end - start) / rounds * 1e9;
}

// The size of what is new in the object: code and data.
static size_t compile(Jit *j, LLVMValueRef f, double *seconds) {
  Diags *d = diags_new();
  EmitOptions o = {.level = 2, .pic = true};
  Bytes without = {0}, with = {0};
  emit_targets();
  LLVMTargetMachineRef tm = emit_machine(j->module, &o, d);
  LLVMModuleRef copy = LLVMCloneModule(j->module);
  LLVMSetLinkage(LLVMGetNamedFunction(copy, LLVMGetValueName(f)), LLVMExternalLinkage);
  double start = now();
  bool ok = emit_optimize(copy, tm, &o, d) && emit_object(copy, tm, &with, d);
  *seconds = now() - start;
  LLVMDisposeModule(copy);
  copy = LLVMCloneModule(j->module);
  ok = ok && emit_optimize(copy, tm, &o, d) && emit_object(copy, tm, &without, d);
  diags_print(d, stderr, "bench");
  size_t size = ok ? with.len - without.len : 0;
  LLVMDisposeModule(copy);
  LLVMDisposeTargetMachine(tm);
  vec_free(&with);
  vec_free(&without);
  diags_free(d);
  return size;
}

static void measure(const Kind *kind, unsigned n, Span bitcode) {
  uint32_t *all = mem_array(n, sizeof *all);
  Sigma *s = make(kind, n, all);
  Diags *d = diags_new();
  Jit j = jit_open(bitcode);
  double start = now();
  LLVMValueRef f = dispatch_function(j.module, s, all, n, NULL, d);
  double built = now() - start, compiled;
  size_t size = compile(&j, f, &compiled);
  Dispatcher *run = jit_run(&j, f, 2);
  char first[20], second[20], third[20];
  unsigned k = n - 1;
  snprintf(first, sizeof first, "%u",
           kind->constraint == range   ? 3 * k + 1
           : kind->constraint == apart ? 2 * k + 1
                                       : k);
  snprintf(second, sizeof second, "%u", kind->constraint == apart ? 0 : k % 10);
  snprintf(third, sizeof third, "file%u", k / 10);
  const char *last[] = {"prog", first, second, third, NULL}, *none[] = {"prog", "999999", "x", "y", NULL};
  int64_t id, other;
  double hit = nanoseconds(run, last, &id), miss = nanoseconds(run, none, &other);
  if (id != k || other != -1) fprintf(stderr, "%s: %lld\n", kind->name, (long long)id), exit(1);
  printf("| %s | %u | %.1f | %.1f | %.1f | %.0f | %.0f |\n", kind->name, n, built * 1e3, compiled * 1e3,
         (double)size / n, hit, miss);
  jit_close(&j);
  diags_free(d);
  sigma_free(s);
  mem_free(all);
}

int main(void) {
  Bytes bitcode = jit_compile("int main(void) { return 0; }", "-g");
  setenv("HOME", "/home/u", 1);
  printf(
      "| constraints | schedules | tree, ms | optimizing and emitting, ms | bytes a schedule | the last "
      "fits, ns | "
      "none fits, ns |\n|---|---|---|---|---|---|---|\n");
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    for (unsigned n = 1; n <= 1000; n *= 10) measure(&kinds[k], n, span_of(bitcode.at, bitcode.len));
  vec_free(&bitcode);
  return 0;
}
