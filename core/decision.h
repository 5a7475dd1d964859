// core/decision -- the log of decisions: what a stage decided, where, and why. Kept only if somebody wants it
// (--explain); the tools' second global state, as limits are, for the same reason.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "diag.h"

typedef struct {
  const char *stage, *file, *what, *why;  // file may be NULL
  unsigned line, column;
  uint64_t times;
} Decision;

void decisions_begin(void);  // from here on, decisions are kept
bool decisions_wanted(void);
// May be called by several threads. The same decision is kept once, with a count.
void decided(const char *stage, Place at, const char *what, const char *why);
void decided_times(const char *stage, Place at, const char *what, const char *why, uint64_t times);
// Stages in the order in which each first decided something; in a stage by place and text.
size_t decisions_count(void);
Decision decision_at(size_t i);  // after the first call nothing may be added any more
