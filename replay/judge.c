#include "judge.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "core/core.h"
#include "run.h"
#include "replayer.h"

typedef struct {
  const Sigma *witness;
  size_t finding, turn;
  ReplayResult result;
  bool done;
} Job;

typedef struct {
  const Replayer *replayer;
  double until;
  Vec(Job) jobs;
  size_t next, done;
  pthread_mutex_t lock;
  bool *seen;  // by finding: replayed already
} Work;

static void tell_progress(const Work *w) {
  char *text = mem_format("replaying: %zu of %zu", w->done, w->jobs.len);
  progress(text);
  mem_free(text);
}

// What was stopped in the middle says nothing.
static void *forget(Job *j) {
  replay_result_free(&j->result);
  j->done = false;
  return NULL;
}

static void *work(void *p) {
  Work *w = p;
  ReplayOptions o = {.until = w->until};
  while (true) {
    pthread_mutex_lock(&w->lock);
    while (w->next < w->jobs.len && w->seen[w->jobs.at[w->next].finding]) w->next++;
    Job *j = w->next < w->jobs.len ? &w->jobs.at[w->next++] : NULL;
    pthread_mutex_unlock(&w->lock);
    if (!j || stop_wanted() || replay_clock() >= w->until) return NULL;
    j->result = replayer_run(w->replayer, j->witness, &o);
    j->done = true;
    if (stop_wanted()) return forget(j);
    pthread_mutex_lock(&w->lock);
    if (j->result.verdict == REPLAY_REPLAYED) w->seen[j->finding] = true;
    w->done++;
    tell_progress(w);
    pthread_mutex_unlock(&w->lock);
  }
}

static void run_all(Work *w) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t n = processors > 0 ? (size_t)processors : 1, started = 0;
  tell_progress(w);
  pthread_t *threads = mem_array(n, sizeof *threads);
  while (started < n && !pthread_create(&threads[started], NULL, work, w)) started++;
  if (!started) work(w);
  for (size_t i = 0; i < started; ++i) pthread_join(threads[i], NULL);
  progress(NULL);
  mem_free(threads);
}

// First those that have one each, then the others: with little time, every finding gets its turn.
static void add_jobs(Work *w, const Report *r, const WitnessVec *witnesses) {
  for (size_t turn = 0; turn < LIMIT_WITNESSES; ++turn)
    for (vec_each(i, &r->findings)) {
      const Finding *f = &r->findings.at[i];
      if (!f->witness) continue;
      const Witnesses *all = &witnesses->at[strtoul(f->witness, NULL, 10)];
      if (turn < all->of.len)
        vec_push(&w->jobs, ((Job){.witness = all->of.at[turn], .finding = i, .turn = turn}));
    }
}

static void take_input(Finding *f, Witnesses *w, size_t turn) {
  Sigma *seen = w->of.at[turn];
  WitnessInput in = w->inputs.at[turn];
  if (in.input == w->inputs.at[0].input) return;
  w->of.at[turn] = w->of.at[0], w->of.at[0] = seen;
  w->inputs.at[turn] = w->inputs.at[0], w->inputs.at[0] = in;
  f->input = in.input, f->recorded = in.recorded, f->stdin_note = in.stdin_note;
}

static void judge_one(Report *r, Finding *f, const Job *j, size_t *refuted) {
  const ReplayResult *x = &j->result;
  if (x->verdict == REPLAY_REFUTED) ++*refuted;
  if (f->status == FINDING_REPLAYED) return;
  f->why = report_intern(r, x->why);
  if (x->verdict != REPLAY_REPLAYED) return;
  f->status = FINDING_REPLAYED;
  f->followed = report_intern(r, x->followed);
}

// Refuted are only findings all of whose witnesses are.
static void judge(Work *w, Report *r, WitnessVec *witnesses) {
  for (vec_each(i, &r->findings)) {
    Finding *f = &r->findings.at[i];
    size_t refuted = 0, all = 0;
    if (!f->witness) continue;
    Witnesses *of = &witnesses->at[strtoul(f->witness, NULL, 10)];
    for (vec_each(k, &w->jobs)) {
      if (w->jobs.at[k].finding != i) continue;
      all++;
      bool seen = f->status == FINDING_REPLAYED;
      if (w->jobs.at[k].done) judge_one(r, f, &w->jobs.at[k], &refuted);
      if (!seen && f->status == FINDING_REPLAYED) take_input(f, of, w->jobs.at[k].turn);
    }
    if (f->status == FINDING_POSSIBLE && all && refuted == all && of->all) f->status = FINDING_REFUTED;
    if (f->status == FINDING_POSSIBLE && all && refuted == all && !of->all)
      f->why = report_print(r, "%s; in other segments they may", f->why);
  }
}

// A compiler that the same signal ended is no error of its own.
static Replayer *make_replayer(const char *app, const Sigma *const *all, size_t count, Diags *d) {
  Diags *told = diags_new();
  Replayer *r = replayer_new(app, all, count, told);
  for (size_t i = 0; i < diags_count(told) && !stop_wanted(); ++i) {
    const Diag *one = diags_at(told, i);
    diag(d, one->kind, (Place){one->file, one->line, one->column}, "%s", one->text);
  }
  diags_free(told);
  return r;
}

void replay_findings(const char *app, Report *r, WitnessVec *witnesses, double seconds, Diags *d) {
  Work w = {.until = replay_clock() + seconds, .lock = PTHREAD_MUTEX_INITIALIZER};
  Vec(const Sigma *) all = {0};
  add_jobs(&w, r, witnesses);
  for (vec_each(i, &w.jobs)) vec_push(&all, w.jobs.at[i].witness);
  Replayer *replayer = all.len && !stop_wanted() ? make_replayer(app, all.at, all.len, d) : NULL;
  w.replayer = replayer;
  w.seen = mem_array(r->findings.len + 1, sizeof *w.seen);
  if (replayer) {
    run_all(&w);
    judge(&w, r, witnesses);
  }
  for (vec_each(i, &w.jobs))
    if (w.jobs.at[i].done) replay_result_free(&w.jobs.at[i].result);
  replayer_free(replayer);
  vec_free(&all), vec_free(&w.jobs);
  mem_free(w.seen);
}
