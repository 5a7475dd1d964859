// Random programs held to random schedules of theirs (plan.h), each in a process of its own, with sleeps at
// random; half of them leave the schedule somewhere, and then either end with a message or go on free. Nobody
// may hang, lose a wake-up or mutual exclusion, or see another outcome or order than the schedule says.
//
// With KIT_ROLLED all of it is held in the program's own code (rt/roll), and some schedules are altered: told
// as well.
//
//   enf_stress [FIRST COUNT]   runs; by default a sample, with SPEC_SOAK=1 20,000
//   enf_stress mutants         a sample of the known mistakes of rt/enforce/mutants.def, with SPEC_SOAK=1
//   all: each
//                              must be found
//   enf_stress recheck         SPECIALIZE_RECHECK finds an order that was not kept
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/eventfd.h>
#include <time.h>
#include <sys/wait.h>
#include "plan.h"

// Of the library that is made for this test (rt/enforce/chaos.c).
void rt_enf_test(const char *mutant, uint32_t chaos, bool fences);
const char *rt_enf_mutant_name(uint32_t i);  // NULL: no more

typedef enum { FOLLOW, SKIP, REPEAT, RETURN, OTHER_OBJECT, STALL, EXIT, FORK, ALTERED, DEVIATIONS } Deviation;
static const char *const deviations[] = {"follow", "skip", "repeat", "return", "object",
                                         "stall",  "exit", "fork",   "altered"};

static Plan *plan;
// What a run is to do; in memory that it shares with who judges it.
static struct {
  Deviation what;
  uint32_t workers, events, thread, action, waker, after;
  bool free, total, recheck, signals;
} * plot;

// 1. The program for real. What a lock protects is plain memory, so that ThreadSanitizer sees it too.

static pthread_mutex_t mutex[PLAN_MUTEXES - 1], other_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t rwlock[PLAN_RWLOCKS];
static sem_t semaphore[PLAN_SEMAPHORES], gate;
static pthread_cond_t cond[PLAN_CONDS];
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t owner[PLAN_MUTEXES], depth[PLAN_MUTEXES], in_order[PLAN_RWLOCKS];
static int queue[PLAN_CONDS], runs_of_once;
static _Atomic int readers[PLAN_RWLOCKS], writers[PLAN_RWLOCKS], units[PLAN_SEMAPHORES];
static uint32_t cell[PLAN_CELLS][2] __attribute__((aligned(8)));
static _Atomic uint32_t
    looked[PLAN_CELLS][PLAN_ACTIONS * KIT_THREADS];  // by value: how often it was added to
static _Atomic uint32_t arrivals, tickets;
static _Atomic bool ready[KIT_THREADS];           // to be cancelled
static _Atomic int wakes[PLAN_CONDS];             // that signals may have given
static struct { uint32_t start, end; } * ticket;  // by place

static noreturn void broken(const char *what) {
  char text[100];
  int n = snprintf(text, sizeof text, "broken: %s\n", what);
  if (write(2, text, (size_t)n) < 0) _exit(98);
  _exit(98);
}
#define must(x) ((x) ? (void)0 : broken(#x))

typedef struct {
  uint32_t number, next, action;
  bool wrong_object;
} Actor;

static const RtNode *node_of(Actor *a) {
  const Worker *w = &plan->worker[a->number];
  const RtNode *n = a->next < w->nodes ? w->node[a->next] : w->exit;
  ++a->next;
  ticket[n->place].start = ++tickets;
  return n;
}
static void done(const RtNode *n) {
  ticket[n->place].end = ++tickets;
}

static void enter(Actor *a, uint32_t m) {
  must(!owner[m] || (m == PLAN_RECURSIVE && owner[m] == a->number));
  owner[m] = a->number, ++depth[m];
}
static void leave(Actor *a, uint32_t m) {
  must(owner[m] == a->number);
  if (!--depth[m]) owner[m] = 0;
}

