// session/differ -- what a schedule leaves of a program's functions.
#pragma once
#include "report/report.h"

typedef struct {
  const char *app, *sigma, *function;  // NULL: all that have clones
  uint32_t schedule;
  bool ir;
} DifferWish;
// False after an error.
bool differ_find(const DifferWish *w, Differences *out, Diags *diags);
