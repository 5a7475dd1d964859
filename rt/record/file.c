// Files of a recording: mapped ones, and the notes.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rec.h"

typedef struct {
  char at[sizeof((Recorder *)0)->directory + 64];
} Path;

static Path path_of(const char *file) {
  Path p;
  snprintf(p.at, sizeof p.at, "%s/%s", rec->directory, file);
  return p;
}

// Growing a file beyond the limit would send SIGXFSZ.
static bool may_grow_to(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

static int map_blocks(int fd, uint32_t size, void **out) {
  int e;
  while ((e = posix_fallocate(fd, 0, size)) == EINTR) continue;
  if (e) return e;
  *out = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (*out == MAP_FAILED) return errno;
  madvise(*out, size, MADV_DONTFORK);
  return 0;
}

// Files are opened, written and closed where the program's thread may have nothing that can be cancelled.
static int not_cancelled(void) {
  int before = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
  return before;
}
static void as_before(int state) {
  pthread_setcancelstate(state, &state);
}

static void *map_new(const char *file, uint32_t size) {
  if (!may_grow_to(size)) return errno = EFBIG, NULL;
  Path path = path_of(file);
  int fd = open(path.at, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return NULL;
  fchmod(fd, 0600);  // whatever the umask
  void *p = NULL;
  int e = map_blocks(fd, size, &p);
  close(fd);
  if (!e) return p;
  unlink(path.at);
  errno = e;
  return NULL;
}

// All its blocks are there before the first write: a full disk is an error here, not a SIGBUS later.
HIDDEN void *rec_map_new(const char *file, uint32_t size) {
  int state = not_cancelled();
  void *p = map_new(file, size);
  as_before(state);
  return p;
}

HIDDEN void *rec_memory(size_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) return NULL;
  madvise(p, size, MADV_WIPEONFORK);
  return p;
}

// One write to a file opened for appending: whole, and behind what others wrote. A note cut short is the
// last.
static void note_write(const void *at, size_t size) {
  if (atomic_load(&rec->notes_cut)) return;
  Path path = path_of("notes");
  int fd =
      may_grow_to(1 << 24) ? open(path.at, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
  ssize_t done = fd < 0 ? -1 : write(fd, at, size);
  int e = done < 0 ? errno : 0;
  if (fd >= 0 && geteuid() == 0) fchmod(fd, 0622);  // the program may change its user
  if (fd >= 0) close(fd);
  if (done >= 0 && (size_t)done == size) return;
  atomic_store(&rec->notes_cut, 1);
  rec_why(RT_WHY_NOTES, e);
}

static void note_put(unsigned char **at, RtNoteKind kind, const struct iovec *text, int n) {
  size_t size = 0;
  for (int i = 0; i < n; size += text[i++].iov_len)
    if (text[i].iov_len) memcpy(*at + sizeof(RtNote) + size, text[i].iov_base, text[i].iov_len);
  RtNote note = {kind, (uint32_t)size};
  memcpy(*at, &note, sizeof note);
  *at += sizeof note + size;
}

static unsigned char *buffer_new(size_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

HIDDEN void note_add(RtNoteKind kind, const struct iovec *text, int n) {
  int saved = errno;
  size_t size = sizeof(RtNote);
  for (int i = 0; i < n; ++i) size += text[i].iov_len;
  unsigned char *start = buffer_new(size), *at = start;
  if (start) {
    int state = not_cancelled();
    note_put(&at, kind, text, n);
    note_write(start, size);
    as_before(state);
    munmap(start, size);
  }
  errno = saved;
}

HIDDEN void note_start(int argc, char **argv) {
  char cwd[PATH_MAX], exe[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe);
  struct iovec where = {cwd, getcwd(cwd, sizeof cwd) ? strlen(cwd) : 0}, what = {exe, n > 0 ? (size_t)n : 0};
  size_t size = 2 * sizeof(RtNote) + where.iov_len + what.iov_len;
  for (int i = 0; i < argc; ++i) size += sizeof(RtNote) + strlen(argv[i]);
  unsigned char *start = buffer_new(size), *at = start;
  if (!start) {
    rec_why(RT_WHY_NOTES, errno);
    return;
  }
  note_put(&at, RT_NOTE_CWD, &where, 1);
  note_put(&at, RT_NOTE_EXE, &what, 1);
  for (int i = 0; i < argc; ++i) note_put(&at, RT_NOTE_ARG, &(struct iovec){argv[i], strlen(argv[i])}, 1);
  note_write(start, size);
  munmap(start, size);
}
