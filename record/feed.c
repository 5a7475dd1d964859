#include "feed.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// A fifo holds at least a page; what it holds was not read. So much is kept back until that is known.
enum { FIFO = 4096 };

struct Feed {
  char *fifo, *variable;
  Stored *got;
  uint64_t from;  // a regular file
  bool regular, nothing, pumping, opened;
  pthread_t pump;
  int end;  // of the fifo, to ask what is left in it
  Bytes late;
};

static void settle(Feed *f, size_t keep) {
  if (f->late.len <= keep) return;
  assert(f->got);
  size_t n = f->late.len - keep;
  stored_add(f->got, f->late.at, n);
  memmove(f->late.at, f->late.at + n, keep);
  f->late.len = keep;
}

// glibc may cancel a thread inside a write that is done already: what was written has to be counted, so it
// may be cancelled only where it waits for room.
static ssize_t write_some(int to, const unsigned char *at, ssize_t size) {
  int state;
  struct pollfd room = {to, POLLOUT, 0};
  poll(&room, 1, -1);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  return write(to, at, (size_t)size);
}

static bool hand_on(Feed *f, int to, const unsigned char *at, ssize_t size) {
  while (size > 0) {
    int state;
    ssize_t n = write_some(to, at, size);
    if (n > 0) vec_append(&f->late, at, (size_t)n);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return false;  // it has ended, or reads no more
    at += n, size -= n;
    if (f->late.len > LIMIT_STDIN_AHEAD) settle(f, FIFO);
  }
  return true;
}

// Cancelled when the program has ended: in open if it never read, in read or write if it read no more.
static void *pump(void *p) {
  Feed *f = p;
  int to = open(f->fifo, O_WRONLY | O_CLOEXEC);
  if (to < 0) return NULL;
  f->end = open(f->fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  fcntl(to, F_SETPIPE_SZ, FIFO);
  fcntl(to, F_SETFL, O_NONBLOCK);
  f->opened = true;
  unsigned char some[FIFO];
  for (;;) {
    ssize_t n = read(0, some, sizeof some);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || !hand_on(f, to, some, n)) break;
  }
  close(to);
  return NULL;
}

static bool start_pump(Feed *f, const char *dir, const struct stat *in) {
  f->fifo = file_join(dir, "stdin");
  if (mkfifo(f->fifo, 0600)) return false;
  f->variable = mem_format("SPECIALIZE_RECORD_STDIN=%ld:%llu:%llu:%s", (long)getpid(), in->st_dev + 0ull,
                           in->st_ino + 0ull, f->fifo);
  sigset_t all, old;  // signals are for the thread that waits
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  bool ok = !pthread_create(&f->pump, NULL, pump, f);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return ok;
}

Feed *feed_start(const char *dir, Diags *d) {
  Feed *f = mem_alloc(sizeof *f);
  struct stat st;
  f->end = -1;
  if (fstat(0, &st)) return f;
  off_t at = S_ISREG(st.st_mode) ? lseek(0, 0, SEEK_CUR) : -1;
  f->got = stored_new();
  f->regular = at >= 0, f->from = (uint64_t)at;
  f->nothing = S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
  if (!S_ISFIFO(st.st_mode)) return f;
  f->pumping = start_pump(f, dir, &st);
  if (!f->pumping) diag_warning(d, "cannot keep a copy of standard input: %s", strerror(errno));
  return f;
}

const char *feed_variable(const Feed *f) {
  return f->variable;
}

const Stored *feed_end(Feed *f) {
  int left = 0;
  assert(!f->pumping || (f->fifo && f->got && !f->regular));
  if (f->regular) {
    stored_free(f->got);
    return f->got = stored_from(0, f->from);
  }
  if (f->nothing) return f->got;
  if (!f->pumping) return NULL;
  pthread_cancel(f->pump);
  pthread_join(f->pump, NULL);
  f->pumping = false;
  if (!f->opened || f->end < 0 || ioctl(f->end, FIONREAD, &left)) return NULL;
  size_t unread = (size_t)left < f->late.len ? (size_t)left : f->late.len;
  f->late.len -= unread;
  settle(f, 0);
  return f->got;
}

void feed_free(Feed *f) {
  if (f->pumping) pthread_cancel(f->pump), pthread_join(f->pump, NULL);
  if (f->end >= 0) close(f->end);
  stored_free(f->got);
  vec_free(&f->late);
  mem_free(f->fifo), mem_free(f->variable);
  mem_free(f);
}
