#include "run.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "core/core.h"
#include "stands.h"

extern char **environ;
enum { TICK = 20 };

double replay_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int memory_file(const void *at, size_t size) {
  int fd = memfd_create("specialize", MFD_CLOEXEC);
  if (fd >= 0 && (file_write_fd(fd, at, size) || lseek(fd, 0, SEEK_SET))) close(fd), fd = -1;
  return fd;
}

// What the run read from it, or nothing.
static int standard_input(const Schedule *c, const Sigma *s) {
  for (vec_each(i, &c->inputs)) {
    const SigmaInput *in = &c->inputs.at[i];
    if (strcmp(sigma_text(s, in->name), "stdin") || in->lost || in->hash != SIGMA_NONE) continue;
    return memory_file(in->copy.at, in->copy.len);
  }
  return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static bool is_replaced(const Sigma *s, const Schedule *c, const char *variable) {
  size_t n = strcspn(variable, "=");
  if (n == strlen(RT_REPLAY_ENV) && !strncmp(variable, RT_REPLAY_ENV, n)) return true;
  for (vec_each(i, &c->env)) {
    const char *name = sigma_text(s, c->env.at[i].name);
    if (strlen(name) == n && !strncmp(name, variable, n)) return true;
  }
  return false;
}

// What these name is loaded, run or written to by the libraries of the program itself.
static bool may_set(const char *name) {
  static const char *const begins[] = {"LD_",  "SPECIALIZE_", "PYTHON", "PERL",  "RUBY",
                                       "GIT_", "MALLOC_",     "GLIBC_", "BASH_", "DYLD_"};
  static const char *const ends[] = {"_OPTIONS", "_OPTS", "PATH", "PRELOAD", "_MODULES"};
  static const char *const all[] = {
      "ENV",           "IFS",     "SHELL",       "SHELLOPTS",    "EDITOR",           "VISUAL",
      "PAGER",         "BROWSER", "HOSTALIASES", "TZDIR",        "GETCONF_DIR",      "NLSPATH",
      "LOCPATH",       "TMPDIR",  "RES_OPTIONS", "NODE_OPTIONS", "RESOLV_HOST_CONF", "PS4",
      "PROMPT_COMMAND"};
  bool bad = false;
  size_t n = strlen(name);
  for (size_t i = 0; i < sizeof begins / sizeof *begins; ++i)
    bad |= !strncmp(name, begins[i], strlen(begins[i]));
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
    bad |= n >= strlen(ends[i]) && !strcmp(name + n - strlen(ends[i]), ends[i]);
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) bad |= !strcmp(name, all[i]);
  return !bad;
}

// A recording has the variables that the program asks for; their names stand in its code.
static bool is_named(LLVMModuleRef m, const char *name) {
  size_t n = strlen(name), len;
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    LLVMValueRef text = LLVMGetInitializer(g);
    if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text)) continue;
    const char *s = LLVMGetAsString(text, &len);
    if (len >= n && !strncmp(s, name, n) && (len == n || !s[n])) return true;
  }
  return false;
}

const char *replay_forbidden(const Sigma *s, const Schedule *c, LLVMModuleRef m) {
  for (vec_each(i, &c->env)) {
    const char *name = sigma_text(s, c->env.at[i].name), *own = getenv(name);
    const char *value = sigma_text(s, c->env.at[i].value);
    bool same = value ? own && !strcmp(own, value) : !own;
    bool may = may_set(name) && (!m || is_named(m, name));
    if (!may && value && !same) return name;
  }
  return NULL;
}

static void environment(const Sigma *s, const Schedule *c, int table, Strings *out) {
  for (char **e = environ; *e; ++e)
    if (!is_replaced(s, c, *e)) vec_push(out, mem_string(*e));
  for (vec_each(i, &c->env))
    if (c->env.at[i].value != SIGMA_NONE)
      vec_push(out, mem_format("%s=%s", sigma_text(s, c->env.at[i].name), sigma_text(s, c->env.at[i].value)));
  vec_push(out, mem_format(RT_REPLAY_ENV "=/proc/%ld/fd/%d", (long)getpid(), table));
  vec_push(out, NULL);
}

static void arguments(const ReplayRun *r, const Schedule *c, Strings *out) {
  for (vec_each(i, &c->argv)) vec_push(out, mem_string(sigma_text(r->witness, c->argv.at[i])));
  if (!out->len) vec_push(out, mem_string(r->binary));
  vec_push(out, NULL);
}

typedef struct {
  int in, out[2], err[2], told[2];  // told: why it was not started
} Pipes;

static bool pipes_open(Pipes *p, int in) {
  *p = (Pipes){in, {-1, -1}, {-1, -1}, {-1, -1}};
  return in >= 0 && !pipe2(p->out, O_CLOEXEC) && !pipe2(p->err, O_CLOEXEC) && !pipe2(p->told, O_CLOEXEC);
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}
static void pipes_shut(Pipes *p) {
  shut(&p->in);
  for (int i = 0; i < 2; ++i) shut(&p->out[i]), shut(&p->err[i]), shut(&p->told[i]);
}

// In the child: only what a signal handler could do too.
_Noreturn static void become(const Pipes *p, const char *binary, char **argv, char **envp) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigset_t none;
  sigemptyset(&none);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  sigaction(SIGXFSZ, &usual, NULL);
  sigaction(SIGPIPE, &usual, NULL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int persona = personality(0xffffffff);
  if (persona >= 0) personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
  if (dup2(p->in, 0) >= 0 && dup2(p->out[1], 1) >= 0 && dup2(p->err[1], 2) >= 0) execve(binary, argv, envp);
  int error = errno;
  ssize_t n = write(p->told[1], &error, sizeof error);
  _exit(n < 0 ? 126 : 127);
}

