// The list, and who is where in it. Each thread publishes how many of its events have taken place; an event
// looks at those of the few threads that it waits for. Who waits long sleeps on a word of its own.
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rt/log.h"
#include "rt/private_env.h"
#include "rep.h"

HIDDEN Rep *rep;
HIDDEN RtReplay *rep_table;
HIDDEN _Thread_local RepThread *rep_self;

enum { PAUSES = 20, YIELDS = 50, NAP = 100 };

HIDDEN void rep_pause(_Atomic uint32_t *word, uint32_t seen, long milliseconds) {
  int saved = errno;
  struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, &most, NULL, 0);
  errno = saved;
}
HIDDEN void rep_wake(_Atomic uint32_t *word) {
  int saved = errno;
  atomic_fetch_add(word, 1);
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  errno = saved;
}

HIDDEN void rep_over(RtReplayState state) {
  uint32_t runs = RT_REPLAY_RUNS;
  atomic_compare_exchange_strong(&rep_table->state, &runs, state);
  _exit(RT_REPLAY_EXIT);
}

HIDDEN void rep_diverged(const RepThread *t, RtSite site) {
  const RtReplayEvent *e = rep_next(t);
  rep_table->event = e ? (uint32_t)(e - replay_events(rep_table)) : rep_table->events;
  rep_table->thread = t->id;
  rep_table->site = site;
  uint32_t runs = RT_REPLAY_RUNS;
  if (rep_table->mode != RT_REPLAY_WATCH) rep_over(RT_REPLAY_DIVERGED);
  if (atomic_compare_exchange_strong(&rep_table->state, &runs, RT_REPLAY_DIVERGED)) rep_free();
}

HIDDEN void rep_free(void) {
  atomic_store(&rep->on, 0);
  for (uint32_t i = 0; i < rep_table->threads; ++i) rep_wake(&rep->thread[i].park);
}

HIDDEN const RtReplayEvent *rep_next(const RepThread *t) {
  return t->at < t->end ? &replay_events(rep_table)[t->events[t->at]] : NULL;
}

HIDDEN bool rep_ordinary(RtSite site) {
  return site < rep_table->sites && replay_ordinary(rep_table)[site];
}

static bool is_due(const RtReplayEvent *e) {
  const uint32_t *waits = replay_waits(rep_table) + e->first_wait;
  for (uint32_t i = 0; i < e->waits; ++i) {
    const RtReplayEvent *w = &replay_events(rep_table)[waits[i]];
    if (atomic_load(&rep->thread[w->thread].at) <= w->position) return false;
  }
  return true;
}

static void sleep_for(RepThread *t, const RtReplayEvent *e) {
  uint32_t seen = atomic_load(&t->park);
  atomic_store(&t->parked, 1);
  atomic_fetch_add(&rep->sleepers, 1);
  if (!is_due(e) && atomic_load(&rep->on)) rep_pause(&t->park, seen, NAP);
  atomic_fetch_sub(&rep->sleepers, 1);
  atomic_store(&t->parked, 0);
}

// False: all runs free meanwhile.
static bool wait_turn(RepThread *t, const RtReplayEvent *e) {
  for (int i = 0;; ++i) {
    if (!atomic_load(&rep->on)) return false;
    if (is_due(e)) return true;
    if (i < PAUSES)
      __builtin_ia32_pause();
    else if (i < PAUSES + YIELDS)
      sched_yield();
    else
      sleep_for(t, e);
  }
}

HIDDEN void rep_stop(RepThread *t) {
  rep_segment_end(t);
  while (atomic_load(&rep->on)) {
    uint32_t seen = atomic_load(&t->park);
    rep_segments_over();
    if (atomic_load(&rep->on)) rep_pause(&t->park, seen, NAP);
  }
}

// An operation on an excluded object orders memory, and is the program's own.
static void pass_ordinary(RepThread *t) {
  ++t->acquires;
  ++t->releases;
}

HIDDEN RepOp rep_arrive(RtSite site) {
  RepThread *t = rep_me();
  RepOp none = {NULL, NULL};
  if (!t) return none;
  if (rep_ordinary(site)) return pass_ordinary(t), none;
  const RtReplayEvent *e = rep_next(t);
  if (!e && rep_table->mode == RT_REPLAY_WATCH) return rep_free(), none;
  if (!e) return rep_stop(t), none;
  if (site != e->site && site != RT_SITE_INDIRECT) rep_diverged(t, site);
  return wait_turn(t, e) ? (RepOp){t, e} : none;
}

