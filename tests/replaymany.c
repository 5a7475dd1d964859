// replaymany APP SECONDS WITNESS...: replays them all at once, a thread each, with one build of the program
// and one time limit, as a verb does that has many; prints what came of each.
#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "replay/replay.h"

typedef struct {
  const Replayer *r;
  const Sigma *witness;
  ReplayOptions options;
  ReplayResult result;
} Job;

static void *work(void *p) {
  Job *j = p;
  j->result = replayer_run(j->r, j->witness, &j->options);
  return NULL;
}

static void run_all(Job *jobs, size_t n) {
  pthread_t *threads = mem_array(n, sizeof *threads);
  for (size_t i = 0; i < n; ++i) assert(!pthread_create(&threads[i], NULL, work, &jobs[i]));
  for (size_t i = 0; i < n; ++i) pthread_join(threads[i], NULL);
  mem_free(threads);
}

int main(int argc, char **argv) {
  static const char *const words[] = {"replayed", "refuted", "undecided", "failed"};
  assert(argc > 3);
  size_t n = (size_t)argc - 3;
  Diags *d = diags_new();
  const Sigma **witnesses = mem_array(n, sizeof *witnesses);
  Job *jobs = mem_array(n, sizeof *jobs);
  for (size_t i = 0; i < n; ++i) assert((witnesses[i] = sigma_read(argv[i + 3], d)));
  Replayer *r = replayer_new(argv[1], witnesses, n, d);
  diags_print(d, stderr, "replaymany");
  assert(r);
  double until = replay_clock() + atof(argv[2]);
  for (size_t i = 0; i < n; ++i)
    jobs[i] = (Job){.r = r, .witness = witnesses[i], .options = {.until = until}};
  run_all(jobs, n);
  for (size_t i = 0; i < n; ++i) {
    printf("%s: %s, %s\n", argv[i + 3], words[jobs[i].result.verdict], jobs[i].result.why);
    replay_result_free(&jobs[i].result);
    sigma_free((Sigma *)(uintptr_t)witnesses[i]);
  }
  replayer_free(r);
  mem_free(witnesses), mem_free(jobs);
  diags_free(d);
  return 0;
}
