// bench_interpreter APP SIGMA: executes schedule 0 again, concretely and with a trace, and walks back over
// the trace; the best of three each. Prints: instructions, seconds, seconds with trace, bytes of trace,
// instances walked, kept, seconds.
#include <stdio.h>
#include <time.h>
#include "alias/alias.h"
#include "symex/symex.h"

enum { TIMES = 3 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double best(double a, double b) {
  return a < b ? a : b;
}

static double run_once(Runner *r, const Sigma *s, RunTrace *t, uint64_t *instructions, Diags *d) {
  RunResult result;
  RunOptions o = {.sigma = s, .trace = t};
  double begin = now();
  if (!runner_run(r, &o, &result, d)) return 0;
  *instructions = result.instructions;
  double seconds = now() - begin;
  run_result_free(&result);
  return seconds;
}

static double walk_once(const Runner *r, const RunTrace *t, uint64_t *passed, uint64_t *kept) {
  BackwalkInstance last;
  BackwalkVisit v;
  double begin = now();
  Backwalk *w = backwalk_new(r, t, BACKWALK_WITH_CONTROL);
  if (backwalk_output(r, t, &last)) backwalk_want(w, last);
  for (*kept = 0; backwalk_next(w, &v);) ++*kept;
  *passed = backwalk_passed(w);
  backwalk_free(w);
  return now() - begin;
}

static void measure(Runner *r, const Sigma *s, Diags *d) {
  double plain = 1e9, traced = 1e9, walked = 1e9;
  uint64_t instructions = 0, passed = 0, kept = 0;
  RunTrace *t = run_trace_new();
  for (int i = 0; i < TIMES; ++i) {
    plain = best(plain, run_once(r, s, NULL, &instructions, d));
    RunTrace *fresh = run_trace_new();
    traced = best(traced, run_once(r, s, fresh, &instructions, d));
    run_trace_free(t);
    t = fresh;
    walked = best(walked, walk_once(r, t, &passed, &kept));
  }
  printf("%llu %f %f %llu %llu %llu %f\n", (unsigned long long)instructions, plain, traced,
         (unsigned long long)run_trace_bytes(t), (unsigned long long)passed, (unsigned long long)kept,
         walked);
  run_trace_free(t);
}

int main(int argc, char **argv) {
  Diags *d = diags_new();
  Program l = {0};
  Bytes models = {0};
  Sigma *s = argc == 3 ? sigma_read(argv[2], d) : NULL;
  if (s && program_open(argv[1], targets_find, &l, d) && runner_models(&models, d)) {
    program_suit(&l, s);
    Runner *r = runner_new(&l, s, span_of(models.at, models.len), d);
    if (r) measure(r, s, d);
    runner_free(r);
  }
  diags_print(d, stderr, "bench_interpreter");
  bool failed = argc != 3 || diags_errors(d);
  program_free(&l);
  sigma_free(s);
  vec_free(&models);
  diags_free(d);
  return failed;
}
