#include "harness.h"
#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>

const RtProgram rt_program = {RT_PROGRAM_VERSION, 0, {'t', 'e', 's', 't', 1, 2, 3, 4, 5}, NULL};

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
  (void)st, (void)kind, (void)at;
  return remove(path);
}

char *harness_dir(void) {
  const char *tmp = getenv("TMPDIR"), *fast = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
  char path[300];
  snprintf(path, sizeof path, "%s/rt-test-XXXXXX", tmp && *tmp ? tmp : fast);
  assert(mkdtemp(path));
  return strdup(path);
}

void harness_remove(char *dir) {
  nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  free(dir);
}

int harness_run(const char *name, const char *dir, void (*before)(const char *)) {
  pid_t pid = fork();
  assert(pid >= 0);
  if (!pid) {
    setenv("SPECIALIZE_DIR", dir, 1);
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0:use_sigaltstack=0", 1);
    setenv("TSAN_OPTIONS", "handle_segv=0:handle_abort=0:use_sigaltstack=0:die_after_fork=0:report_thread_leaks=0", 1);
    if (before) before(dir);
    execl("/proc/self/exe", "test", "run", name, (char *)NULL);
    _exit(127);
  }
  int status;
  assert(waitpid(pid, &status, 0) == pid);
  return status;
}

static int by_start(const void *a, const void *b) {
  return strcmp(a, b);
}

int harness_list(const char *dir, char names[64][300]) {
  DIR *d = opendir(dir);
  int n = 0;
  for (struct dirent *e; d && (e = readdir(d));)
    if (e->d_name[0] >= '0' && e->d_name[0] <= '9' && n < 64)
      snprintf(names[n++], 300, "%s/%s", dir, e->d_name);
  if (d) closedir(d);
  qsort(names, (size_t)n, sizeof names[0], by_start);
  return n;
}

RtRecording *harness_open(const char *dir) {
  static char names[64][300];
  assert(harness_list(dir, names) == 1);
  const char *why = NULL;
  RtRecording *r = rt_recording_open(names[0], &why);
  if (!r) fprintf(stderr, "%s: %s\n", names[0], why);
  assert(r);
  return r;
}

struct timespec seconds_from_now(clockid_t clock, double s) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += (time_t)s;
  t.tv_nsec += (long)((s - (double)(time_t)s) * 1e9);
  if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, ++t.tv_sec;
  return t;
}

int harness_main(int argc, char **argv, const Scenario *all) {
  bool run = argc == 3 && !strcmp(argv[1], "run");
  for (const Scenario *s = all; s->name; ++s) {
    if (run && !strcmp(argv[2], s->name)) return s->run(), 0;
    if (run || (argc == 2 && strcmp(argv[1], s->name)) || (s->bare && SANITIZED)) continue;
    fprintf(stderr, "%s\n", s->name);
    char *dir = harness_dir();
    int status = harness_run(s->name, dir, s->before);
    s->check(dir, status);
    harness_remove(dir);
  }
  return run ? 3 : 0;
}
