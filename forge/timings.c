#include "timings.h"
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void timings_begin(Timings *t) {
  t->len = 0;
  t->begun_wall = seconds(CLOCK_MONOTONIC);
  t->begun_cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void add(Timings *t, const char *part, double wall, double cpu) {
  if (t->len == TIMINGS_PARTS) return;
  t->part[t->len] = part;
  t->wall[t->len] = wall;
  t->cpu[t->len++] = cpu;
}

void timings_mark(Timings *t, const char *part) {
  double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
  add(t, part, wall - t->begun_wall, cpu - t->begun_cpu);
  t->begun_wall = wall, t->begun_cpu = cpu;
}

void timings_mark_two(Timings *t, const char *a, double cpu_a, const char *b, double cpu_b) {
  double wall = seconds(CLOCK_MONOTONIC), passed = wall - t->begun_wall, sum = cpu_a + cpu_b;
  double share = sum > 0 ? cpu_a / sum : 0.5;
  add(t, a, passed * share, cpu_a);
  add(t, b, passed * (1 - share), cpu_b);
  t->begun_wall = wall, t->begun_cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

double timings_sum(const Timings *t) {
  double sum = 0;
  for (size_t i = 0; i < t->len; ++i) sum += t->wall[i];
  return sum;
}
