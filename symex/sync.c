// Synchronization operations, by the one table of them (core/syncs.def). What they wait for and how they end
// is the schedule's to say; here they get their operands, give their results, and make, join and end threads.
#include <assert.h>
#include "machine.h"
#include "natural.h"

enum { THREAD_STEP = 0x1000 };
#define THREAD_BASE UINT64_C(0x700000000000)

bool machine_operand(Machine *m, Thread *t, const Call *call, SyncArg a, uint64_t *out) {
  *out = 0;
  if (a.place == SYNC_ABSENT || a.place == SYNC_RESULT || a.arg >= call->arg_count) return true;
  *out = machine_word(m, t, call, a.arg);
  if (a.place == SYNC_VALUE) return true;
  if (!machine_load(m, t, *out, out, 8)) return false;
  if (a.place == SYNC_LOADED) return true;
  uint64_t table;
  return machine_load(m, t, *out, &table, 8) && machine_load(m, t, table + 16, out, 8);
}

static bool finish(Machine *m, Thread *t, const Call *call, const Sync *s, SyncOutcome outcome) {
  long result = 0;
  int error = 0;
  bool shows = sync_result_of(s, outcome, &result, &error);
  if (!shows && outcome != SYNC_OK && s->home == SYNC_IN_LIBSTDCXX && outcome != SYNC_RAN)
    return machine_stop(m, t, RUN_REFUSED, "%s throws an exception in the recording", s->name), false;
  if (error && (s->result == SYNC_RETURNS_ERRNO || s->result == SYNC_RETURNS_COUNT ||
                s->result == SYNC_RETURNS_POINTER))
    machine_set_errno(m, t, error);
  frame_of(t)->called = frame_of(t)->once = false;
  t->stage = 0;
  if (call->derived) t->returning = call->site;
  call_done(m, t, call, (uint64_t)result);
  return t->returning == SITE_NONE || follow_pending(m, t);
}

static bool store_zero(Machine *m, Thread *t, const Call *call, const Sync *s, unsigned arg) {
  static const unsigned sizes[] = {
      [SYNC_MUTEX] = 40,          [SYNC_RWLOCK] = 56,    [SYNC_SPIN] = 4,     [SYNC_COND] = 48,
      [SYNC_BARRIER_OBJECT] = 32, [SYNC_SEMAPHORE] = 32, [SYNC_ONCE_FLAG] = 4};
  static const unsigned char zero[64];
  unsigned size = s->family < sizeof sizes / sizeof *sizes ? sizes[s->family] : 0;
  return machine_store(m, t, machine_word(m, t, call, arg), zero, size);
}

// They say what kind of object it is: the trace must have it.
static void read_attributes(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint64_t from = !strncmp(s->name, "pthread_", 8) && call->arg_count > 1 ? machine_word(m, t, call, 1) : 0;
  if (from && memory_readable(&m->memory, from, 8)) machine_reads(m, from, 8);
}

// sem_open makes an object of its own.
static bool begins(Machine *m, Thread *t, const Call *call, const Sync *s) {
  if (s->result == SYNC_RETURNS_POINTER) {
    uint64_t at = memory_add(&m->memory, MEMORY_HEAP, 32, 16, t->pc);
    memory_flag(&m->memory, at, 32, MEMORY_EXISTS | MEMORY_WRITTEN);
    call_done(m, t, call, at);
    return true;
  }
  uint64_t at;
  if (!machine_operand(m, t, call, s->object, &at)) return false;
  follow_forget(m, at);
  if (m->natural) natural_begins(m, t, call, s, at);
  read_attributes(m, t, call, s);
  return store_zero(m, t, call, s, s->object.arg) && finish(m, t, call, s, SYNC_OK);
}

static bool ends(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint64_t at;
  if (!machine_operand(m, t, call, s->object, &at)) return false;
  follow_forget(m, at);
  return finish(m, t, call, s, SYNC_OK);
}

static bool set_cancel(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint32_t *what = strstr(s->name, "type") ? &m->cancel_type : &m->cancel_state;
  uint32_t old = *what;
  uint64_t to = machine_word(m, t, call, 1);
  *what = (uint32_t)machine_word(m, t, call, 0);
  if (to && !machine_store(m, t, to, &old, sizeof old)) return false;
  return finish(m, t, call, s, SYNC_OK);
}

// They sleep until an atomic changes, which the program looks at itself.
static bool futex_wait(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint64_t at;
  uint32_t now = 0,
           unless = (uint32_t)machine_word(m, t, call, s->object.arg + (s->home == SYNC_IN_KERNEL ? 2 : 1));
  if (!machine_operand(m, t, call, s->object, &at) || !machine_load(m, t, at, &now, sizeof now)) return false;
  machine_yield(m);
  if (now != unless) return finish(m, t, call, s, SYNC_OK);
  m->yields = true;
  return true;  // the same once more
}

// On objects that no schedule holds, and before main: as the operation is, by whoever comes first.
static bool ordinary(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint64_t at;
  if (!machine_operand(m, t, call, s->object, &at)) return false;
  Lock *l = NULL;
  for (vec_each(i, &m->locks))
    if (m->locks.at[i].address == at) l = &m->locks.at[i];
  if (!l) {
    Lock one = {at, 0, 0};
    vec_push(&m->locks, one);
    l = &vec_last(&m->locks);
  }
  bool mine = l->owner == t->id + 1;
  if (s->kind == SYNC_UNLOCK) {
    if (l->depth && !--l->depth) l->owner = 0;
    return finish(m, t, call, s, SYNC_OK);
  }
  if (s->kind == SYNC_LOCK || s->kind == SYNC_RDLOCK) {
    if (l->owner && !mine) {
      if (s->waiting == SYNC_TRY) return finish(m, t, call, s, SYNC_BUSY);
      machine_yield(m), m->yields = true;
      return true;
    }
    l->owner = t->id + 1, ++l->depth;
    return finish(m, t, call, s, SYNC_OK);
  }
  if (s->kind == SYNC_ONCE_BEGIN) return finish(m, t, call, s, SYNC_RAN);
  unsigned char one = 1;
  if (s->kind == SYNC_ONCE_END && !machine_store(m, t, at, &one, 1)) return false;
  if (s->kind == SYNC_ONCE && !l->depth) {
    if (frame_of(t)->once) return l->depth = 1, finish(m, t, call, s, SYNC_RAN);
    uint64_t routine;
    if (!machine_operand(m, t, call, s->start, &routine)) return false;
    uint32_t f = bytecode_function_at(m->code, routine);
    if (f == CODE_NONE || m->code->functions.at[f].kind != CODE_BODY || !frame_push(m, t, f, NULL, NULL, 0))
      return false;
    return frame_of(t)->again = true;
  }
  if (s->kind == SYNC_CREATE || s->kind == SYNC_WAIT || s->kind == SYNC_BARRIER || s->kind == SYNC_JOIN)
    return machine_stop(m, t, RUN_REFUSED, "%s before main", s->name), false;
  return finish(m, t, call, s, SYNC_OK);
}

uint64_t sync_thread_number(uint64_t id) {
  return (id - THREAD_BASE) / THREAD_STEP;
}

static bool starts_thread(Machine *m, Thread *t, const Call *call, const Sync *s, const Event *e) {
  uint64_t at, routine, argument, id = THREAD_BASE + (uint64_t)e->other * THREAD_STEP, zero = 0;
  if (e->other >= m->schedule->threads || m->threads[e->other])
    return machine_stop(m, t, RUN_LEFT, "the schedule creates another thread here"), false;
  if (!machine_operand(m, t, call, s->id, &at) || !machine_operand(m, t, call, s->start, &routine) ||
      !machine_operand(m, t, call, s->argument, &argument) || !machine_store(m, t, at, &id, 8))
    return false;
  bool owns = s->start.place == SYNC_VIRTUAL;  // std::thread takes its state along
  if (owns && !machine_store(m, t, machine_word(m, t, call, s->argument.arg), &zero, 8)) return false;
  uint32_t begin = bytecode_function(m->code, owns ? "specialize_thread_state" : "specialize_thread");
  uint64_t args[] = {routine, argument};
  if (begin == CODE_NONE)
    return machine_stop(m, t, RUN_REFUSED, "the models have no start of a thread"), false;
  Thread *new = thread_new(m, e->other, begin, args, 2);
  new->routine = bytecode_function_at(m->code, routine);
  new->enters = new->fresh = true;
  if (m->trace && new->frames.len) {
    TraceFrame *f = &m->trace->frames.at[frame_of(new)->trace];
    f->caller = frame_of(t)->trace, f->call = t->pc;
  }
  return !m->over;
}

static bool joins(Machine *m, Thread *t, const Call *call, const Sync *s, const Event *e) {
  uint64_t id, to = 0, zero = 0;
  if (!machine_operand(m, t, call, s->object, &id)) return false;
  if (e->other != SIGMA_NONE && id != THREAD_BASE + (uint64_t)e->other * THREAD_STEP)
    return machine_stop(m, t, RUN_LEFT, "the schedule names another thread here"), false;
  bool cxx = s->home == SYNC_IN_LIBSTDCXX;
  if (cxx && !machine_store(m, t, machine_word(m, t, call, s->object.arg), &zero, 8)) return false;
  if (s->kind != SYNC_JOIN || e->outcome != SYNC_OK || s->value.place == SYNC_ABSENT) return true;
  const Thread *other = e->other < m->schedule->threads ? m->threads[e->other] : NULL;
  if (!other || other->state != THREAD_ENDED)
    return machine_stop(m, t, RUN_LEFT, "the thread has not ended"), false;
  if (!machine_operand(m, t, call, s->value, &to)) return false;
  return !to || machine_store(m, t, to, &other->result, s->result == SYNC_RETURNS_THRD ? 4 : 8);
}

// The routine runs first, if it is this thread that runs it.
static bool once(Machine *m, Thread *t, const Call *call, const Sync *s) {
  const Event *ahead = follow_ahead(t, m, SYNC_ONCE, call->site);
  uint64_t at, routine;
  if (!frame_of(t)->once && ahead && ahead->outcome == SYNC_RAN) {
    if (!machine_operand(m, t, call, s->start, &routine)) return false;
    uint32_t f = bytecode_function_at(m->code, routine);
    if (f == CODE_NONE || m->code->functions.at[f].kind != CODE_BODY)
      return machine_stop(m, t, RUN_REFUSED, "%s is to run a function that has no code", s->name), false;
    uint32_t model = bytecode_function(m->code, "specialize_call");  // it is called from outside
    if (!frame_push(m, t, model, NULL, &routine, 1)) return false;
    return frame_of(t)->again = true;
  }
  const Event *e = follow_turn(m, t, SYNC_ONCE, EVENT_WHOLE, call->site);
  if (!e || !machine_operand(m, t, call, s->object, &at) || !follow_object(m, t, e, at)) return false;
  uint32_t done = 2;
  follow_pass(m, t);
  return machine_store(m, t, at, &done, sizeof done) && finish(m, t, call, s, (SyncOutcome)e->outcome);
}

bool sync_exit(Machine *m, Thread *t, uint64_t result) {
  uint32_t leave = bytecode_function(m->code, "specialize_thread_exit");
  if (leave == CODE_NONE) return machine_stop(m, t, RUN_REFUSED, "the models have no end of a thread"), false;
  return frame_push(m, t, leave, NULL, &result, 1);
}

static bool two_phases(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint64_t at, mutex;
  const Event *e = follow_turn(m, t, (int)s->kind, t->stage ? EVENT_DEPART : EVENT_ARRIVE, call->site);
  if (!e || !machine_operand(m, t, call, s->object, &at) || !machine_operand(m, t, call, s->mutex, &mutex))
    return false;
  if (!follow_object(m, t, e, at)) return false;
  if (s->kind == SYNC_WAIT && e->other != SIGMA_NONE) {
    Event lock = *e;
    lock.object = e->other;
    if (!follow_object(m, t, &lock, mutex)) return false;
  }
  follow_pass(m, t);
  if (e->wake == EVENT_CANCELLED) return t->stage = 0, sync_exit(m, t, UINT64_MAX);
  if (t->stage || e->outcome != SYNC_OK) return finish(m, t, call, s, (SyncOutcome)e->outcome);
  t->stage = 1;
  return true;  // the same instruction departs
}

