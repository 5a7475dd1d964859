// symex/machine -- inside symex/: a run that is being executed again.
#pragma once
#include "bytecode.h"
#include "files.h"
#include "partial.h"
#include "run.h"
#include "sigma/sigma.h"
#include "trace.h"

typedef struct {
  uint32_t function;
  uint32_t call;         // pc of the caller's instruction; CODE_NONE: the thread begins here
  uint32_t first;        // slot
  uint32_t trace;        // its number in the trace
  uint64_t memory, top;  // its variables, and where the next frame's are
  uint64_t arguments;    // what va_start gives; 0: no variable arguments
  uint32_t opened;       // derived calls of the thread that were open when it was entered
  uint64_t id;           // no other frame of the run has it
  bool again;            // behind it the caller's instruction is executed once more
  bool called,
      once;  // of the instruction that this frame stands at: its call event, the routine of a once, are past
} Frame;

typedef enum { THREAD_RUNS, THREAD_WAITS, THREAD_ENDED } ThreadState;

typedef struct {
  uint32_t id;
  ThreadState state;
  Vec(Frame) frames;
  Vec(uint64_t) slots;
  uint32_t pc;
  uint64_t stack, stack_end, thread_locals;
  IdVec open;          // derived calls: sites of the module
  Ids events;          // its own in the schedule
  size_t position;     // in them
  uint32_t routine;    // that it runs; CODE_NONE
  bool enters, fresh;  // its ENTER event, and the entry of its routine, are to come
  uint8_t stage;       // of the operation at pc: 1 behind its arrival
  uint32_t returning;  // a site whose RET is to come; SITE_NONE
  uint32_t jumping;    // a setjmp that comes back; SITE_NONE
  uint32_t unwind_to;  // open calls that stay, until UNWIND events are through; CODE_NONE
  uint32_t exit_site;  // the call that ends it; SITE_NONE
  uint64_t result;
  bool joined, forced;
  const Sync *doing;  // the operation that it is at, and its call
  const Call *doing_call;
  uint64_t exception;  // on its way
} Thread;

typedef struct {
  uint64_t frame;  // its id
  uint32_t depth, pc;
} Jump;

typedef struct {
  uint64_t address;
  uint32_t owner;  // thread + 1; 0: free
  uint32_t depth;
} Lock;  // of objects that are in no schedule

enum { NATURAL_THREADS = 1024 };  // that a run without a recording may have

typedef struct Machine {
  Bytecode *code;
  Memory memory;
  const Sigma *sigma;
  const Schedule *schedule;
  uint32_t *module_site;  // of each site of Σ
  Lists by_thread;
  Order *order;
  uint32_t next;  // the first event that is not past
  bool *past;     // by event
  bool ahead;     // events may come before next, where the enforced order allows it
  bool began, over;
  Thread **threads;      // by number, as many as the schedule has; NULL: not created yet
  Map *object_at;        // address → object + 1
  uint64_t *address_of;  // by object; 0: not seen yet
  Vec(Lock) locks;
  Vec(Jump) jumps;
  Files files;
  RunTrace *trace;  // NULL: not wanted
  RunResult *result;
  struct Watch *watch;      // NULL: no values are wanted, and nobody is switched at random
  struct Partial *partial;  // NULL: the run is alone
  uint64_t tail;            // as in RunOptions
  uint64_t random;          // state; 0: threads are not switched at random
  uint64_t pause;           // so many instructions less one until others come; 0: not asked
  uint64_t executed, limit, frames;
  uint64_t allocated;  // bytes of the heap, small ones also if they are free again
  uint32_t cancel_state, cancel_type;
  int64_t fuel, granted, unused;  // instructions until others get their turn
  bool yields;                    // the thread waits for what another does
  uint64_t errno_at;              // offset in a thread's variables
  uint64_t class_info[3];  // vtables of type information: of pointers, of classes with one base, with several
  struct Natural *natural;  // NULL: it follows a recording
  Diags *diags;
} Machine;

typedef enum { STEP_FUEL, STEP_WAITS, STEP_ENDED } StepEnd;
StepEnd machine_step(Machine *m, Thread *t);
StepEnd machine_step_traced(Machine *m, Thread *t);
StepEnd machine_step_watched(Machine *m, Thread *t);
StepEnd machine_step_alone(Machine *m, Thread *t);  // watched, and not traced

