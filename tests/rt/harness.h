// tests/rt/harness -- a test is a program that records and a check of the recording. `test` runs all; `test
// run NAME` is one of the programs, started by the former with SPECIALIZE_DIR set.
#pragma once
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "rt/rt.h"

typedef struct {
  const char *name;
  void (*run)(void);                           // in the recorded program
  void (*check)(const char *dir, int status);  // of waitpid; dir holds one directory per process
  void (*before)(const char *dir);             // in the child, before exec; may be NULL
  bool bare;                                   // not with a sanitizer
} Scenario;

// Ends with a NULL name.
int harness_main(int argc, char **argv, const Scenario *all);
// Runs a program of this executable. 0 for status wanted: any.
int harness_run(const char *name, const char *dir, void (*before)(const char *));
char *harness_dir(void);  // a new one; harness_remove frees it
void harness_remove(char *dir);
// The names of recordings in dir, sorted by time of start; at most 64.
int harness_list(const char *dir, char names[64][300]);
// The only one.
RtRecording *harness_open(const char *dir);

// Reads the whole recording in merged order and checks that it is a run that can be: who holds what, counts,
// rounds, wake-ups, creations, the place of refused attempts, calls. Asserts. Events are kept.
typedef struct {
  RtEvent *at;
  size_t count, gaps;  // gaps: numbers that were skipped
  RtOrder order;
  RtEvent stuck;
  RtMerge *merge;  // for rt_merge_object
} Order;
Order referee(const RtRecording *r);
void order_free(Order *o);
size_t order_count(const Order *o, RtOp op, int outcome);  // outcome < 0: any
// The n-th event with that op and site, or NULL.
const RtEvent *order_find(const Order *o, RtOp op, uint32_t site, size_t n);

#define SECONDS_FROM_NOW(clock, s) seconds_from_now(clock, s)
struct timespec seconds_from_now(clockid_t clock, double s);
#define ok(call) assert((call) == 0)

// Sanitizers have handlers for crashes and opinions on forks and cancellation.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif
