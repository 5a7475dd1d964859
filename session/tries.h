// session/tries -- a program run several times, with random delays from the second run on, and the races that
// the schedules of all its runs leave. Or a command, and all programs that it runs. Nothing stays behind.
#pragma once
#include "races.h"

typedef struct {
  char *const *argv;  // program and arguments, and NULL
  size_t runs;        // 0: as many as fit into ten times the first
  uint32_t seed;      // of the delays; 0: a new one
  const char *atomics;  // as RunWishes has it
  bool only_one;      // program: a command that runs more is refused, once that is known
  FindingsWishes race;    // but for app and sigma
} TryWishes;
typedef Vec(Report *) Reports;

// The first run has the user's input and output; the others only the input, if it can be read again. A report
// for each program. False after an error; reports may be there all the same.
bool tries_find(const TryWishes *o, Reports *out, FindingsFigures *figures, Diags *diags);
