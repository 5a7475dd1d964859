// A program that is held to lists made by hand: each scenario is a run of this executable with a table, and a
// look at what the runtime left in it.
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "rt/rt.h"

enum { CREATE, LOCK, UNLOCK, WAIT, SIGNAL, BARRIER, JOIN, ORDINARY, UNORDINARY, POST, ACQUIRE, ONCE, SITES };

typedef struct {
  RtReplayEvent events[64];
  uint32_t count, threads, rounds;
} List;

static void add(List *l, uint32_t thread, uint32_t site, RtReplayKind kind, int error, uint32_t other) {
  RtReplayEvent e = {.thread = thread, .site = site, .other = other, .error = error, .kind = (uint8_t)kind};
  l->events[l->count++] = e;
  if (thread >= l->threads) l->threads = thread + 1;
}
static void op(List *l, uint32_t thread, uint32_t site) {
  add(l, thread, site, RT_REP_OTHER, 0, 0);
}
static void create(List *l, uint32_t child) {
  add(l, 0, CREATE, RT_REP_OTHER, 0, child);
  if (child >= l->threads) l->threads = child + 1;
}
static void enter(List *l, uint32_t thread) {
  add(l, thread, RT_NO_SITE, RT_REP_ENTER, 0, 0);
}
static void leave(List *l, uint32_t thread) {
  add(l, thread, RT_NO_SITE, RT_REP_EXIT, 0, 0);
}

// The program's memory.
static _Atomic int shared, others[64];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static sem_t s;
static _Atomic int order[8], next_order;

static void touch(uint32_t access, _Atomic int *at) {
  rt_rep_access(access, (const void *)at, sizeof *at);
  atomic_fetch_add(at, 1);
}
static void came(int who) {
  order[atomic_fetch_add(&next_order, 1)] = who;
}

static void start(void *(*const *routines)(void *), int n) {
  pthread_t t[4];
  for (int i = 0; i < n; ++i) assert(!rt_rec_pthread_create(CREATE, &t[i], NULL, routines[i], NULL));
  for (int i = 0; i < n; ++i) assert(!rt_rec_pthread_join(JOIN, t[i], NULL));
}
typedef void *Routine(void *);
#define START(...) \
  start((Routine *const[]){__VA_ARGS__}, (int)(sizeof((Routine *[]){__VA_ARGS__}) / sizeof(Routine *)))

static void *locker(void *who) {
  assert(!rt_rec_pthread_mutex_lock(LOCK, &m));
  came(who ? 2 : 1);
  assert(!rt_rec_pthread_mutex_unlock(UNLOCK, &m));
  touch(who ? 1 : 0, &shared);
  return NULL;
}
static void *second_locker(void *unused) {
  (void)unused;
  return locker(&m);
}
// The second is first at the lock.
static void list_locks(List *l) {
  create(l, 1), create(l, 2), enter(l, 1), enter(l, 2);
  op(l, 2, LOCK), op(l, 2, UNLOCK), op(l, 1, LOCK), op(l, 1, UNLOCK);
}
static void run_locks(void) {
  START(locker, second_locker);
  assert(order[0] == 2 && order[1] == 1 && shared == 2);
}
static void look_met(const RtReplay *r, int status) {
  assert(status == 0 && r->state == RT_REPLAY_MET && r->done == r->events);
  assert(r->side[0].address == r->side[1].address && r->side[0].size == 4);
  assert(r->side[0].before == 0 && r->side[0].after == 1);
}

static void *toucher(void *unused) {
  for (int i = 0; i < 40; ++i) touch(0, &others[i]);
  (void)unused;
  return NULL;
}
static void *second_toucher(void *unused) {
  for (int i = 63; i > 40; --i) touch(1, &others[i]);
  (void)unused;
  return NULL;
}
static void list_two(List *l) {
  create(l, 1), create(l, 2), enter(l, 1), enter(l, 2);
}
static void run_touchers(void) {
  START(toucher, second_toucher);
}
static void look_apart(const RtReplay *r, int status) {
  assert(WEXITSTATUS(status) == RT_REPLAY_EXIT && r->state == RT_REPLAY_ENDED);
  assert(r->side[0].executed == 40 && r->side[0].touches == 1 && r->side[0].touch[0].stride == 4);
  assert(r->side[1].executed == 23 && r->side[1].touches == 1 && r->side[1].touch[0].stride == -4);
  assert(r->side[1].touch[0].count == 23 && r->side[1].flags & RT_SIDE_AFTER);
}
static void look_missed(const RtReplay *r, int status) {
  assert(WEXITSTATUS(status) == RT_REPLAY_EXIT && r->state == RT_REPLAY_ENDED);
}

