#include "kit.h"
#include <sys/wait.h>

RtThr rt_enf_threads[KIT_THREADS];
_Atomic(const void *) rt_enf_objects[KIT_OBJECTS];

enum { EVENTS = 4096, LASTS = 64 };
static struct {
  uint32_t count, published;
  uint32_t *places;
  RtNode **nodes;
  RtCallback callbacks[64];
} made[KIT_THREADS];
static RtPlan plans[KIT_THREADS];
static RtLife lives[KIT_OBJECTS];
static RtPlace *places;
static const uint32_t *steps[KIT_THREADS];
RtSchedule kit_schedule = {.version = RT_ENFORCE_STEPS};

static uint32_t place_new(const char *what, uint32_t line) {
  RtSchedule *s = &kit_schedule;
  places = realloc(places, (s->places + 1) * sizeof *places);
  places[s->places] = (RtPlace){"routine", "made.c", what, line, 1, 0};
  return s->places++;
}

RtNode *kit_event(uint32_t thread, const char *what, uint32_t object, Kit more, const RtNode *const *after) {
  uint32_t waits = 0;
  while (after && after[waits]) ++waits;
  RtNode *n = calloc(1, sizeof *n + waits * sizeof n->wait[0]);
  uint32_t position = made[thread].count++;
  *n = (RtNode){.thread = thread, .position = position, .before = made[thread].published, .object = object};
  n->mutex = more.mutex ? more.mutex : RT_NONE32;
  n->outcome = more.outcome;
  n->round = more.round;
  n->waits = waits;
  for (uint32_t i = 0; i < waits; ++i) n->wait[i] = (RtWait){after[i]->thread, after[i]->position + 1};
  n->place = place_new(what, 100 * thread + position);
  made[thread].places = realloc(made[thread].places, made[thread].count * sizeof n->place);
  made[thread].places[position] = n->place;
  made[thread].nodes = realloc(made[thread].nodes, made[thread].count * sizeof n);
  made[thread].nodes[position] = n;
  n->waker = RT_NONE32;
  if (!more.hidden) made[thread].published = position + 1;
  return n;
}

void kit_enter_node(uint32_t thread, const char *routine, const RtNode *enter) {
  plans[thread].routine = routine;
  plans[thread].enter = enter;
}
void kit_exit_node(uint32_t thread, const RtNode *n) {
  plans[thread].exit = n;
}

RtNode *kit_enter(uint32_t thread, const char *routine, RtNode *create) {
  create->object = thread;
  RtNode *n = EV(thread, "enter", RT_NONE32, create);
  kit_enter_node(thread, routine, n);
  return n;
}

RtNode *kit_exit(uint32_t thread, const RtNode *const *after) {
  RtNode *n = kit_event(thread, "exit", RT_NONE32, (Kit){0}, after);
  kit_exit_node(thread, n);
  return n;
}

RtNode *kit_wait(uint32_t thread, uint32_t cond, uint32_t mutex, int outcome, const RtNode *const *first,
                 const RtNode *const *after) {
  RtNode *n = kit_event(thread, "wait-arrive", cond, (Kit){.mutex = mutex}, first);
  n->depart = kit_event(thread, "wait-depart", cond, (Kit){.outcome = outcome, .mutex = mutex}, after);
  return n;
}

RtNode *kit_barrier(uint32_t thread, uint32_t barrier, uint32_t round, int outcome) {
  RtNode *n = kit_event(thread, "barrier-arrive", barrier, (Kit){.round = round}, NULL);
  n->depart = kit_event(thread, "barrier-depart", barrier, (Kit){.outcome = outcome, .round = round}, NULL);
  return n;
}

uint32_t kit_object(uint8_t family, const char *name, uint32_t amount) {
  if (!kit_schedule.objects) kit_schedule.objects = 1;  // 0 is not an object here
  lives[kit_schedule.objects] = (RtLife){.family = family, .name = name, .amount = amount};
  return kit_schedule.objects++;
}

