// A run that leaves its schedule: one message by one thread, then the end of the process, or, in a program
// that may go on, the conversion to free running.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

typedef struct {
  char at[1000];
  size_t n;
} Text;

__attribute__((format(printf, 2, 3))) static void say(Text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(t->at + t->n, sizeof t->at - t->n - 1, format, args);
  va_end(args);
  t->n += n < 0 ? 0 : (size_t)n;
  if (t->n > sizeof t->at - 2) t->n = sizeof t->at - 2;
}

// write is a cancellation point, and who leaves a schedule may be no such.
static void tell(Text *t) {
  t->at[t->n++] = '\n';
  for (size_t done = 0; done < t->n;) {
    long n = syscall(SYS_write, 2, t->at + done, t->n - done);
    if (n < 0 && errno != EINTR) return;
    if (n > 0) done += (size_t)n;
  }
}

static void say_place(Text *t, const char *file, uint32_t line, const char *function) {
  if (file) say(t, " at %s:%u", file, line);
  if (function) say(t, " in %s", function);
}

static const RtPlace *place(uint32_t i) {
  const RtSchedule *s = enf.schedule;
  return i < s->places ? &s->place[i] : NULL;
}

static const RtPlace *place_of_position(uint32_t thread, uint32_t position) {
  const RtSchedule *s = enf.schedule;
  if (s->version < RT_ENFORCE_STEPS || !s->step || position >= s->plan[thread].events) return NULL;
  return place(s->step[thread][position]);
}

static void say_event(Text *t, const RtPlace *p, uint32_t object) {
  say(t, "%s", p->what);
  if (p->names && object < enf.schedule->objects) say(t, " %s", enf.schedule->object[object].name);
  say_place(t, p->file, p->line, p->function);
}

static void say_next(Text *t, uint32_t thread) {
  uint32_t next = atomic_load(&rt_enf_threads[thread].published);
  const RtPlan *plan = &enf.schedule->plan[thread];
  const RtPlace *p = place_of_position(thread, next);
  const RtNode *n = !p && enf.next ? enf.next(thread) : NULL;
  if (n) p = place(n->place);
  if (p)
    say_event(t, p, n ? n->object : RT_NONE32);
  else if (next < plan->events)
    say(t, "its event %u of %u", next + 1, plan->events);
  else
    say(t, "no more events");
}

static void say_outcome(Text *t, int outcome) {
  static const char *const words[] = {"ran", "serial", "cancelled", "spurious", "an error"};
  const char *name = outcome > 0 ? strerrorname_np(outcome) : NULL;
  if (outcome == 0)
    say(t, "ok");
  else if (outcome < 0 && outcome >= RT_ENF_FAILED)
    say(t, "%s", words[-outcome - 1]);
  else if (name)
    say(t, "%s", name);
  else
    say(t, "error %d", outcome);
}

static Text begun(uint32_t thread) {
  Text t = {.n = 0};
  const RtPlan *plan = &enf.schedule->plan[thread];
  say(&t, "specialize: schedule %u diverged: thread %u (%s)", enf.schedule->id, thread,
      plan->routine ? plan->routine : "?");
  return t;
}

static Text begun_at(const RtNode *n) {
  Text t = begun(n->thread);
  const RtPlace *p = place(n->place);
  if (p) say_place(&t, p->file, p->line, p->function);
  return t;
}

// Only the first to leave the schedule says so. What the others see may follow from that.
static void end(Text *t) {
  static _Atomic uint32_t told;
  bool first = !atomic_exchange(&told, 1);
  if (first && !enf.quiet) tell(t);
  if (enf.schedule->free || atomic_load(&enf.mode) == ENF_FORKED) {
    enf_convert();
  } else if (first) {
    _exit(RT_EXIT_DIVERGED);
  } else {
    for (;;) pause();
  }
}

static void say_expected(Text *t, const RtNode *n) {
  const RtPlace *p = place(n->place);
  say(t, ": expected ");
  if (p)
    say_event(t, p, n->object);
  else
    say(t, "event %u", n->position + 1);
}

HIDDEN void enf_out_of_order(const RtNode *n) {
  Text t = begun_at(n);
  const RtPlace *p = place(n->place);
  say(&t, ": expected ");
  say_next(&t, n->thread);
  say(&t, ", saw %s", p ? p->what : "another event");
  end(&t);
}

