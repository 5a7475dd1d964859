// Runs a program that records, with the user's terminal, signals and exit status untouched, and makes a
// schedule of what it left.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "alias/alias.h"
#include "record/record.h"
#include "options.h"
#include "core/core.h"
#include "app/app.h"
#include "rt/rt.h"
#include "verbs.h"

enum { OUT, ORDER, EXCLUDE, MAX_EVENTS, PATH_TRACE, VERBOSE, FROM, CANNOT_START = 125 };
static const Option options[] = {
    {"-o", "SIGMA", "the file to add the schedule to (default: PROGRAM.sigma)"},
    {"--order", "ORDER", "what to enforce later: hb (default) or total"},
    {"--exclude", "WHAT", "leave locks out: a file that names them, or auto, or auto:EVENTS"},
    {"--max-events", "N", "stop recording, not the program, after N events"},
    {"--path", NULL, "record branches too"},
    {"--verbose", NULL, "name every function outside that might call back unseen, not only the first"},
    {"--from", "DIR", "convert what a recording program left in DIR; then only PROGRAM is given"}};
static const Usage usage = {
    "record",
    "[-o SIGMA] -- PROGRAM [arguments]",
    "Runs PROGRAM, which was built with specialize-cc, and adds the schedule of the run to a file of\n"
    "schedules. The program has its usual input, output, signals and exit status, which is also that\n"
    "of this command (125 if the program could not be started).",
    "  specialize record -o app.sigma -- ./app 2 100\n"
    "  specialize record -o app.sigma --from DIR ./app\n",
    options,
    sizeof options / sizeof *options};

extern char **environ;

static char *find_program(const char *name) {
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

static int start(const char *binary, char *const *argv, pid_t *pid) {
  posix_spawnattr_t attr;
  sigset_t defaults;
  posix_spawnattr_init(&attr);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGXFSZ);  // main ignores it
  posix_spawnattr_setsigdefault(&attr, &defaults);
  posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
  int err = posix_spawn(pid, binary, NULL, &attr, argv, environ);
  posix_spawnattr_destroy(&attr);
  return err;
}

static volatile pid_t running;
static void pass_on(int sig) {
  if (running > 0) kill(running, sig);
}

