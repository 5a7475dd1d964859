// What cannot have happened is refused at its line, and what can is not.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "sim.h"

static const char head[] =
    "sigma 1\nprogram p\nmodule 00\n"
    "site 0 f#0 create\nsite 1 f#1 join\nsite 2 f#2 lock\nsite 3 f#3 unlock\nsite 4 f#4 wait\nsite 5 f#5 "
    "signal\n"
    "site 6 f#6 broadcast\nsite 7 f#7 barrier\nsite 8 f#8 acquire\nsite 9 f#9 post\nsite 10 f#10 once "
    "derived\n"
    "site 11 f#11 once-begin\nsite 12 f#12 once-end\nsite 13 f#13 once-abort\nsite 14 f#14 rdlock\n"
    "site 15 f#15 detach\nsite 16 f#16 cancel\nsite 17 f#17 testcancel\nsite 18 f#18 call\nsite 19 f#19 "
    "call\n"
    "site 20 f#20 exit\nsite 21 f#21 unmodelled\nschedule 0\norigin written\norder hb\nat main\nwhen false\n";
static const char objects[] =
    "object m1 mutex recursive\nobject m3 mutex robust\nobject r1 rwlock prefer-writer\nobject b0 barrier "
    "count 2\n"
    "object s0 semaphore count 1\nobject s1 semaphore count 0\n";

// Events, separated by "; ", as a file. Returns the line of the first.
static unsigned file_of(const char *events, bool incomplete, Bytes *out) {
  bytes_text(out, head);
  if (incomplete) bytes_text(out, "incomplete\n");
  bytes_text(out, objects);
  unsigned line = 1;
  for (vec_each(i, out)) line += out->at[i] == '\n';
  for (; *events; ++events) {
    if (*events == ';' && events[1] == ' ')
      vec_push(out, '\n'), ++events;
    else
      vec_push(out, (unsigned char)*events);
  }
  bytes_text(out, "\nend\n");
  return line;
}

static void allowed_if(const char *events, bool incomplete) {
  Bytes text = {0};
  file_of(events, incomplete, &text);
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text.at, text.len), "a.sigma", diags);
  bool ok = s && sigma_check(s, diags);
  if (!ok) fprintf(stderr, "%s\n", events), diags_print(diags, stderr, "test");
  assert(ok && !diags_count(diags));
  sigma_free(s);
  diags_free(diags);
  vec_free(&text);
}
static void allowed(const char *events) {
  allowed_if(events, false);
}

// The error is at this event, counted from 1, and ends in this text.
static void refused(const char *events, unsigned at, const char *says) {
  Bytes text = {0};
  unsigned line = file_of(events, false, &text) + at - 1;
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text.at, text.len), "a.sigma", diags);
  assert(!s || !sigma_check(s, diags));
  const Diag *d = diags_at(diags, 0);
  size_t len = strlen(d->text), want = strlen(says);
  bool ok = diags_count(diags) == 1 && !strcmp(d->file, "a.sigma") && d->line == line && len >= want &&
            !strcmp(d->text + len - want, says);
  if (!ok) fprintf(stderr, "%s\n", events), diags_print(diags, stderr, "test");
  assert(ok);
  sigma_free(s);
  diags_free(diags);
  vec_free(&text);
}