void kit_last(uint32_t object, const RtNode *n) {
  RtLife *life = &lives[object];
  RtWait *w = realloc((void *)(uintptr_t)life->last, (life->lasts + 1) * sizeof *w);
  w[life->lasts++] = (RtWait){n->thread, n->position + 1};
  life->last = w;
}

void kit_callback(uint32_t thread, const void *function, const void *clone) {
  RtNode *n = kit_event(thread, "callback", RT_NONE32, (Kit){.hidden = true}, NULL);
  RtPlan *p = &plans[thread];
  made[thread].callbacks[p->callbacks++] = (RtCallback){function, clone, n->before, n->position};
  free(n);
}

void kit_begin(bool free_running, uint32_t alter) {
  RtSchedule *s = &kit_schedule;
  plans[0].routine = "main";
  while (s->threads < KIT_THREADS && made[s->threads].count) ++s->threads;
  for (uint32_t i = 0; i < s->threads; ++i) {
    plans[i].events = made[i].count;
    plans[i].callback = made[i].callbacks;
    steps[i] = made[i].places;
  }
  s->free = free_running;
  s->plan = plans;
  s->object = lives;
  s->place = places;
  s->step = steps;
#ifdef KIT_ROLLED
  kit_rolled_begin(s, alter);
#else
  assert(!alter);
  rt_enf_begin(s);
#endif
}

uint32_t kit_nodes(uint32_t thread, RtNode *const **out) {
  *out = made[thread].nodes;
  return made[thread].count;
}

struct timespec kit_ahead(clockid_t clock, long milliseconds) {
  struct timespec t;
  clock_gettime(clock, &t);
  t.tv_sec += milliseconds / 1000;
  t.tv_nsec += milliseconds % 1000 * 1000000;
  if (t.tv_nsec >= 1000000000) t.tv_nsec -= 1000000000, ++t.tv_sec;
  return t;
}

static void child(const Scenario *s, int out) {
  dup2(out, 2);
  setenv("SPECIALIZE_VERBOSE", "1", 1);
  setenv("TSAN_OPTIONS", "exitcode=77", 1);
  setenv("ASAN_OPTIONS", "exitcode=78", 1);
  alarm(120);
  execl("/proc/self/exe", "test", "run", s->name, (char *)NULL);
  _exit(127);
}

static bool check(const Scenario *s, const char *wanted) {
  int p[2], status;
  char said[4000];
  size_t n = 0;
  ok(pipe(p));
  pid_t pid = fork();
  if (!pid) child(s, p[1]);
  close(p[1]);
  for (ssize_t r; n < sizeof said - 1 && (r = read(p[0], said + n, sizeof said - 1 - n)) > 0;) n += (size_t)r;
  said[n] = 0;
  close(p[0]);
  assert(waitpid(pid, &status, 0) == pid);
  bool right = WIFEXITED(status) && WEXITSTATUS(status) == s->status;
  right &= wanted ? strstr(said, wanted) != NULL : !n;
  if (!right) fprintf(stderr, "%s: status %#x, said: %s\n", s->name, (unsigned)status, said);
  return right;
}

int kit_main(int argc, char **argv, const Scenario *all) {
  bool run = argc == 3 && !strcmp(argv[1], "run");
  int bad = 0;
  for (const Scenario *s = all; s->name; ++s) {
    if (run && !strcmp(argv[2], s->name)) return s->run(), 0;
    if (run || (s->bare && KIT_TSAN) || (argc > 1 && strcmp(argv[1], s->name))) continue;
    unsetenv("SPECIALIZE_RECHECK");
    bad += !check(s, s->said);
    setenv("SPECIALIZE_RECHECK", "1", 1);
    if (s->said) continue;
    bad += !check(s, "specialize: recheck: schedule 0 was followed");
  }
  return run ? 3 : bad != 0;
}