static void *excluder(void *who) {
  assert(!rt_rec_pthread_mutex_lock(ORDINARY, &m));
  touch(who ? 1 : 0, &shared);
  assert(!rt_rec_pthread_mutex_unlock(UNORDINARY, &m));
  return NULL;
}
static void *second_excluder(void *unused) {
  (void)unused;
  return excluder(&m);
}
static void run_excluders(void) {
  START(excluder, second_excluder);
}
static void look_locked(const RtReplay *r, int status) {
  assert(WEXITSTATUS(status) == RT_REPLAY_EXIT && r->state == RT_REPLAY_LOCKED && r->lock);
}

static void run_other_way(void) {
  pthread_t t;
  rt_rec_pthread_mutex_lock(LOCK, &m);
  rt_rec_pthread_create(CREATE, &t, NULL, toucher, NULL);
}
static void look_diverged(const RtReplay *r, int status) {
  assert(WEXITSTATUS(status) == RT_REPLAY_EXIT && r->state == RT_REPLAY_DIVERGED);
  assert(r->thread == 0 && r->site == LOCK && r->event == 0);
}

// t1 and t2 wait; in the list t2 departs, though t1 came first. t1 is woken when all runs free.
static _Atomic int woken, waiting;
static void *waiter(void *who) {
  assert(!rt_rec_pthread_mutex_lock(LOCK, &m));
  atomic_fetch_add(&waiting, 1);
  assert(!rt_rec_pthread_cond_wait(WAIT, &c, &m));
  came(who ? 2 : 1);
  atomic_fetch_add(&woken, 1);
  assert(!rt_rec_pthread_mutex_unlock(UNLOCK, &m));
  if (who) touch(0, &shared);
  return NULL;
}
static void *second_waiter(void *unused) {
  (void)unused;
  return waiter(&c);
}
static void *waker(void *unused) {
  assert(!rt_rec_pthread_mutex_lock(LOCK, &m));
  assert(!rt_rec_pthread_cond_signal(SIGNAL, &c));
  assert(!rt_rec_pthread_mutex_unlock(UNLOCK, &m));
  touch(1, &shared);
  while (atomic_load(&woken) < 2) {
    assert(!rt_rec_pthread_cond_signal(SIGNAL, &c));
    usleep(1000);
  }
  (void)unused;
  return NULL;
}
static void list_waits(List *l) {
  create(l, 1), create(l, 2), create(l, 3), enter(l, 1), enter(l, 2), enter(l, 3);
  op(l, 1, LOCK), op(l, 1, WAIT), op(l, 2, LOCK), op(l, 2, WAIT);
  op(l, 3, LOCK), op(l, 3, SIGNAL), op(l, 3, UNLOCK), op(l, 2, WAIT), op(l, 2, UNLOCK);
}
static void run_waits(void) {
  START(waiter, second_waiter, waker);
  assert(order[0] == 2 && woken == 2);
}
static void look_waits(const RtReplay *r, int status) {
  assert(status == 0 && r->state == RT_REPLAY_MET);
}

