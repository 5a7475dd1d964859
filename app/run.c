#include "run.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void args_add(Args *a, const char *s) {
  vec_push(a, mem_string(s));
}

void args_addf(Args *a, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  vec_push(a, mem_vformat(fmt, args));
  va_end(args);
}

void args_all(Args *a, char *const *from) {
  for (; *from; ++from) args_add(a, *from);
}

char **args_done(Args *a) {
  vec_reserve(a, 1);
  a->at[a->len] = NULL;
  return a->at;
}

void args_free(Args *a) {
  strings_free(a);
}

static volatile pid_t child;

static void pass_on(int sig) {
  int saved = errno;
  if (child > 0) kill(child, sig);
  errno = saved;
}

static const int passed[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};
enum { PASSED = sizeof passed / sizeof *passed };

static int spawn(char *const *argv, int out_fd, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (out_fd >= 0) posix_spawn_file_actions_adddup2(&actions, out_fd, 1);
  int err = posix_spawn(pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return err;
}

// What was ignored (nohup) stays ignored, here and in the child; handlers do not survive into the child.
static void pass_signals(void) {
  struct sigaction act = {.sa_handler = pass_on, .sa_flags = SA_RESTART}, old;
  for (int i = 0; i < PASSED; ++i)
    if (sigaction(passed[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) sigaction(passed[i], &act, NULL);
}

static int wait_for(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  child = 0;
  return status;
}

int run_wait(char *const *argv, int out_fd) {
  pass_signals();
  pid_t pid;
  int err = spawn(argv, out_fd, &pid);
  if (err) return errno = err, -1;
  child = pid;
  return wait_for(pid);
}

int run_collect(char *const *argv, Bytes *out) {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC)) return -1;
  pass_signals();
  pid_t pid;
  int err = spawn(argv, fds[1], &pid);
  close(fds[1]);
  if (!err) {
    child = pid;
    file_read_fd(fds[0], out);
  }
  close(fds[0]);
  if (err) return errno = err, -1;
  return wait_for(pid);
}

int run_instead(char *const *argv) {
  return execv(argv[0], argv);
}

_Noreturn void end_like(int status) {
  if (WIFSIGNALED(status)) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);  // the core that matters is the other one's
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    _exit(128 + WTERMSIG(status));
  }
  exit(WEXITSTATUS(status));
}

// Without /proc as the kernel was told it, which may be relative: asked for before the directory changes.
char *self_path(void) {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n > 0) return mem_format("%.*s", (int)n, path);
  const char *started = (const char *)getauxval(AT_EXECFN);  // NOLINT: that is how it is given
  char *real = started ? realpath(started, NULL) : NULL, *own = mem_string(real ? real : "./specialize");
  free(real);
  return own;
}

char *self_dir(void) {
  char *path = self_path();
  *strrchr(path, '/') = 0;
  return path;
}

char *clang_path(bool cxx) {
  const char *user = getenv("SPECIALIZE_CLANG");
  const char *c = user && *user ? user : SPECIALIZE_CLANG_PATH;
  if (!cxx) return mem_string(c);
  // clang++ stands beside clang: clang-19 → clang++-19.
  const char *base = strstr(file_base(c), "clang");
  if (!base) return mem_string(c);
  return mem_format("%.*s++%s", (int)(base + 5 - c), c, base + 5);
}

bool env_on(const char *name) {
  const char *v = getenv(name);
  return v && *v && strcmp(v, "0");
}

void env_check(Diags *d) {
  static const char *const known[] = {
#define X(name, what) name,
#include "env.def"
#undef X
  };
  for (char **e = environ; *e; ++e) {
    if (strncmp(*e, "SPECIALIZE_", 11)) continue;
    size_t len = strcspn(*e, "="), i = 0, count = sizeof known / sizeof *known;
    while (i < count && (strlen(known[i]) != len || strncmp(known[i], *e, len))) ++i;
    if (i == count) diag_warning(d, "unknown environment variable %.*s ignored", (int)len, *e);
  }
}
