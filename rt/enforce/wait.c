// Waiting for other threads, and waking them. A short while awake: 20 pauses for who runs on another core, 50
// yields for who shares ours; none for a while after one that took long though all threads of the schedule
// that are awake have a core: then somebody else wants the processor. Then the thread sleeps on its own futex
// word (docs/decisions.md has the figures).
//
// Whoever parks writes down for whom and for what, lowers that thread's `attention` to it, calls membarrier,
// and looks again. The other stores `published`, then loads `attention`, both plain: the membarrier stands
// between the two in one of the possible places, and in each of them one of both sees the other.
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

enum { PAUSES = 20, YIELDS = 50, WITHOUT = 64 };

// A parked thread looks up now and then, ever less often, whether anybody can still come.
// One that may go on does not wait for handlers of signals as long as that.
enum { FIRST_LOOK = 500, LONGEST_LOOK = 30000, FOR_HANDLERS = 4000 };  // milliseconds
typedef struct {
  int64_t timeout;
  EnfSeen seen;
  bool late;  // the last sleep ended by its timeout
} Look;

HIDDEN void *enf_memory(size_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static RtThr *thr(uint32_t thread) {
  return &rt_enf_threads[thread];
}

static uint32_t published(uint32_t thread) {
  return atomic_load_explicit(&thr(thread)->published, memory_order_acquire);
}

static void attention_lower(RtThr *t, uint32_t need) {
  uint32_t a = atomic_load(&t->attention);
  while ((a == 0 || a > need) && !atomic_compare_exchange_weak(&t->attention, &a, need)) continue;
}

HIDDEN void enf_futex_wake(uint32_t thread) {
  RtThr *t = thr(thread);
  atomic_fetch_add(&t->park, 1);
  syscall(SYS_futex, &t->park, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// Called by the thread itself, so nobody else takes its attention away.
void rt_enf_wake(uint32_t thread) {
  int saved = errno;
  RtThr *me = thr(thread);
  atomic_exchange(&me->attention, 0);
  uint32_t now = published(thread);
  for (uint32_t i = 0; i < enf.schedule->threads; ++i) {
    EnfThread *t = &enf.threads[i];
    if (atomic_load(&t->target) != thread) continue;
    uint32_t need = atomic_load(&t->need);
    if (need <= now)
      enf_futex_wake(i);
    else if (!RT_MUTANT(FORGETS_LATER))
      attention_lower(me, need);
  }
  errno = saved;
}

// False: the time is over (-1: there is no timeout).
static bool futex_sleep(RtThr *own, uint32_t seen, clockid_t clock, const struct timespec *until) {
  int op = FUTEX_WAIT_BITSET_PRIVATE | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
  long r = syscall(SYS_futex, &own->park, op, seen, until, NULL, FUTEX_BITSET_MATCH_ANY);
  return !(r < 0 && errno == ETIMEDOUT);
}

static struct timespec next_look(const Look *l) {
  int64_t patience = enf_patience(&l->seen);
  int64_t at = enf_now() + (patience < l->timeout ? patience : l->timeout);
  return (struct timespec){at / 1000, at % 1000 * 1000000};
}

// False: as far as can be told, nobody can wake this thread any more; said so.
static bool look_up(const RtNode *n, Look *l, uint32_t parked_at) {
  struct timespec until = next_look(l);
  l->late = !futex_sleep(thr(n->thread), parked_at, CLOCK_MONOTONIC, &until);
  if (!l->late || RT_MUTANT(NO_LOOKING_UP)) return true;
  if (l->timeout < LONGEST_LOOK) l->timeout *= 2;
  bool handlers = !enf.schedule->free || l->timeout < FOR_HANDLERS;
  const char *why = enf_stalled(n, handlers, &l->seen);
  EnfDelay delay = !why && enf_patience(&l->seen) <= 0 ? enf_delay(&l->seen) : ENF_NO_DELAY;
  if (delay > ENF_NAPS && enf.patient) {
    enf_slow(n, delay);
    l->seen.since = enf_now();
    return true;
  }
  static const char *const delays[] = {[ENF_NAPS] = "sleeps again and again, and nothing changes,",
                                       [ENF_SPINS] = "reaches no event while threads run,",
                                       [ENF_OUTSIDE] = "waits for something outside the program"};
  if (delay != ENF_NO_DELAY) why = delays[delay];
  if (why && enf_on()) enf_stuck(n, why);
  return !why;
}

// Of the schedule's threads: those that live, and those of them that sleep here.
static _Atomic int32_t live, asleep;
static int32_t cores = 1;
static _Thread_local uint32_t without;  // so many waits are to come without yields

HIDDEN void enf_count_thread(int change) {
  if (change > 0 && !atomic_load(&live)) {
    cpu_set_t set;
    int saved = errno;
    if (!sched_getaffinity(0, sizeof set, &set)) cores = CPU_COUNT(&set);
    errno = saved;
  }
  atomic_fetch_add(&live, change);
}

static int yields(void) {
  return without ? --without, 0 : YIELDS;
}

// A yield took long. Among more threads than cores that is as it should be: one of them runs.
static void remember(void) {
  if (atomic_load(&live) - atomic_load(&asleep) <= cores) without = WITHOUT;
}

static void parked(EnfThread *me, uint32_t target, uint32_t need, uint32_t barrier) {
  atomic_store(&me->need, need);
  atomic_store(&me->target, target);
  atomic_store(&me->barrier, barrier);
}

#ifdef RT_MUTANTS
// The wait is over, though nobody woke this thread: somebody forgot to, or is about to. In the shipped
// library the timeout makes good for it; a test must see it.
static void lost(RtThr *own, uint32_t seen) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 5;
  while (futex_sleep(own, seen, CLOCK_MONOTONIC, &until))
    if (atomic_load(&own->park) != seen) return;
  static const char text[] = "a wake-up was lost\n";
  syscall(SYS_write, 2, text, sizeof text - 1);
  _exit(99);
}
#else
#define lost(own, seen) ((void)0)
#endif

static void attend(RtWait w) {
  attention_lower(thr(w.thread), w.need);
  RT_CHAOS_HERE();
  if (!RT_MUTANT(NO_MEMBARRIER)) syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

static bool is_over(RtWait w) {
  return published(w.thread) >= w.need || !enf_on();
}

static void park(const RtNode *n, RtWait w) {
  EnfThread *me = &enf.threads[n->thread];
  RtThr *own = thr(n->thread);
  for (Look l = {.timeout = FIRST_LOOK};;) {
    uint32_t seen = atomic_load(&own->park);
    atomic_store(&me->at, n);
    parked(me, w.thread, w.need, RT_NONE32);
    RT_CHAOS_HERE();
    if (!RT_MUTANT(LATE_ATTENTION)) attend(w);
    if (is_over(w)) break;
    RT_CHAOS_HERE();
    if (RT_MUTANT(LATE_ATTENTION)) attend(w);
    if (RT_MUTANT(STALE_PARK)) seen = atomic_load(&own->park);
    if (!look_up(n, &l, seen)) break;
    if (l.late && is_over(w)) lost(own, seen);
  }
  parked(me, RT_NONE32, 0, RT_NONE32);
  atomic_store(&me->at, NULL);
}

// Lets others run. False if that took long: somebody has the processor and keeps it, and each further yield
// may cost a time slice, while a thread that was parked runs soon after it is woken.
static bool yield(void) {
  enum { LONG_NS = 200000 };
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  sched_yield();
  clock_gettime(CLOCK_MONOTONIC, &after);
  return after.tv_sec - before.tv_sec < 2 &&
         (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec < LONG_NS;
}

HIDDEN bool enf_wait(const RtNode *n, RtWait w) {
  if (RT_MUTANT(NO_WAITING) || (RT_MUTANT(FIRST_EDGE_ONLY) && w.thread != n->wait[0].thread)) return enf_on();
  for (int i = 0; i < PAUSES; ++i) {
    if (rt_passed(w)) return true;
    __builtin_ia32_pause();
  }
  for (int i = 0, most = yields(); i < most; ++i) {
    if (rt_passed(w)) return true;
    if (!enf_on()) return false;
    if (!yield()) {
      remember();
      break;
    }
  }
  int saved = errno;
  atomic_fetch_add(&asleep, 1);
  park(n, w);
  atomic_fetch_sub(&asleep, 1);
  errno = saved;
  return enf_on();
}

HIDDEN bool enf_waits(const RtNode *n) {
  for (uint32_t i = 0; i < n->waits; ++i)
    if (!rt_passed(n->wait[i]) && !enf_wait(n, n->wait[i])) return false;
  return true;
}

HIDDEN void enf_park_barrier(const RtNode *n, bool (*until)(const RtNode *)) {
  EnfThread *me = &enf.threads[n->thread];
  RtThr *own = thr(n->thread);
  int saved = errno;
  for (int i = 0, most = yields(); i < most && !until(n); ++i)
    if (!yield()) {
      remember();
      break;
    }
  atomic_fetch_add(&asleep, 1);
  for (Look l = {.timeout = FIRST_LOOK};;) {
    uint32_t seen = atomic_load(&own->park);
    atomic_store(&me->at, n);
    parked(me, RT_NONE32, 0, n->object);
    atomic_thread_fence(memory_order_seq_cst);
    RT_CHAOS_HERE();
    if (until(n) || !enf_on()) break;
    if (!look_up(n, &l, seen)) break;
    if (l.late && until(n)) lost(own, seen);
  }
  parked(me, RT_NONE32, 0, RT_NONE32);
  atomic_store(&me->at, NULL);
  atomic_fetch_sub(&asleep, 1);
  errno = saved;
}

// Until a time, as the wait did that was recorded to time out. Not a cancellation point.
HIDDEN bool enf_sleep(const RtNode *n, clockid_t clock, const struct timespec *until) {
  EnfThread *me = &enf.threads[n->thread];
  RtThr *own = thr(n->thread);
  int saved = errno;
  uint32_t seen = atomic_load(&own->park);
  atomic_store(&me->at, n);
  while (enf_on() && !RT_MUTANT(EARLY_TIMEOUT) && futex_sleep(own, seen, clock, until))
    seen = atomic_load(&own->park);
  atomic_store(&me->at, NULL);
  errno = saved;
  return enf_on();
}

// Its turn, its object, its edges; all that is special stands here.
HIDDEN bool enf_arrive(const RtNode *n, const void *object) {
  RT_CHAOS_HERE();
  if (!enf_on()) return false;
  enf.threads[n->thread].operand = object;
  if (atomic_load_explicit(&thr(n->thread)->published, memory_order_relaxed) != n->before &&
      !RT_MUTANT(ANY_ORDER)) {
    enf_out_of_order(n);
    return false;
  }
  if (n->object != RT_NONE32 && object && !enf_bind(n, n->object, object)) return false;
  return enf_waits(n);
}

HIDDEN void enf_note(const RtNode *n) {
  uint32_t special = atomic_load_explicit(&thr(n->thread)->special, memory_order_relaxed);
  if (special & ENF_SPECIAL_RECHECK) enf_recheck_note(n);
}

HIDDEN void enf_publish(const RtNode *n) {
  uint32_t special = atomic_load_explicit(&thr(n->thread)->special, memory_order_relaxed);
  if (special & ENF_SPECIAL_FENCE) {
    atomic_store(&thr(n->thread)->published, n->position + 1);
    atomic_thread_fence(memory_order_seq_cst);
  }
  rt_publish(n);
}

HIDDEN void enf_done(const RtNode *n) {
  enf_note(n);
  enf_publish(n);
}

static bool refused(int e) {
  return e == EBUSY || e == ETIMEDOUT || e == EAGAIN;
}

// Whether to try an operation again that ended in e. What the schedule lets happen may still be a moment off:
// code outside holds the object, or the owner of a robust mutex has not ended altogether.
HIDDEN bool enf_again(const RtNode *n, int e, unsigned tries) {
  enum { SLEEPS = 1000 };
  if (e == n->outcome || !enf_on()) return false;
  if (e == EINTR) return true;
  bool passes = n->outcome == 0 || n->outcome == EOWNERDEAD || n->outcome == ENOTRECOVERABLE;
  if (!passes || !refused(e) || tries >= YIELDS + SLEEPS) return false;
  if (tries < YIELDS)
    sched_yield();
  else
    syscall(SYS_nanosleep, &(struct timespec){0, 1000000}, NULL);
  return true;
}

static bool as_recorded(const RtNode *n, int e) {
  return e == n->outcome || (n->outcome == RT_ENF_FAILED && e != 0);
}

// After it the thread may be free; what the operation returned is true anyway.
HIDDEN void enf_finish(const RtNode *n, int e) {
  if (!enf_on()) return;
  if (as_recorded(n, e))
    enf_done(n);
  else
    enf_wrong_outcome(n, e);
}