static int lock(const RtNode *n, Op op, pthread_mutex_t *m) {
  struct timespec until = kit_ahead(CLOCK_REALTIME, 1);
  if (op == LOCK) return HELD(pthread_mutex_lock, n, m);
  if (op == TRY) return HELD(pthread_mutex_trylock, n, m);
  return HELD(pthread_mutex_timedlock, n, m, &until);
}
static bool do_lock(Actor *a, Ins i) {
  const RtNode *n = node_of(a);
  pthread_mutex_t *m = i.object == PLAN_SPIN ? NULL : a->wrong_object ? &other_mutex : &mutex[i.object];
  int r;
  if (i.op == UNLOCK) {
    if (m != &other_mutex) leave(a, i.object);
    r = m ? HELD(pthread_mutex_unlock, n, m) : HELD(pthread_spin_unlock, n, &spin);
    must(!r);
  } else {
    r = m             ? lock(n, i.op, m)
        : i.op == TRY ? HELD(pthread_spin_trylock, n, &spin)
                      : HELD(pthread_spin_lock, n, &spin);
    must(!r || (i.op == TRY && r == EBUSY) || (i.op == TIMED && r == ETIMEDOUT));
    if (!r && m != &other_mutex) enter(a, i.object);
  }
  done(n);
  return !r;
}

static bool do_rwlock(Actor *a, Ins i) {
  const RtNode *n = node_of(a);
  pthread_rwlock_t *l = &rwlock[i.object];
  int r = 0;
  if (i.op == UNRW) {
    if (writers[i.object])
      must(--writers[i.object] == 0), ++in_order[i.object];
    else
      --readers[i.object];
    must(!HELD(pthread_rwlock_unlock, n, l));
  } else {
    r = i.op == RD      ? HELD(pthread_rwlock_rdlock, n, l)
        : i.op == TRYRD ? HELD(pthread_rwlock_tryrdlock, n, l)
        : i.op == WR    ? HELD(pthread_rwlock_wrlock, n, l)
                        : HELD(pthread_rwlock_trywrlock, n, l);
    must(!r || r == EBUSY);
    bool writes = i.op == WR || i.op == TRYWR;
    if (!r) writes ? ++writers[i.object] : ++readers[i.object];
    if (!r) must(writes ? !readers[i.object] && writers[i.object] == 1 : !writers[i.object]);
  }
  done(n);
  return !r;
}

static bool do_semaphore(Actor *a, Ins i) {
  const RtNode *n = node_of(a);
  sem_t *s = &semaphore[i.object];
  struct timespec until = kit_ahead(CLOCK_REALTIME, 1);
  int r;
  if (i.op == POST) ++units[i.object];
  do
    r = i.op == POST     ? HELD(sem_post, n, s)
        : i.op == ACQ    ? HELD(sem_wait, n, s)
        : i.op == ACQTRY ? HELD(sem_trywait, n, s)
                         : HELD(sem_timedwait, n, s, &until);
  while (r && errno == EINTR);
  must(!r || (i.op == ACQTRY && errno == EAGAIN) || (i.op == ACQTIMED && errno == ETIMEDOUT));
  if (!r && i.op != POST) must(--units[i.object] >= 0);
  done(n);
  return !r;
}

static void do_wait(Actor *a, Ins i) {
  struct timespec until = kit_ahead(CLOCK_REALTIME, 2);
  pthread_mutex_t *m = &mutex[i.object];
  while (queue[i.object] <= 0) {
    const RtNode *n = node_of(a);
    leave(a, i.object);
    int r = i.op == WAITFOR ? HELD(pthread_cond_wait, n, &cond[i.object], m)
                            : HELD(pthread_cond_timedwait, n, &cond[i.object], m, &until);
    enter(a, i.object);
    must(!r || (i.op == TIMEDWAIT && r == ETIMEDOUT));
    bool spurious = n->depart && n->depart->outcome == RT_ENF_SPURIOUS;
    if (!r && !spurious) must(--wakes[i.object] >= 0);
    if (n->depart) ticket[n->depart->place].start = ticket[n->place].start;
    if (n->depart) done(n->depart);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (r) must(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec));
    if (i.op == TIMEDWAIT) return;
  }
}

