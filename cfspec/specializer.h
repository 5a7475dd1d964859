// cfspec/specializer -- inside cfspec/: what the parts share while one schedule is specialized.
#pragma once
#include <llvm-c/DebugInfo.h>
#include "cfspec.h"
#include "pieces.h"
#include "plan.h"
#include "point.h"
#include "rt/rt.h"

// Of the module, for all schedules.
struct Module {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMBuilderRef b;
  LLVMDIBuilderRef dib;
  LLVMTypeRef i32, i64, ptr, none;
  const Sigma *sigma;
  const Sites *sites;
  const Callgraph *graph;
  const Maysync *sync;
  Diags *diags;
  LLVMValueRef *address;  // by function: what &f is; f itself where it has no stub
  Map *texts;             // of LLVM's constants, by number in words
  Intern *words;
  size_t cloned;             // instructions
  size_t generic;            // those of them that run only after a schedule was left
  bool free;                 // a run that leaves its schedule goes on
  bool rolled;               // schedules are bytes (roll.c), not clones
  bool tails;                // as in CfspecInput
  bool *forks, *fork_sites;  // by function, by site: a forked process may come back from there (forks.c)
};

typedef struct {
  LLVMValueRef clone;
  Activation activation;
} Quiet;

struct Spec {
  Module *k;
  const Plan *plan;
  const Points *points;
  const Point *point;  // where it begins, inside main; NULL: at its entry
  const Schedule *schedule;
  uint32_t id;
  Order *order;
  Pieces **pieces;                   // by function; NULL: not asked for
  LLVMValueRef *clone;               // by activation
  Map *quiet;                        // by thread and function: the clone of calls without events
  LLVMValueRef *node;                // by event; NULL: none yet
  uint32_t *place;                   // by event: its place and one; 0: none yet
  uint32_t *before;                  // by event: what its thread has published when it comes there
  uint32_t *round;                   // by event, of barriers
  bool *published;                   // by event
  uint32_t *last;                    // by thread: what it has published at its end
  uint32_t *create;                  // by thread: the event that made it
  bool *exits;                       // by thread: its end is an event
  uint32_t *exit_event, *exit_site;  // of those; the site of the module, SITE_NONE
  bool *cancelled;
  Vec(LLVMValueRef) places;
  Vec(Quiet) quiet_bodies;
};

// prepare.c: all values of the functions that blocks share go through memory, no block has its address taken.
// left: by function, clones of it may go on in generic code.
bool prepare_functions(Module *k, const bool *wanted, const bool *left);
bool can_be_cut(Module *k, LLVMValueRef function, bool say);
// forks.c
void forks_find(Module *k);
void futexes_hold(Module *k);  // futex.c
bool is_vfork(LLVMValueRef call);
bool forks_unseen(LLVMValueRef call);  // handlers of pthread_atfork do not run
bool is_fork_site(const Module *k, LLVMValueRef call);
// cut.c: the head of the block of `at` becomes a block of its own, which is returned, and all that led to it
// leads there. No address of the block may be taken.
LLVMBasicBlockRef block_cut(Module *k, LLVMValueRef at);
void cut_for_exits(Module *k, LLVMValueRef function);  // before values go to memory
// specialize.c: the parts of which roll.c has need too. module_end frees what begin made.
Module module_begin(const CfspecInput *in, Diags *diags);
void module_end(Module *k);
bool is_usual_main(Module *k);
void runtime_state(Module *k, const CfspecInput *in);  // what all schedules share
// main asks what the person wants, then the constraints, says what it does, and goes there.
bool make_main(Module *k, const CfspecInput *in, const Points *points, const LLVMValueRef *mains,
               const LLVMValueRef *descriptors);
// roll_bytes.c: a schedule as rt/roll.h has it. site_of: the program's calls. False after an error.
bool roll_bytes(const Module *k, uint32_t schedule, Bytes *out);
// dump.c: what a schedule's activations are made of. When main is cut, before prepare_functions.
void dump_schedule(Module *k, const CfspecInput *in, const Plan *plan, const Point *point, uint32_t id);
// stub.c
void stubs_make(Module *k);
void stub_forward(Module *k, LLVMValueRef from, LLVMValueRef to);  // ends the block, with a tail call

// constants.c: constants of the generated program
const char *function_name(const Module *k, LLVMValueRef f);  // as the program has it
LLVMValueRef constant_text(Module *k, const char *s);
LLVMValueRef constant_global(Module *k, LLVMValueRef initial, const char *name);
LLVMValueRef node_of(Spec *s, uint32_t event);
LLVMValueRef edge_constant(Spec *s, uint32_t thread, uint32_t next, LLVMValueRef at, const char *seen);
void nodes_prepare(Spec *s);
LLVMValueRef schedule_constant(Spec *s);
int32_t outcome_number(const Event *e);  // as RtNode has it
uint8_t kind_of_family(uint8_t family);  // an RtKind
void object_words(const Sigma *s, const Schedule *c, uint32_t object, Bytes *out);
bool sends_signals(const Module *k);
LLVMValueRef runtime_function(Module *k, const char *name, LLVMTypeRef type, bool comes_back);

