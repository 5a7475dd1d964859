// A program that records, with the user's terminal, signals and exit status untouched; and the schedule of
// what it left.
#include "runs.h"
#include "constraints.h"
#include "hang.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "alias/alias.h"
#include "rt/rt.h"

extern char **environ;

char *run_find(const char *name) {
  if (strchr(name, '/')) return mem_string(name);
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
    size_t len = strcspn(p, ":");
    char *full = mem_format("%.*s/%s", (int)len, p, name);
    if (access(full, X_OK) == 0) return full;
    mem_free(full);
    p += len + (p[len] == ':');
  }
  return mem_string(name);
}

// Signals that come before there is a program to pass them on to.
static void hold_signals(sigset_t *before) {
  static const int held[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof held / sizeof *held; ++i) sigaddset(&set, held[i]);
  sigprocmask(SIG_BLOCK, &set, before);
}

static int start(const char *binary, char *const *argv, char *const *env, const sigset_t *mask, pid_t *pid) {
  posix_spawnattr_t attr;
  sigset_t defaults, pending;
  posix_spawnattr_init(&attr);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGXFSZ);  // main ignores it
  posix_spawnattr_setsigdefault(&attr, &defaults);
  posix_spawnattr_setsigmask(&attr, mask);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigpending(&pending);
  int err = posix_spawn(pid, binary, NULL, &attr, argv, env);
  posix_spawnattr_destroy(&attr);
  if (!err && sigismember(&pending, SIGINT)) kill(*pid, SIGINT);  // those of the terminal are not passed on
  return err;
}

static volatile pid_t running;
static void pass_on(int sig) {
  if (running > 0) kill(running, sig);
}

// The terminal sends its signals to the program too: we only must not die of them before it does.
static int wait_for(pid_t pid, const sigset_t *mask) {
  static const int ours[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  struct sigaction pass = {.sa_handler = pass_on}, ignore = {.sa_handler = SIG_IGN};
  running = pid;
  for (int i = 0; i < 4; ++i) sigaction(ours[i], &pass, NULL);
  sigaction(SIGINT, &ignore, NULL);
  sigaction(SIGQUIT, &ignore, NULL);
  sigprocmask(SIG_SETMASK, mask, NULL);
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  running = 0;
  return status;
}

// The recording of this process, among those of its children. NULL: there is none.
static char *recording_of(const char *dir, pid_t pid, size_t *others) {
  DIR *d = opendir(dir);
  char *found = NULL, *prefix = mem_format("%ld-", (long)pid);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.') continue;
    if (!found && (pid < 0 || !strncmp(e->d_name, prefix, strlen(prefix))))
      found = file_join(dir, e->d_name);
    else
      ++*others;
  }
  if (d) closedir(d);
  mem_free(prefix);
  return found;
}

static void begin_atomics(Sigma *s, const Program *l) {
  if (s->schedules.len || s->atomics.len) return;
  for (vec_each(i, &l->atomics)) vec_push(&s->atomics, sigma_intern(s, l->atomics.at[i]));
}

static Sigma *open_sigma(const char *path, const Program *l, const char *program, Diags *d) {
  Sigma *s = file_exists(path) ? sigma_read(path, d) : sigma_new(file_base(program), l->hash_text);
  if (s) begin_atomics(s, l);
  if (s && strcmp(sigma_text(s, s->module), l->hash_text)) {
    diag_error(d, "%s: belongs to another program than %s (module hash %s, this program has %s)", path,
               program, sigma_text(s, s->module), l->hash_text);
    diag_note(d,
              "if the program has changed since the recording, `specialize rebase` keeps the schedules that "
              "still fit; or use another file");
    sigma_free(s);
    return NULL;
  }
  return s;
}

// With commas between; `none`: nothing.
static void split_names(const char *text, Strings *out) {
  for (const char *at = text; at && *at && strcmp(text, "none"); at += strcspn(at, ","), at += *at == ',') {
    char *name = mem_format("%.*s", (int)strcspn(at, ","), at);
    bool known = !*name;
    for (vec_each(i, out)) known |= !strcmp(out->at[i], name);
    if (known)
      mem_free(name);
    else
      vec_push(out, name);
  }
}

static bool same_atomics(const Sigma *s, const Strings *wanted) {
  bool same = s->atomics.len == wanted->len;
  for (size_t i = 0; same && i < wanted->len; ++i)
    same = !strcmp(sigma_text(s, s->atomics.at[i]), wanted->at[i]);
  return same;
}

