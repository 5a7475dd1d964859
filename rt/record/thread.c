// Threads: their beginnings and ends, and who is whose child.
#include <errno.h>

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rec.h"
#include "rt/rounds.h"

static pthread_key_t key;

static Cell *name_of(RtThread *t, pthread_t id) {
  return cell_of(t, (const void *)(uintptr_t)id, RT_THREAD_NAME);
}

static RtThread *memory_take(void) {
  sigset_t old;
  rec_block(&old);
  rec_lock();
  RtThread *t = rec->spare;
  if (t) rec->spare = t->next;
  rec_unlock();
  rec_unblock(&old);
  if (!t) return rec_memory(sizeof *t);
  void *stack = t->stack;
  RtStand *stand = t->stand;
  memset(t, 0, sizeof *t);
  t->stack = stack, t->stand = stand;
  return t;
}

static void memory_give(RtThread *t) {
  sigset_t old;
  rec_block(&old);
  rec_lock();
  t->next = rec->spare;
  rec->spare = t;
  rec_unlock();
  rec_unblock(&old);
}

// Only who waits for whom is not known without it.
HIDDEN void thread_stands_make(void) {
  int saved = errno;
  rec->stands = rec_map_new("waits", RT_STANDS * sizeof(RtStand));
  errno = saved;
}

static void stand_take(RtThread *t) {
  uint32_t i = t->stand || !rec->stands ? RT_STANDS : atomic_fetch_add(&rec->stands_used, 1);
  if (i < RT_STANDS) t->stand = &rec->stands[i];
  if (!t->stand) return;
  t->stand->self = (uint64_t)pthread_self();
  atomic_store(&t->stand->task, (uint32_t)syscall(SYS_gettid));
  atomic_store(&t->stand->thread, t->id + 1);
}

static void stand_give(RtThread *t) {
  if (!t->stand) return;
  stand_end(t->stand);
  atomic_store(&t->stand->thread, 0);
}

HIDDEN RtThread *thread_new(RtThread *wiped) {
  RtThread *t = wiped ? wiped : memory_take();
  if (!t) return rec_why(RT_WHY_ERROR, ENOMEM), NULL;
  t->id = atomic_fetch_add(&rec->threads, 1);
  atomic_store(&rec->process->threads, t->id + 1);
  t->parent = RT_NO_THREAD;
  t->site = t->exit_site = RT_NO_SITE;
  t->how = RT_UNWOUND;
  return t;
}

// Called by the thread itself, before any code of the program's runs in it; with signals blocked, so that
// ENTER is the first entry.
HIDDEN void thread_begin(RtThread *t) {
  t->on = delay_on();
  rec_self = t;
  pthread_setspecific(key, t);
  crash_stack(t);
  stand_take(t);
  log_plain(t, t->site, RT_ENTER, t->parent, RT_OK);
  if (t->parent == RT_NO_THREAD)
    cell_own(name_of(t, pthread_self()), t->id + 1);
  else
    log_append(t, (RtEntry){RT_NO_SITE, 0, (uint32_t)t->address, RT_START, 0, (uint16_t)(t->address >> 32)});
}

// A name is cleared when the thread has ended and nobody may ask for it any more: it may be used again.
static void name_clear(Cell *name, uint32_t id) {
  uint32_t mine = id + 1;
  atomic_compare_exchange_strong(&name->owner, &mine, 0);
}
enum { NAME_DETACHED = 1, NAME_ENDED = 2 };
static void name_mark(Cell *name, uint32_t id, uint32_t mark) {
  if ((atomic_fetch_or(&name->value, mark) | mark) == (NAME_DETACHED | NAME_ENDED)) name_clear(name, id);
}

// Keys are destroyed after C++'s thread_local objects, and this one in the last round.
static void thread_end(void *p) {
  RtThread *t = p;
  if (!t->on) return;  // forked, and not seen since
  if (++t->rounds < LAST_ROUND) {
    pthread_setspecific(key, t);
    return;
  }
  sigset_t old;
  rec_block(&old);  // for good: no handler may come behind EXIT
  name_mark(name_of(t, pthread_self()), t->id, NAME_ENDED);
  log_plain(t, t->exit_site, RT_EXIT, 0, (int)t->how);
  log_close(t);
  stand_give(t);
  crash_stack_off(t);
  rec_self = &rec_nobody[1];
  memory_give(t);
}

