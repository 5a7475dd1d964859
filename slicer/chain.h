// slicer/chain -- from a target back to its causes, a line at a time, as far as the slice goes.
//
// A node is what one thread did at one line of a function, in all rounds of a loop. Nodes come in the order
// in which they are to be told: what nothing orders first, then breadth first.
#pragma once
#include "evidence.h"
#include "gates.h"
#include "targets.h"

typedef enum {
  CHAIN_TARGET,
  CHAIN_PAIR,   // of an Evidence: the access that went wrong
  CHAIN_OTHER,  // the one it did not know of
  CHAIN_VALUE,
  CHAIN_BRANCH,
  CHAIN_ORDER,  // an event that another thread waited for
  CHAIN_CALL,
  CHAIN_START,    // of a thread
  CHAIN_INITIAL,  // nothing had written it
  CHAIN_LATE,     // a store to it that was still to come
  CHAIN_FREED,    // what ended the life of the memory that the run died at
  CHAIN_HOLDS     // a lock that a thread waits for was taken here
} ChainKind;

typedef Vec(RunInstance) ChainInstances;
typedef struct {
  ChainKind kind;
  RunInstance at;        // the one that is told
  ChainInstances group;  // all that causes go through
  uint32_t frame, thread;
  uint32_t because;  // node; UINT32_MAX
  unsigned depth;
  bool told, expanded;
  const Evidence *evidence;
  uint32_t event, woke;  // of ORDER: what happened, and what waited for it
  uint64_t address;      // of INITIAL
  LLVMValueRef inst;  // what is told, if not `at` itself: where its thread waits, or what is to come; or NULL
} ChainNode;

typedef struct {
  Vec(ChainNode) nodes;
  Vec(uint32_t) told;  // in order
  EvidenceVec evidence;
  bool reached;  // the line that was wanted
  bool whole;    // the limit was not reached, and all accesses were looked at
} Chain;

typedef struct {
  const PlaceWanted *wanted;  // the line to get to, for `--why`; NULL: all
  size_t most;                // nodes
  bool crash;                 // the target is the end of the run
} ChainWhat;
void chain_make(const Slice *s, const SliceTargets *targets, const ChainWhat *what, Chain *out);
void chain_free(Chain *c);
