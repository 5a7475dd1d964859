#include "tries.h"
#include "inside.h"
#include "mute.h"
#include "runs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "replay/replay.h"

// One that is looked at.
typedef struct {
  char *program, *place, *sigma;  // place: the directory that it ran in; NULL: this one
  Program module;
  bool open;  // what can be read of it is in `module`
  size_t runs;
} Tried;

typedef struct {
  const TryWishes *o;
  Vec(Tried *) tried;
  bool inside;  // the command is none of them, but runs them
  char *dir;
  off_t input;  // where standard input was; -1: it cannot be read again
  uint32_t seed;
  size_t runs;
  Diags *d;
} Tries;

// What the first run leaves to say is said; that of the others is the same.
static void say(Diags *d) {
  (void)d;
}

static void added(const Sigma *s, uint32_t schedule, bool is_new, const char *path) {
  (void)s, (void)schedule, (void)is_new, (void)path;
}

static void tried_free(Tried *p) {
  program_free(&p->module);
  mem_free(p->program), mem_free(p->place), mem_free(p->sigma);
  mem_free(p);
}

static Tried *tried_new(Tries *t, const char *program, const char *place) {
  Tried *p = mem_alloc(sizeof *p);
  Diags *quiet = diags_new();
  p->program = mem_string(program), p->place = place ? mem_string(place) : NULL;
  p->sigma = mem_format("%s/%zu.sigma", t->dir, t->tried.len);
  p->open = run_open(p->program, p->sigma, t->o->atomics, &p->module, quiet);
  diags_free(quiet);
  vec_push(&t->tried, p);
  return p;
}

static Tried *tried_of(Tries *t, const InsideRun *r) {
  for (vec_each(i, &t->tried))
    if (!strcmp(t->tried.at[i]->program, r->program)) return t->tried.at[i];
  return tried_new(t, r->program, r->place);
}

// The schedule of each run of a program. How many runs there were.
static size_t take_inside(Tries *t, const char *folder) {
  InsideRuns runs = {0};
  Diags *quiet = diags_new();
  RunWishes how = {.order = SIGMA_HB, .say = say, .added = added};
  inside_runs(folder, &runs);
  for (vec_each(i, &runs)) {
    Tried *p = tried_of(t, &runs.at[i]);
    RunOf of = {&p->module, p->program, p->sigma};
    if (p->open && runs.at[i].recording && run_convert(&of, runs.at[i].recording, &how, quiet)) p->runs++;
  }
  size_t count = runs.len;
  inside_runs_free(&runs);
  diags_free(quiet);
  return count;
}

static bool run_inside(Tries *t, uint32_t delays, int *status) {
  char *folder = mem_format("%s/%zu", t->dir, t->runs), *command = run_find(t->o->argv[0]);
  Strings argv = {0};
  args_all(&argv, t->o->argv);
  mem_free(argv.at[0]), argv.at[0] = command;
  bool ok = !mkdir(folder, 0700) && (*status = inside_run(folder, delays, args_done(&argv))) != -1;
  if (!ok) diag_error(t->d, "cannot run %s: %s", command, strerror(errno));
  if (ok && !take_inside(t, folder) && t->runs == 1)
    ok = false,
    diag_error(t->d, "%s: was not built with specialize-cc, and ran no program that was", command);
  if (ok && t->o->only_one && t->tried.len > 1)
    ok = false, diag_error(t->d, "%s ran %zu programs: their reports can only be shown as text",
                           t->o->argv[0], t->tried.len);
  file_remove_tree(folder);
  strings_free(&argv);
  mem_free(folder);
  return ok;
}

static bool run_once(Tries *t, uint32_t delays, int *status) {
  if (t->inside) return run_inside(t, delays, status);
  Tried *p = t->tried.at[0];
  Diags *said = diags_new();
  RunOf of = {&p->module, p->program, p->sigma};
  RunWishes how = {.order = SIGMA_HB, .delays = delays, .say = say, .added = added};
  bool ok = run_record(&of, t->o->argv, &how, status, said);
  p->runs = t->runs;
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
  struct stat st;
  if (t->input >= 0) return true;
  if (t->inside) return fstat(0, &st) || S_ISCHR(st.st_mode);
  return !read_input(t->tried.at[0]->sigma);
}

static bool was_interrupted(int status) {
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGINT || WTERMSIG(status) == SIGTERM);
}

