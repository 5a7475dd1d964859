// cfspec/point -- dispatch points inside main (record/point tells where). main is cut in two blocks there
// before its values go to memory; so what the code behind needs stands in memory that main's entry reserves.
// A clone that begins there takes the addresses of all of it.
#pragma once
#include "cfspec.h"

typedef struct {
  LLVMValueRef at;           // the first instruction behind it; its block begins there, or by loads for it
  LLVMBasicBlockRef before;  // goes to that block, and nowhere else
  IdVec schedules;           // which of CfspecInput.schedules
} Point;

typedef struct {
  LLVMValueRef main;
  Vec(Point) points;
  uint32_t *of;  // by schedule of CfspecInput: index of its point; UINT32_MAX: main's entry
  Vec(LLVMValueRef) locals;
  bool *own;            // by local: only accesses of main know its address, so a copy is as good
  LLVMValueRef choice;  // globals of the generated program: what main's entry left to be decided,
  LLVMValueRef argc, argv;
} Points;

typedef struct Module Module;
typedef struct Spec Spec;
typedef struct Cloner Cloner;
// False after an error. Changes the module: main is cut.
bool points_make(Points *p, Module *k, const CfspecInput *in);
void points_free(Points *p);
// When values are in memory.
void points_locals(Points *p);
static inline const Point *points_of(const Points *p, size_t schedule) {
  return p->of[schedule] == UINT32_MAX ? NULL : &p->points.at[p->of[schedule]];
}
// When all clones are made: what main's entry stores, and the choice at each point.
void points_state(Points *p, Module *k);
bool points_emit(Points *p, Module *k, const CfspecInput *in, const LLVMValueRef *mains,
                 const LLVMValueRef *descriptors);

void points_check(const Points *p);  // asserts that it is whole, before points_emit

// Of a clone that begins at a point: the type of its function, its locals, and what it must not do.
LLVMTypeRef point_clone_type(Module *k, LLVMValueRef main);
void point_frame(Cloner *c);
bool point_drops(Cloner *c, LLVMValueRef i);