// The run ends here, at the instruction of the thread, with what is wrong.
void machine_stop(Machine *m, const Thread *t, RunEnd how, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void machine_die(Machine *m, const Thread *t, int signal, const char *why);

// Others get their turn now.
static inline void machine_yield(Machine *m) {
  m->unused = m->fuel, m->fuel = 0;
}

// frame.c
Frame *frame_of(Thread *t);
uint64_t *slots_of(Thread *t);
// Arguments are words of the caller's slots by call; NULL: args, count of them. False: the run is over.
bool frame_push(Machine *m, Thread *t, uint32_t function, const Call *call, const uint64_t *args,
                uint32_t count);
void frame_pop(Machine *m, Thread *t);
bool frame_arguments(Machine *m, Thread *t, uint64_t list);
bool frame_copy_list(Machine *m, Thread *t, uint64_t to, uint64_t from);
uint64_t frame_alloca(Machine *m, Thread *t, uint64_t size, uint64_t align);
Thread *thread_new(Machine *m, uint32_t id, uint32_t function, const uint64_t *args, uint32_t count);
void thread_free(Thread *t);
// Puts what a call gives into the caller's slots, and goes on behind it.
void call_done(Machine *m, Thread *t, const Call *call, uint64_t result);
void take_edge(Machine *m, Thread *t, uint32_t edge);

// watch.c
struct Watch *watch_new(const Bytecode *c, const RunInstance *at, size_t count, RunValue *values);
void watch_free(struct Watch *w);
bool watch_step(Machine *m, Thread *t,
                uint32_t pc);  // in front of each instruction; false: others come first

// partial.c
struct Partial *partial_new(const Machine *m, PartialCheck *c);  // NULL: no memory for it
void partial_free(struct Partial *p);
void partial_step(Machine *m, Thread *t, uint32_t pc);  // in front of each instruction
// step.c: the edge of a switch, by its cases in the pool.
uint64_t switch_edge(const uint64_t *cases, uint64_t value);

// follow.c: NULL: the thread waits for its turn, or the run is over.
const Event *follow_turn(Machine *m, Thread *t, int kind, EventPhase phase, uint32_t site);
void follow_pass(Machine *m, Thread *t);
bool follow_object(Machine *m, Thread *t, const Event *e, uint64_t address);
void follow_forget(Machine *m, uint64_t address);  // what stood there has ended
bool follow_pending(Machine *m, Thread *t);        // RET, UNWIND and JUMP that are to come; false: not yet
bool follow_call(Machine *m, Thread *t, const Call *call);
bool follow_entered(Machine *m, Thread *t);
bool follow_enter(Machine *m, Thread *t);
bool follow_exit(Machine *m, Thread *t);
const Event *follow_ahead(Thread *t, Machine *m, int kind, uint32_t site);

// sync.c, indirect.c, unwind.c, hosts.c; false: the thread waits, or the run is over.
bool sync_perform(Machine *m, Thread *t, const Call *call, const Sync *s);
bool machine_operand(Machine *m, Thread *t, const Call *call, SyncArg a, uint64_t *out);
uint64_t sync_thread_number(uint64_t id);
bool sync_exit(Machine *m, Thread *t, uint64_t result);
bool call_through(Machine *m, Thread *t, const Call *call, uint64_t address);
bool unwind_throw(Machine *m, Thread *t, uint64_t exception);
bool unwind_on(Machine *m, Thread *t);  // from the frame that the thread is in
bool unwind_force(Machine *m, Thread *t);
void unwind_pad(Machine *m, Thread *t, const Inst *i);
bool jump_save(Machine *m, Thread *t, const Inst *i);
bool jump_back(Machine *m, Thread *t, uint64_t buffer, uint64_t value);
bool host_call(Machine *m, Thread *t, const Call *call, uint32_t host);

// What memory a function of the host or an operation touched, for the trace.
void machine_reads(Machine *m, uint64_t at, uint64_t size);
void machine_writes(Machine *m, uint64_t at, uint64_t size);
void machine_set_errno(Machine *m, Thread *t, int error);
bool machine_store(Machine *m, Thread *t, uint64_t at, const void *from, uint64_t size);
bool machine_load(Machine *m, Thread *t, uint64_t at, void *to, uint64_t size);
uint32_t machine_site(const Machine *m, const Thread *t);  // of the program's call that it is in; SITE_NONE
uint64_t machine_word(const Machine *m, Thread *t, const Call *call, uint32_t arg);
void machine_fault(Machine *m, Thread *t, uint64_t address, const char *what);