static void do_barrier(Actor *a) {
  const RtNode *n = node_of(a);
  uint32_t round = arrivals++ / plan->workers;
  int r = HELD(pthread_barrier_wait, n, &barrier);
  must(arrivals >= (round + 1) * plan->workers);
  must(!r || r == PTHREAD_BARRIER_SERIAL_THREAD);
  done(n);
}

// Nobody else adds to the same value; a run that is held reads what was recorded.
static void do_cell(Actor *a, Ins i) {
  enum { HOW = 7 | RT_RMW_ADD << RT_HOW_OPERATION };
  const RtNode *n = node_of(a);
  uint32_t was = i.op == ADD ? rt_enf_specialize_atomic_rmw_4(n, cell[i.object], 1, HOW)
                             : rt_enf_specialize_atomic_load_4(n, cell[i.object], HOW);
  must(was < PLAN_ACTIONS * KIT_THREADS);
  if (i.op == ADD) must(!looked[i.object][was]++);
  if (plot->what == FOLLOW) must(was == n->round);
  done(n);
}

static void routine(void) {
  ++runs_of_once;
}

// Asleep in a call that is no event.
static void nap(uint32_t kind) {
  int p[2];
  uint64_t one = 1;
  struct timespec short_time = {0, 20000};
  switch (kind) {
    case 0:
      nanosleep(&short_time, NULL);
      return;
    case 1:
      poll(NULL, 0, 1);
      return;
    case 2:
      ok(pipe(p));
      while (write(p[1], "x", 1) < 0) continue;
      while (read(p[0], &one, 1) < 0) continue;
      close(p[0]), close(p[1]);
      return;
    default:
      p[0] = eventfd(1, 0);
      while (read(p[0], &one, sizeof one) < 0) continue;
      close(p[0]);
  }
}

// As the code that is generated for a thread that is cancelled there.
static noreturn void do_cancelled(Actor *a) {
#ifdef KIT_ROLLED
  (void)a;
  broken("a plan without cancellation");
#else
  const RtNode *n = node_of(a);
  ready[a->number] = true;
  rt_enf_before(n, NULL);
  done(n);
  rt_enf_after(n);
  rt_enf_cancelled();
  for (;;) pause();
#endif
}

static bool do_ins(Actor *a, Ins i) {
  if (i.op <= UNLOCK) return do_lock(a, i);
  if (i.op <= UNRW) return do_rwlock(a, i);
  if (i.op <= ACQTIMED) return do_semaphore(a, i);
  if (i.op == PUT) return ++queue[i.object], true;
  if (i.op == TAKE) return queue[i.object] -= queue[i.object] > 0, true;
  if (i.op == NAP) return nap(i.object), true;
  if (i.op == CANCELLED) do_cancelled(a);
  if (i.op == ADD || i.op == LOOK) return do_cell(a, i), true;
  if (i.op == BARRIER) return do_barrier(a), true;
  if (i.op == WAITFOR || i.op == TIMEDWAIT) return do_wait(a, i), true;
  const RtNode *n = node_of(a);
  if (i.op == ONCE) {
    ok(HELD(pthread_once, n, &once, routine));
    must(runs_of_once == 1);
  } else {
    wakes[i.object] += i.op == SIGNAL ? 1 : (int)plan->workers;
    ok(i.op == SIGNAL ? HELD(pthread_cond_signal, n, &cond[i.object])
                      : HELD(pthread_cond_broadcast, n, &cond[i.object]));
  }
  done(n);
  return true;
}

static void do_action(Actor *a, const Action *what) {
  a->next = what->first;
  for (uint32_t i = 0; i < what->count; ++i)
    if (!do_ins(a, what->ins[i])) break;
}

