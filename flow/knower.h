// flow/knower -- inside flow/known: what its files share.
#pragma once
#include "known.h"
#include "shared.h"

typedef enum { VAR_VALUE, VAR_ROUND, VAR_OBJECT } VarClass;

typedef struct {
  LLVMValueRef object;  // its address; NULL
  bool variant;         // it belongs to one side
  bool round;           // of a loop, which one
  bool bounded;         // an address in one of these objects (of alias/), or null
  IdVec objects;        // ascending
} VarInfo;

typedef Vec(VarInfo) VarInfos;
typedef struct {
  Bv truth;
  Bv about;  // a variable: it matters only where this one does; BV_NONE
} Fact;
typedef Vec(Fact) Facts;

// A branch that was taken on the way to a block of a root that runs once; its values are the same for all.
typedef struct {
  const CodeFunction *function;
  uint32_t block;
  size_t before;  // another one that says the same, plus one
} Passed;

// What a call leaves in memory.
typedef struct {
  LLVMValueRef call, pointer;
  Bv value;
} Left;

typedef struct {
  Map *map;
  uint64_t key;
  unsigned made, on;  // how deep it was found, and what it rests on
} Resting;

struct Known {
  const Code *code;
  const Alias *alias;
  const Accesses *accesses;
  LLVMModuleRef module;
  bool volatile_known;
  SharedMaps shares;  // memory that may be written by other processes
  LLVMTargetDataRef layout;
  Bvs *t;
  Map *memo;             // of value and side -> term, or that it is looked at
  Map *vars;             // of what a variable stands for -> its key
  VarInfos infos;        // by key
  Vec(uint8_t) variant;  // by term: 0 not known yet, 1 single, 2 variant
  Facts rounds;          // about rounds of loops
  BvVec input;           // about the input
  Vec(Passed) passed;
  Map *passed_by, *learned;  // of a truth: the last of them, plus one; blocks that were gone through
  Map *defined;              // what instructions are known to compute
  Vec(Left) left;
  Map *dead;               // what is known of blocks
  Map *places;             // number of an instruction in its block
  Vec(Resting) resting;    // answers that rest on values which are looked at, in the order they were found
  unsigned depth, lowest;  // of evaluations; the outermost one whose value was asked for before it was known
  size_t work;             // evaluations so far
};

typedef struct {
  LLVMValueRef inst;  // where it is asked
  const CodeFunction *function;
  unsigned side;
} Point;
Point point_at(const Known *v, LLVMValueRef inst, unsigned side);

Bv known_eval(Known *v, LLVMValueRef x, const Point *p);
Bv known_var(Known *v, unsigned width, VarClass kind, LLVMValueRef of, unsigned side);
unsigned known_side(const Known *v, LLVMValueRef inst, const Point *p);  // 0: single
unsigned known_width(const Known *v, LLVMTypeRef type);                  // 0: no number
void known_own_facts(Known *v, const Point *p, BvVec *out);              // by the branches of this function
// Who finds what a store has written knows what was known where it stands.
void known_learn(Known *v, const Access *store);
// Whether a truth is decided by branches that were surely taken before inst is executed.
bool known_implied(const Known *v, LLVMValueRef inst, Bv truth, bool *is);
Bv known_load(Known *v, LLVMValueRef load, const Point *p);  // BV_NONE: not known
Bv known_read(Known *v, LLVMValueRef inst, LLVMValueRef pointer,
              const Point *p);  // what inst reads there, a word
// While a value is looked at, it is a variable to what its own evaluation asks for. Answers that rest on that
// are right, but may say less than is known afterwards: they are kept no longer, unless there is too much to
// do. What a map says of a value, put there by known_begin when one begins to look at it, by known_keep at
// the end:
typedef enum { KNOWN_NOT_YET, KNOWN_PENDING, KNOWN_ANSWER } KnownKept;
#define KNOWN_ABSENT ((uint64_t)1 << 41)
KnownKept known_recall(Known *v, uint64_t kept, uint32_t *answer);
uint64_t known_begin(Known *v, unsigned *outer);
void known_keep(Known *v, Map *map, uint64_t key, uint32_t answer, unsigned outer);
bool known_variant(Known *v, Bv x);
void known_check(const Known *v);                                    // asserts that it is whole
bool known_earlier(const Known *v, LLVMValueRef a, LLVMValueRef b);  // in one block