static bool ends_as(const RtReplayEvent *e, int error) {
  return error == e->error || (e->error == RT_REP_FAILED && error);
}

// Behind the list all runs as it likes.
static bool ends_free(void) {
  return rep_table->mode == RT_REPLAY_PLAIN || rep_table->mode == RT_REPLAY_STAND;
}

static void wake_sleepers(void) {
  if (!atomic_load(&rep->sleepers)) return;
  for (uint32_t i = 0; i < rep_table->threads; ++i)
    if (atomic_load(&rep->thread[i].parked)) rep_wake(&rep->thread[i].park);
}

HIDDEN void rep_done(RepOp op, int error) {
  if (!op.t || !atomic_load(&rep->on)) return;
  if (!ends_as(op.event, error) ||
      (op.event->kind == RT_REP_EXIT && op.event->site != RT_NO_SITE && !op.t->rounds))
    rep_diverged(op.t, op.event->site);
  atomic_fetch_add(&op.t->at, 1);
  wake_sleepers();
  uint32_t done = atomic_fetch_add(&rep_table->done, 1) + 1;
  if (done == rep_table->events && ends_free()) rep_free();
  if (op.t->at == op.t->end) rep_segment(op.t);
}

static void at_exit(int status, void *unused) {
  (void)status, (void)unused;
  RepThread *t = rep_me();
  if (!t || rep->pid != getpid()) return;  // a vfork child has our memory
  const RtReplayEvent *e = rep_next(t);
  bool watched = rep_table->mode == RT_REPLAY_WATCH;
  if (e && !(watched && e->kind == RT_REP_EXIT)) rep_diverged(t, RT_NO_SITE);
  if (watched)
    rep_free();
  else
    rep_stop(t);
}

static void leave(void) {
  at_exit(0, NULL);
}

void rt_rec_dispatch(uint32_t point) {
  uint32_t not_yet = 0;
  (void)point;
  if (!rep || !atomic_compare_exchange_strong(&rep->begun, &not_yet, 1)) return;
  on_exit(at_exit, NULL);
  atomic_store(&rep->on, 1);
  rep_thread_begin(&rep->thread[0]);
  if (!rep_table->events && ends_free()) rep_free();
}

void rt_rec__exit(RtSite site, int status) {
  (void)site;
  leave();
  _exit(status);
}
void rt_rec__Exit(RtSite site, int status) {
  (void)site;
  leave();
  _Exit(status);
}
void rt_rec_quick_exit(RtSite site, int status) {
  (void)site;
  leave();
  quick_exit(status);
}
void rt_rec_exit(RtSite site, int status) {
  (void)site;
  exit(status);
}
pid_t rt_rec_fork(RtSite site) {
  (void)site;
  return fork();
}

static void fill(RtReplay *r) {
  for (uint32_t i = 0; i < r->threads; ++i) {
    RepThread *t = &rep->thread[i];
    t->id = i;
    t->events = replay_order(r) + replay_begins(r)[i];
    t->end = replay_begins(r)[i + 1] - replay_begins(r)[i];
    for (int k = 0; k < 2; ++k)
      if (r->mode < RT_REPLAY_PLAIN && r->side[k].thread == i) t->side = &r->side[k];
  }
}

static bool open_table(const char *file) {
  int fd = open(file, O_RDWR | O_CLOEXEC);
  off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
  void *p = MAP_FAILED;
  if (size >= (off_t)sizeof(RtReplay))
    p = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  if (p == MAP_FAILED) return false;
  rep_table = p;
  return rep_table->version == RT_REPLAY_VERSION;
}

__attribute__((constructor(101))) static void start(void) {
  const char *file = private_env_take(RT_REPLAY_ENV);
  if (!file || !open_table(file)) return;
  size_t size = sizeof *rep + rep_table->threads * sizeof *rep->thread;
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || madvise(p, size, MADV_WIPEONFORK) || rep_key_make() || rep_stand_key()) return;
  rep = p;
  rep->pid = getpid();
  fill(rep_table);
  rep_heap();
  rep_watch_start();
}