// What is recorded goes with the schedules that are there; what is wrong with them is said when it is added.
bool run_open(const char *program, const char *path, const char *atomics, Program *l, Diags *d) {
  if (!program_open(program, targets_find, l, d)) return false;
  Diags *later = diags_new();
  Strings wanted = {0};
  split_names(atomics, &wanted);
  Sigma *s = file_exists(path) ? sigma_read(path, later) : NULL;
  bool holds = s && s->schedules.len, ok = !holds || !atomics || same_atomics(s, &wanted);
  if (!ok) diag_error(d, "%s: its schedules were recorded with other --atomics; use another file", path);
  if (ok && !holds) ok = program_take_atomics(l, (const char *const *)wanted.at, wanted.len, d);
  if (ok && s) program_suit(l, s);
  strings_free(&wanted);
  sigma_free(s);
  diags_free(later);
  return ok;
}

bool run_can_save(const RunOf *of, Diags *d) {
  Sigma *s = file_exists(of->sigma) ? open_sigma(of->sigma, of->module, of->program, d) : NULL;
  bool fine = s || !file_exists(of->sigma);
  sigma_free(s);
  int err = fine ? file_writable(of->sigma) : 0;
  if (err) diag_error(d, "%s: cannot be written: %s", of->sigma, strerror(err));
  return fine && !err;
}

static bool may_widen(const Schedule *c) {
  return (c->status == SIGMA_EXACT || c->status == SIGMA_FALSE) && !c->incomplete;
}

// Whether it is the schedule that was there before: others may have written the file meanwhile.
static bool is_still(const Sigma *s, uint32_t id, const Sigma *before) {
  if (id >= s->schedules.len) return false;
  const Schedule *c = s->schedules.at[id], *b = before->schedules.at[id];
  return !strcmp(sigma_text(s, s->module), sigma_text(before, before->module)) && c->status == b->status &&
         c->threads == b->threads && c->events.len == b->events.len &&
         term_same(s->terms, c->when, before->terms, b->when);
}

static bool set_constraint(Sigma *s, uint32_t id, const Bytes *when) {
  Schedule *c = s->schedules.at[id];
  Diags *unsaid = diags_new();
  Term t = term_parse(s->terms, span_of(when->at, when->len), unsaid, (Place){"computed", 1, 1});
  if (t != TERM_NONE) c->when = t, c->status = SIGMA_PROVED, c->because = SIGMA_NONE;
  diags_free(unsaid);
  return t != TERM_NONE;
}

// From the recorded input to all that the code takes the same way. Where it does not decide, all stays as it
// is. That may take a while: others may add to the file meanwhile. Returns what the file holds then.
static Sigma *widen(Sigma *s, uint32_t id, const RunOf *of, const RunWishes *o, int *lock, Diags *d) {
  Bytes when = {0};
  if (!o->constraint_time || !may_widen(s->schedules.at[id])) return s;
  progress("computing the constraint");
  file_unlock(*lock);
  bool found = constraints_within(o->constraint_time, of->program, of->sigma, id, &when);
  *lock = file_lock(of->sigma);
  Sigma *now = found ? sigma_read(of->sigma, d) : NULL;
  if (now && is_still(now, id, s) && set_constraint(now, id, &when) && sigma_save(now, of->sigma, d)) {
    sigma_free(s);
    s = now, now = NULL;
  }
  sigma_free(now);
  vec_free(&when);
  return s;
}

// How the run ended. in NULL: what it read is not known; status -1: neither is that.
typedef struct {
  int status;
  const Stored *in;
} ProcessEnd;

static bool convert(const RunOf *of, const char *binary, const char *recording, const ProcessEnd *end,
                    const RunWishes *o, Diags *d) {
  const Program *l = of->module;
  const char *program = of->program, *path = of->sigma;
  const char *why = NULL;
  progress("reading the recording");
  RtRecording *r = recording ? rt_recording_open(recording, &why) : NULL;
  if (!r)
    return progress(NULL), diag_error(d, "no recording: %s", why ? why : "the program left no recording"),
           false;
  progress("reading the existing schedules");
  int lock = file_lock(path);
  Sigma *s = open_sigma(path, l, program, d);
  progress("converting the recording to a schedule");
  ImportResult result = IMPORT_KNOWN;
  bool ok = false;
  if (memcmp(rt_recording_process(r)->hash, l->hash, HASH_BYTES)) {
    diag_error(d, "the recording belongs to another program than %s", program);
  } else if (s) {
    Exclude exclude;
    ImportOptions how = {o->order, end->status, end->in, &exclude};
    ImportNames names = {l->sites, l->graph, l->sync, binary};
    size_t excluded = s->exclusions.len;
    uint32_t id = exclude_read(s, o->exclude, &exclude, d) ? import_recording(s, r, &names, &how, &result, d)
                                                           : SIGMA_NONE;
    bool changed = result != IMPORT_KNOWN || s->exclusions.len > excluded;
    if (changed) progress("writing the schedules");
    ok = id != SIGMA_NONE && (!changed || sigma_save(s, path, d));
    if (ok && result == IMPORT_ADDED) s = widen(s, id, of, o, &lock, d);
    progress(NULL);
    if (ok) o->added(s, id, result == IMPORT_ADDED, path);
    exclude_free(&exclude);
  }
  file_unlock(lock);
  progress(NULL);
  sigma_free(s);
  rt_recording_close(r);
  return ok;
}

