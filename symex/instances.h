// symex/instances -- the instances of a trace by number, in the order in which they were executed, and what
// the code of a runner says of a pc. With them a set of instances is a bit for each.
#pragma once
#include <llvm-c/Core.h>
#include "run.h"

typedef struct Instances Instances;
// Both must outlive it. NULL: there are more than numbers.
Instances *instances_new(const Runner *r, const RunTrace *t);
void instances_free(Instances *i);
uint32_t instances_count(const Instances *i);
uint32_t instances_number(const Instances *i, RunInstance at);
RunInstance instances_at(const Instances *i, uint32_t number);
uint32_t instances_end(const Instances *i, uint32_t step);  // pc behind the last of a step
uint32_t instances_frame(const Instances *i, uint32_t step);
uint32_t instances_thread(const Instances *i, uint32_t step);
void instances_check(const Instances *i);  // asserts that it is whole

// Of the code. A model is of the C library, not of the program.
typedef enum {
  CODE_PLAIN,
  CODE_BRANCH,  // with several ways
  CODE_LOAD,
  CODE_STORE,
  CODE_CALL,
  CODE_SYNC_CALL,
  CODE_RETURN
} CodeRole;
uint32_t runner_pcs(const Runner *r);
LLVMValueRef runner_inst(const Runner *r, uint32_t pc);
CodeRole runner_role(const Runner *r, uint32_t pc);
uint32_t runner_function_of(const Runner *r, uint32_t pc);
LLVMValueRef runner_function(const Runner *r, uint32_t function);
bool runner_model(const Runner *r, uint32_t function);
// The global variable at an address of a run; NULL: none is there. constant: nobody may write it.
const char *runner_global(const Runner *r, uint64_t address, bool *constant);

// An access to memory, by an instruction or by what the interpreter did for one.
typedef struct {
  RunInstance at;
  uint32_t frame, thread;
  uint64_t address, size;
  bool writes, atomic, is_volatile;
  bool own;     // a variable of the frame itself
  bool begins;  // the life of memory: it is written with nothing
} TraceAccess;
// From the last access back to the first. In one instance what it writes comes before what it reads.
typedef struct AccessWalk AccessWalk;
AccessWalk *access_walk_new(const Runner *r, const Instances *i);
void access_walk_free(AccessWalk *w);
bool access_walk_next(AccessWalk *w, TraceAccess *out);