static void keep(Bytes *all, const unsigned char *at, size_t n) {
  if (all->len < LIMIT_REPLAY_OUTPUT)
    vec_append(all, at, n < LIMIT_REPLAY_OUTPUT - all->len ? n : LIMIT_REPLAY_OUTPUT - all->len);
}

// What is there; false at the end.
static bool drain(int fd, Bytes *all) {
  unsigned char some[1 << 16];
  ssize_t n;
  while ((n = read(fd, some, sizeof some)) > 0) keep(all, some, (size_t)n);
  return n < 0 && (errno == EAGAIN || errno == EINTR);
}

// Others may hold the pipes open for longer than the process lives.
static void watch(pid_t pid, Pipes *p, double until, const RtReplay *live, ReplayEnd *e) {
  bool ended = false;
  StandsLook look = {0};
  struct pollfd at[2] = {{p->out[0], POLLIN, 0}, {p->err[0], POLLIN, 0}};
  fcntl(p->out[0], F_SETFL, O_NONBLOCK);
  fcntl(p->err[0], F_SETFL, O_NONBLOCK);
  while (!ended) {
    if (at[0].fd < 0 && at[1].fd < 0)
      usleep(TICK * 100);
    else
      poll(at, 2, TICK);
    ended = waitpid(pid, &e->status, WNOHANG) == pid;
    if (at[0].fd >= 0 && !drain(p->out[0], &e->out)) at[0].fd = -1;
    if (at[1].fd >= 0 && !drain(p->err[0], &e->err)) at[1].fd = -1;
    if (!ended && live) e->stood = stands_seen(live, pid, &look);
    if (ended || (replay_clock() < until && !stop_wanted() && !e->stood)) continue;
    e->timed_out = !e->stood;
    kill(-pid, SIGKILL);
    while (waitpid(pid, &e->status, 0) < 0 && errno == EINTR) continue;
    ended = true;
  }
  kill(-pid, SIGKILL);
}

// What the program writes there while it runs. NULL: nobody wants to know.
static const RtReplay *live_table(const ReplayRun *r, int table) {
  if (r->table->mode != RT_REPLAY_STAND) return NULL;
  void *p = mmap(NULL, replay_size(r->table), PROT_READ, MAP_SHARED, table, 0);
  return p == MAP_FAILED ? NULL : p;
}

static void run(const ReplayRun *r, Pipes *p, int table, char **argv, char **envp, ReplayEnd *e) {
  double until = replay_clock() + r->timeout;
  pid_t pid = fork();
  if (pid == 0) become(p, r->binary, argv, envp);
  e->error = errno;
  if (pid < 0) return;
  setpgid(pid, pid);
  shut(&p->out[1]), shut(&p->err[1]), shut(&p->told[1]);
  ssize_t n;
  while ((n = read(p->told[0], &e->error, sizeof e->error)) < 0 && errno == EINTR) continue;
  e->started = n != (ssize_t)sizeof e->error;
  const RtReplay *live = live_table(r, table);
  watch(pid, p, until, live, e);
  if (live) munmap((void *)(uintptr_t)live, replay_size(r->table));
}

// Behind the table, from a page on.
static bool add_watch(int file, const ReplayRun *r) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), at = (replay_size(r->table) + page - 1) / page * page;
  size_t head =
      (size_t)(watch_wanted((RtWatch *)(uintptr_t)r->watch) - (const uint8_t *)r->watch) + r->watch->accesses;
  if (ftruncate(file, (off_t)(at + watch_size(r->watch)))) return false;
  r->table->watch = at;
  return pwrite(file, r->watch, head, (off_t)at) == (ssize_t)head &&
         pwrite(file, r->table, sizeof *r->table, 0) == (ssize_t)sizeof *r->table;
}

static void take_watch(int file, const ReplayRun *r, ReplayEnd *e) {
  size_t size = watch_size(r->watch);
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, (off_t)r->table->watch);
  if (p != MAP_FAILED) e->watch = p, e->mapped = size;
}

ReplayEnd replay_once(const ReplayRun *r) {
  ReplayEnd e = {0};
  const Schedule *c = r->witness->schedules.at[r->schedule];
  Strings argv = {0}, envp = {0};
  Pipes p;
  int table = memory_file(r->table, replay_size(r->table));
  bool ready = table >= 0 && (!r->watch || add_watch(table, r));
  if (pipes_open(&p, standard_input(c, r->witness)) && ready) {
    arguments(r, c, &argv);
    environment(r->witness, c, table, &envp);
    run(r, &p, table, argv.at, envp.at, &e);
    if (pread(table, r->table, replay_size(r->table), 0) != (ssize_t)replay_size(r->table)) e.started = false;
    if (r->watch && e.started) take_watch(table, r, &e);
  } else {
    e.error = errno;
  }
  pipes_shut(&p);
  if (table >= 0) close(table);
  strings_free(&argv);
  strings_free(&envp);
  return e;
}

void replay_end_free(ReplayEnd *e) {
  vec_free(&e->out);
  vec_free(&e->err);
  if (e->watch) munmap(e->watch, e->mapped);
  e->watch = NULL;
}
