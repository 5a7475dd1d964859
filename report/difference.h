// report/difference -- functions as they were written, and what a schedule leaves of them, side by side.
#pragma once
#include "formats.h"

typedef struct {
  uint32_t line;
  bool code, kept;  // it has code in the program; in the clone
  char *facts;      // what is constant there now; NULL
} DifferenceLine;
typedef Vec(DifferenceLine) DifferenceLines;

typedef struct {
  char *function, *file;
  char *clone;            // whose it is: thread t1, call 2
  DifferenceLines lines;  // ascending
  char *before, *after;   // as LLVM IR; NULL: not wanted
} Difference;
typedef Vec(Difference) Differences;

void differences_free(Differences *d);
void difference_text(const Differences *d, Sources *sources, Bytes *out);
void difference_html(const Differences *d, Sources *sources, Bytes *out);
