// flow/code -- the clones of one schedule as analyses of flows look at them: each thread one function, as far
// as inlining can make it so, and where in the schedule each instruction stands.
#pragma once
#include "alias/alias.h"
#include "cfspec/cfspec.h"

// Makes one function of a thread's clones, with what they call, within a budget of instructions; then locals
// are values. Accesses of memory that others can see stay. `view` is of cfspec_view.
bool code_flatten(LLVMModuleRef view, size_t budget, Diags *diags);
// Once more, after values have become constants.
bool code_simplify(LLVMModuleRef flat, Diags *diags);

// Operations of a thread are numbered in their order. An instruction stands behind `from` of them at least
// and before the one numbered `to` at most.
typedef struct {
  uint32_t thread, from, to;
} Region;
typedef Vec(Region) Regions;

typedef struct {
  LLVMValueRef function;
  Cfg *cfg;
  Dom *dom;
  Loops *loops;
  Inducts *inducts;
  uint32_t owner;  // of a clone: the thread that alone runs it
  bool once;       // a clone of a call that happens once
  bool root;       // runs once: what thread `thread` runs
  bool several;    // threads start it, so it is no root
  bool entered;    // by code outside, once: its operations are those from `first` to before `end`
  uint32_t first, end;
  IdVec own;            // of these, those that it does itself
  uint32_t thread;      // of a root, or one that is entered
  uint32_t *from, *to;  // by block of such: how many operations are behind its beginning, least and most
  uint32_t *cycle;      // by block: a way from one to another leads to a smaller number, or around a cycle
  bool *leaves;         // by block: whoever comes there leaves the schedule, whatever happens then
  bool *again;          // by block: it may run again without an edge back, after setjmp; NULL: none
  Regions regions;      // of another one: of all that call it
} CodeFunction;

typedef struct Code Code;
// The module must stay as it is. a: of the same. only_scheduled: see FlowInput.
Code *code_new(LLVMModuleRef flat, const Order *o, const Alias *a, bool only_scheduled);
void code_free(Code *c);
size_t code_count(const Code *c);
const CodeFunction *code_at(const Code *c, size_t i);
bool code_is_executed(const CodeFunction *f);  // false: nothing calls it, as far as is known
const CodeFunction *code_of(const Code *c, LLVMValueRef function);  // NULL: has no body
const CodeFunction *code_root(const Code *c, uint32_t thread);      // NULL: not known
LLVMValueRef code_create(const Code *c, uint32_t thread);           // the call that makes it; NULL: not known
uint32_t code_operations(const Code *c, uint32_t thread);           // how many it does
LLVMValueRef code_operation(const Code *c, uint32_t thread,
                            uint32_t number);  // NULL: none, or not alone in a root
// Whoever is beyond this position of a root, which is exact, has been in the block. False: not known.
bool code_passed(const Code *c, const CodeFunction *root, uint32_t block, Region at);
bool code_leaves(const Code *c, LLVMValueRef inst);  // every way from there leaves the schedule
bool code_counts(const Code *c, LLVMValueRef inst);  // it does not, or that code counts too
void code_regions(const Code *c, LLVMValueRef inst, Regions *out);
// x ends before y begins, in the enforced order; credit: in the part of it that gives happens-before.
bool code_before(const Code *c, Region x, Region y, bool credit);
// Whether the code of a thread shows how it comes by all of its operations: if not, some value or order that
// the code was simplified by contradicts the schedule, and what is not found may hide what it does.
typedef enum { CODE_FOLLOWED, CODE_ALWAYS_LEAVES, CODE_EVENT_LOST } CodeFollowed;
CodeFollowed code_followed(const Code *c, uint32_t thread, uint32_t *event);  // which one is lost
uint32_t code_event_before(const Code *c, Region r);  // the last one that is surely behind it; SIGMA_NONE
const Order *code_order(const Code *c);
void code_check(const Code *c);  // asserts that it is whole
