#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "host.h"

long read(int fd, void *to, unsigned long n) {
  return host_read(fd, to, n, -1);
}
long write(int fd, const void *from, unsigned long n) {
  return host_write(fd, from, n, -1);
}
long pread(int fd, void *to, unsigned long n, off_t at) {
  return host_read(fd, to, n, at);
}
long pread64(int fd, void *to, unsigned long n, off_t at) {
  return host_read(fd, to, n, at);
}
long pwrite(int fd, const void *from, unsigned long n, off_t at) {
  return host_write(fd, from, n, at);
}
long pwrite64(int fd, const void *from, unsigned long n, off_t at) {
  return host_write(fd, from, n, at);
}
off_t lseek(int fd, off_t by, int whence) {
  return host_seek(fd, by, whence);
}
off_t lseek64(int fd, off_t by, int whence) {
  return host_seek(fd, by, whence);
}
int open(const char *path, int flags, ...) {
  return host_open(path, flags);
}
int open64(const char *path, int flags, ...) {
  return host_open(path, flags);
}
int openat(int dir, const char *path, int flags, ...) {
  if (dir != AT_FDCWD && *path != '/') host_refuse("openat in another directory, which has no model");
  return host_open(path, flags);
}
int creat(const char *path, mode_t mode) {
  (void)mode;
  return host_open(path, O_CREAT | O_WRONLY | O_TRUNC);
}
int close(int fd) {
  return host_close(fd);
}
int dup(int fd) {
  return host_dup(fd, -1);
}
int dup2(int fd, int to) {
  return host_dup(fd, to);
}
int pipe(int *fds) {
  return host_pipe(fds);
}
int ftruncate(int fd, off_t n) {
  return host_truncate(fd, (unsigned long)n);
}
int ftruncate64(int fd, off_t n) {
  return host_truncate(fd, (unsigned long)n);
}
int fsync(int fd) {
  return (void)fd, 0;
}
int fdatasync(int fd) {
  return (void)fd, 0;
}
int unlink(const char *path) {
  return host_remove(path);
}

enum { REGULAR, PIPE };
static int status(const char *path, int fd, struct stat *to) {
  unsigned long words[2];
  int n = host_stat(path, fd, words);
  if (n < 0) return n;
  memset(to, 0, sizeof *to);
  if (words[1] != REGULAR && words[1] != PIPE) host_assume("standard input and output are taken to be pipes");
  to->st_size = (long)words[0];
  to->st_mode = words[1] == REGULAR ? S_IFREG | 0644 : S_IFIFO | 0600;
  to->st_nlink = 1, to->st_blksize = 4096, to->st_blocks = (long)(words[0] + 511) / 512;
  return 0;
}
int fstat(int fd, struct stat *to) {
  return status(0, fd, to);
}
int fstat64(int fd, struct stat64 *to) {
  return status(0, fd, (struct stat *)to);
}
int stat(const char *restrict path, struct stat *restrict to) {
  return status(path, -1, to);
}
int stat64(const char *restrict path, struct stat64 *restrict to) {
  return status(path, -1, (struct stat *)to);
}
int lstat(const char *restrict path, struct stat *restrict to) {
  return status(path, -1, to);
}
int access(const char *path, int mode) {
  unsigned long words[2];
  (void)mode;
  return host_stat(path, -1, words);
}
int isatty(int fd) {
  (void)fd;
  host_assume("standard input and output are taken to be pipes");
  errno = ENOTTY;
  return 0;
}

// Memory without a file behind it, and files that are only read.
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
  (void)at, (void)protection;
  void *p = host_allocate(size, 4096);
  if (!p) return MAP_FAILED;
  memset(p, 0, size);
  if (flags & MAP_ANONYMOUS) return p;
  if ((flags & MAP_TYPE) != MAP_PRIVATE && protection & PROT_WRITE)
    host_refuse("a file that is mapped to be written, which has no model");
  for (size_t n = 0; n < size;) {
    long got = host_read(fd, (char *)p + n, size - n, offset + (long)n);
    if (got < 0) return MAP_FAILED;
    if (!got) break;
    n += (size_t)got;
  }
  return p;
}
void *mmap64(void *at, size_t size, int protection, int flags, int fd, off64_t offset) {
  return mmap(at, size, protection, flags, fd, offset);
}
int munmap(void *p, size_t size) {
  if (size == host_size(p)) host_free(p);
  return 0;
}
int madvise(void *p, size_t size, int advice) {
  return (void)p, (void)size, (void)advice, 0;
}
int mprotect(void *p, size_t size, int protection) {
  return (void)p, (void)size, (void)protection, 0;
}
int posix_fadvise(int fd, off_t at, off_t n, int advice) {
  return (void)fd, (void)at, (void)n, (void)advice, 0;
}
int getpagesize(void) {
  return 4096;
}

pid_t getpid(void) {
  host_assume("the number of the process is made up");
  return 4242;
}
pid_t getppid(void) {
  host_assume("the number of the process is made up");
  return 4241;
}
int gettid(void) {
  return getpid() + (int)host_self();
}
long sysconf(int name) {
  if (name == _SC_PAGESIZE) return 4096;
  if (name == _SC_CLK_TCK) return 100;
  if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
    host_refuse("sysconf of the number of processors, which the recording does not have");
  host_refuse("sysconf, of which the recording says nothing");
}
pid_t fork(void) {
  host_refuse("fork: another process is in no recording");
}

// Signals that the program sends to itself.
typedef void Handler(int);
static Handler *handlers[65];
static Handler *set_handler(int n, Handler *to) {
  if (n < 1 || n > 64) return errno = EINVAL, (Handler *)-1;
  Handler *old = handlers[n];
  handlers[n] = to;
  return old;
}
Handler *signal(int n, Handler *to) {
  return set_handler(n, to);
}
int sigaction(int n, const struct sigaction *restrict new, struct sigaction *restrict old) {
  if (n < 1 || n > 64) return errno = EINVAL, -1;
  if (old) memset(old, 0, sizeof *old), old->sa_handler = handlers[n];
  if (new) handlers[n] = new->sa_handler;
  return 0;
}
int raise(int n) {
  Handler *h = n >= 1 && n <= 64 ? handlers[n] : 0;
  if (h == (Handler *)1) return 0;
  if (!h) host_die(n);
  h(n);
  return 0;
}
int sigemptyset(sigset_t *s) {
  return memset(s, 0, sizeof *s), 0;
}
int sigfillset(sigset_t *s) {
  return memset(s, 255, sizeof *s), 0;
}
int sigaddset(sigset_t *s, int n) {
  return ((unsigned long *)s)[0] |= 1ul << (n - 1), 0;
}
int sigdelset(sigset_t *s, int n) {
  return ((unsigned long *)s)[0] &= ~(1ul << (n - 1)), 0;
}
int pthread_sigmask(int how, const sigset_t *new, sigset_t *old) {
  (void)how, (void)new;
  if (old) sigemptyset(old);
  return 0;
}
int sigprocmask(int how, const sigset_t *new, sigset_t *old) {
  return pthread_sigmask(how, new, old);
}
unsigned alarm(unsigned n) {
  (void)n;
  host_refuse("alarm: when a signal comes is in no recording");
}