// The child has whatever locks the others held for ever, so it takes one that nobody has.
static void fork_here(const RtNode *any) {
  pid_t pid = fork();
  if (!pid) {
    alarm(10);
    ok(HELD(pthread_mutex_lock, any, &other_mutex));
    ok(HELD(pthread_mutex_unlock, any, &other_mutex));
    _exit(5);
  }
  int status;
  while (waitpid(pid, &status, 0) < 0) continue;
  must(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

// False: the thread is to return here.
static bool do_actions(Actor *a) {
  const Worker *w = &plan->worker[a->number];
  while (a->action < w->actions) {
    uint32_t i = a->action++;
    bool here = plot->thread == a->number && plot->action == i;
    if (here && plot->what == SKIP) continue;
    if (here && plot->what == RETURN) return false;
    if (here && plot->what == EXIT) exit(0);
    if (here && plot->what == FORK) fork_here(w->exit);
    if (here && plot->what == STALL)
      while (sem_wait(&gate)) continue;
    a->wrong_object = here && plot->what == OTHER_OBJECT;
    do_action(a, &w->action[i]);
    a->wrong_object = false;
    if (here && plot->what == REPEAT) do_action(a, &w->action[i]);
    if (plot->what == STALL && plot->waker == a->number && plot->after == i) sem_post(&gate);
  }
  return true;
}
static void cleans(void *actor) {
  do_actions(actor);
}

static void *worker(void *p) {
  Actor a = {.number = (uint32_t)(uintptr_t)p};
  pthread_cleanup_push(cleans, &a);
  do_actions(&a);
  pthread_cleanup_pop(0);
  return p;
}

// 2. A run, and what is right.

static bool only_safe_left(uint32_t t, uint32_t from) {
  const Worker *w = &plan->worker[t];
  for (; from < w->actions; ++from)
    if (!w->action[from].safe) return false;
  return true;
}
// Of a mutex that is used elsewhere too: only then is it known which one it should be.
static bool begins_with_mutex(const Action *a) {
  uint32_t uses = 0, mine = a->ins[0].object;
  if (!a->safe || a->ins[0].op > TIMED || mine == PLAN_SPIN || a->count > 3) return false;
  for (uint32_t t = 1; t <= plan->workers; ++t)
    for (uint32_t i = 0; i < plan->worker[t].actions; ++i) {
      const Action *b = &plan->worker[t].action[i];
      uses += b != a && b->ins[0].op <= LOCK && b->ins[0].object == mine;
    }
  return uses > 0;
}
static uint32_t phase_of(uint32_t t, uint32_t action) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < action; ++i) n += plan->worker[t].action[i].ins[0].op == BARRIER;
  return n;
}

// main cancels one after the other: nobody may wait for what is done behind that.
static bool is_cancelled_before(uint32_t t, uint32_t action) {
  for (uint32_t i = 0; i <= action; ++i)
    if (plan->worker[t].action[i].ins[0].op == CANCELLED) return true;
  return false;
}

// A deviation that a free program can bear: others do not wait for what is left out.
static bool plot_fits(void) {
  const Action *a = &plan->worker[plot->thread].action[plot->action];
  switch (plot->what) {
    case SKIP:
    case REPEAT:
      return a->safe;
    case RETURN:
      return only_safe_left(plot->thread, plot->action);
    case OTHER_OBJECT:
      return begins_with_mutex(a);
    case STALL:
      return !is_cancelled_before(plot->waker, plot->after) && plot->waker != plot->thread &&
             plot->thread > plan->workers / 3 + 1 &&
             plan->worker[plot->waker].action[plot->after].ins[0].op != BARRIER &&
             phase_of(plot->thread, plot->action) == phase_of(plot->waker, plot->after);
    default:
      return true;
  }
}

