#include "inside.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "alias/alias.h"
#include "record/record.h"

static const char preload[] = "libspecialize-exec.so";

// -- in the place of the program

static bool write_text(const char *folder, const char *name, const char *text) {
  char *path = file_join(folder, name);
  int err = file_write(path, text, strlen(text), 0600);
  mem_free(path);
  return !err;
}

// What was there before is what the program gets.
static void restore_environment(void) {
  const char *loaded = getenv("LD_PRELOAD"), *rest = loaded ? strchr(loaded, ':') : NULL;
  if (loaded && strstr(loaded, preload)) {
    char *kept = rest ? mem_string(rest + 1) : NULL;
    unsetenv("LD_PRELOAD");
    if (kept) setenv("LD_PRELOAD", kept, 1);
    mem_free(kept);
  }
  unsetenv("SPECIALIZE_EXEC");
}

static char *variant_of(const char *path) {
  Diags *quiet = diags_new();
  Program l = {0};
  RecorderOptions how = {0};
  char *variant = program_open(path, targets_find, &l, quiet) ? recorder_cached(&l, path, &how, quiet) : NULL;
  program_free(&l);
  diags_free(quiet);
  return variant;
}

static char *run_folder(const char *folder, const char *path) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  char *made = mem_format("%s/run-%012ld-%09ld-XXXXXX", folder, (long)t.tv_sec, t.tv_nsec),
       *place = getcwd(NULL, 0), *real = realpath(path, NULL);
  bool ok =
      mkdtemp(made) && place && real && write_text(made, "place", place) && write_text(made, "program", real);
  free(place), free(real);
  if (ok) return made;
  mem_free(made);
  return NULL;
}

int inside_become(const char *folder, const char *seed, const char *path, char *const *argv) {
  char *made = run_folder(folder, path);
  restore_environment();
  char *variant = made ? variant_of(path) : NULL;
  if (variant) {
    char *runs = file_join(made, "runs");
    setenv("SPECIALIZE_RECORD_DIR", runs, 1);
    if (strcmp(seed, "0")) setenv("SPECIALIZE_RECORD_DELAYS", seed, 1);
    execv(variant, argv);
    unsetenv("SPECIALIZE_RECORD_DIR"), unsetenv("SPECIALIZE_RECORD_DELAYS");
    mem_free(runs);
  }
  mem_free(made), mem_free(variant);
  return execv(path, argv);
}

// -- the command

static char *loaded_with(const char *dir) {
  const char *before = getenv("LD_PRELOAD");
  bool more = before && *before;
  return mem_format("%s/" SPECIALIZE_ENFORCE_PATH "/%s%s%s", dir, preload, more ? ":" : "",
                    more ? before : "");
}

bool inside_can(const char *folder, Diags *d) {
  char *dir = self_dir();
  const char *wrong = strpbrk(dir, " :") ? dir : strchr(folder, ':') ? folder : NULL;
  if (wrong)
    diag_error(d, "%s: with a space or a colon in this name, programs of a command cannot be recorded",
               wrong);
  mem_free(dir);
  return !wrong;
}

int inside_run(const char *folder, uint32_t seed, char *const *argv) {
  const char *old = getenv("LD_PRELOAD");
  char *before = old ? mem_string(old) : NULL, *dir = self_dir(), *self = self_path();
  char *wish = mem_format("%u:%s:%s", seed, folder, self), *loaded = loaded_with(dir);
  setenv("SPECIALIZE_EXEC", wish, 1), setenv("LD_PRELOAD", loaded, 1);
  int status = run_wait(argv, -1), err = errno;
  unsetenv("SPECIALIZE_EXEC"), unsetenv("LD_PRELOAD");
  if (before) setenv("LD_PRELOAD", before, 1);
  mem_free(before), mem_free(dir), mem_free(self), mem_free(wish), mem_free(loaded);
  return errno = err, status;
}

// -- what it left

static char *read_text(const char *folder, const char *name) {
  Bytes b = {0};
  char *path = file_join(folder, name), *text = NULL;
  if (!file_read(path, &b)) text = mem_format("%.*s", (int)b.len, (const char *)b.at);
  vec_free(&b), mem_free(path);
  return text;
}

static void take_run(const char *folder, InsideRuns *out) {
  struct stat st;
  InsideRun r = {read_text(folder, "program"), read_text(folder, "place"), file_join(folder, "runs")};
  if (stat(r.recording, &st)) mem_free(r.recording), r.recording = NULL;
  if (r.program && r.place) {
    vec_push(out, r);
    return;
  }
  mem_free(r.program), mem_free(r.place), mem_free(r.recording);
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

void inside_runs(const char *folder, InsideRuns *out) {
  struct dirent **all = NULL;
  int n = scandir(folder, &all, NULL, by_name);
  for (int i = 0; i < n; ++i) {
    char *path = file_join(folder, all[i]->d_name);
    if (!strncmp(all[i]->d_name, "run-", 4)) take_run(path, out);
    mem_free(path), free(all[i]);
  }
  free(all);
}

void inside_runs_free(InsideRuns *runs) {
  for (vec_each(i, runs))
    mem_free(runs->at[i].program), mem_free(runs->at[i].place), mem_free(runs->at[i].recording);
  vec_free(runs);
}
