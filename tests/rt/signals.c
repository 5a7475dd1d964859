// Handlers of signals that synchronize, in the middle of whatever the recorder does.
#include "harness.h"
#include <sched.h>
#include <setjmp.h>
#include <sys/time.h>

enum { LOCKS = 64, ENOUGH = 3000 };
static pthread_mutex_t locks[LOCKS];
static sem_t ticks;
static _Atomic int handled, taken;
static _Atomic int workers_done;

static void start_ticking(void (*f)(int), int microseconds) {
  struct sigaction a = {.sa_handler = f, .sa_flags = SA_RESTART};
  ok(sigaction(SIGALRM, &a, NULL));
  struct itimerval every = {{0, microseconds}, {0, microseconds}};
  ok(setitimer(ITIMER_REAL, &every, NULL));
}
static void stop_ticking(void) {
  struct itimerval never = {{0, 0}, {0, 0}};
  ok(setitimer(ITIMER_REAL, &never, NULL));
}

static void on_tick(int number) {
  int e = errno;
  rt_rec_handler(number);
  ok(rt_rec_sem_post(1, &ticks));
  if (rt_rec_sem_trywait(2, &ticks) == 0) ok(rt_rec_sem_post(3, &ticks));
  ++handled;
  rt_rec_handled(number);
  errno = e;
}

static void some_locks(uint32_t *x) {
  for (int i = 0; i < 100; ++i) {
    *x = *x * 1664525u + 1013904223u;
    pthread_mutex_t *m = &locks[*x >> 26];
    rt_rec_call(10);
    ok(rt_rec_pthread_mutex_lock(11 + (*x >> 24) % 4, m));
    ok(rt_rec_pthread_mutex_unlock(16, m));
    rt_rec_ret(10);
  }
}

static void *lock_on(void *arg) {
  uint32_t x = (uint32_t)(uintptr_t)arg;
  while (handled < ENOUGH) {
    some_locks(&x);
    while (rt_rec_sem_trywait(17, &ticks) == 0) ++taken;
  }
  ++workers_done;
  return NULL;
}

static void run_handlers(void) {
  pthread_t t[2];
  for (int i = 0; i < LOCKS; ++i) ok(pthread_mutex_init(&locks[i], NULL));
  ok(rt_rec_sem_init(20, &ticks, 0, 0));
  for (uintptr_t i = 0; i < 2; ++i) ok(rt_rec_pthread_create(21, &t[i], NULL, lock_on, (void *)(i + 1)));
  start_ticking(on_tick, 50);
  lock_on((void *)3);
  stop_ticking();
  for (int i = 0; i < 2; ++i) ok(rt_rec_pthread_join(22, t[i], NULL));
}

// Where the disk holds up a file that grows, more ticks come than can be kept. Then the recording has to say
// so, and another one to be whole.
static int kept;
static void check_handlers(const char *dir, int status) {
  assert(status == 0);
  RtRecording *r = harness_open(dir);
  Order o = referee(r);  // of what there is
  uint32_t why = rt_recording_process(r)->why;
  assert((why & ~(uint32_t)RT_WHY_NESTED) == 0);
  if (why) {
    fprintf(stderr, "  says that some are missing\n");
    order_free(&o);
    rt_recording_close(r);
    return;
  }
  ++kept;
  assert(o.order == RT_ORDER_WHOLE && o.gaps == 0);
  size_t begun = order_count(&o, RT_HANDLER, -1);
  assert(begun >= ENOUGH && begun == order_count(&o, RT_HANDLED, -1));
  int depth[4] = {0};
  for (size_t i = 0; i < o.count; ++i) {
    RtEntry e = o.at[i].entry;
    int *d = &depth[o.at[i].thread];
    *d += (e.op == RT_HANDLER) - (e.op == RT_HANDLED);
    assert(*d >= 0 && *d <= 1 && (e.op != RT_POST || *d == 1));
  }
  order_free(&o);
  rt_recording_close(r);
}

// The handler never returns, wherever it came. What it interrupted may be lost, and then the recording says
// so.
static sigjmp_buf out;
static void leave(int number) {
  (void)number;
  ++handled;
  siglongjmp(out, 1);
}
static void run_jump(void) {
  for (int i = 0; i < LOCKS; ++i) ok(pthread_mutex_init(&locks[i], NULL));
  uint32_t x = 1;
  if (sigsetjmp(out, 1)) {
    for (int i = 0; i < LOCKS; ++i) pthread_mutex_init(&locks[i], NULL);
    rt_rec_unwound(0);
  }
  start_ticking(leave, 100);
  while (handled < ENOUGH / 3) some_locks(&x);
  stop_ticking();
  for (int i = 0; i < 1000; ++i) some_locks(&x);
}
static void check_jump(const char *dir, int status) {
  assert(status == 0);
  RtRecording *r = harness_open(dir);
  const RtProcess *p = rt_recording_process(r);
  assert((p->why & ~(uint32_t)RT_WHY_NESTED) == 0 && p->end == RT_END_EXIT);
  uint64_t count = 0, calls = 0;
  RtCursor *c = rt_cursor_new(r, 0);
  for (RtEntry e; rt_cursor_next(c, &e); ++count) calls += e.op == RT_CALL;
  fprintf(stderr, "  %llu entries, %s\n", (unsigned long long)count,
          p->why ? "says that some are missing" : "none missing");
  assert(rt_cursor_tail(c) == RT_TAIL_OPEN && calls > 100000);
  rt_cursor_free(c);
  rt_recording_close(r);
}

int main(int argc, char **argv) {
  static const Scenario all[] = {{"handlers", run_handlers, check_handlers, NULL, false},
                                 {"handlers", run_handlers, check_handlers, NULL, false},
                                 {"handlers", run_handlers, check_handlers, NULL, false},
                                 {"handlers", run_handlers, check_handlers, NULL, false},
                                 {"handlers", run_handlers, check_handlers, NULL, false},
                                 {"handlers", run_handlers, check_handlers, NULL, false},
                                 {"jump", run_jump, check_jump, NULL, false},
                                 {NULL, NULL, NULL, NULL, false}};
  int result = harness_main(argc, argv, all);
  assert(kept || argc > 1);
  return result;
}
