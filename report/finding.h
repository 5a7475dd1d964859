// report/finding -- what an analysis found: plain data that it fills in and that all formats read. Texts are
// interned in the report, may hold any bytes, and are NULL where nothing is known. Threads are numbered as in
// Σ: 0 is main.
#pragma once
#include "core/core.h"

#define FINDING_NONE UINT32_MAX

// Of a pair: seen in a replay; not yet seen; cannot be with the input of the witness; harmless, says the
// source.
typedef enum { FINDING_POSSIBLE, FINDING_REPLAYED, FINDING_REFUTED, FINDING_BENIGN } FindingStatus;
typedef enum { FINDING_READ, FINDING_WRITE, FINDING_FREE, FINDING_WAIT } FindingKind;
// What one more run of the schedule showed of the two, weakest first. Another run may show more.
typedef enum {
  FINDING_UNWATCHED,
  FINDING_NEVER_RAN,  // one of them was not executed
  FINDING_NEVER_MET,  // never the same byte in two threads, or always in an order that the schedule enforces
  FINDING_ATOMICS,    // the same byte, and only atomic operations or the like may have ordered them
  FINDING_UNORDERED   // the same byte, and nothing between that orders them
} FindingSeen;

typedef struct {
  const char *function,
      *file;              // file as the debug information has it: absolute, or relative to Report.directory
  uint32_t line, column;  // 0: not known
  const char *library;    // of code outside the module: libc.so.6; else NULL
} FindingFrame;
typedef Vec(FindingFrame) FindingFrames;  // innermost first

typedef struct {
  const char *name;      // alloc.c:malloc_lock, or m0
  bool shared;           // taken for reading
  FindingFrame created;  // where it is declared, allocated or initialized
} FindingLock;
typedef Vec(FindingLock) FindingLocks;

typedef struct {
  const char *site;  // function%ordinal, as in witnesses
  FindingFrame at;
  uint32_t thread,
      schedule;           // the first schedule with this pair; stack and thread are those of that schedule
  const char *routine;    // what the thread runs; NULL of main
  uint32_t creator;       // thread; FINDING_NONE of main
  FindingFrames created;  // where the creator made it
  FindingKind kind;
  bool atomic;
  uint64_t bytes;  // 0: not known
  FindingFrames stack;
  FindingLocks locks;  // held at the access, excluded ones too
} FindingAccess;

typedef enum {
  FINDING_UNKNOWN,
  FINDING_GLOBAL,
  FINDING_HEAP,
  FINDING_STACK,
  FINDING_TLS,
  FINDING_OTHER
} FindingPlace;
typedef struct {
  FindingPlace place;
  const char *name;     // counter, or pair.left; of unnamed memory what made it, for example malloc in worker
  uint64_t bytes;       // of the whole object; 0: not known
  uint32_t thread;      // whose stack, or who allocated; FINDING_NONE
  FindingFrames where;  // declared (one frame), or allocated
} FindingObject;

// The interleaving: events and the two accesses in one order that Σ allows.
typedef struct {
  uint32_t thread;
  enum { FINDING_EVENT, FINDING_A, FINDING_B } role;
  const char *text;  // lock m0
  FindingFrame at;
} FindingStep;
// Step `to` waits for step `from`, of another thread.
typedef struct {
  uint32_t from, to;
} FindingWait;

// Of a deadlock: a thread that waits, and what it keeps from the others.
typedef struct {
  const char *object;  // its name, or m0
  bool shared;         // for reading
  FindingFrame since;  // where it was taken
} FindingHold;
typedef struct {
  uint32_t thread;
  const char *routine;  // what it runs; NULL of main
  const char *does;     // in which it waits: lock, read-lock, join, wait, barrier, semaphore
  const char *object;   // for which it waits; of a join the thread
  uint32_t on;          // which of the threads of the finding keeps it; FINDING_NONE: none of them
  FindingFrame at;      // in a file of the user
  FindingFrames stack;
  Vec(FindingHold) holds;
} FindingThread;
typedef Vec(FindingThread) FindingThreads;

typedef struct {
  const char *rule;        // race or deadlock
  FindingAccess a, b;      // of a deadlock: where the first two threads wait, or twice the only one
  const char *kind;        // of a deadlock: locks, join, wait or barrier
  const char *key;         // of a deadlock: what it is besides a and b, see report_settle
  FindingThreads threads;  // of a deadlock: who waits
  FindingObject object;
  Vec(uint32_t) schedules;  // ascending
  FindingStatus status;
  FindingSeen seen;
  const char *why;         // neither ordered nor disjoint, because; or why it is refuted or benign
  const char *followed;    // in the replay: died of signal 11
  const char *input;       // a command for a shell
  const char *recorded;    // that of the recorded run, with which they cannot meet, if input is computed
  const char *stdin_note;  // what it reads from standard input
  const char *witness;     // path
  Vec(FindingStep) steps;
  Vec(FindingWait) waits;
  // Filled in by report_settle, baseline_mark and suppressions_apply.
  uint32_t merged;         // further pairs of the same source sites
  uint32_t group;          // of findings on one object between the same two functions
  const char *also;        // their other objects: left, right
  bool known;              // in the baseline
  const char *suppressed;  // file:line of what suppresses it
} Finding;

// What could not be looked at; file may be NULL.
typedef struct {
  const char *text, *file;
  uint32_t line;
} FindingGap;
typedef struct {
  const char *name;
  uint64_t times;
} FindingLimit;

typedef struct {
  bool deadlocks;                           // it is about these; else about races
  const char *program, *sigma, *directory;  // directory: what relative files are relative to
  Vec(uint32_t) schedules;                  // examined
  Vec(Finding) findings;
  uint64_t pairs;  // of accesses that were compared; or waits for a lock by threads that had others
  double scheduled_share;
  Vec(FindingLimit) limits;  // that were reached; see core/limits
  bool forks;                // processes that it forks are not examined
  uint32_t unfinished;       // threads that had no end when their process had: they may run on until then
  Vec(FindingGap) incomplete;
  uint32_t runs, seed;    // of the runs that were recorded for this; 0: none
  const char *unwatched;  // why runs did not show all that they might have; NULL
  bool has_baseline;
  Intern *texts;
} Report;

Report *report_new(void);
void report_free(Report *r);
const char *report_intern(Report *r, const char *text);  // NULL stays NULL
const char *report_print(Report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// A new finding at the end: a race, or a deadlock; possible, nothing known; valid until the next.
Finding *report_add(Report *r);
// Requires all findings. One for each pair of places in the source; strongest first, then those with most
// places in the user's own files, then by place.
void report_settle(Report *r);

// The innermost frame in a file of the user, not of the system or its headers; NULL: there is none.
const FindingFrame *finding_own_frame(const FindingFrames *stack);
bool finding_is_own_file(const char *file);
const char *finding_status_word(FindingStatus s);
const char *finding_kind_word(FindingKind k);  // read, write; a free is a write

void report_check(const Report *r);  // asserts that it is whole, once it is settled