static bool whole(Machine *m, Thread *t, const Call *call, const Sync *s) {
  uint64_t at;
  unsigned char one = 1;
  const Event *e = follow_turn(m, t, (int)s->kind, EVENT_WHOLE, call->site);
  if (!e || !machine_operand(m, t, call, s->object, &at)) return false;
  bool thread =
      s->kind == SYNC_CREATE || s->kind == SYNC_JOIN || s->kind == SYNC_DETACH || s->kind == SYNC_CANCEL;
  if (!thread && !follow_object(m, t, e, at)) return false;
  if (e->wake == EVENT_CANCELLED) return follow_pass(m, t), sync_exit(m, t, UINT64_MAX);
  if (s->kind == SYNC_CREATE && e->outcome == SYNC_OK && !starts_thread(m, t, call, s, e)) return false;
  if (thread && s->kind != SYNC_CREATE && !joins(m, t, call, s, e)) return false;
  if (s->kind == SYNC_ONCE_END && !machine_store(m, t, at, &one, 1)) return false;
  if (s->kind == SYNC_UNMODELLED)
    return machine_stop(m, t, RUN_REFUSED, "%s synchronizes in a way that no schedule expresses", s->name),
           false;
  follow_pass(m, t);
  return finish(m, t, call, s, (SyncOutcome)e->outcome);
}

bool sync_perform(Machine *m, Thread *t, const Call *call, const Sync *s) {
  if (call->derived && !frame_of(t)->called) {
    if (!follow_call(m, t, call)) return false;
    frame_of(t)->called = true;
  }
  if (call->arg_count < s->args)
    return machine_stop(m, t, RUN_REFUSED, "%s without its arguments", s->name), false;
  if (s->kind == SYNC_ATOMIC)
    return machine_stop(m, t, RUN_REFUSED, "atomic operations that are events cannot be executed again yet"),
           false;
  t->doing = s, t->doing_call = call;
  if (s->kind == SYNC_EXIT) {
    t->exit_site = call->site;
    return sync_exit(m, t, machine_word(m, t, call, s->value.arg));
  }
  if (s->kind == SYNC_INIT) return begins(m, t, call, s);
  if (s->kind == SYNC_DESTROY) return ends(m, t, call, s);
  if (s->kind == SYNC_SETCANCEL) return set_cancel(m, t, call, s);
  if (s->kind == SYNC_FUTEX_WAIT) return futex_wait(m, t, call, s);
  if (s->kind == SYNC_FUTEX_WAKE) return finish(m, t, call, s, SYNC_OK);
  bool held = call->sync ? call->event : sync_events(s->kind) > 0;
  if (!held || !m->began) return ordinary(m, t, call, s);
  if (s->kind == SYNC_ONCE) return once(m, t, call, s);
  return sync_events(s->kind) == 2 ? two_phases(m, t, call, s) : whole(m, t, call, s);
}

bool call_through(Machine *m, Thread *t, const Call *call, uint64_t address) {
  uint32_t f = bytecode_function_at(m->code, address);
  if (f == CODE_NONE) return machine_fault(m, t, address, "call"), false;
  const Function *to = &m->code->functions.at[f];
  if (to->kind == CODE_SYNC) return sync_perform(m, t, call, to->sync);
  if (call->derived && !frame_of(t)->called) {
    if (!follow_call(m, t, call)) return false;
    frame_of(t)->called = true;
  }
  if (to->kind == CODE_BODY) return frame_push(m, t, f, call, NULL, 0);
  if (to->kind == CODE_HOST) return host_call(m, t, call, to->host);
  machine_stop(m, t, RUN_REFUSED, "a call of %s through a pointer, which has no model",
               bytecode_name(m->code, f));
  return false;
}