HIDDEN int thread_key_make(void) {
  return pthread_key_create(&key, thread_end);
}

HIDDEN int outcome_of_thrd(int r) {
  switch (r) {
    case thrd_success:
      return RT_OK;
    case thrd_busy:
      return EBUSY;
    case thrd_timedout:
      return ETIMEDOUT;
    case thrd_nomem:
      return ENOMEM;
    default:
      return RT_FAILED;
  }
}

HIDDEN RtThread *thread_child(RtThread *t, RtSite site, uint64_t address, void *argument) {
  RtThread *child = thread_new(NULL);
  if (!child) return NULL;
  child->parent = t->id;
  child->site = site;
  child->address = address;
  child->argument = argument;
  child->masked = true;
  rec_block(&child->mask);
  t->creating = true;
  return child;
}

// The child waits until its creator has written down that it exists: only as long as no code of the program's
// runs in the child may the creator look at what pthread_create filled in. It does not wait forever, whatever
// happens to the creator.
enum { GO_NOT_YET, GO_ASLEEP, GO };

HIDDEN void thread_created(RtThread *t, RtThread *child, RtSite site, int outcome, const pthread_t *name,
                           bool detached) {
  sigset_t mask = child->mask;
  t->creating = false;
  log_plain(t, site, RT_CREATE, outcome ? RT_NO_THREAD : child->id, outcome);
  if (outcome) {
    memory_give(child);
  } else {
    Cell *c = name_of(t, *name);
    atomic_store(&c->value, detached ? NAME_DETACHED : 0);
    cell_own(c, child->id + 1);
    if (atomic_exchange(&child->go, GO) == GO_ASLEEP)
      syscall(SYS_futex, &child->go, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
  rec_unblock(&mask);
}

HIDDEN void thread_child_begin(RtThread *t) {
  struct timespec most = {1, 0};
  uint32_t seen = GO_NOT_YET;
  sigset_t mask;
  rec_block(&mask);
  for (int i = 0; i < 10 && atomic_load(&t->go) != GO; ++i) sched_yield();
  if (atomic_compare_exchange_strong(&t->go, &seen, GO_ASLEEP))
    syscall(SYS_futex, &t->go, FUTEX_WAIT_PRIVATE, GO_ASLEEP, &most, NULL, 0);
  thread_begin(t);
  rec_unblock(t->masked ? &t->mask : &mask);
}

static void *child_run(void *p) {
  RtThread *t = p;
  void *(*routine)(void *) = t->start.posix;
  thread_child_begin(t);
  void *result = routine(t->argument);
  t->how = RT_OK;
  return result;
}

static int child_run_c11(void *p) {
  RtThread *t = p;
  thrd_start_t routine = t->start.c11;
  thread_child_begin(t);
  int result = routine(t->argument);
  t->how = RT_OK;
  return result;
}

int rt_rec_pthread_create(RtSite site, pthread_t *id, const pthread_attr_t *attr, void *(*routine)(void *),
                          void *argument) {
  RtThread *t = rec_enter();
  RtThread *child = t ? thread_child(t, site, (uintptr_t)routine, argument) : NULL;
  if (!child) return pthread_create(id, attr, routine, argument);
  child->start.posix = routine;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attr) pthread_attr_getdetachstate(attr, &detached);
  sigset_t mask;
  if (attr && pthread_attr_getsigmask_np(attr, &mask) == 0) child->masked = false;
  int e = pthread_create(id, attr, child_run, child);
  thread_created(t, child, site, outcome_of_error(e), id, detached == PTHREAD_CREATE_DETACHED);
  return e;
}

int rt_rec_thrd_create(RtSite site, thrd_t *id, thrd_start_t routine, void *argument) {
  RtThread *t = rec_enter();
  RtThread *child = t ? thread_child(t, site, (uintptr_t)routine, argument) : NULL;
  if (!child) return thrd_create(id, routine, argument);
  child->start.c11 = routine;
  int r = thrd_create(id, child_run_c11, child);
  thread_created(t, child, site, outcome_of_thrd(r), id, false);
  return r;
}

// Logged at its end, however it ends.
HIDDEN void joining_end(Joining *j) {
  if (!j->t) return;
  rec_go_on(j->t);
  if (!j->child) j->child = cell_owner(j->name);  // one that only now became known
  log_plain(j->t, j->site, RT_JOIN, j->child - 1, j->outcome);
  if (j->outcome == RT_OK && j->child) name_clear(j->name, j->child - 1);
}

HIDDEN Joining joining(RtSite site, pthread_t id) {
  RtThread *t = rec_enter();
  Cell *name = t ? name_of(t, id) : NULL;
  return (Joining){t, name, t ? cell_owner(name) : 0, site, RT_UNWOUND};
}

HIDDEN void joining_stand(const Joining *j) {
  if (!j->t || !j->t->stand) return;
  j->t->stand->more = j->child;
  stand_begin(j->t->stand, RT_STAND_JOIN, j->site, 0);
}

int rt_rec_pthread_join(RtSite site, pthread_t id, void **result) {
  JOINING(j, site, id);
  joining_stand(&j);
  int e = pthread_join(id, result);
  j.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_pthread_tryjoin_np(RtSite site, pthread_t id, void **result) {
  JOINING(j, site, id);
  int e = pthread_tryjoin_np(id, result);
  j.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_pthread_timedjoin_np(RtSite site, pthread_t id, void **result, const struct timespec *until) {
  JOINING(j, site, id);
  int e = pthread_timedjoin_np(id, result, until);
  j.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_pthread_clockjoin_np(RtSite site, pthread_t id, void **result, clockid_t clock,
                                const struct timespec *until) {
  JOINING(j, site, id);
  int e = pthread_clockjoin_np(id, result, clock, until);
  j.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_thrd_join(RtSite site, thrd_t id, int *result) {
  JOINING(j, site, id);
  joining_stand(&j);
  int r = thrd_join(id, result);
  j.outcome = outcome_of_thrd(r);
  return r;
}

// Marked first: once it is detached its name may belong to another.
HIDDEN void detaching_end(Joining *d) {
  if (!d->t) return;
  log_plain(d->t, d->site, RT_DETACH, d->child - 1, d->outcome);
  if (d->outcome != RT_OK) atomic_fetch_and(&d->name->value, ~(uint32_t)NAME_DETACHED);
}

HIDDEN Joining detaching(RtSite site, pthread_t id) {
  Joining d = joining(site, id);
  if (d.child) name_mark(d.name, d.child - 1, NAME_DETACHED);
  return d;
}

int rt_rec_pthread_detach(RtSite site, pthread_t id) {
  DETACHING(d, site, id);
  int e = pthread_detach(id);
  d.outcome = outcome_of_error(e);
  return e;
}

int rt_rec_thrd_detach(RtSite site, thrd_t id) {
  DETACHING(d, site, id);
  int r = thrd_detach(id);
  d.outcome = outcome_of_thrd(r);
  return r;
}

// Written down before it has an effect; that it fails is hardly possible.
int rt_rec_pthread_cancel(RtSite site, pthread_t id) {
  RtThread *t = rec_enter();
  if (t) log_plain(t, site, RT_CANCEL, cell_owner(name_of(t, id)) - 1, RT_OK);
  return pthread_cancel(id);
}

typedef struct {
  RtThread *t;
  RtSite site;
  int outcome;
} Testing;
static void testing_end(Testing *c) {
  if (c->t) log_plain(c->t, c->site, RT_TESTCANCEL, 0, c->outcome);
}
void rt_rec_pthread_testcancel(RtSite site) {
  __attribute__((cleanup(testing_end))) Testing c = {rec_enter(), site, RT_UNWOUND};
  pthread_testcancel();
  c.outcome = RT_OK;
}

static void exiting(RtSite site) {
  RtThread *t = rec_enter();
  if (!t) return;
  t->how = RT_RAN;
  t->exit_site = site;
}

void rt_rec_pthread_exit(RtSite site, void *result) {
  exiting(site);
  pthread_exit(result);
}

void rt_rec_thrd_exit(RtSite site, int result) {
  exiting(site);
  thrd_exit(result);
}
