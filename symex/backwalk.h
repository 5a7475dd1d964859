// symex/backwalk -- backwards over a trace: what a target depended on, by data and control, across threads
// and calls.
//
// A Backwalk holds what is wanted: values in slots of frames, bytes of memory, branches, results of threads.
// backwalk_next goes back to the next instance that gives some of it, which is then kept, and wants what that
// instance read in turn. With BACKWALK_DIRECT it does not: what comes out are the direct causes of the
// target, so a graph can be drawn as it is asked for. Nothing is built in advance; the cost is that of the
// part of the trace that is gone over.
#pragma once
#include <llvm-c/Core.h>
#include "run.h"

typedef RunInstance BackwalkInstance;

// Why an instance is kept.
enum {
  BACKWALK_DATA = 1,
  BACKWALK_CONTROL = 2,
  BACKWALK_CALL = 4,
  BACKWALK_HAPPENED = 8,
  BACKWALK_JUDGED = 16,
  BACKWALK_OTHER_WAY = 32
};
// Options. PAST_ENDS: branches of which only one way does not end the process decide nothing. PATH: branches are
// kept too whose other way might have written what is wanted, or have ended the run.
enum { BACKWALK_WITH_CONTROL = 1, BACKWALK_DIRECT = 2, BACKWALK_PAST_ENDS = 4, BACKWALK_PATH = 8 };

typedef struct {
  BackwalkInstance at;
  uint32_t frame, thread;
  unsigned why;       // bits
  LLVMValueRef inst;  // of the module, or of a model
  bool model;         // of the C library, not of the program
  // What it touched: of a load, store or exchange its address; of a copy or fill also where from and how
  // much.
  uint64_t address, from, size;
  uint32_t behind;              // the block that its step led to; TRACE_NONE: none, or not known
  uint32_t child;               // the frame that a call or creation made; TRACE_NONE
  size_t effects, effects_end;  // of its step, in the trace
} BackwalkVisit;

typedef struct Backwalk Backwalk;
// Both must outlive it, and the trace must be one of this runner.
Backwalk *backwalk_new(const Runner *r, const RunTrace *t, unsigned options);
void backwalk_free(Backwalk *w);
// Before the first backwalk_next, or for an instance that has not been passed: it is kept when it is reached.
void backwalk_want(Backwalk *w, BackwalkInstance i);
// The same, but only that it happened counts: what decided that is wanted, not what it read.
void backwalk_want_happened(Backwalk *w, BackwalkInstance i);
// Bytes that are wanted from here on.
void backwalk_want_memory(Backwalk *w, uint64_t address, uint64_t size);
// False: the beginning is reached, or nothing is wanted any more.
bool backwalk_next(Backwalk *w, BackwalkVisit *out);
// With BACKWALK_DIRECT: instances of which it says so are gone through as targets are, so that what comes out
// are the causes of a statement, not those of its last instruction.
typedef bool BackwalkThrough(void *data, BackwalkInstance at, uint32_t frame);
void backwalk_through(Backwalk *w, BackwalkThrough *f, void *data);
// What is still wanted then: bytes that nothing in the run had written, globals as they were at the beginning
// among them. Returns how many bytes; up to room of their addresses, in no order.
uint64_t backwalk_unwritten(const Backwalk *w, uint64_t *addresses, size_t room);
uint64_t backwalk_passed(const Backwalk *w);  // instances gone over

// Whoever wants more than dependences asks to judge: of each return, before it is gone over, and of each
// branch, call, operation and write, behind that, kept or not. KEEP: it is kept with its control; of a write
// the address is wanted, not the value; ONLY: it is kept, and nothing else.
typedef enum { BACKWALK_PASS, BACKWALK_KEEP, BACKWALK_ONLY } BackwalkVerdict;
typedef BackwalkVerdict BackwalkJudge(void *self, Backwalk *w, const BackwalkVisit *v);
void backwalk_judge(Backwalk *w, BackwalkJudge *judge, void *self);
// For judges.
void backwalk_want_slots(Backwalk *w, uint32_t frame, uint32_t first, uint32_t count);
bool backwalk_slots_wanted(Backwalk *w, uint32_t frame, uint32_t first, uint32_t count);
// Whether the caller wants what this frame returns; no longer, if take.
bool backwalk_result_wanted(Backwalk *w, uint32_t frame, bool take);
// The places in the program for which memory is wanted at the moment: loads, and calls whose model loads;
// pcs. TRACE_NONE: a model itself, of a variable of its own.
Ids backwalk_readers(const Backwalk *w);
void backwalk_check(const Backwalk *w);  // asserts that it is whole

// The last execution of an instruction of the module in a thread (any: SIGMA_NONE). False: it was not
// executed.
bool backwalk_last(const Runner *r, const RunTrace *t, LLVMValueRef inst, uint32_t thread,
                   BackwalkInstance *out);
// The last time that the run wrote to a file or to standard output: what it wrote is its argument.
bool backwalk_output(const Runner *r, const RunTrace *t, BackwalkInstance *out);
// The instance at which an event of the schedule was performed.
bool backwalk_event(const RunTrace *t, uint32_t event, BackwalkInstance *out);
