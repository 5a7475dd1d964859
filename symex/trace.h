// symex/trace -- what a run did, a few bytes for each instruction: the pieces of blocks that were executed,
// in order, and the addresses that they touched. Values are not in it; a second run of the same schedule has
// them again.
//
// A step is a row of instructions without a call between: from its pc to the end of the block, to the next
// call or operation, or to where the run stopped. Loads and stores on a variable of the frame itself have no
// address in the trace: it follows from that of the frame. Filled by runner_run; then read-only.
#pragma once
#include "sigma/sigma.h"

#define TRACE_NONE UINT32_MAX
#define TRACE_GOES_ON 0x80000000u
#define TRACE_ARGUMENT 0x80000000u

// With TRACE_GOES_ON in its frame it continues the one before it of this frame, which ends in front of this
// pc: other threads had their turn in between.
typedef struct {
  uint32_t frame, pc;
} TraceStep;

// One execution of an instruction: the step that it is in, and its pc.
typedef struct {
  uint32_t step, pc;
} RunInstance;

// One call of a function.
typedef struct {
  uint32_t thread, function;
  uint32_t caller,
      call;          // frame and pc of the call; of a thread's first frame what created it, or TRACE_NONE
  uint32_t stopped;  // in front of which it stands when the run ends; TRACE_NONE: it was left
  uint32_t entered;  // step
  uint64_t memory;   // its variables
  bool starts;       // a thread
  bool given;        // its arguments are from the interpreter, not from a call
} TraceFrame;

// Bytes that a call outside, an operation or the passing of arguments touched.
typedef struct {
  uint64_t address, size;
  uint32_t step;
  uint32_t pc;  // TRACE_NONE: the last instruction of the step; TRACE_ARGUMENT and a number: an argument of
                // its call
  bool writes;
} TraceEffect;

// An event of the schedule, when it was performed.
typedef struct {
  uint32_t event, step, frame, pc;
} TraceEvent;

typedef struct RunTrace {
  Vec(TraceStep) steps;
  Vec(uint64_t) addresses;
  Vec(TraceFrame) frames;
  Vec(TraceEffect) effects;
  Vec(TraceEvent) events;
  const Schedule *schedule;
  uint32_t fault_frame;   // that a run died in, at the pc where the frame stopped; TRACE_NONE
  uint64_t instructions;  // as LLVM counts them, of the stored module
} RunTrace;

RunTrace *run_trace_new(void);
void run_trace_free(RunTrace *t);
void run_trace_clear(RunTrace *t);
uint64_t run_trace_bytes(const RunTrace *t);
void run_trace_check(const RunTrace *t);  // asserts that it is whole

// Inside symex/: how the run fills it.
uint32_t run_trace_enter(RunTrace *t, uint32_t thread, uint32_t function, uint32_t caller, uint32_t call,
                         uint64_t memory);
static inline void run_trace_step(RunTrace *t, uint32_t frame, uint32_t pc) {
  TraceStep s = {frame, pc};
  vec_push(&t->steps, s);
}
static inline void run_trace_address(RunTrace *t, uint64_t address) {
  vec_push(&t->addresses, address);
}
void run_trace_effect(RunTrace *t, uint32_t pc, uint64_t address, uint64_t size, bool writes);