// debug.c: locations in a clone: the original's, inlined into the clone
typedef struct {
  LLVMMetadataRef root;  // NULL: the original has no debug information
  Rehome places;
  const Map *values;  // what the original's are in the clone
} Locations;
void locations_begin(Locations *l, Module *k, LLVMValueRef original, LLVMValueRef clone, const Map *values);
void locations_end(Locations *l);
LLVMMetadataRef location_of(Locations *l, LLVMValueRef inst);
void location_frame(Locations *l, LLVMValueRef original, LLVMValueRef before);  // where variables are
void location_variables(Locations *l, LLVMValueRef inst, LLVMValueRef clone);   // what is said before it
void location_fix(Locations *l, LLVMValueRef clone);  // metadata of an instruction that holds locations

// clone.c: the code of one activation
struct Cloner {
  Spec *s;
  Module *k;
  const Activation *a;
  Pieces *pieces;
  LLVMValueRef original, clone;
  LLVMBasicBlockRef entry;
  Map *values;  // the latest clone of each
  Locations where;
  const uint64_t *set;        // of this segment
  LLVMBasicBlockRef *blocks;  // by piece, of this segment
  uint32_t next;              // the event that this segment runs into; SIGMA_NONE
  bool quiet;                 // it has no events, and stands for many
  bool inside;                // of main, and begins at a point inside it
  bool goes_on;               // what leaves it, or a forked process, goes on in generic code
  bool stopped;               // the last event of an unfinished thread is over
  size_t at;                  // the step that this segment runs into
  LLVMBasicBlockRef *jumps;   // by step: where a jump goes on; NULL: it is none
  LLVMBasicBlockRef *behind_jumps;
  uint32_t called;                 // the piece that begins this segment if a call was before it; PIECE_NONE
  Map *generic_of;                 // by block of the original: its generic copy
  Vec(LLVMBasicBlockRef) generic;  // blocks of the original that need one
};
bool clone_body(Spec *s, const Activation *a, LLVMValueRef clone, bool quiet);
LLVMValueRef clone_declare(Spec *s, uint32_t function, const char *name);
LLVMValueRef quiet_clone(Spec *s, uint32_t thread, uint32_t function);
// The load that a comparison with a constant tests; NULL: it is something else.
LLVMValueRef tested_load(LLVMValueRef condition);
LLVMValueRef mapped(Cloner *c, LLVMValueRef v);
LLVMValueRef clone_instruction(Cloner *c, LLVMValueRef i);
void clone_straight(Cloner *c, const Piece *p);  // up to the terminator or the event
bool left_out(Cloner *c, LLVMValueRef i);        // of what is cloned: made once, in the clone's entry

// leave.c: guards, and how a free run goes on from there: at the beginning of a block; behind a piece that
// has to be run first; or with the end of a block that was.
typedef struct {
  enum { EXIT_TO_BLOCK, EXIT_THROUGH, EXIT_BY_END } how;
  LLVMBasicBlockRef block;
  uint32_t piece;
} Exit;
static inline Exit exit_to(LLVMBasicBlockRef block) {
  return (Exit){EXIT_TO_BLOCK, block, PIECE_NONE};
}
static inline Exit exit_through(uint32_t piece) {
  return (Exit){EXIT_THROUGH, NULL, piece};
}
static inline Exit exit_by_end(LLVMBasicBlockRef block) {
  return (Exit){EXIT_BY_END, block, PIECE_NONE};
}
// Ends the block where the builder stands: the schedule does not go on here. target: a function that was
// called in the place of another; NULL.
void guard_call(Cloner *c, LLVMValueRef at, const char *seen, LLVMValueRef target, Exit x);
void guard_here(Cloner *c, LLVMValueRef at, const char *seen, Exit x);
// Fills the empty block `guard`, to which `from` goes instead of `to`.
void guard_edge(Cloner *c, LLVMBasicBlockRef guard, LLVMValueRef from, const char *seen,
                LLVMBasicBlockRef to);
void leave_to_original(Cloner *c, LLVMValueRef at, const char *seen);  // that cannot be cut
void leave_if_free(Cloner *c, LLVMValueRef end);                       // goes to where `end` does
void leave_if_forked(Cloner *c, LLVMValueRef end);
void generic_write(Cloner *c);  // last of all
// jump.c: setjmp that comes back once more. At the end of the block of its call: where to.
void jumps_make(Cloner *c);
void follow_jump(Cloner *c, LLVMValueRef end);
LLVMBasicBlockRef jump_begins(Cloner *c, const Step *step);  // the event; where it goes on
void call_may_jump(Cloner *c, const Step *step, LLVMValueRef call);
// A function without a body, with what the original has of attributes and conventions.
LLVMValueRef clone_like(Module *k, LLVMValueRef original, LLVMTypeRef type, const char *name);
// apart.c: of the clones of all schedules; what is left of the budget.
void threads_apart(Module *k, size_t left, CfspecFigures *out);
// step.c: an event, cloned where the builder stands. Where control goes on: a new block at the place that
// step_goes_on tells, or NULL.
LLVMBasicBlockRef step_clone(Cloner *c, const Step *step, LLVMValueRef call);
typedef enum { GOES_NOWHERE, GOES_BEHIND, GOES_TO_LANDING } GoesOn;
// What a call that does not synchronize here goes to: whatever may is replaced by what would notice if it
// did.
LLVMValueRef quiet_target(Cloner *c, uint32_t site, LLVMValueRef call);
GoesOn step_goes_on(const Cloner *c, const Step *step, LLVMValueRef call);

// These assert that a structure is whole: a module whose address table is filled (stubs_make), a schedule
// whose nodes are prepared, a cloner in whose segment the blocks are made.
void module_check(const Module *k);
void spec_check(const Spec *s);
void cloner_check(const Cloner *c);