static void plot_make(uint32_t seed) {
  static const Deviation some[] = {SKIP, SKIP, REPEAT, REPEAT, RETURN, OTHER_OBJECT, EXIT, FORK};
  plot->workers = plan->workers;
  plot->total = plan->total;
  plot->events = kit_schedule.places;
  plot->recheck = seed % 5 == 2;
  plot->free = seed % 4 == 3;
  plot->what = seed % 2 == 0 ? FOLLOW : seed % 97 == 1 && !KIT_TSAN ? STALL : some[plan_random(8)];
  for (int tries = 0; plot->what && tries < 200; ++tries) {
    plot->thread = 1 + plan_random(plan->workers);
    plot->waker = 1 + plan_random(plan->workers);
    if (!plan->worker[plot->thread].actions || !plan->worker[plot->waker].actions) continue;
    plot->action = plan_random(plan->worker[plot->thread].actions);
    plot->after = plan_random(plan->worker[plot->waker].actions);
    if (plot_fits()) break;
    plot->action = 0, plot->thread = 0;
  }
  if (!plot->thread) plot->what = FOLLOW;
  // A handler might wake who sleeps: who stalls is waited for then.
  plot->signals = seed % 7 < 2 && plot->what != STALL;
  if (KIT_IS_ROLLED && seed % 8 == 1) plot->what = ALTERED;
}

static void objects_begin(void) {
  pthread_mutexattr_t recursive;
  ok(pthread_mutexattr_init(&recursive));
  ok(pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE));
  for (int i = 0; i < PLAN_MUTEXES - 1; ++i)
    ok(pthread_mutex_init(&mutex[i], i == PLAN_RECURSIVE ? &recursive : NULL));
  ok(pthread_spin_init(&spin, 0));
  for (int i = 0; i < PLAN_RWLOCKS; ++i) ok(pthread_rwlock_init(&rwlock[i], NULL));
  for (int i = 0; i < PLAN_SEMAPHORES; ++i) ok(sem_init(&semaphore[i], 0, (unsigned)i)), units[i] = i;
  for (int i = 0; i < PLAN_CONDS; ++i) ok(pthread_cond_init(&cond[i], NULL));
  ok(sem_init(&gate, 0, 0));
  ok(pthread_barrier_init(&barrier, NULL, plan->workers));
}

static void edges_check(void) {
  for (uint32_t i = 0; i < plan->edges; ++i) {
    Edge e = plan->edge[i];
    uint32_t from = ticket[e.from->place].start, to = ticket[e.to->place].end;
    if (from && to && from >= to) broken("the order of two events");
  }
}

// Each only where it waits for that: elsewhere others wait for what it is to do.
static void cancel_all(const pthread_t *t) {
  for (uint32_t i = 0; i < plan->cancels; ++i) {
    uint32_t k = plan->cancelled[i];
    while (!ready[k]) nap(0);
    ok(HELD(pthread_cancel, plan->worker[k].cancel, t[k]));
  }
}

static _Atomic uint32_t handled;
static void handle(int signal) {
  int saved = errno;
  (void)signal;
  ++handled;
  errno = saved;
}
// To any thread, again and again.
static void signals_begin(uint32_t seed) {
  struct sigaction how = {.sa_handler = handle, .sa_flags = seed % 2 ? SA_RESTART : 0};
  struct sigevent to = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec often = {{0, 400000}, {0, 400000}};
  timer_t timer;
  ok(sigaction(SIGUSR1, &how, NULL));
  ok(timer_create(CLOCK_MONOTONIC, &to, &timer));
  ok(timer_settime(timer, 0, &often, NULL));
}

static void one_run(uint32_t seed) {
  plan = plan_make(seed);
  plot_make(seed);
  if (plot->recheck) setenv("SPECIALIZE_RECHECK", "1", 1);
  objects_begin();
  ticket = calloc(100000, sizeof *ticket);
  kit_begin(plot->free, plot->what == ALTERED ? 1 + plan_random(1 << 30) : 0);
  if (plot->signals) signals_begin(seed);
  pthread_t *t = calloc(plan->workers + 1, sizeof *t);
  for (uint32_t i = 1; i <= plan->workers; ++i)
    ok(HELD(pthread_create, plan->worker[i].create, &t[i], NULL, worker, (void *)(uintptr_t)i));
  cancel_all(t);
  for (uint32_t i = 1; i <= plan->workers; ++i) ok(HELD(pthread_join, plan->worker[i].join, t[i], NULL));
  if (plot->what == FOLLOW || plot->what == FORK) edges_check();
  exit(0);
}

static char said[4000];  // on stderr