HIDDEN void enf_wrong_object(const RtNode *n, uint32_t object, const void *address, uint32_t other) {
  Text t = begun_at(n);
  const RtLife *lives = enf.schedule->object;
  say_expected(&t, n);
  for (uint32_t i = 0; other == RT_NONE32 && i < enf.schedule->objects; ++i)
    if (i != object && atomic_load(&rt_enf_objects[i]) == address && lives[i].family == lives[object].family)
      other = i;
  say(&t, ", saw ");
  if (other == RT_NONE32)
    say(&t, "another object at %p instead of %s", address, lives[object].name);
  else
    say(&t, "%s instead of %s", lives[other].name, lives[object].name);
  end(&t);
}

HIDDEN void enf_wrong_outcome(const RtNode *n, int outcome) {
  Text t = begun_at(n);
  say_expected(&t, n);
  say(&t, " to end with ");
  say_outcome(&t, n->outcome);
  say(&t, ", saw ");
  say_outcome(&t, outcome);
  end(&t);
}

HIDDEN void enf_seen(const RtNode *n, const char *seen) {
  Text t = begun_at(n);
  say_expected(&t, n);
  say(&t, ", saw %s", seen);
  end(&t);
}

HIDDEN void enf_thread_seen(uint32_t thread, const char *seen) {
  Text t = begun(thread);
  say(&t, ": expected ");
  say_next(&t, thread);
  say(&t, ", saw %s", seen);
  end(&t);
}

// It is parked at n, and nobody can wake it.
HIDDEN void enf_stuck(const RtNode *n, const char *why) {
  uint32_t target = atomic_load(&enf.threads[n->thread].target);
  Text t = begun_at(n);
  say_expected(&t, n);
  say(&t, ", cannot get there: ");
  if (target == RT_NONE32) {
    say(&t, "not all threads reach the barrier, and all threads sleep");
  } else {
    const char *routine = enf.schedule->plan[target].routine;
    say(&t, "it waits for thread %u (%s), which %s before ", target, routine ? routine : "?", why);
    say_next(&t, target);
  }
  end(&t);
}

// It is parked at n, and it may be that somebody spins until it goes on, or that something outside comes.
HIDDEN void enf_slow(const RtNode *n, EnfDelay why) {
  static _Atomic uint32_t told;
  uint32_t target = atomic_load(&enf.threads[n->thread].target);
  uint32_t seconds = atomic_load(&enf.patience) / 1000;
  const RtPlace *p = place(n->place);
  if (!seconds || target == RT_NONE32 || atomic_exchange(&told, 1)) return;
  Text t = {.n = 0};
  say(&t, "specialize: schedule %u: thread %u waits", enf.schedule->id, n->thread);
  if (p) {
    say(&t, " before ");
    say_event(&t, p, RT_NONE32);
  }
  say(&t, " for thread %u, which is before ", target);
  say_next(&t, target);
  if (why == ENF_OUTSIDE)
    say(&t, "; for %u s no thread has reached an event, and something outside the program may still come",
        seconds);
  else
    say(&t, "; threads have run for %u s without reaching an event", seconds);
  say(&t, "; SPECIALIZE_PATIENCE=%u ends such a run", seconds);
  tell(&t);
}

static void left(const RtEdge *e, const char *seen) {
  int saved = errno;
  Text t = begun(e->thread);
  const RtPlace *p = place(e->next);
  say_place(&t, e->file, e->line, e->function);
  say(&t, ": expected ");
  if (p)
    say_event(&t, p, RT_NONE32);
  else
    say_next(&t, e->thread);
  say(&t, ", saw %s", seen);
  end(&t);
  errno = saved;
}

noreturn void rt_enf_stop(const RtEdge *e) {
  left(e, e->seen);
  _exit(RT_EXIT_DIVERGED);
}

void rt_enf_leave(const RtEdge *e) {
  if (e && enf_on()) left(e, e->seen);
  enf_settle();
}

static void left_call(const RtEdge *e, const void *target) {
  char seen[200];
  int saved = errno;
  snprintf(seen, sizeof seen, "a call of the function at %p instead of %s", target, e->seen);
  errno = saved;
  left(e, seen);
}

noreturn void rt_enf_stop_call(const RtEdge *e, const void *target) {
  left_call(e, target);
  _exit(RT_EXIT_DIVERGED);
}

void rt_enf_leave_call(const RtEdge *e, const void *target) {
  if (enf_on()) left_call(e, target);
  enf_settle();
}

// What the runtime itself needs is not there.
HIDDEN void enf_cannot(const char *what, int error) {
  Text t = {.n = 0};
  say(&t, "specialize: cannot enforce schedule %u: %s: %s; the original program runs", enf.schedule->id, what,
      strerror(error));
  if (!enf.quiet) tell(&t);
}