static void test_threads(void) {
  allowed("t0 create 0 t1; t1 enter f; t1 exit; t0 join 1 t1; t0 exit");
  allowed("t0 create 0 t1; t0 exit");
  allowed("t0 create 0 t1; t1 enter f; t0 exit 20; t1 exit");
  allowed("t0 create 0 t1; t1 enter f; t1 exit 20");
  allowed("t0 create 0 = again; t0 join 1 = srch; t0 exit");
  allowed(
      "t0 create 0 t1; t0 join 1 t1 = busy; t1 enter f; t0 join 1 t1 = timedout; t1 exit; t0 join 1 t1; t0 "
      "exit");
  allowed(
      "t0 create 0 t1; t1 enter f; t0 cancel 16 t1; t1 testcancel 17; t1 exit 17; t0 cancel 16 t1; t0 exit");
  allowed("t0 create 0 t1; t0 detach 15 t1; t0 join 1 t1 = inval; t0 exit");
  allowed_if("t0 create 0 t1", true);
  allowed_if("", true);
  refused("t1 enter f", 1, "t1 has not been created");
  refused("t0 enter f", 1, "t0 has already entered");
  refused("t0 create 0 t2", 1, "t2 is created, but t1 is the next thread");
  refused("t0 create 0 t1; t0 create 0 t1", 2, "t1 is created, but t2 is the next thread");
  refused("t0 create 0 t1; t1 lock 2 m0", 2, "t1 has not entered");
  refused("t0 create 0 t1; t1 enter f; t1 enter f", 3, "t1 has already entered");
  refused("t0 create 0 t1; t1 enter f; t1 exit; t1 exit", 4, "t1 has exited (event 2)");
  refused("t0 create 0 t1; t0 exit; t1 enter f; t1 exit", 3,
          "main has returned (event 1), which ends the process");
  refused("t0 create 0 t1; t1 enter f; t1 exit", 3,
          "t1 returns from its routine, but the process does not end: t0 has not exited");
  refused("t0 create 0 t1; t0 join 1 t1", 2, "t1 has not exited");
  refused("t0 create 0 t1; t1 enter f; t1 exit; t0 join 1 t1; t0 join 1 t1; t0 exit", 5,
          "t1 has already been joined");
  refused("t0 create 0 t1; t0 detach 15 t1; t0 join 1 t1 = busy", 3, "t1 is detached");
  refused("t0 create 0 t1; t0 detach 15 t1; t0 detach 15 t1", 3, "t1 is already detached");
  refused("t0 create 0 t1; t1 enter f; t1 exit; t0 join 1 t1 = busy", 4, "t1 had exited (event 2)");
  refused("t0 create 0 t1 = again; t0 exit", 1, "a failed create must not name a thread");
  refused("t0 create 0; t0 exit", 1, "a thread is missing");
  refused("t0 join 1; t0 exit", 1, "a thread is missing");
  refused("t0 create 0 t1; t0 cancel 16 t1 = busy", 2, "busy is not an outcome of cancel");
}

static void test_calls(void) {
  allowed("t0 call 18; t0 call 19; t0 ret 19; t0 unwind 18; t0 exit");
  allowed("t0 call 18; t0 call 18; t0 ret 18; t0 exit 20");
  allowed("t0 call 10; t0 ret 10; t0 once 10 o0 = ran; t0 exit");
  allowed(
      "t0 call 18; t0 callback f; t0 call 19; t0 callback g; t0 ret 19; t0 callback f; t0 ret 18; t0 exit");
  allowed("t0 callback handler; t0 lock 2 m0; t0 exit");
  allowed("t0 call 18; t0 lock 18 m0; t0 ret 18; t0 exit");
  refused("t0 call 18; t0 callback f; t0 ret 19", 3, "the innermost call of t0 is that of site 18 (event 0)");
  refused("t0 call 18; t0 callback f; t0 exit", 3, "t0 returns from its routine inside a call (event 0)");
  refused("t0 callback f; t0 ret 18", 2, "t0 is in no call");
  refused("t0 ret 18", 1, "t0 is in no call");
  refused("t0 call 18; t0 ret 19", 2, "the innermost call of t0 is that of site 18 (event 0)");
  refused("t0 call 18; t0 exit", 2, "t0 returns from its routine inside a call (event 0)");
  refused("t0 call 2", 1, "site 2 (f#2) is lock and not derived");
  refused("t0 lock 3 m0", 1, "site 3 (f#3) is unlock by its line");
}

