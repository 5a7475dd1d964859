// What threads did between their events is in no schedule, nor what came behind the last ones of a run that
// died. So orders are tried until the same signal, or exit status, comes at the same place.
#include "reproduce.h"
#include <signal.h>
#include "replay/replay.h"
#include "report/report.h"

enum { SECONDS_MORE = 2 };  // for the very end, once an order came close to it

// The innermost frame in a file of the user, as the recorder saw it. NULL: none is known.
static const SigmaFrame *place_of_death(const Sigma *s, const Schedule *c) {
  for (vec_each(i, &c->frames)) {
    const char *file = sigma_text(s, c->frames.at[i].file);
    if (file && c->frames.at[i].line && finding_is_own_file(file)) return &c->frames.at[i];
  }
  return NULL;
}

static bool is_same_file(const char *a, const char *b) {
  size_t n = strlen(a), k = strlen(b), less = n < k ? n : k;
  if (memcmp(a + n - less, b + k - less, less) != 0) return false;
  return n == k || (n > k ? a[n - less - 1] : b[k - less - 1]) == '/';
}

static bool is_killed(const Schedule *c) {
  return c->end == SIGMA_SIGNAL && (c->end_number == SIGKILL || c->end_number == SIGTERM ||
                                    c->end_number == SIGINT || c->end_number == SIGHUP);
}

// At the innermost place, or, where a function called itself until the stack was full, in one of its frames.
static bool died_there(const Sigma *s, const Schedule *c, const RunResult *r) {
  const SigmaFrame *f = place_of_death(s, c);
  if (!f || !r->file) return true;
  const char *function = sigma_text(s, f->function);
  for (const SigmaFrame *g = f; g < c->frames.at + c->frames.len; ++g) {
    const char *file = sigma_text(s, g->file), *of = sigma_text(s, g->function);
    if (!file || !function || !of || strcmp(function, of) != 0) break;
    if (g->line == r->line && is_same_file(file, r->file)) return true;
  }
  return f->line == r->line && is_same_file(sigma_text(s, f->file), r->file);
}

static bool ends_alike(const Sigma *s, const Schedule *c, const RunResult *r) {
  if (c->end == SIGMA_END_UNKNOWN || is_killed(c)) return r->end == RUN_RECORDING_ENDS;
  if (c->end == SIGMA_EXIT)
    return (r->end == RUN_EXITED && (uint32_t)r->status == c->end_number) ||
           (c->incomplete && r->end == RUN_RECORDING_ENDS);
  return r->end == RUN_DIED && (uint32_t)r->signal == c->end_number && died_there(s, c, r);
}

static bool is_it(const ReproduceWhat *w, const RunResult *r) {
  const Bytes *e = w->expected;
  bool printed = e && e->len == r->out.len && !memcmp(e->at, r->out.at, e->len);
  return ends_alike(w->sigma, w->sigma->schedules.at[w->schedule], r) && !printed;
}

static bool run_in(Runner *r, const ReproduceWhat *w, uint64_t tail, RunTrace *trace, RunResult *out,
                   Diags *d) {
  RunOptions how = {.sigma = w->sigma, .schedule = w->schedule, .trace = trace, .tail = tail};
  run_result_free(out);
  return runner_run(r, &how, out, d);
}

// The interpreter checks every access; the machine lets many a wrong one pass, and the program dies of it
// later.
static bool died_early(const ReproduceWhat *w, const RunResult *r) {
  const Schedule *c = w->sigma->schedules.at[w->schedule];
  return c->end == SIGMA_SIGNAL && !is_killed(c) && r->end == RUN_DIED &&
         (r->signal == SIGSEGV || r->signal == SIGABRT);
}

Reproduced reproduce(Runner *r, const ReproduceWhat *w, RunTrace *trace, RunResult *out, uint64_t *tail,
                     bool *failed, Diags *d) {
  double until = replay_clock() + LIMIT_SLICE_TRY;
  uint64_t died = UINT64_MAX;
  *tail = 0, *failed = true;
  if (!run_in(r, w, 0, trace, out, d)) return REPRODUCE_NOT;
  *failed = false;
  if (is_it(w, out)) return REPRODUCED;
  if (died_early(w, out)) died = 0, until = replay_clock() + SECONDS_MORE;
  if (out->end == RUN_REFUSED || out->end == RUN_LIMIT) return REPRODUCE_NOT;
  for (uint64_t n = 1; n <= w->tries && replay_clock() < until && !stop_wanted(); ++n) {
    if (n % 64 == 1) {
      char *text = mem_format("trying orders: %llu", (unsigned long long)n);
      progress(text);
      mem_free(text);
    }
    *tail = n;
    if (!run_in(r, w, n, trace, out, d)) break;
    if (is_it(w, out)) return progress(NULL), REPRODUCED;
    if (died == UINT64_MAX && died_early(w, out)) died = n, until = replay_clock() + SECONDS_MORE;
  }
  limit_reached(replay_clock() < until ? LIMIT_OF_SLICE_TRIES : LIMIT_OF_SLICE_TRY);
  progress(NULL);
  *tail = died == UINT64_MAX ? 0 : died;
  *failed = !run_in(r, w, *tail, trace, out, d);
  return died == UINT64_MAX ? REPRODUCE_NOT : REPRODUCED_EARLIER;
}