// t1 is the serial one, as the list says; of the next round nobody is in it.
static _Atomic int serials[2];
static void *meeter(void *who) {
  for (int i = 0; i < 2; ++i) {
    int e = rt_rec_pthread_barrier_wait(BARRIER, &b);
    if (e == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_or(&serials[i], who ? 2 : 1);
    if (i == 0) touch(who ? 1 : 0, &shared);
  }
  return NULL;
}
static void *second_meeter(void *unused) {
  (void)unused;
  return meeter(&b);
}
static void list_barrier(List *l) {
  create(l, 1), create(l, 2), enter(l, 1), enter(l, 2);
  op(l, 1, BARRIER), op(l, 2, BARRIER), op(l, 2, BARRIER);
  add(l, 1, BARRIER, RT_REP_OTHER, RT_REP_SERIAL, 0);
  l->rounds = 1;
}
static void run_barrier(void) {
  pthread_barrier_init(&b, NULL, 2);
  START(meeter, second_meeter);
  assert(serials[0] == 1 && (serials[1] == 1 || serials[1] == 2));
}

static void routine(void) {
  rt_rec_sem_post(POST, &s);
}
static void *first_once(void *who) {
  assert(!rt_rec_pthread_once(ONCE, &o, routine));
  if (!who) assert(!rt_rec_sem_wait(ACQUIRE, &s));
  touch(who ? 1 : 0, &shared);
  return NULL;
}
static void *second_once(void *unused) {
  (void)unused;
  return first_once(&o);
}
static void list_once(List *l) {
  create(l, 1), create(l, 2), enter(l, 1), enter(l, 2), op(l, 2, POST);
  add(l, 2, ONCE, RT_REP_ONCE, RT_REP_RAN, 0), add(l, 1, ONCE, RT_REP_ONCE, 0, 0), op(l, 1, ACQUIRE);
}
static void run_once(void) {
  sem_init(&s, 0, 0);
  START(first_once, second_once);
}

static void list_whole(List *l) {
  list_locks(l);
  leave(l, 2), leave(l, 1), op(l, 0, JOIN), op(l, 0, JOIN);
}
static void look_whole(const RtReplay *r, int status) {
  assert(status == 0 && r->state == RT_REPLAY_RUNS && r->done == r->events);
}

typedef struct {
  const char *name;
  RtReplayMode mode;
  void (*list)(List *l), (*run)(void), (*look)(const RtReplay *r, int status);
  uint32_t thread[2];
} Scenario;
static const Scenario scenarios[] = {
    {"locks", RT_REPLAY_HOLD, list_locks, run_locks, look_met, {1, 2}},
    {"apart", RT_REPLAY_PROBE, list_two, run_touchers, look_apart, {1, 2}},
    {"missed", RT_REPLAY_HOLD, list_two, run_touchers, look_missed, {1, 2}},
    {"excluded", RT_REPLAY_HOLD, list_two, run_excluders, look_locked, {1, 2}},
    {"diverges", RT_REPLAY_HOLD, list_two, run_other_way, look_diverged, {1, 2}},
    {"waits", RT_REPLAY_HOLD, list_waits, run_waits, look_waits, {2, 3}},
    {"barrier", RT_REPLAY_HOLD, list_barrier, run_barrier, look_waits, {1, 2}},
    {"once", RT_REPLAY_HOLD, list_once, run_once, look_waits, {1, 2}},
    {"whole", RT_REPLAY_PLAIN, list_whole, run_locks, look_whole, {1, 2}},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static RtReplay *table_make(const Scenario *x, int *fd) {
  List l = {.count = 0};
  x->list(&l);
  static RtReplay head;
  head = (RtReplay){.version = RT_REPLAY_VERSION, .mode = x->mode, .patient = 2000, .events = l.count};
  head.threads = l.threads, head.sites = SITES, head.rounds = l.rounds, head.waits = l.count;
  size_t size = replay_size(&head);
  *fd = memfd_create("table", 0);
  assert(*fd >= 0 && !ftruncate(*fd, (off_t)size));
  RtReplay *r = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
  assert(r != MAP_FAILED);
  memcpy(r, &head, sizeof head);
  memcpy(replay_events(r), l.events, l.count * sizeof *l.events);
  uint32_t at = 0;
  for (uint32_t t = 0; t < l.threads; ++t) {
    replay_begins(r)[t] = at;
    for (uint32_t i = 0; i < l.count; ++i)
      if (l.events[i].thread == t) {
        replay_events(r)[i].position = at - replay_begins(r)[t];
        replay_order(r)[at++] = i;
      }
  }
  replay_begins(r)[l.threads] = at;
  for (uint32_t i = 1; i < l.count; ++i) {  // a total order
    replay_waits(r)[i] = i - 1;
    replay_events(r)[i].first_wait = i, replay_events(r)[i].waits = 1;
  }
  for (uint32_t i = 0; i < l.rounds; ++i) replay_rounds(r)[i] = RT_ROUND_DEPARTS | RT_ROUND_SERIAL;
  replay_ordinary(r)[ORDINARY] = replay_ordinary(r)[UNORDINARY] = 1;
  for (uint32_t k = 0; k < 2; ++k) r->side[k].thread = x->thread[k], r->side[k].access = k;
  return r;
}

static void play(const Scenario *x, const char *self) {
  int fd, status;
  RtReplay *r = table_make(x, &fd);
  pid_t pid = fork();
  assert(pid >= 0);
  if (!pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    setenv(RT_REPLAY_ENV, path, 1);
    alarm(60);
    execl(self, self, x->name, (char *)NULL);
    _exit(127);
  }
  assert(waitpid(pid, &status, 0) == pid);
  if (status && WEXITSTATUS(status) != RT_REPLAY_EXIT)
    fprintf(stderr, "%s: status %x, state %u, next %u of %u\n", x->name, status, r->state, r->done,
            r->events);
  x->look(r, status);
  munmap(r, replay_size(r));
  close(fd);
}

int main(int argc, char **argv) {
  for (int i = 0; i < SCENARIOS; ++i) {
    if (argc < 2) {
      for (int again = 0; again < 10; ++again) play(&scenarios[i], argv[0]);
    } else if (!strcmp(argv[1], scenarios[i].name)) {
      rt_rec_dispatch(0);
      scenarios[i].run();
    }
  }
  return 0;
}
