#include "file.h"
#include "limits.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int file_read_fd(int fd, Bytes *out) {
  struct stat st;
  bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  size_t guess = regular ? (size_t)st.st_size + 1 : 4096;
  for (;;) {
    if (!regular && out->len > LIMIT_STREAM) return EFBIG;
    vec_reserve(out, out->len ? 4096 : guess);
    ssize_t n = read(fd, out->at + out->len, out->cap - out->len);
    if (n == 0) return 0;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    out->len += (size_t)n;
  }
}

int file_read(const char *path, Bytes *out) {
  assert(!out->len);  // what is there would be lost with an error
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  struct stat st;
  int err = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? EISDIR : file_read_fd(fd, out);
  close(fd);
  if (err) vec_free(out);
  return err;
}

int file_write_fd(int fd, const void *data, size_t len) {
  assert(data || !len);
  for (const char *p = data; len;) {
    ssize_t n = write(fd, p, len);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    assert((size_t)n <= len);
    p += n;
    len -= (size_t)n;
  }
  return 0;
}

static int write_direct(const char *path, const void *data, size_t len) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  int err = file_write_fd(fd, data, len);
  if (close(fd) && !err) err = errno;
  return err;
}

static unsigned default_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666u & ~mask;
}

static int write_beside(char *temp, const char *path, const void *data, size_t len, unsigned mode) {
  int fd = mkostemp(temp, O_CLOEXEC);
  if (fd < 0) return errno;
  int err = file_write_fd(fd, data, len);
  if (!err && fchmod(fd, mode)) err = errno;
  if (close(fd) && !err) err = errno;
  if (!err && rename(temp, path)) err = errno;
  if (err) unlink(temp);
  return err;
}

int file_write(const char *path, const void *data, size_t len, unsigned mode) {
  assert(!(mode & ~07777u));
  struct stat st;
  bool there = stat(path, &st) == 0;
  if (there && !S_ISREG(st.st_mode)) return S_ISDIR(st.st_mode) ? EISDIR : write_direct(path, data, len);
  char *target = there ? realpath(path, NULL) : NULL;  // keep a symbolic link, replace what it names
  if (!mode) mode = there ? st.st_mode & 07777 : default_mode();
  char *temp = mem_format("%s.XXXXXX", target ? target : path);
  int err = write_beside(temp, target ? target : path, data, len, mode);
  mem_free(temp);
  free(target);
  return err;
}

static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? mem_format("%.*s", (int)(slash - path + 1), path) : mem_string(".");
}

int file_lock(const char *path) {
  char *folder = folder_of(path);
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  mem_free(folder);
  if (fd < 0) return -1;
  int err;
  do err = flock(fd, LOCK_EX) ? errno : 0;
  while (err == EINTR);
  if (!err) return fd;
  close(fd);
  return -1;
}

void file_unlock(int lock) {
  if (lock >= 0) close(lock);
}

int file_writable(const char *path) {
  struct stat st;
  bool there = stat(path, &st) == 0;
  if (there && S_ISDIR(st.st_mode)) return EISDIR;
  if (there && !S_ISREG(st.st_mode)) return access(path, W_OK) ? errno : 0;
  char *target = there ? realpath(path, NULL) : NULL, *folder = folder_of(target ? target : path);
  int err = access(folder, W_OK | X_OK) ? errno : 0;
  mem_free(folder);
  free(target);
  return err;
}

bool file_exists(const char *path) {
  return access(path, F_OK) == 0;
}

char *file_join(const char *dir, const char *name) {
  return *name == '/' ? mem_string(name) : mem_format("%s/%s", dir, name);
}

const char *file_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}
