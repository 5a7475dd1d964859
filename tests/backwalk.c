// backwalk APP SIGMA LINE: executes schedule 0 again and walks back from the last execution of each
// instruction of LINE; prints the lines of the program that are kept: by data alone, and with control.
#include <stdio.h>
#include <stdlib.h>
#include "alias/alias.h"
#include "symex/symex.h"

enum { LINES = 1 << 16 };

static void want_line(const Program *l, const Runner *r, const RunTrace *t, unsigned line, Backwalk *w) {
  for (all_functions(f, l->module))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        BackwalkInstance at;
        if (where(i).line == line && backwalk_last(r, t, i, SIGMA_NONE, &at)) backwalk_want(w, at);
      }
}

static void print_lines(const Program *l, const Runner *r, const RunTrace *t, unsigned line, unsigned options,
                        const char *name) {
  static bool kept[LINES];
  memset(kept, 0, sizeof kept);
  Backwalk *w = backwalk_new(r, t, options);
  BackwalkVisit v;
  want_line(l, r, t, line, w);
  while (backwalk_next(w, &v)) {
    unsigned n = v.model ? 0 : where(v.inst).line;
    if (n && n < LINES) kept[n] = true;
  }
  backwalk_check(w);
  printf("%s", name);
  for (unsigned n = 1; n < LINES; ++n)
    if (kept[n]) printf(" %u", n);
  printf("\nunwritten %llu\n", (unsigned long long)backwalk_unwritten(w, NULL, 0));
  backwalk_free(w);
}

// The direct causes of the target, each by its line.
static void print_causes(const Program *l, const Runner *r, const RunTrace *t, unsigned line) {
  Backwalk *w = backwalk_new(r, t, BACKWALK_DIRECT | BACKWALK_WITH_CONTROL);
  BackwalkVisit v;
  want_line(l, r, t, line, w);
  printf("causes");
  while (backwalk_next(w, &v))
    if (!v.model && where(v.inst).line && where(v.inst).line != line) printf(" %u", where(v.inst).line);
  printf("\n");
  backwalk_free(w);
}

// The values of the target's instances, from a run of their own.
static void print_values(const Program *l, Runner *r, const Sigma *s, const RunTrace *t, unsigned line,
                         Diags *d) {
  Vec(BackwalkInstance) at = {0};
  for (all_functions(f, l->module))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        BackwalkInstance one;
        if (where(i).line == line && backwalk_last(r, t, i, SIGMA_NONE, &one)) vec_push(&at, one);
      }
  RunTrace *again = run_trace_new();
  RunValue *values = mem_array(at.len + 1, sizeof *values);
  RunResult result;
  RunOptions o = {.sigma = s, .trace = again, .watch = at.at, .watch_count = at.len, .values = values};
  printf("values");
  if (runner_run(r, &o, &result, d))
    for (vec_each(i, &at))
      if (values[i].known) printf(" %lld", (long long)values[i].words[0]);
  printf("\n");
  if (again->steps.len != t->steps.len) diag_error(d, "the same run took other steps");
  run_result_free(&result);
  run_trace_free(again);
  mem_free(values);
  vec_free(&at);
}

static int walk(const char *app, const char *file, unsigned line, Diags *d) {
  Program l = {0};
  Bytes models = {0};
  RunResult result = {0};
  int status = 2;
  Sigma *s = sigma_read(file, d);
  RunTrace *t = run_trace_new();
  Runner *r = NULL;
  if (s && program_open(app, targets_find, &l, d) && runner_models(&models, d)) {
    program_suit(&l, s);
    r = runner_new(&l, s, span_of(models.at, models.len), d);
  }
  RunOptions o = {.sigma = s, .trace = t};
  if (r && runner_run(r, &o, &result, d)) {
    printf("end %s %s\n", run_end_word(result.end), result.why ? result.why : "");
    print_lines(&l, r, t, line, 0, "data");
    print_lines(&l, r, t, line, BACKWALK_WITH_CONTROL, "control");
    print_causes(&l, r, t, line);
    print_values(&l, r, s, t, line, d);
    status = 0;
  }
  run_result_free(&result);
  runner_free(r);
  run_trace_free(t);
  program_free(&l);
  sigma_free(s);
  vec_free(&models);
  return status;
}

int main(int argc, char **argv) {
  Diags *d = diags_new();
  int status = argc == 4 ? walk(argv[1], argv[2], (unsigned)atoi(argv[3]), d) : 2;
  diags_print(d, stderr, "backwalk");
  diags_free(d);
  return status;
}
