// Cycles in schedules written down: which are told, which are kept apart, and who can never go on.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include "deadlock/deadlock.h"
#include "sim.h"

#define HEAD                                                                                       \
  "sigma 1\nprogram p\nmodule ff\n"                                                                \
  "site 0 main#0 create\nsite 1 f#0 lock\nsite 2 f#1 lock\nsite 3 f#2 unlock\nsite 4 f#3 unlock\n" \
  "site 5 g#0 lock\nsite 6 g#1 lock\nsite 7 g#2 unlock\nsite 8 g#3 unlock\n"                       \
  "site 9 f#9 post\nsite 10 g#9 acquire\nsite 11 h#0 wait\nsite 12 h#1 signal\nsite 13 h#2 lock\n" \
  "site 14 f#4 rdlock\nsite 15 g#4 rdlock\nsite 16 main#5 join\n"                                  \
  "schedule 0\norigin written\norder hb\nat main\nwhen false\nincomplete\n"
#define THREADS "t0 create 0 t1\nt0 create 0 t2\nt1 enter f\nt2 enter g\n"
#define TAKES(t, a, x, b, y) \
  t " lock " a " " x "\n" t " lock " b " " y "\n" t " unlock 4 " y "\n" t " unlock 3 " x "\n"

// Site 13 only tries, which the module says and Σ does not.
static const struct {
  const char *what, *objects, *events;
  size_t findings, witnesses;
  const char *kind;
} cases[] = {
    {"opposite orders", "", THREADS TAKES("t1", "1", "m0", "2", "m1") TAKES("t2", "5", "m1", "6", "m0"), 1, 1,
     "locks"},
    {"one thread", "", THREADS TAKES("t1", "1", "m0", "2", "m1") TAKES("t1", "1", "m1", "2", "m0"), 0, 0, ""},
    {"a gate", "",
     THREADS "t1 lock 1 m2\n" TAKES("t1", "1", "m0", "2", "m1") "t1 unlock 3 m2\nt2 lock 5 m2\n" TAKES(
         "t2", "5", "m1", "6", "m0") "t2 unlock 7 m2\n",
     0, 0, ""},
    {"tries", "",
     THREADS
     "t1 lock 1 m0\nt1 lock 13 m1\nt1 unlock 4 m1\nt1 unlock 3 m0\n" TAKES("t2", "5", "m1", "13", "m0"),
     0, 0, ""},
    {"readers", "",
     THREADS "t1 rdlock 14 r0\nt1 rdlock 14 r1\nt1 unlock 3 r1\nt1 unlock 3 r0\n"
             "t2 rdlock 15 r1\nt2 rdlock 15 r0\nt2 unlock 7 r0\nt2 unlock 7 r1\n",
     0, 0, ""},
    {"readers in front of writers", "",
     THREADS "t1 rdlock 14 r0\nt1 lock 1 r1\nt1 unlock 3 r1\nt1 unlock 3 r0\n"
             "t2 rdlock 15 r1\nt2 lock 5 r0\nt2 unlock 7 r0\nt2 unlock 7 r1\n",
     1, 1, "locks"},
    {"a semaphore between two", "object s0 semaphore count 0\n",
     THREADS TAKES("t1", "1", "m0", "2", "m1") "t1 post 9 s0\nt2 acquire 10 s0\n" TAKES("t2", "5", "m1", "6",
                                                                                        "m0"),
     0, 0, ""},
    {"a semaphore that is open", "object s0 semaphore count 1\n",
     THREADS TAKES("t1", "1", "m0", "2", "m1") "t1 post 9 s0\nt2 acquire 10 s0\n" TAKES("t2", "5", "m1", "6",
                                                                                        "m0"),
     1, 1, "locks"},
    {"what a signal orders, as far as is known", "",
     THREADS "t2 lock 5 m2\nt2 wait-arrive 11 c0 m2\n" TAKES(
         "t1", "1", "m0", "2", "m1") "t1 signal 12 c0\n"
                                     "t2 wait-depart 11 c0 m2\nt2 unlock 7 m2\n" TAKES("t2", "5", "m1", "6",
                                                                                       "m0"),
     1, 0, "locks"},
    {"a wait that takes its lock again", "",
     THREADS
     "t1 lock 1 m0\nt1 lock 2 m1\nt1 wait-arrive 11 c0 m1\nt2 lock 5 m1\nt2 signal 12 c0\nt2 unlock 7 m1\n"
     "t1 wait-depart 11 c0 m1\nt1 unlock 4 m1\nt1 unlock 3 m0\n" TAKES("t2", "5", "m1", "6", "m0"),
     2, 2, "locks"},
    {"an end under a lock", "",
     "t0 create 0 t1\nt1 enter f\nt1 lock 1 m0\nt1 unlock 3 m0\nt1 exit\nt0 lock 5 m0\n"
     "t0 join 16 t1\nt0 unlock 7 m0\n",
     1, 1, "join"},
    {"an end behind a lock", "",
     "t0 create 0 t1\nt1 enter f\nt1 lock 1 m0\nt1 unlock 3 m0\nt1 exit\nt0 lock 5 m0\n"
     "t0 unlock 7 m0\nt0 join 16 t1\n",
     0, 0, ""},
    {"a run that stood", "",
     THREADS "t1 lock 1 m0\nt2 lock 5 m1\nstands t0 join 16 t1\nstands t1 lock 2 m1\nstands t2 lock 6 m0\n",
     1, 1, "locks"},
    {"a run that waited", "",
     THREADS "t1 lock 1 m0\nt2 lock 5 m1\nstands t0 join 16 t1\nstands t1 lock 2 m1\n", 0, 0, ""},
};

static Sigma *parse(const char *objects, const char *events) {
  char *text = mem_format(HEAD "%s%send\n", objects, events);
  Diags *d = diags_new();
  Sigma *s = sigma_parse(span_of(text, strlen(text)), "d.sigma", d);
  for (size_t i = 0; i < diags_count(d); ++i) fprintf(stderr, "%s\n", diags_at(d, i)->text);
  assert(s && sigma_check(s, d) && !diags_errors(d));
  diags_free(d);
  mem_free(text);
  return s;
}

static void test_cases(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    Sigma *s = parse(cases[i].objects, cases[i].events);
    bool endless[32];
    for (size_t k = 0; k < 32; ++k) endless[k] = k != 13;
    WitnessVec witnesses = {0};
    Report *r = report_new();
    DeadlockFigures figures = {0};
    Diags *d = diags_new();
    r->deadlocks = true;
    DeadlockOptions o = {s, 0, endless, NULL, &witnesses, 0, NULL};
    assert(deadlock_check(&o, r, &figures, d) && !diags_errors(d));
    if (r->findings.len != cases[i].findings || witnesses.len != cases[i].witnesses)
      fprintf(stderr, "%s: %zu findings, %zu witnesses\n", cases[i].what, r->findings.len, witnesses.len);
    assert(r->findings.len == cases[i].findings && witnesses.len == cases[i].witnesses);
    report_settle(r);
    for (vec_each(k, &r->findings)) assert(!strcmp(r->findings.at[k].kind, cases[i].kind));
    for (vec_each(k, &witnesses)) {
      const Sigma *w = witnesses.at[k].of.at[0];
      assert(schedule_stands(w->schedules.at[0]) && sigma_check(w, d));
    }
    witnesses_free(&witnesses);
    report_free(r), diags_free(d), sigma_free(s);
  }
}

// What is written is read again, and what cannot be is refused.
static void test_file(void) {
  static const char *const wrong[] = {"stands t1 unlock 3 m0\n",
                                      "stands t1 lock 2 m1 = busy\n",
                                      "stands t1 wait-arrive 11 c0 m0\n",
                                      "stands t2 lock 6 m0\nstands t1 lock 2 m1\n",
                                      "stands t1 lock 2 c0\n",
                                      "stands t1 lock 2 m1\nstands t1 lock 2 m1\n",
                                      "stands t9 lock 2 m1\n",
                                      "stands t1\n",
                                      "stands t1 join 16\n"};
  Sigma *s = parse("", THREADS "t1 lock 1 m0\nt2 lock 5 m1\nstands t1 lock 2 m1\nstands t2 lock 6 m0\n");
  Bytes text = {0};
  Diags *d = diags_new();
  sigma_print(s, &text);
  Sigma *again = sigma_parse(span_of(text.at, text.len), "again", d);
  assert(again && again->schedules.at[0]->standing.len == 2);
  size_t stuck;
  mem_free(stuck_threads(again->schedules.at[0], &stuck));
  assert(stuck == 2);
  sigma_free(again), sigma_free(s), vec_free(&text);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char *bad = mem_format(
        "sigma 1\nprogram p\nmodule ff\nsite 0 main#0 create\nsite 1 f#0 lock\nsite 2 f#1 lock\n"
        "site 3 f#2 unlock\nschedule 0\norigin written\norder hb\nat main\nwhen false\nincomplete\n" THREADS
        "t1 lock 1 m0\n%send\n",
        wrong[i]);
    assert(!sigma_parse(span_of(bad, strlen(bad)), "bad", d));
    mem_free(bad);
  }
  diags_free(d);
}

int main(void) {
  test_cases();
  test_file();
  return 0;
}
