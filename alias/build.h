// alias/build -- the constraints of a module. Private to the folder; alias.c calls build_system.
#pragma once
#include <llvm-c/Target.h>
#include "fresh.h"
#include "alias.h"
#include "system.h"

typedef struct {
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  System *sys;
  const Summaries *summaries;
  Fresh *fresh;
  Diags *diags;
  Map *nodes;          // value -> node
  Map *objects;        // value -> object
  Map *variables;      // alloca -> node, of those that only are loaded and stored
  Map *functions;      // function -> index of parts
  Map *initial;        // spot -> node of what initializers store there
  Map *unknown;        // functions that have been named
  Map *varargs;        // function -> the node that points to its further arguments
  Map *wrappers;       // function -> the node of all memory that it returns
  Map *others;         // function -> the node of what a wrapper returns beside that
  Map *reached;        // call or function, and argument -> the node of all that this leads to
  Map *fresh_nodes;    // call or function -> the node of the memory it makes
  Map *library_nodes;  // function -> the node of the library's memory that it returns
  uint32_t ended;      // points to what threads returned
  uint32_t thrown;     // points to the exceptions that code of no one thread has thrown
  uint32_t thrown_any;  // ... that were thrown at all
  uint32_t numbers;    // what is stored as a number of less than 64 bits, or may be read as one
  Map *thrown_by;      // thread -> the same of its own code
  bool (*owner)(LLVMValueRef function, uint32_t *thread);
  const AliasGuess *guess;
  unsigned tbaa;       // the kind of metadata
  bool unknown_code;   // there is some that may throw what nobody knows
  uint32_t mapped;     // points to shared memory that may be mapped twice
  uint32_t arguments;  // points to what main is given
  uint32_t *named;     // by OPERAND_NAMED: the node that points to the object
  bool open;           // outside code may use what it can find by name
  bool relative;       // pointers may be made of differences of pointers
  Vec(struct Parts) parts;
  Vec(struct Touch) touches;
  Map *touched;  // instruction, or outside function -> index of its last touch, plus one
} Build;

// An access of memory by an instruction; by a call only what the function outside does itself.
typedef enum { TOUCH_READ = 1, TOUCH_WRITE = 2, TOUCH_FREE = 4 } TouchKind;
typedef struct Touch {
  uint32_t node, before;  // before: another touch of the same instruction, plus one
  int64_t bytes;
  TouchKind kind;
  bool locked;  // by the library itself: of what it does by others of its functions there, one at a time
} Touch;
void build_touch(Build *b, LLVMValueRef at, uint32_t node, int64_t bytes, TouchKind kind);
void build_touch_locked(Build *b, LLVMValueRef at, uint32_t node, int64_t bytes, TouchKind kind);

// The nodes of a function: parameters first, first + 1 ...
typedef struct Parts {
  LLVMValueRef function;
  uint32_t first, count, extra, result;
} Parts;

void build_system(Build *b);       // the system is empty, the maps are not there yet
void build_free(Build *b);         // all but module, system, summaries and diags
void build_check(const Build *b);  // asserts that it is whole: after build_system

// NODE_NONE: it carries no pointer.
uint32_t build_value(Build *b, LLVMValueRef v);
uint32_t build_result(Build *b, LLVMValueRef inst);  // a new or known node of an instruction or argument
uint32_t build_object(Build *b, LLVMValueRef v);     // of a global, function, alloca or allocation
uint32_t build_pointer(Build *b, uint32_t object);   // a node that points to its beginning
// Where the exceptions are that code of this function throws; that it may catch.
uint32_t build_thrown(Build *b, LLVMValueRef function, bool catches);
const Parts *build_function(Build *b, LLVMValueRef function);
Shift build_shift(const Build *b, LLVMValueRef gep);

void build_call(Build *b, LLVMValueRef call);
// What an outside function does to the nodes of its arguments. call: NULL if it is called by its address.
void build_outside(Build *b, LLVMValueRef function, LLVMValueRef call, const uint32_t *args, uint32_t count,
                   uint32_t result);
void build_data(Build *b, LLVMValueRef global);  // what its initial value points to
bool build_is_tracked(LLVMValueRef v);           // of a type that may carry a pointer

// What somebody outside may enter or see.
bool build_is_visible(const Build *b, LLVMValueRef global);
