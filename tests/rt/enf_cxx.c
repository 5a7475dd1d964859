// What the real libstdc++ does under enforcement, called as a C++ program would.
#include <poll.h>
#include "kit.h"

#define START rt_enf__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
#define WAIT rt_enf__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE
#define NOTIFY_ONE rt_enf__ZNSt18condition_variable10notify_oneEv
#define NOTIFY_ALL rt_enf__ZNSt18condition_variable10notify_allEv

static RtNode *e[32];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static struct {
  pthread_mutex_t *mutex;
  bool owns;
} lock = {&m, true};
static uint64_t guard;
static int initialized;

// A std::thread::_State: its table, then what is its own.
typedef struct {
  void (*destroy)(void **), (*remove)(void **), (*run)(void **);
} Table;
typedef struct {
  const void *table;
  int ran, removed;
} State;
static void state_destroy(void **s) {
  (void)s;
}
static void state_remove(void **s) {
  ++((State *)(void *)s)->removed;
}
static void run_clone(void **s) {
  if (rt_enf___cxa_guard_acquire(e[2], &guard)) {
    poll(NULL, 0, 20);
    ++initialized;
    rt_enf___cxa_guard_release(e[3], &guard);
  }
  ok(rt_enf_pthread_mutex_lock(e[4], &m));
  ++((State *)(void *)s)->ran;
  NOTIFY_ONE(e[5], &c);
  NOTIFY_ALL(e[6], &c);
  ok(rt_enf_pthread_mutex_unlock(e[7], &m));
}
static void state_run(void **s);
static const void *run_address(void) {
  return (const void *)(uintptr_t)state_run;
}
static void state_run(void **s) {
  assert(rt_enf_stub(run_address()) == (const void *)(uintptr_t)run_clone);
  run_clone(s);
}

static void events(void) {
  uint32_t om = kit_object(RT_MUTEX, "m0", 0), oc = kit_object(RT_COND, "c0", 0),
           og = kit_object(RT_ONCE_FLAG, "o0", 0);
  e[0] = EV(0, "create", 1, NULL);
  e[0]->function = run_address();
  kit_enter(1, "run", e[0]);
  kit_callback(1, run_address(), (const void *)(uintptr_t)run_clone);
  e[2] = EVO(1, "once-begin = ran", og, RT_ENF_RAN, NULL);
  e[3] = EV(1, "once-end", og, NULL);
  e[8] = EV(0, "lock", om, NULL);
  e[9] = EV(0, "once-begin", og, e[3]);
  e[10] = kit_event(0, "wait-arrive", oc, (Kit){.mutex = om}, NULL);
  e[4] = EV(1, "lock", om, e[10]);
  e[5] = EV(1, "signal", oc, NULL);
  e[6] = EV(1, "broadcast", oc, NULL);
  e[7] = EV(1, "unlock", om, NULL);
  e[10]->depart = kit_event(0, "wait-depart", oc, (Kit){.mutex = om}, AFTER(e[7]));
  e[11] = EV(0, "unlock", om, NULL);
  RtNode *x = kit_exit(1, NULL);
  e[12] = EV(0, "join", 1, x);
  kit_exit(0, NULL);
  kit_begin(false, 0);
}

static void thread(void) {
  static const Table table = {state_destroy, state_remove, state_run};
  static State s = {&table, 0, 0};
  pthread_t self = 0;
  void *state = &s;
  events();
  START(e[0], &self, &state, NULL);
  ok(rt_enf_pthread_mutex_lock(e[8], &m));
  assert(!rt_enf___cxa_guard_acquire(e[9], &guard) && initialized == 1);
  WAIT(e[10], &c, (void **)&lock);
  assert(pthread_mutex_trylock(&m) == EBUSY && s.ran == 1);
  ok(rt_enf_pthread_mutex_unlock(e[11], &m));
  rt_enf__ZNSt6thread4joinEv(e[12], &self);
  assert(!self && s.removed == 1);
}

static const Scenario all[] = {{"thread", thread, 0, NULL, false}, {NULL, NULL, 0, NULL, false}};

int main(int argc, char **argv) {
  return kit_main(argc, argv, all);
}