static void test_locks(void) {
  allowed("t0 lock 2 m1; t0 lock 2 m1; t0 unlock 3 m1; t0 unlock 3 m1; t0 exit");
  allowed("t0 lock 2 m0; t0 lock 2 m0 = deadlk; t0 lock 2 m0 = busy; t0 unlock 3 m0; t0 exit");
  allowed("t0 lock 2 p0; t0 unlock 3 p0; t0 unlock 3 p0 = perm; t0 exit");
  allowed(
      "t0 create 0 t1; t1 enter f; t1 lock 2 m3; t1 exit; t0 lock 2 m3 = ownerdead; t0 unlock 3 m3; "
      "t0 lock 2 m3 = notrecoverable; t0 exit");
  allowed("t0 create 0 t1; t1 enter f; t1 lock 2 m0; t1 exit; t0 lock 2 m0 = busy; t0 exit");
  refused("t0 create 0 t1; t1 enter f; t1 lock 2 m3; t1 exit; t0 lock 2 m3 = busy", 5,
          "m3 is robust, and its owner has exited");
  refused("t0 lock 2 m0 = ownerdead", 1, "m0 is not robust");
  refused("t0 unlock 3 m0", 1, "m0 is free");
  refused("t0 lock 2 m0; t0 lock 2 m0", 2, "m0 is held by t0 (event 0), and is not recursive");
  refused("t0 create 0 t1; t1 enter f; t1 lock 2 m0; t0 lock 2 m0", 4, "m0 is held by t1 (event 2)");
  refused("t0 create 0 t1; t1 enter f; t1 lock 2 m0; t0 unlock 3 m0", 4, "m0 is held by t1 (event 2)");
  refused("t0 lock 2 m1; t0 lock 2 m1; t0 unlock 3 m1; t0 unlock 3 m1; t0 unlock 3 m1", 5, "m1 is free");
  refused("t0 lock 2 m0 = busy", 1, "m0 is free");
  refused("t0 lock 2 m1; t0 lock 2 m1 = busy", 2, "m1 is held by this thread and recursive");
  refused("t0 lock 2 m0 = deadlk", 1, "m0 is not held by this thread");
  refused("t0 lock 2 m0 = again", 1, "m0 is not held by this thread, or is not recursive");
  refused("t0 lock 2 m0; t0 unlock 3 m0 = perm", 2, "m0 is held by this thread");
  refused("t0 lock 2 m3 = ownerdead", 1, "m3 has no owner that exited");
  refused("t0 lock 2 m3 = notrecoverable", 1, "m3 never had an owner that exited");
  refused("t0 lock 2 m0 = serial", 1, "serial is not an outcome of lock");
  refused("t0 signal 5 m0", 1, "a mutex has no signal");
  refused("t0 rdlock 14 m0", 1, "a mutex has no rdlock");
}

static void test_rwlocks(void) {
  allowed(
      "t0 create 0 t1; t1 enter f; t0 rdlock 14 r0; t1 rdlock 14 r0; t0 rdlock 14 r0; t0 unlock 3 r0; "
      "t1 lock 2 r0 = busy; t0 unlock 3 r0; t1 unlock 3 r0; t1 lock 2 r0; t0 rdlock 14 r0 = busy; "
      "t1 rdlock 14 r0 = deadlk; t1 unlock 3 r0; t0 exit");
  allowed("t0 rdlock 14 r1; t0 create 0 t1; t1 enter f; t1 rdlock 14 r1 = busy; t0 exit");
  refused("t0 rdlock 14 r0; t0 lock 2 r0", 2, "r0 is held by readers");
  refused("t0 lock 2 r0; t0 rdlock 14 r0", 2, "r0 is held by t0 (event 0), and is not recursive");
  refused("t0 rdlock 14 r0; t0 rdlock 14 r0 = busy", 2, "r0 is held by readers only");
  refused("t0 lock 2 r0 = timedout", 1, "r0 is free");
  refused("t0 unlock 3 r0", 1, "r0 is free");
  refused("t0 rdlock 14 r0; t0 create 0 t1; t1 enter f; t1 unlock 3 r0", 4, "r0 is held by other readers");
  refused("t0 rdlock 14 r0; t0 unlock 3 r0 = perm", 2, "r0 is held by this thread");
  refused("t0 rdlock 14 r0 = deadlk", 1, "r0 is not held by this thread");
}

#define TWO "t0 create 0 t1; t1 enter f; "
#define WAITS TWO "t1 lock 2 m0; t1 wait-arrive 4 c0 m0; "

static void test_conditions(void) {
  allowed(WAITS "t0 signal 5 c0; t1 wait-depart 4 c0 m0; t1 unlock 3 m0; t0 exit");
  allowed(WAITS "t0 lock 2 m0; t0 broadcast 6 c0; t0 unlock 3 m0; t1 wait-depart 4 c0 m0; t0 exit");
  allowed(WAITS "t1 wait-depart 4 c0 m0 = timedout; t0 exit");
  allowed(WAITS "t1 wait-depart 4 c0 m0 = spurious; t0 exit");
  allowed(WAITS "t0 cancel 16 t1; t1 wait-depart 4 c0 m0 = cancelled; t1 unlock 3 m0; t1 exit 4; t0 exit");
  allowed(WAITS "t0 exit");
  allowed("t0 wait-arrive 4 c0 m0 = perm; t0 exit");
  // The signal goes to who departs first, so the later one needs another.
  allowed(WAITS
          "t0 lock 2 m0; t0 wait-arrive 4 c0 m0; t1 wait-depart 4 c0 m0 = timedout; t1 signal 5 c0; "
          "t1 unlock 3 m0; t0 wait-depart 4 c0 m0; t0 exit");
  refused(WAITS "t1 wait-depart 4 c0 m0", 5, "nothing wakes it: no signal since event 3 is left to wake it");
  refused(TWO "t0 signal 5 c0; t1 lock 2 m0; t1 wait-arrive 4 c0 m0; t1 wait-depart 4 c0 m0", 6,
          "nothing wakes it: no signal since event 4 is left to wake it");
  refused(WAITS
          "t0 lock 2 m0; t0 wait-arrive 4 c0 m0; t0 wait-depart 4 c0 m0 = spurious; t0 signal 5 c0; "
          "t0 wait-arrive 4 c0 m0; t1 wait-depart 4 c0 m0; t1 unlock 3 m0; t0 wait-depart 4 c0 m0",
          12, "nothing wakes it: no signal since event 8 is left to wake it");
  refused("t0 wait-arrive 4 c0 m0", 1, "m0 is free");
  refused("t0 wait-depart 4 c0 m0", 1, "t0 has not arrived there");
  refused("t0 lock 2 m0; t0 wait-arrive 4 c0 m0; t0 unlock 3 m0", 3,
          "t0 has not departed since it arrived (event 1)");
  refused("t0 lock 2 m0; t0 wait-arrive 4 c0 m0; t0 wait-depart 4 c1 m0", 3,
          "t0 has not departed since it arrived (event 1)");
  refused(WAITS "t0 lock 2 m0; t0 signal 5 c0; t1 wait-depart 4 c0 m0", 7, "m0 is held by t0 (event 4)");
  refused(WAITS "t0 lock 2 m2; t0 wait-arrive 4 c0 m2", 6, "others wait there with m0");
  refused("t0 lock 2 m0; t0 wait-arrive 4 c0 m0 = timedout", 2, "only a departing wait can be timedout");
  refused("t0 lock 2 m0; t0 wait-arrive 4 c0 m0; t0 wait-depart 4 c0 m0 = perm", 3,
          "a wait that fails at once must only arrive");
  refused("t0 wait-arrive 4 c0 r0", 1, "r0 is not a mutex");
}

static void test_barriers(void) {
  allowed(TWO
          "t0 barrier-arrive 7 b0; t1 barrier-arrive 7 b0; t1 barrier-depart 7 b0 = serial; "
          "t1 barrier-arrive 7 b0; t0 barrier-depart 7 b0; t0 exit");
  allowed("t0 barrier-arrive 7 b0 = inval; t0 exit");
  refused("t0 barrier-arrive 7 b0; t0 barrier-depart 7 b0", 2, "1 of 2 threads have arrived");
  refused(TWO
          "t0 barrier-arrive 7 b0; t1 barrier-arrive 7 b0; t1 barrier-depart 7 b0 = serial; "
          "t0 barrier-depart 7 b0 = serial",
          6, "another thread was already the serial one");
  refused(TWO
          "t0 barrier-arrive 7 b0; t1 barrier-arrive 7 b0; t1 barrier-depart 7 b0; t0 barrier-depart 7 b0",
          6, "none of 2 threads was the serial one");
  refused("t0 barrier-arrive 7 b1", 1, "b1 needs a count in its `object` line");
  refused("t0 barrier-arrive 7 b0 = serial", 1, "only a departing thread can be serial");
}

