// What the program reads from outside.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "rt/private_env.h"
#include "rec.h"

// True at least once per hash; when the set is full also more often.
HIDDEN bool seen_first(Seen *set, uint64_t hash) {
  hash = hash * UINT64_C(0xff51afd7ed558ccd) | 1;  // neighbours must not become the same
  for (uint64_t i = hash * UINT64_C(0x9E3779B97F4A7C15) >> 32, tries = 0; tries < 16; ++tries, ++i) {
    uint64_t there = 0;
    if (atomic_compare_exchange_strong(&set->at[i % REC_SEEN], &there, hash)) return true;
    if (there == hash) return false;
  }
  return true;
}

// Who runs us may want a copy of what is read from a pipe: SPECIALIZE_RECORD_STDIN=PROCESS:DEVICE:INODE:FIFO. Before
// the first read the fifo takes the pipe's place; what is in the pipe comes through it. A program that does
// not read leaves the pipe as it is.
static char fifo[sizeof((Recorder *)0)->directory];
static uint64_t feeder, pipe_device, pipe_inode;

HIDDEN void input_start(void) {
  const char *from = private_env_take("SPECIALIZE_RECORD_STDIN");
  char *end;
  if (!from || !*from) return;
  uint64_t *const numbers[] = {&feeder, &pipe_device, &pipe_inode};
  for (int i = 0; i < 3; ++i, from = end + 1) {
    *numbers[i] = strtoull(from, &end, 10);
    if (*end != ':') return;
  }
  if (strlen(from) < sizeof fifo && feeder == (uint64_t)getppid()) strcpy(fifo, from);
}

static void exchange(void) {
  struct stat st;
  if (fstat(0, &st) || st.st_dev != pipe_device || st.st_ino != pipe_inode || feeder != (uint64_t)getppid())
    return;
  int flags = fcntl(0, F_GETFL), with = open(fifo, O_RDONLY | O_CLOEXEC);  // waits for the other end
  if (with < 0) return;
  fcntl(with, F_SETFL, flags);
  dup2(with, 0);
  close(with);
}

static void take_fifo(void) {
  if (!*fifo || atomic_load(&rec->fed) == 2 || *rec->process->from) return;
  int saved = errno;
  uint32_t first = 0;
  sigset_t old;
  rec_block(&old);
  if (atomic_compare_exchange_strong(&rec->fed, &first, 1)) {
    exchange();
    atomic_store(&rec->fed, 2);
  }
  while (atomic_load(&rec->fed) == 1) sched_yield();
  rec_unblock(&old);
  errno = saved;
}

HIDDEN void rec_input(RtThread *t, RtSite site, uint32_t class) {
  if (class == RT_INPUT_STDIN) take_fifo();
  if (t->inputs & 1u << class) return;
  t->inputs |= 1u << class;
  log_plain(t, site, RT_INPUT, 0, (int)class);
}

void rt_rec_input(RtSite site, uint32_t class) {
  RtThread *t = rec_enter();
  if (t) rec_input(t, site, class < RT_INPUTS ? class : RT_INPUT_UNKNOWN);
}

// Behind an allocation: that there was memory is assumed of every run, that there was none is not.
void rt_rec_allocated(RtSite site, const void *memory) {
  RtThread *t = memory ? NULL : rec_enter();
  if (t) rec_input(t, site, RT_INPUT_MEMORY);
}

// A pointer becomes a number that is hashed, stored or given away. Small ones are numbers all along.
void rt_rec_address(const void *pointer) {
  enum { SMALLEST = 1 << 16 };
  RtThread *t = (uintptr_t)pointer < SMALLEST ? NULL : rec_enter();
  if (t) rec_input(t, RT_SITE_INDIRECT, RT_INPUT_ADDRESS);
}

static void note_file(int fd, const struct stat *st) {
  if (!seen_first(&rec->files, (uint64_t)st->st_dev << 40 ^ (uint64_t)st->st_ino)) return;
  char link[40], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path);
  RtFile f = {(uint64_t)st->st_dev, (uint64_t)st->st_ino, (uint64_t)st->st_size,
              (uint64_t)st->st_mtim.tv_sec * 1000000000u + (uint64_t)st->st_mtim.tv_nsec};
  struct iovec text[] = {{&f, sizeof f}, {path, n > 0 ? (size_t)n : 0}};
  note_add(RT_NOTE_FILE, text, 2);
}

// A number that is used again for another file may be taken for the first: it made the thread depend on an
// input already. Files have been noted when they were opened.
void rt_rec_input_fd(RtSite site, int fd) {
  RtThread *t = rec_enter();
  if (!t || fd < 0) return;
  if (fd == 0) {
    rec_input(t, site, RT_INPUT_STDIN);
    return;
  }
  uint64_t bit = fd < 64 ? UINT64_C(1) << fd : 0;
  if (t->fds & bit) return;
  t->fds |= bit;
  int saved = errno;
  struct stat st;
  bool file = fstat(fd, &st) == 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
  if (file && S_ISREG(st.st_mode)) note_file(fd, &st);
  rec_input(t, site, file ? RT_INPUT_FILE : RT_INPUT_OTHER);
  errno = saved;
}

void rt_rec_input_stream(RtSite site, FILE *stream) {
  int saved = errno;
  rt_rec_input_fd(site, fileno(stream));  // one in memory has no number, and is no input
  errno = saved;
}

void rt_rec_opened(int fd) {
  if (fd < 0 || !rec_enter()) return;
  int saved = errno, flags = fcntl(fd, F_GETFL);
  struct stat st;
  if (flags >= 0 && (flags & O_ACCMODE) != O_WRONLY && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
    note_file(fd, &st);
  errno = saved;
}

void rt_rec_opened_stream(FILE *stream) {
  int saved = errno;
  if (stream) rt_rec_opened(fileno(stream));
  errno = saved;
}

static void note_variable(const char *name, const char *value) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  size_t len = strlen(name);
  for (size_t i = 0; i < len; ++i) hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
  if (!seen_first(&rec->names, hash)) return;
  struct iovec text[] = {{(void *)(uintptr_t)name, len},
                         {"=", value ? 1 : 0},
                         {(void *)(uintptr_t)value, value ? strlen(value) : 0}};
  note_add(RT_NOTE_ENV, text, 3);
}

char *rt_rec_getenv(RtSite site, const char *name) {
  (void)site;
  char *value = getenv(name);
  if (rec_enter()) note_variable(name, value);
  return value;
}

char *rt_rec_secure_getenv(RtSite site, const char *name) {
  (void)site;
  char *value = secure_getenv(name);
  if (rec_enter()) note_variable(name, value);
  return value;
}
