// alias/system -- the constraints of a module: what alias/build makes and alias/solve solves. Nodes are sets
// of spots, one per value that may carry a pointer, or a part of one; integers and floats may.
#pragma once
#include "set.h"
#include "spot.h"

#define NODE_NONE UINT32_MAX
enum { NODE_UNKNOWN = 0 };  // {SPOT_UNKNOWN}

// Of LLVM's values, one object each, but HEAP: the call that made it. Objects of KIND_MOVE stand for memory
// on its way from one place to another.
typedef enum {
  KIND_UNKNOWN,
  KIND_GLOBAL,
  KIND_THREAD_LOCAL,
  KIND_FUNCTION,
  KIND_STACK,
  KIND_HEAP,
  KIND_ARGUMENT,  // a copy that the caller makes (byval)
  KIND_VARARGS,   // of a function: what is passed beyond its parameters
  KIND_LIBRARY,   // what the function `value` keeps in the library
  KIND_OWN,       // the same, for each thread
  KIND_HIDDEN,    // named by a summary: values at threads' ends, ...; value is NULL
  KIND_MOVE
} ObjectKind;

typedef struct {
  ObjectKind kind;
  LLVMValueRef value;
  const char *name;  // of HIDDEN
} Object;

typedef struct {
  uint32_t dst, src, shift;  // an index of shifts; 0: a copy
  uint32_t direct;  // of a copy: the index of System.directs, by whose call it goes, plus one; 0: none
  bool enters;      // into the callee; otherwise out of it
} Edge;
typedef struct {
  LLVMValueRef call, callee;
} Direct;
typedef struct {
  uint32_t value, pointer;
  int64_t bytes;
} Access;  // value = *pointer, or *pointer = value
typedef struct {
  uint32_t dst, src, object;  // *dst = *src by way of that object
  int64_t bytes;
} Move;
// The function in `callee` gets args first, first + 1 ...; type NODE_NONE: any function fits.
typedef struct {
  uint32_t callee, result, first, count, type;
  bool program;  // functions outside are not called
  bool limited;  // no function is called but the one in `only`; NULL: none
  LLVMValueRef only;
  LLVMValueRef call;
} Call;
// A function that may be called by its address. Of one outside the module the nodes carry its summary.
typedef struct {
  uint32_t object, first, count, extra, result, type;
  LLVMValueRef function;
} Routine;
typedef struct {
  uint32_t node, spot;
} Base;

typedef struct {
  uint32_t nodes;
  Vec(Object) objects;
  Sizes sizes;  // by object
  Spots *spots;
  Vec(Shift) shifts;
  Intern *shift_ids;
  Vec(Base) bases;
  Vec(Edge) edges;
  Vec(Direct) directs;  // calls of functions of the module by name
  Vec(Access) loads, stores;
  Vec(Move) moves;
  Vec(Call) calls;
  IdVec args;
  Vec(Routine) routines;
  uint32_t *routine_of;  // by object, made by system_finish: index, or NODE_NONE
  IdVec escapes;         // nodes whose targets leave the program
  IdVec escaped;         // objects that did so before it began
  Intern *types;         // signatures of calls and routines
  Set queried;           // nodes that somebody may ask for: never left out
} System;

System *system_new(void);
void system_free(System *s);
uint32_t system_object(System *s, ObjectKind kind, LLVMValueRef value, int64_t size);
static inline uint32_t system_node(System *s) {
  return s->nodes++;
}
uint32_t system_shift(System *s, Shift by);
void system_base(System *s, uint32_t node, Spot spot);
void system_edge(System *s, uint32_t dst, uint32_t src, uint32_t shift);
// What a direct call hands over: an argument to a parameter, or the result.
void system_cross(System *s, uint32_t dst, uint32_t src, uint32_t direct, bool enters);
void system_load(System *s, uint32_t value, uint32_t pointer, int64_t bytes);
void system_store(System *s, uint32_t pointer, uint32_t value, int64_t bytes);
void system_move(System *s, uint32_t dst, uint32_t src, int64_t bytes);  // bytes 0: all there is
// Constant steps in a cycle become strides, so that a loop over an array does not visit every byte; what no
// pointer can come from, or go to, is dropped. Once, behind the last constraint.
void system_finish(System *s);
// Whether the call may enter the function if it is given its address. signature_fits is asked each time.
bool system_call_fits(const System *s, const Call *c, const Routine *f);
void system_check(const System *s);  // asserts that it is whole
