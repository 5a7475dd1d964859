// forge/timings -- how long the parts of a verb took, one after the other.
#pragma once
#include <stddef.h>

enum { TIMINGS_PARTS = 12 };

typedef struct {
  const char *part[TIMINGS_PARTS];  // not owned
  double wall[TIMINGS_PARTS], cpu[TIMINGS_PARTS], begun_wall, begun_cpu;
  size_t len;
} Timings;

void timings_begin(Timings *t);
// What was done since the last mark, or since the beginning. More parts than there is room for are left out.
void timings_mark(Timings *t, const char *part);
// The same for two parts that were done at once by several threads: what passed is shared out as the
// processors' time was.
void timings_mark_two(Timings *t, const char *a, double cpu_a, const char *b, double cpu_b);
double timings_sum(const Timings *t);