static void test_semaphores(void) {
  allowed(
      "t0 acquire 8 s0; t0 acquire 8 s0 = again; t0 acquire 8 s0 = intr; t0 post 9 s0; t0 acquire 8 s0; "
      "t0 acquire 8 s0 = timedout; t0 post 9 s0 = overflow; t0 exit");
  refused("t0 acquire 8 s0; t0 acquire 8 s0", 2, "s0 is at 0");
  refused("t0 acquire 8 s1", 1, "s1 is at 0");
  refused("t0 acquire 8 s0 = again", 1, "s0 is not at 0");
  refused("t0 acquire 8 s7", 1, "s7 needs a count in its `object` line");
}

static void test_once(void) {
  allowed("t0 once 10 o0 = ran; t0 once 10 o0; t0 exit");
  allowed(
      "t0 once-begin 11 o0 = ran; t0 once-abort 13 o0; t0 once-begin 11 o0 = ran; t0 once-end 12 o0; "
      "t0 once-begin 11 o0; t0 exit");
  refused("t0 once 10 o0", 1, "o0 has not run");
  refused("t0 once 10 o0 = ran; t0 once 10 o0 = ran", 2, "o0 has already run");
  refused(TWO "t0 once-begin 11 o0 = ran; t1 once-begin 11 o0 = ran", 4, "o0 is running");
  refused(TWO "t0 once-begin 11 o0 = ran; t1 once-end 12 o0", 4, "o0 is not run by this thread");
  refused("t0 once-end 12 o0", 1, "o0 is not run by this thread");
}

static void test_end(void) {
  allowed("t0 unmodelled 21; t0 unmodelled 21 m0; t0 exit");
  Bytes text = {0};
  file_of("t0 lock 2 m0", false, &text);
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text.at, text.len), "a.sigma", diags);
  assert(s && !sigma_check(s, diags) && diags_count(diags) == 1 && diags_at(diags, 0)->line == 26);
  assert(
      !strcmp(diags_at(diags, 0)->text, "the schedule does not end with an exit and is not marked incomplete"));
  sigma_free(s);
  diags_free(diags);
  vec_free(&text);
}

// The message as a person sees it.
static void test_message(void) {
  Bytes text = {0};
  file_of("t0 lock 2 m0; t0 lock 2 m0", false, &text);
  Diags *diags = diags_new();
  Sigma *s = sigma_parse(span_of(text.at, text.len), "app.sigma", diags);
  assert(s && !sigma_check(s, diags));
  assert(diags_at(diags, 0)->line == 38);
  assert(!strcmp(diags_at(diags, 0)->text,
                 "event 1 `t0 lock 2 m0`: m0 is held by t0 (event 0), and is not recursive"));
  sigma_free(s);
  diags_free(diags);
  vec_free(&text);
}

// What the simulator knows and a recorder does not is found again.
static void test_settle(void) {
  unsigned spurious = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    Schedule *c = s->schedules.at[0];
    for (vec_each(i, &c->events))
      if (c->events.at[i].wake == EVENT_SPURIOUS) c->events.at[i].wake = EVENT_WOKEN;
    for (vec_each(i, &c->objects)) c->objects.at[i].recursive = c->objects.at[i].robust = false;
    Diags *diags = diags_new();
    bool ok = sigma_settle(s, 0, diags);
    diags_print(diags, stderr, "test");
    assert(ok && sigma_check(s, diags));
    for (vec_each(i, &c->events)) spurious += c->events.at[i].wake == EVENT_SPURIOUS;
    diags_free(diags);
    sigma_free(s);
  }
  assert(spurious > 10);
}

int main(void) {
  test_threads();
  test_calls();
  test_locks();
  test_rwlocks();
  test_conditions();
  test_barriers();
  test_semaphores();
  test_once();
  test_end();
  test_message();
  test_settle();
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Sigma *s = sim_sigma(sim_options(seed));
    Diags *diags = diags_new();
    bool ok = sigma_check(s, diags);
    diags_print(diags, stderr, "test");
    assert(ok);
    diags_free(diags);
    sigma_free(s);
  }
  return 0;
}
