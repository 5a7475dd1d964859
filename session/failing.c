#include "failing.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mute.h"
#include "runs.h"

static void say(Diags *d) {
  (void)d;
}

static void added(const Sigma *s, uint32_t schedule, bool is_new, const char *path) {
  (void)s, (void)schedule, (void)is_new, (void)path;
}

static bool failed(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status));
}

static bool was_interrupted(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
}

// Each run has a file of its own, so that the one that failed is alone in it.
static bool run_once(Failing *f, char *const *argv, int *status, Diags *d) {
  Program l = {0};
  Diags *said = diags_new();
  mem_free(f->sigma);
  f->sigma = mem_format("%s/%zu.sigma", f->dir, f->runs);
  RunOf of = {&l, f->program, f->sigma};
  RunWishes how = {.order = SIGMA_HB, .delays = f->runs ? (uint32_t)f->runs : 0, .say = say, .added = added};
  bool ok = run_open(f->program, f->sigma, how.atomics, &l, d) && run_record(&of, argv, &how, status, said);
  for (size_t i = 0; !ok && i < diags_count(said); ++i) diag_error(d, "%s", diags_at(said, i)->text);
  diags_free(said);
  program_free(&l);
  return ok;
}

bool failing_run(char *const *argv, size_t runs, Failing *f, Diags *d) {
  *f = (Failing){.dir = file_temp_dir(), .program = run_find(argv[0])};
  if (!f->dir) return diag_error(d, "no temporary directory: %s", strerror(errno)), false;
  off_t input = lseek(0, 0, SEEK_CUR);
  for (f->runs = 0; f->runs < runs && !stop_wanted(); ++f->runs) {
    int status = 0;
    if (f->runs && input >= 0) lseek(0, input, SEEK_SET);
    Muted m = {-1, -1};
    if (f->runs) m = mute();
    bool ok = run_once(f, argv, &status, d);
    if (f->runs) unmute(m);
    if (!ok || was_interrupted(status)) return false;
    if (failed(status)) return ++f->runs, true;
  }
  limit_reached(LIMIT_OF_SLICE_RUNS);
  diag_error(d, "%s did not fail in %zu runs, so there is nothing to explain", argv[0], f->runs);
  return false;
}

void failing_free(Failing *f) {
  if (f->dir) file_remove_tree(f->dir);
  mem_free(f->dir), mem_free(f->program), mem_free(f->sigma);
  *f = (Failing){0};
}