// The terminal sends its signals to the program too: we only must not die of them before it does.
static int wait_for(pid_t pid) {
  static const int ours[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  struct sigaction pass = {.sa_handler = pass_on}, ignore = {.sa_handler = SIG_IGN};
  running = pid;
  for (int i = 0; i < 4; ++i) sigaction(ours[i], &pass, NULL);
  sigaction(SIGINT, &ignore, NULL);
  sigaction(SIGQUIT, &ignore, NULL);
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

static Sigma *open_sigma(const char *path, const Program *l, const char *program, Diags *d) {
  if (!file_exists(path)) return sigma_new(file_base(program), l->hash_text);
  Sigma *s = sigma_read(path, d);
  if (s && strcmp(sigma_text(s, s->module), l->hash_text)) {
    diag_error(d, "%s: belongs to another module than %s (%s, this is %s)", path, program,
               sigma_text(s, s->module), l->hash_text);
    diag_note(d,
              "the program was changed since: `specialize rebase` takes over what still holds, or use "
              "another file");
    sigma_free(s);
    return NULL;
  }
  return s;
}

// What is recorded goes with the schedules that are there; what is wrong with them is said when it is added.
static bool open_program(const char *program, const char *path, Program *l, Diags *d) {
  if (!program_open(program, targets_find, l, d)) return false;
  Diags *later = diags_new();
  Sigma *s = file_exists(path) ? sigma_read(path, later) : NULL;
  if (s) program_suit(l, s);
  sigma_free(s);
  diags_free(later);
  return true;
}

static void tell(const Sigma *s, uint32_t id, bool added, const char *path) {
  const Schedule *c = s->schedules.at[id];
  if (!added)
    fprintf(stderr, "specialize: this run follows schedule %u of %s, which has it already\n", id, path);
  else
    fprintf(stderr, "specialize: schedule %u added to %s: %zu thread%s, %zu events, %s%s\n", id, path,
            (size_t)c->threads, c->threads == 1 ? "" : "s", c->events.len,
            c->status == SIGMA_EXACT ? "exact constraint" : "constraint false",
            c->incomplete ? ", incomplete" : "");
  if (added && c->left_out)
    fprintf(stderr, "specialize: %" PRIu64 " operations on excluded objects are not in it (%.1f %% are)\n",
            c->left_out, 100 * schedule_share(c));
}

typedef struct {
  SigmaOrder order;
  int status;  // of the program; -1: not known
  const char *exclude;
  const Stored *in;  // NULL: not known
} Wishes;

static bool convert(const Program *l, const char *binary, const char *program, const char *recording,
                    const char *path, const Wishes *o, Diags *d) {
  const char *why = NULL;
  progress("reading the recording");
  RtRecording *r = recording ? rt_recording_open(recording, &why) : NULL;
  if (!r)
    return progress(NULL), diag_error(d, "no recording: %s", why ? why : "the program left none"), false;
  progress("reading the schedules that are there");
  Sigma *s = open_sigma(path, l, program, d);
  progress("making a schedule of the recording");
  bool added = false, ok = false;
  if (memcmp(rt_recording_process(r)->hash, l->hash, HASH_BYTES)) {
    diag_error(d, "the recording is of another program than %s", program);
  } else if (s) {
    Exclude exclude;
    ImportOptions how = {o->order, o->status, o->in, &exclude};
    ImportNames names = {l->sites, l->graph, l->sync, binary};
    size_t excluded = s->exclusions.len;
    uint32_t id = exclude_read(s, o->exclude, &exclude, d) ? import_recording(s, r, &names, &how, &added, d)
                                                           : SIGMA_NONE;
    bool changed = added || s->exclusions.len > excluded;
    if (changed) progress("writing the schedules");
    ok = id != SIGMA_NONE && (!changed || sigma_save(s, path, d));
    progress(NULL);
    if (ok) tell(s, id, added, path);
    exclude_free(&exclude);
  }
  progress(NULL);
  sigma_free(s);
  rt_recording_close(r);
  return ok;
}

static bool read_options(const Parsed *p, Wishes *o, Diags *d) {
  const char *order = p->value[ORDER];
  if (order && strcmp(order, "hb") && strcmp(order, "total"))
    return diag_error(d, "--order %s: it is hb or total", order), false;
  if (order && *order == 't') setenv("SPECIALIZE_ORDER", "total", 1);
  o->order = order && *order == 't' ? SIGMA_TOTAL : SIGMA_HB;
  o->status = -1;
  o->in = NULL;
  o->exclude = p->value[EXCLUDE];
  Sigma *none = sigma_new("", "");  // whether it can be read is said before the program runs
  Exclude what;
  bool readable = exclude_read(none, o->exclude, &what, d);
  exclude_free(&what);
  sigma_free(none);
  if (!readable) return false;
  const char *max = p->value[MAX_EVENTS];
  if (max && (!*max || strspn(max, "0123456789") != strlen(max)))
    return diag_error(d, "--max-events %s: not a number", max), false;
  if (max) setenv("SPECIALIZE_MAX_EVENTS", max, 1);
  return true;
}

// The runtime makes it. A program that root starts may go on as another user: it must get there.
static char *runs_directory(const char *dir) {
  if (!geteuid()) chmod(dir, 0711);
  char *runs = file_join(dir, "runs");
  setenv("SPECIALIZE_DIR", runs, 1);
  return runs;
}

// The status to end with, or -1: as the program did, whose wait status is in *status.
static int run_and_convert(const Program *l, char *const *argv, const char *program, const char *path,
                           const RecorderOptions *how, Wishes *o, Diags *d) {
  char *binary = recorder_cached(l, program, how, d), *dir = binary ? file_temp_dir() : NULL;
  int status = CANNOT_START;
  if (dir) {
    pid_t pid;
    char *runs = runs_directory(dir);
    diags_print(d, stderr, "specialize");
    Feed *feed = feed_start(dir, d);
    int err = start(binary, argv, &pid);
    if (err) {
      diag_error(d, "cannot run %s: %s", program, strerror(err));
    } else {
      o->status = wait_for(pid);
      o->in = feed_end(feed);
      size_t others = 0;
      Diags *after = diags_new();
      char *recording = recording_of(runs, pid, &others);
      convert(l, binary, program, recording, path, o, after);
      if (others)
        diag_note(after, "%zu other process%s of this run recorded too; they are not schedules of main",
                  others, others == 1 ? "" : "es");
      diags_print(after, stderr, "specialize");
      diags_free(after);
      mem_free(recording);
      status = -1;
    }
    feed_free(feed);
    file_remove_tree(dir);
    mem_free(runs);
  }
  if (status == CANNOT_START) diags_print(d, stderr, "specialize");
  mem_free(binary), mem_free(dir);
  return status;
}

static int convert_left(const Program *l, const char *program, const char *from, const char *path,
                        const Wishes *o, Diags *d) {
  size_t others = 0;
  struct stat st;
  char *process = file_join(from, "process");
  char *recording = stat(process, &st) == 0 ? mem_string(from) : recording_of(from, -1, &others);
  RecorderOptions how = {0};
  char *binary = recorder_cached(l, program, &how, d);
  bool ok = binary && convert(l, binary, program, recording, path, o, d);
  mem_free(process), mem_free(recording), mem_free(binary);
  diags_print(d, stderr, "specialize");
  return ok ? EXIT_CLEAN : EXIT_USAGE;
}

int verb_record(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, SIZE_MAX, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  Wishes o;
  char *program = find_program(p.operands.at[0]);
  char *path = p.value[OUT] ? mem_string(p.value[OUT]) : mem_format("%s.sigma", file_base(program));
  env_check(d);
  RecorderOptions how = {.branches = p.value[PATH_TRACE] != NULL, .verbose = p.value[VERBOSE] != NULL};
  status = EXIT_USAGE;
  if (!read_options(&p, &o, d)) {
    diags_print(d, stderr, "specialize");
  } else if (!open_program(program, path, &l, d)) {
    diags_print(d, stderr, "specialize");
    status = p.value[FROM] ? EXIT_USAGE : CANNOT_START;
  } else if (p.value[FROM]) {
    status = convert_left(&l, program, p.value[FROM], path, &o, d);
  } else {
    vec_push(&p.operands, NULL);
    status = run_and_convert(&l, (char *const *)p.operands.at, program, path, &how, &o, d);
  }
  program_free(&l);
  diags_free(d);
  mem_free(program), mem_free(path);
  vec_free(&p.operands);
  if (status < 0) end_like(o.status);
  return status;
}