// The runtime makes it. A program that root starts may go on as another user: it must get there.
static char *runs_directory(const char *dir) {
  if (!geteuid()) chmod(dir, 0711);
  return file_join(dir, "runs");
}

// The user's environment, and behind it what the runtime takes away before the program looks
// (rt/private_env.h).
static void environment(const char *runs, const RunWishes *o, const Feed *feed, Strings *out) {
  const char *given = feed_variable(feed);
  for (char **e = environ; *e; ++e) vec_push(out, mem_string(*e));
  vec_push(out, mem_format("SPECIALIZE_RECORD_DIR=%s", runs));
  if (o->order == SIGMA_TOTAL) vec_push(out, mem_string("SPECIALIZE_RECORD_ORDER=total"));
  if (o->delays) vec_push(out, mem_format("SPECIALIZE_RECORD_DELAYS=%u", o->delays));
  if (o->max_events) vec_push(out, mem_format("SPECIALIZE_RECORD_MAX_EVENTS=%s", o->max_events));
  if (given) vec_push(out, mem_string(given));
  vec_push(out, NULL);
}

static void tell_hang(HangEnd end, const RunWishes *o, Diags *d) {
  if (end == HANG_STANDS)
    diag_note(d, "all threads of the program waited for each other: it was ended");
  else if (end == HANG_TIMEOUT)
    diag_note(d, "the program was ended after %g seconds", o->seconds);
}

bool run_record(const RunOf *of, char *const *argv, const RunWishes *o, int *status, Diags *d) {
  char *binary = recorder_cached(of->module, of->program, &o->how, d);
  sigset_t mask;
  hold_signals(&mask);
  char *dir = binary ? file_temp_dir() : NULL;
  bool started = false;
  if (dir) {
    pid_t pid;
    char *runs = runs_directory(dir);
    o->say(d);
    Feed *feed = feed_start(dir, d);
    Strings env = {0};
    environment(runs, o, feed, &env);
    int err = start(binary, argv, env.at, &mask, &pid);
    strings_free(&env);
    if (err) {
      diag_error(d, "cannot run %s: %s", of->program, strerror(err));
    } else {
      started = true;
      Hang *hang = hang_watch(runs, pid, o->seconds);
      *status = wait_for(pid, &mask);
      HangEnd hung = hang_over(hang);
      ProcessEnd end = {*status, feed_end(feed)};
      size_t others = 0;
      Diags *after = diags_new();
      tell_hang(hung, o, after);
      char *recording = recording_of(runs, pid, &others);
      convert(of, binary, recording, &end, o, after);
      if (others)
        diag_note(after,
                  "%zu other process%s of this run recorded too; only the first one becomes a schedule",
                  others, others == 1 ? "" : "es");
      o->say(after);
      diags_free(after);
      mem_free(recording);
    }
    feed_free(feed);
    file_remove_tree(dir);
    mem_free(runs);
  }
  sigprocmask(SIG_SETMASK, &mask, NULL);
  mem_free(binary), mem_free(dir);
  return started;
}

// It decides what the schedules are: one that lies there by chance, or by somebody's intent, is none of ours.
static bool is_own(const char *recording, Diags *d) {
  struct stat st;
  if (!recording || stat(recording, &st) || st.st_uid == geteuid()) return true;
  diag_error(d, "%s: belongs to another user; copy it if you trust it", recording);
  return false;
}

bool run_convert(const RunOf *of, const char *from, const RunWishes *o, Diags *d) {
  size_t others = 0;
  struct stat st;
  char *process = file_join(from, "process");
  char *recording = stat(process, &st) == 0 ? mem_string(from) : recording_of(from, -1, &others);
  RecorderOptions how = {0};
  ProcessEnd unknown = {-1, NULL};
  char *binary = is_own(recording, d) ? recorder_cached(of->module, of->program, &how, d) : NULL;
  bool ok = binary && convert(of, binary, recording, &unknown, o, d);
  mem_free(process), mem_free(recording), mem_free(binary);
  return ok;
}
