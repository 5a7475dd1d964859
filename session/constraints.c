#include "constraints.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "cfspec/cfspec.h"
#include "forge/forge.h"

// With a Σ of its own: a view may leave out locks for its budget.
static bool from_clones(const char *app, const char *sigma, uint32_t schedule, Bytes *when,
                        ConstraintFound *out, Diags *d) {
  Program l = {0};
  Diags *found = diags_new();
  Sigma *s = sigma_read(sigma, found);
  bool ok = s && program_open(app, targets_find, &l, found);
  size_t before = s ? s->exclusions.len : 0;
  AliasOptions how = {.open = ok && targets_open(l.module, &l.app), .summaries = cfspec_view_summaries};
  ok = ok && specializer_view(&l, app, s, schedule, how.open, 0, found) == VIEW_MADE;
  ConstraintInput in = {.view = l.module, .alias = &how, .sigma = s, .schedule = schedule};
  if (ok && s->exclusions.len > before)
    diag_error(found, "the schedule is too long to be looked at whole (--budget)"), ok = false;
  ok = ok && constraint_find(&in, out, found);
  if (ok && !out->gaps.len && !sigma_fits_recording(s, s->schedules.at[schedule], out->when))
    diag_error(found, "internal: the computed constraint does not fit the recorded input"), ok = false;
  if (ok && !out->gaps.len) term_print(s->terms, out->when, when);
  if (!ok) diags_append(d, found);
  diags_free(found);
  program_free(&l);
  sigma_free(s);
  return ok;
}

static bool rerun_for(const Program *l, Sigma *s, uint32_t schedule, ConstraintFound *out, Diags *d) {
  Bytes models = {0};
  AliasOptions how = {.open = targets_open(l->module, &l->app)};
  bool ok = runner_models(&models, d);
  Runner *r = ok ? runner_new(l, s, span_of(models.at, models.len), d) : NULL;
  Alias *a = r ? alias_new(l->module, &how, NULL) : NULL;
  SlicedInput in = {r, a, s, schedule, true};
  ok = a && run_constraint_find(&in, s->terms, out, d);
  alias_free(a);
  runner_free(r);
  vec_free(&models);
  return ok;
}

// The run itself, executed again: where the clones depend on what only it shows.
static bool from_run(const char *app, const char *sigma, uint32_t schedule, Bytes *when, ConstraintFound *out,
                     Diags *d) {
  Program l = {0};
  Diags *found = diags_new();
  Sigma *s = sigma_read(sigma, found);
  const Schedule *c = s ? s->schedules.at[schedule] : NULL;
  // What the recorder could not keep may decide, whatever the interpreter took for it.
  bool ok = c && !c->incomplete && c->status != SIGMA_FALSE && program_open(app, targets_find, &l, found);
  if (ok) program_suit(&l, s);
  ok = ok && rerun_for(&l, s, schedule, out, found);
  bool whole = ok && !out->gaps.len;
  if (whole && !sigma_fits_recording(s, s->schedules.at[schedule], out->when)) {
    diag_error(d, "internal: the constraint of the run does not fit the recorded input");
    constraint_free(out);
    ok = whole = false;
  }
  if (whole) term_print(s->terms, out->when, when);
  diags_free(found);
  program_free(&l);
  sigma_free(s);
  return ok;
}

bool constraints_compute(const char *app, const char *sigma, uint32_t schedule, Bytes *when,
                         ConstraintFound *out, Diags *d) {
  ConstraintFound run = {.when = TERM_NONE};
  bool ok = from_clones(app, sigma, schedule, when, out, d);
  if (!ok || !out->gaps.len) return ok;
  bool found = from_run(app, sigma, schedule, when, &run, d);
  if (!found || run.gaps.len) {
    constraint_free(&run);
    return !diags_errors(d);
  }
  constraint_free(out);
  *out = run;
  return true;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// Nobody is told what is wrong: the constraint stays as it was.
static _Noreturn void compute_alone(int to, const char *app, const char *sigma, uint32_t schedule) {
  Bytes when = {0};
  ConstraintFound found = {0};
  Diags *unsaid = diags_new();
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  progress_on(NULL);
  if (nowhere >= 0) dup2(nowhere, 2);
  bool whole = from_clones(app, sigma, schedule, &when, &found, unsaid) && !found.gaps.len;
  _exit(whole && !file_write_fd(to, when.at, when.len) ? 0 : 1);
}

static void read_until(int from, double until, Bytes *out) {
  char part[4096];
  for (double left; (left = until - now()) > 0 && !stop_wanted();) {
    struct pollfd p = {from, POLLIN, 0};
    int ready = poll(&p, 1, left < 0.1 ? (int)(left * 1000) + 1 : 100);  // to see a wish to stop
    if (ready <= 0) continue;
    ssize_t n = read(from, part, sizeof part);
    if (n <= 0) return;
    vec_append(out, part, (size_t)n);
  }
}

bool constraints_within(double seconds, const char *app, const char *sigma, uint32_t schedule, Bytes *when) {
  int ends[2], status = -1;
  if (pipe2(ends, O_CLOEXEC)) return false;
  pid_t pid = fork();
  if (!pid) compute_alone(ends[1], app, sigma, schedule);
  close(ends[1]);
  if (pid > 0) {
    read_until(ends[0], now() + seconds, when);
    kill(pid, SIGKILL);  // does nothing to one that is ending by itself
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  }
  close(ends[0]);
  return pid > 0 && status == 0;
}
