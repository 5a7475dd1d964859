// Temporary folders, which a signal that ends the process takes along: in its handler, so by plain system
// calls.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "file.h"
#include "mem.h"

enum { MOST = 16, DEEPEST = 16 };
static char folders[MOST][PATH_MAX];  // "": none
static volatile sig_atomic_t owner;   // a forked child leaves them alone

typedef struct {
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
} Dirent;

static void empty(int fd, int depth) {
  _Alignas(8) char list[2048];
  for (long n; (n = syscall(SYS_getdents64, fd, list, sizeof list)) > 0;)
    for (long i = 0; i < n;) {
      const Dirent *d = (const Dirent *)(const void *)(list + i);
      i += d->size;
      if (!strcmp(d->name, ".") || !strcmp(d->name, "..") || !unlinkat(fd, d->name, 0) || depth == DEEPEST)
        continue;
      int inner = openat(fd, d->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0) continue;
      empty(inner, depth + 1);
      close(inner);
      unlinkat(fd, d->name, AT_REMOVEDIR);
    }
}

static void clean(int sig) {
  for (int i = 0; i < MOST && owner == getpid(); ++i) {
    int fd = *folders[i] ? open(folders[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    if (fd < 0) continue;
    empty(fd, 0);
    close(fd);
    rmdir(folders[i]);
  }
  signal(sig, SIG_DFL);
  raise(sig);
}

static void keep(const char *dir) {
  static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
  struct sigaction act = {.sa_handler = clean}, old;
  for (int i = 0; i < MOST; ++i) {
    if (*folders[i] || strlen(dir) >= sizeof folders[i]) continue;
    strcpy(folders[i], dir);
    break;
  }
  owner = getpid();
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
    if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL) sigaction(ends[i], &act, NULL);
}

char *file_temp_dir(void) {
  const char *tmp = getenv("TMPDIR");
  char *dir = mem_format("%s/specialize-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (mkdtemp(dir)) {
    keep(dir);
    return dir;
  }
  int err = errno;
  mem_free(dir);
  errno = err;
  return NULL;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
  (void)st, (void)kind, (void)at;
  return remove(path);
}

void file_remove_tree(const char *dir) {
  nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  for (int i = 0; i < MOST; ++i)
    if (!strcmp(folders[i], dir)) *folders[i] = 0;
}
