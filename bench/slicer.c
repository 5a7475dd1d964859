// bench_slicer APP SIGMA: executes schedule 0 again and prints how much of it slices keep. A line for the
// run: instances of the program, its executed lines, bytes of trace for an instruction, M instances a second
// of the walk back, and how long the slice took beside the run with its
// trace. Then a line for each target: instances and
// lines by data, with control, with order, the path slice without order; and whether the check was passed. Of
// `lines`: means over executed lines, each a target in turn; of a long run only a few.
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include "alias/alias.h"
#include "slicer/slicer.h"

enum { MOST_LINES = 60, FEW_LINES = 6, LONG = 4000000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

typedef struct {
  double kept[4], lines[4];
  uint64_t wrong, checked, count;
} Figures;

static size_t count_lines(const Slice *s, bool kept) {
  SliceReport *r = slice_report_new();
  size_t n = 0;
  lines_tell(s, r);
  for (vec_each(i, &r->lines)) n += kept ? r->lines.at[i].kept > 0 : 1;
  slice_report_free(r);
  return n;
}

static bool is_same(const Examined *of, const Slice *s, Diags *d) {
  RunTrace *again = run_trace_new();
  RunResult result = {0};
  PartialCheck c = {.all = of->all, .kept = s->kept, .by_data = s->by_data, .unwritten = s->unwritten.at};
  c.unwritten_count = s->unwritten.len, c.memory = of->result->memory, c.fault.step = TRACE_NONE;
  RunOptions how = {.sigma = of->sigma, .schedule = of->schedule, .trace = again, .check = &c};
  bool ok = runner_run(of->runner, &how, &result, d);
  run_result_free(&result);
  run_trace_free(again);
  return ok && !c.differs;
}

static void measure(const Examined *of, const SliceTargets *t, bool check, Figures *f, Diags *d) {
  static const SliceWhat whats[] = {
      {true, true, false}, {false, true, false}, {false, false, false}, {false, true, true}};
  for (int n = 0; n < 4; ++n) {
    Slice s;
    slice_make(of, t, whats[n], &s);
    f->kept[n] += s.executed ? (double)s.kept_count / (double)s.executed : 0;
    f->lines[n] += (double)count_lines(&s, true);
    if (n == 2 && check) ++f->checked, f->wrong += !is_same(of, &s, d);
    slice_free(&s);
  }
  ++f->count;
}

static void print_figures(const char *name, const Figures *f) {
  double n = f->count ? (double)f->count : 1;
  printf("%s %" PRIu64, name, f->count);
  for (int i = 0; i < 4; ++i) printf(" %.6f %.2f", f->kept[i] / n, f->lines[i] / n);
  printf(" %" PRIu64 " %" PRIu64 "\n", f->checked, f->wrong);
}

static void measure_target(const Examined *of, const char *name, Diags *d) {
  Target t;
  SliceTargets at = {0};
  Figures f = {0};
  Diags *unsaid = diags_new();
  if (target_parse(name, &t, unsaid) && target_find(of, &t, &at, unsaid)) measure(of, &at, true, &f, d);
  print_figures(name, &f);
  diags_free(unsaid);
  vec_free(&at);
}

static void measure_lines(const Examined *of, const Slice *all, Diags *d) {
  SliceReport *r = slice_report_new();
  Figures f = {0};
  lines_tell(all, r);
  size_t step = r->lines.len / (all->executed > LONG ? FEW_LINES : MOST_LINES) + 1;
  for (size_t i = 0; i < r->lines.len; i += step) {
    Target t = {.kind = TARGET_PLACES, .thread = SIGMA_NONE};
    PlaceWanted p = {r->lines.at[i].file, strlen(r->lines.at[i].file), r->lines.at[i].line, 0};
    SliceTargets at = {0};
    vec_push(&t.places, p);
    if (target_find(of, &t, &at, d)) measure(of, &at, i % (4 * step) == 0, &f, d);
    vec_free(&at);
    target_free(&t);
  }
  print_figures("lines", &f);
  slice_report_free(r);
}

static void measure_run(const Examined *of, double running, Diags *d) {
  SliceTargets none = {0}, value = {0};
  Slice s;
  Target t = {.kind = TARGET_VALUE, .thread = SIGMA_NONE};
  slice_make(of, &none, (SliceWhat){true, true, false}, &s);
  size_t lines = count_lines(&s, false);
  measure_lines(of, &s, d);
  uint64_t executed = s.executed;
  slice_free(&s);
  double before = now();
  uint64_t passed = 0;
  if (target_find(of, &t, &value, d))
    slice_make(of, &value, (SliceWhat){0}, &s), passed = s.passed, slice_free(&s);
  double took = now() - before;
  vec_free(&value);
  printf("run %" PRIu64 " %zu %.3f %.2f %.3f\n", executed, lines,
         (double)run_trace_bytes(of->trace) / (double)of->result->instructions, (double)passed / took / 1e6,
         took / running);
}

static bool open_run(const char *app, const char *file, Program *l, Examined *of, Diags *d) {
  static Bytes models;
  Sigma *s = sigma_read(file, d);
  of->sigma = s;
  if (!s || !program_open(app, targets_find, l, d) || !runner_models(&models, d)) return false;
  program_suit(l, s);
  of->program = l;
  of->runner = runner_new(l, s, span_of(models.at, models.len), d);
  return of->runner != NULL;
}

int main(int argc, char **argv) {
  Diags *d = diags_new();
  Program l = {0};
  Examined of = {0};
  RunResult result = {0};
  RunTrace *trace = run_trace_new();
  int status = 2;
  if (argc == 3 && open_run(argv[1], argv[2], &l, &of, d)) {
    RunOptions traced = {.sigma = of.sigma, .trace = trace};
    double before = now();
    bool ok = runner_run(of.runner, &traced, &result, d);
    double running = now() - before;
    of.trace = trace, of.result = &result;
    if (ok && examined_open(&of, d)) {
      measure_run(&of, running, d);
      measure_target(&of, "value", d);
      measure_target(&of, "sync", d);
      status = 0;
    }
  }
  diags_print(d, stderr, "bench_slicer");
  return status;
}
