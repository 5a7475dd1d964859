#include "tries.h"
#include "runs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const TryWishes *o;
  RunOf of;
  Program module;
  char *program, *dir, *sigma;
  off_t input;  // where standard input was; -1: it cannot be read again
  uint32_t seed;
  size_t runs;
  Diags *d;
} Tries;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// What the first run leaves to say is said; that of the others is the same.
static void say(Diags *d) {
  (void)d;
}

static void added(const Sigma *s, uint32_t schedule, bool is_new, const char *path) {
  (void)s, (void)schedule, (void)is_new, (void)path;
}

// Of the runs after the first nobody wants to see the output again.
typedef struct {
  int out, err;
} Muted;

static Muted mute(void) {
  Muted m = {dup(1), dup(2)};
  int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0 && m.out >= 0 && m.err >= 0) dup2(null, 1), dup2(null, 2);
  if (null >= 0) close(null);
  fcntl(m.out, F_SETFD, FD_CLOEXEC), fcntl(m.err, F_SETFD, FD_CLOEXEC);
  return m;
}

static void unmute(Muted m) {
  if (m.out >= 0 && m.err >= 0) dup2(m.out, 1), dup2(m.err, 2);
  if (m.out >= 0) close(m.out);
  if (m.err >= 0) close(m.err);
}

static bool run_once(Tries *t, uint32_t delays, int *status) {
  Diags *said = diags_new();
  RunWishes how = {.order = SIGMA_HB, .delays = delays, .say = say, .added = added};
  bool ok = run_record(&t->of, t->o->argv, &how, status, said);
  for (size_t i = 0; !ok && i < diags_count(said); ++i) diag_error(t->d, "%s", diags_at(said, i)->text);
  diags_free(said);
  return ok;
}

static bool read_input(const char *sigma) {
  Diags *quiet = diags_new();
  Sigma *s = file_exists(sigma) ? sigma_read(sigma, quiet) : NULL;
  bool did = !s || !s->schedules.len;
  for (size_t i = 0; s && s->schedules.len && i < s->schedules.at[0]->inputs.len; ++i)
    did |= !strcmp(sigma_text(s, s->schedules.at[0]->inputs.at[i].name), "stdin");
  sigma_free(s);
  diags_free(quiet);
  return did;
}

static off_t input_place(void) {
  struct stat st;
  return fstat(0, &st) || !S_ISREG(st.st_mode) ? -1 : lseek(0, 0, SEEK_CUR);
}

// A terminal, a pipe or a socket has its input once, if it was read at all.
static bool can_run_again(const Tries *t) {
  if (t->input >= 0) return true;
  return !read_input(t->sigma);
}

static bool was_interrupted(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
}

static bool run_more(Tries *t, double first) {
  double begin = now();
  size_t most = t->o->runs ? t->o->runs : LIMIT_RACE_RUNS;
  bool ok = true, interrupted = false;
  if (t->runs < most && !can_run_again(t)) {
    diag_note(t->d, "the program was run once: its standard input cannot be read again");
    return true;
  }
  while (ok && !interrupted && t->runs < most && !stop_wanted()) {
    int status = 0;
    bool fits = now() - begin + first <= LIMIT_RACE_TIMES * first;
    if (!t->o->runs && !fits) break;
    if (t->input >= 0) lseek(0, t->input, SEEK_SET);
    Muted m = mute();
    ok = run_once(t, t->seed + (uint32_t)t->runs, &status);
    unmute(m);
    interrupted = was_interrupted(status);
    t->runs++;
  }
  return ok;
}

static bool run_all(Tries *t) {
  RecorderOptions how = {0};
  int status = 0;
  progress("building the program that records");
  char *variant = recorder_cached(&t->module, t->program, &how, t->d);  // not part of the program's own time
  progress(NULL);
  if (!variant) return false;
  mem_free(variant);
  t->input = input_place();
  double begin = now();
  t->runs = 1;
  if (!run_once(t, 0, &status)) return false;
  if (was_interrupted(status)) return true;
  return run_more(t, now() - begin);
}

static uint32_t new_seed(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint32_t)(t.tv_nsec / 1000 + t.tv_sec * 1000000) % 1000000 + 1;
}

static bool prepare(Tries *t) {
  t->program = run_find(t->o->argv[0]);
  t->dir = file_temp_dir();
  if (!t->dir) return diag_error(t->d, "no temporary directory: %s", strerror(errno)), false;
  t->sigma = file_join(t->dir, "runs.sigma");
  t->seed = t->o->seed ? t->o->seed : new_seed();
  t->of = (RunOf){&t->module, t->program, t->sigma};
  return run_open(t->program, t->sigma, &t->module, t->d);
}

static bool check(Tries *t, Report *out, RaceFigures *figures) {
  RaceWishes race = t->o->race;
  race.app = t->program, race.sigma = t->sigma;
  race.seconds_checked = LIMIT_RACE_CHECK;
  if (!file_exists(t->sigma)) return diag_error(t->d, "no run could be recorded"), false;
  if (!races_find(&race, out, figures, t->d)) return false;
  out->sigma = NULL, out->runs = t->runs, out->seed = t->seed;
  return true;
}

bool tries_find(const TryWishes *o, Report *out, RaceFigures *figures, Diags *d) {
  Tries t = {.o = o, .d = d};
  bool ok = prepare(&t) && run_all(&t) && check(&t, out, figures);
  if (t.dir) file_remove_tree(t.dir);
  program_free(&t.module);
  mem_free(t.program), mem_free(t.dir), mem_free(t.sigma);
  return ok;
}
