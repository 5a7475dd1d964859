// Loaded into a command and what it starts: in the place of a program that specialize-cc has built,
// `specialize exec-recorded` is started, which becomes its recording variant. Everything else is left as it
// is. May run in the child of vfork, so it keeps nothing and allocates nothing.
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))
enum { MOST = 1 << 16, BEFORE = 5 };  // arguments; of our own
extern char **environ;

typedef int Exec(const char *path, char *const argv[], char *const env[]);
typedef int Spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                  const posix_spawnattr_t *attributes, char *const argv[], char *const env[]);
static Exec *real_execve, *real_execvpe;
static Spawn *real_spawn, *real_spawnp;
static char tool[PATH_MAX], folder[PATH_MAX], seed[16];

static void find(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

// The parts of SPECIALIZE_EXEC: seed:folder:tool.
static bool take_wish(const char *wish) {
  const char *first = wish ? strchr(wish, ':') : NULL, *second = first ? strchr(first + 1, ':') : NULL;
  if (!second || (size_t)(first - wish) >= sizeof seed || second - first > PATH_MAX) return false;
  memcpy(seed, wish, (size_t)(first - wish));
  memcpy(folder, first + 1, (size_t)(second - first - 1));
  return snprintf(tool, sizeof tool, "%s", second + 1) < (int)sizeof tool;
}

__attribute__((constructor)) static void start(void) {
  find("execve", &real_execve), find("execvpe", &real_execvpe);
  find("posix_spawn", &real_spawn), find("posix_spawnp", &real_spawnp);
  if (!take_wish(secure_getenv("SPECIALIZE_EXEC"))) tool[0] = 0;
}

static bool has_module(const unsigned char *file, size_t size) {
  static const char name[] = ".spec.module";
  Elf64_Ehdr h;
  Elf64_Shdr s, names;
  if (size < sizeof h) return false;
  memcpy(&h, file, sizeof h);
  bool fits = h.e_ident[EI_CLASS] == ELFCLASS64 && !memcmp(h.e_ident, ELFMAG, SELFMAG) &&
              h.e_shentsize == sizeof s && h.e_shoff < size && h.e_shstrndx < h.e_shnum &&
              (size - h.e_shoff) / sizeof s >= h.e_shnum;
  if (!fits) return false;
  memcpy(&names, file + h.e_shoff + h.e_shstrndx * sizeof s, sizeof s);
  if (names.sh_offset > size || size - names.sh_offset < names.sh_size) return false;
  for (unsigned i = 0; i < h.e_shnum; ++i) {
    memcpy(&s, file + h.e_shoff + i * sizeof s, sizeof s);
    bool whole = s.sh_name < names.sh_size && names.sh_size - s.sh_name >= sizeof name;
    if (whole && !memcmp(file + names.sh_offset + s.sh_name, name, sizeof name)) return true;
  }
  return false;
}

static bool is_ours(const char *path) {
  struct stat st;
  int saved = errno, file = tool[0] && path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
  bool ours = false;
  if (file >= 0 && !fstat(file, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
    size_t size = (size_t)st.st_size;
    void *p = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (p != MAP_FAILED) ours = has_module(p, size), munmap(p, size);
  }
  if (file >= 0) close(file);
  errno = saved;
  return ours && !access(path, X_OK);
}

// The file that execvp would take. False: there is none, or the name is too long.
static bool find_file(const char *name, char *out) {
  const char *path = getenv("PATH");
  if (strchr(name, '/')) return snprintf(out, PATH_MAX, "%s", name) < PATH_MAX;
  for (const char *p = path ? path : "/bin:/usr/bin"; *p || p == path;) {
    int len = (int)strcspn(p, ":");
    bool fits = snprintf(out, PATH_MAX, "%.*s%s%s", len, p, len ? "/" : "", name) < PATH_MAX;
    if (fits && !access(out, X_OK)) return true;
    if (!p[len]) break;
    p += len + 1;
  }
  return false;
}

static size_t count(char *const argv[]) {
  size_t n = 0;
  while (argv && argv[n]) ++n;
  return n;
}

// Room for BEFORE and all of argv and NULL.
static void exchange(const char *path, char *const argv[], char **out) {
  static char verb[] = "exec-recorded";
  size_t n = count(argv);
  out[0] = tool, out[1] = verb, out[2] = folder, out[3] = seed, out[4] = (char *)(uintptr_t)path;
  memcpy(out + BEFORE, argv, n * sizeof *argv);
  out[BEFORE + n] = NULL;
}

SHOWN int execve(const char *path, char *const argv[], char *const env[]) {
  size_t n = count(argv);
  if (!n || n > MOST || !is_ours(path)) return real_execve(path, argv, env);
  char *with[BEFORE + n + 1];
  exchange(path, argv, with);
  return real_execve(tool, with, env);
}

SHOWN int execvpe(const char *name, char *const argv[], char *const env[]) {
  char path[PATH_MAX];
  bool found = find_file(name, path) && is_ours(path);
  return found ? execve(path, argv, env) : real_execvpe(name, argv, env);
}

SHOWN int execv(const char *path, char *const argv[]) {
  return execve(path, argv, environ);
}
SHOWN int execvp(const char *name, char *const argv[]) {
  return execvpe(name, argv, environ);
}

static int spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const argv[], char *const env[]) {
  char *with[BEFORE + count(argv) + 1];
  exchange(path, argv, with);
  return real_spawn(pid, tool, actions, attributes, with, env);
}

SHOWN int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                      const posix_spawnattr_t *attributes, char *const argv[], char *const env[]) {
  size_t n = count(argv);
  if (!n || n > MOST || !is_ours(path)) return real_spawn(pid, path, actions, attributes, argv, env);
  return spawn(pid, path, actions, attributes, argv, env);
}

SHOWN int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const env[]) {
  char path[PATH_MAX];
  size_t n = count(argv);
  bool ours = n && n <= MOST && find_file(name, path) && is_ours(path);
  if (!ours) return real_spawnp(pid, name, actions, attributes, argv, env);
  return spawn(pid, path, actions, attributes, argv, env);
}

// -- arguments one by one

static size_t listed(va_list from) {
  size_t n = 1;
  while (va_arg(from, char *)) ++n;
  return n;
}

static void take(va_list from, const char *first, char **out) {
  *out++ = (char *)(uintptr_t)first;
  do *out = va_arg(from, char *);
  while (*out++);
}

#define LISTED(argv, first)      \
  va_list args, again;           \
  va_start(args, first);         \
  va_copy(again, args);          \
  char *argv[listed(again) + 1]; \
  va_end(again);                 \
  take(args, first, argv)

SHOWN int execl(const char *path, const char *first, ...) {
  LISTED(argv, first);
  va_end(args);
  return execve(path, argv, environ);
}
SHOWN int execlp(const char *name, const char *first, ...) {
  LISTED(argv, first);
  va_end(args);
  return execvpe(name, argv, environ);
}
SHOWN int execle(const char *path, const char *first, ...) {
  LISTED(argv, first);
  char *const *env = va_arg(args, char *const *);
  va_end(args);
  return execve(path, argv, env);
}
