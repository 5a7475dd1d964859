// sigma_load [EVENTS]: reads, checks and orders large schedules; prints rows of a Markdown table. Each shape
// runs in a process of its own, so that the peak of memory is its own.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "sim.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t site(Sigma *s, const char *name, int kind) {
  return sigma_add_site(s, name, kind);
}

// Threads that come and go around a body of events.
static Schedule *begin(Sigma *s, uint32_t threads) {
  Schedule *c = sigma_add_schedule(s);
  uint32_t create = site(s, "main#0", SYNC_CREATE);
  for (uint32_t t = 1; t < threads; ++t) {
    Event e = event_of(0, SYNC_CREATE, create);
    e.other = schedule_add_thread(c);
    vec_push(&c->events, e);
    e = event_of(t, SYNC_ENTER, SIGMA_NONE);
    e.other = sigma_intern(s, "worker");
    vec_push(&c->events, e);
  }
  return c;
}

static void end(Sigma *s, Schedule *c) {
  uint32_t join = site(s, "main#1", SYNC_JOIN);
  for (uint32_t t = 1; t < c->threads; ++t) vec_push(&c->events, event_of(t, SYNC_EXIT, SIGMA_NONE));
  for (uint32_t t = 1; t < c->threads; ++t) {
    Event e = event_of(0, SYNC_JOIN, join);
    e.other = t;
    vec_push(&c->events, e);
  }
  vec_push(&c->events, event_of(0, SYNC_EXIT, SIGMA_NONE));
}

static void make_locks(Sigma *s, uint32_t events, uint32_t threads, uint32_t locks) {
  Schedule *c = begin(s, threads);
  uint32_t lock = site(s, "work#0", SYNC_LOCK), unlock = site(s, "work#1", SYNC_UNLOCK);
  for (uint32_t i = 0; i < locks; ++i) schedule_add_object(c, SYNC_MUTEX);
  uint64_t seed = 1;
  for (uint32_t i = 0; i < events / 2; ++i) {
    uint32_t t = locks == 1 ? i % threads : sim_below(&seed, threads);
    Event e = event_of(t, SYNC_LOCK, lock);
    e.object = sim_below(&seed, locks);
    vec_push(&c->events, e);
    e.kind = SYNC_UNLOCK;
    e.site = unlock;
    vec_push(&c->events, e);
  }
  end(s, c);
}

static void make_barriers(Sigma *s, uint32_t events, uint32_t threads) {
  Schedule *c = begin(s, threads);
  uint32_t wait = site(s, "work#2", SYNC_BARRIER), b = schedule_add_object(c, SYNC_BARRIER_OBJECT);
  c->objects.at[b].counted = true;
  c->objects.at[b].amount = threads;
  for (uint32_t i = 0; i < events / threads; ++i)
    for (uint32_t t = 0; t < threads; ++t) {
      Event e = event_of(t, SYNC_BARRIER, wait);
      e.object = b;
      e.phase = i % 2 ? EVENT_DEPART : EVENT_ARRIVE;
      if (i % 2 && !t) e.outcome = SYNC_SERIAL;
      vec_push(&c->events, e);
    }
  if (events / threads % 2) c->events.len -= threads;
  end(s, c);
}

static void make_random(Sigma *s, uint32_t events, uint32_t threads) {
  sim_schedule(
      s, (SimOptions){.seed = 3, .threads = threads, .events = events, .objects = threads, .calm = true});
}

static const char *const shapes[] = {"locks",     "one lock",  "many locks", "barrier",
                                     "all kinds", "all kinds", "locks"};
static const uint32_t threads_of[] = {4, 64, 64, 64, 8, 64, 512};

static Sigma *make(int shape, uint32_t events) {
  Sigma *s = sigma_new("bench", "00");
  uint32_t threads = threads_of[shape];
  if (shape == 3)
    make_barriers(s, events, threads);
  else if (shape == 4 || shape == 5)
    make_random(s, events, threads);
  else
    make_locks(s, events, threads, shape == 1 ? 1 : shape == 2 ? 1000 : 8);
  return s;
}

// In a child, so that making the file does not count.
static int written(int shape, uint32_t events, const char *path) {
  pid_t child = fork();
  if (!child) {
    Sigma *s = make(shape, events);
    Diags *diags = diags_new();
    _exit(!sigma_save(s, path, diags));
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status;
}

static void measure(int shape, const char *path) {
  Diags *diags = diags_new();
  struct rusage use;
  double start = now();
  Sigma *s = sigma_read(path, diags);
  double loaded = now();
  bool ok = s && sigma_check(s, diags);
  double checked = now();
  Order *o = ok ? order_new(s, 0, diags) : NULL;
  double ordered = now();
  if (!o) diags_print(diags, stderr, "sigma_load"), exit(1);
  const Schedule *c = order_schedule(o);
  uint32_t n = (uint32_t)c->events.len;
  uint64_t seed = 1;
  size_t waits = 0, before = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const OrderWait *w;
    waits += order_waits(o, i, &w);
  }
  double asked = now();
  for (int i = 0; i < 10000000; ++i) before += order_before(o, sim_below(&seed, n), sim_below(&seed, n));
  double answered = now();
  getrusage(RUSAGE_SELF, &use);
  double bytes = (double)(c->events.cap * sizeof(Event) + order_memory(o)) / n;
  printf("| %s | %u | %u | %.2f | %.2f | %.2f | %.0f | %.0f | %.2f | %.0f |\n", shapes[shape],
         threads_of[shape], n, loaded - start, checked - loaded, ordered - checked, bytes,
         (double)use.ru_maxrss * 1024 / n, (double)waits / n, (answered - asked) * 100 + (before == 1));
}

int main(int argc, char **argv) {
  uint32_t events = argc > 1 ? (uint32_t)atol(argv[1]) : 1000000;
  char *dir = file_temp_dir(), *path = file_join(dir, "big.sigma");
  printf(
      "| shape | threads | events | load, s | check, s | order, s | bytes an event | peak RSS an event | "
      "waits an event | "
      "before(), ns |\n|---|---|---|---|---|---|---|---|---|---|\n");
  for (int shape = 0; shape < (int)(sizeof shapes / sizeof *shapes); ++shape) {
    fflush(stdout);
    if (written(shape, events, path)) return 1;
    pid_t child = fork();
    if (!child) {
      measure(shape, path);
      exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    if (status) return 1;
  }
  file_remove_tree(dir);
  mem_free(path);
  mem_free(dir);
  return 0;
}