static bool run_more(Tries *t, double first) {
  double begin = replay_clock();
  size_t most = t->o->runs ? t->o->runs : LIMIT_RACE_RUNS;
  bool ok = true, interrupted = false;
  if (t->runs < most && !can_run_again(t)) {
    diag_note(t->d, "the program was run once: its standard input cannot be read again");
    return true;
  }
  while (ok && !interrupted && t->runs < most && !stop_wanted()) {
    int status = 0;
    bool fits = replay_clock() - begin + first <= LIMIT_RACE_TIMES * first;
    if (!t->o->runs && !fits) break;
    if (t->input >= 0) lseek(0, t->input, SEEK_SET);
    Muted m = mute();
    t->runs++;
    ok = run_once(t, t->seed + (uint32_t)t->runs - 1, &status);
    unmute(m);
    interrupted = was_interrupted(status);
  }
  return ok;
}

// That is not part of the program's own time.
static bool make_variant(Tries *t) {
  if (t->inside) return true;
  RecorderOptions how = {0};
  progress("building the program that records");
  char *variant = recorder_cached(&t->tried.at[0]->module, t->tried.at[0]->program, &how, t->d);
  progress(NULL);
  mem_free(variant);
  return variant != NULL;
}

static bool run_all(Tries *t) {
  int status = 0;
  if (!make_variant(t)) return false;
  t->input = input_place();
  double begin = replay_clock();
  t->runs = 1;
  if (!run_once(t, 0, &status)) return false;
  if (was_interrupted(status)) return true;
  return run_more(t, replay_clock() - begin);
}

static uint32_t new_seed(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint32_t)(t.tv_nsec / 1000 + t.tv_sec * 1000000) % 1000000 + 1;
}

static bool is_built(const char *program) {
  App app = {0};
  Diags *quiet = diags_new();
  bool is = app_read(program, &app, quiet);
  app_free(&app);
  diags_free(quiet);
  return is;
}

static bool prepare(Tries *t) {
  char *program = run_find(t->o->argv[0]);
  bool ok = true;
  t->dir = file_temp_dir();
  t->seed = t->o->seed ? t->o->seed : new_seed();
  t->inside = !is_built(program);
  if (t->inside && t->o->atomics)
    ok = false, diag_error(t->d, "--atomics needs a program that was built with specialize-cc");
  else if (t->dir && t->inside && !inside_can(t->dir, t->d))
    ok = false;
  else if (!t->dir)
    ok = false, diag_error(t->d, "no temporary directory: %s", strerror(errno));
  else if (access(program, X_OK))
    ok = false, diag_error(t->d, "%s: %s", program, strerror(errno));
  else if (!t->inside)
    ok = tried_new(t, program, NULL)->open ||
         run_open(program, t->tried.at[0]->sigma, t->o->atomics, &t->tried.at[0]->module, t->d);
  mem_free(program);
  return ok;
}

static bool check_one(Tries *t, const Tried *p, Reports *out, FindingsFigures *figures) {
  FindingsWishes race = t->o->race;
  race.app = p->program, race.sigma = p->sigma;
  race.seconds_checked = LIMIT_RACE_CHECK;
  if (!file_exists(p->sigma))
    return diag_error(t->d, "%s: no run of it could be recorded", p->program), false;
  Report *r = report_new();
  r->deadlocks = race.deadlocks;
  vec_push(out, r);
  if (!races_find(&race, r, figures, t->d)) {
    report_free(vec_pop(out));
    return false;
  }
  r->sigma = NULL, r->runs = (uint32_t)p->runs, r->seed = t->seed;
  return true;
}

// Where it ran: what it reads by a relative name is there.
static bool check(Tries *t, Reports *out, FindingsFigures *figures) {
  int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool ok = true;
  for (vec_each(i, &t->tried)) {
    const Tried *p = t->tried.at[i];
    bool there = !p->place || !chdir(p->place);
    if (!there) diag_error(t->d, "%s: %s", p->place, strerror(errno));
    ok = there && check_one(t, p, out, figures) && ok;
    if (p->place && there && (here < 0 || fchdir(here))) ok = false;
  }
  if (here >= 0) close(here);
  return ok;
}

bool tries_find(const TryWishes *o, Reports *out, FindingsFigures *figures, Diags *d) {
  Tries t = {.o = o, .d = d};
  bool ok = prepare(&t) && run_all(&t) && check(&t, out, figures);
  if (t.dir) file_remove_tree(t.dir);
  for (vec_each(i, &t.tried)) tried_free(t.tried.at[i]);
  vec_free(&t.tried);
  mem_free(t.dir);
  return ok;
}