static bool is_right(int status) {
  bool told = strstr(said, "specialize: schedule 0 diverged: "),
       quiet = plot->recheck ? !told && strstr(said, "specialize: recheck: schedule 0 was followed") : !*said;
  bool fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  bool stopped = WIFEXITED(status) && WEXITSTATUS(status) == 66 && told && !plot->free;
  bool went_on = fine && told && plot->free;
  switch (plot->what) {
    case FOLLOW:
    case FORK:
      return fine && quiet;
    case ALTERED:
      return stopped || went_on;
    case STALL:
      return (fine && quiet) || stopped || went_on;
    case EXIT:
      return fine && quiet;
    case RETURN:
      return (stopped || went_on) && strstr(said, "saw the end of the thread");
    default:
      return stopped || went_on;
  }
}

static const char *tests_mutant = "";
static unsigned patience = 120;

static bool run_in_child(uint32_t seed) {
  int p[2], status;
  ok(pipe(p));
  memset(plot, 0, sizeof *plot);
  pid_t pid = fork();
  assert(pid >= 0);
  if (!pid) {
    dup2(p[1], 2);
    setenv("SPECIALIZE_VERBOSE", "1", 1);
    close(p[0]), close(p[1]);
    alarm(patience);
    rt_enf_test(tests_mutant, seed % 3 ? seed : 0, seed % 11 == 0);
    one_run(seed);
  }
  close(p[1]);
  size_t n = 0;
  for (ssize_t r; n < sizeof said - 1 && (r = read(p[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)r;
  said[n] = 0;
  close(p[0]);
  assert(waitpid(pid, &status, 0) == pid);
  bool right = is_right(status);
  if (!right && !*tests_mutant)
    fprintf(stderr, "seed %u, %u threads%s: %s at thread %u action %u%s: status %#x\n%s\n", seed,
            plot->workers, plot->total ? ", total" : "", deviations[plot->what], plot->thread, plot->action,
            plot->free ? ", free" : "", (unsigned)status, said);
  return right;
}

static uint32_t runs(uint32_t first, uint32_t count) {
  uint32_t bad = 0, what[DEVIATIONS] = {0}, freed = 0;
  uint64_t events = 0, threads = 0;
  for (uint32_t i = first; i < first + count && bad < 20; ++i) {
    bad += !run_in_child(i);
    ++what[plot->what];
    events += plot->events;
    threads += plot->workers;
    freed += plot->what && plot->free;
  }
  for (int i = 0; i < DEVIATIONS; ++i) printf("%s %u, ", deviations[i], what[i]);
  printf("%u of them free; %.0f events, %.1f threads a run; %u wrong\n", freed, (double)events / count,
         (double)threads / count, bad);
  return bad;
}

static uint32_t survivors(bool all) {
  enum { MOST = 20000 };
  uint32_t alive = 0;
  patience = 20;
  for (uint32_t i = all ? 0 : 1; (tests_mutant = rt_enf_mutant_name(i)); i += all ? 1 : 4) {
    uint32_t seed = 1;
    while (seed < MOST && run_in_child(seed)) ++seed;
    fprintf(stderr, "%s: %s %u runs\n", tests_mutant, seed < MOST ? "found after" : "ALIVE after", seed);
    alive += seed == MOST;
  }
  return alive;
}

// The comparison at the end finds what the schedule's edges were not kept by.
static uint32_t recheck_blind(void) {
  tests_mutant = "NO_WAITING";
  for (uint32_t seed = 2; seed < 2000; seed += 5) {
    run_in_child(seed);
    if (strstr(said, "did not follow")) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  const char *soak = getenv("SPEC_SOAK");
  bool all = soak && *soak == '1';
  plot = mmap(NULL, sizeof *plot, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(plot != MAP_FAILED);
  if (argc == 2 && !strcmp(argv[1], "mutants")) return KIT_TSAN ? 77 : survivors(all) != 0;
  if (argc == 2 && !strcmp(argv[1], "recheck")) return recheck_blind() != 0;
  if (argc == 3) return runs((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2])) != 0;
  return runs(1, all ? 20000 : 200) != 0;
}
