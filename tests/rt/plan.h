// tests/rt/plan -- a random program that ends under every interleaving, and a schedule of it: one
// interleaving, chosen at random, with the edges of docs/sigma.md §4.
#pragma once
#include "kit.h"

enum {
  PLAN_MUTEXES = 5,
  PLAN_RWLOCKS = 2,
  PLAN_SEMAPHORES = 2,
  PLAN_CONDS = 2,
  PLAN_CELLS = 2,
  PLAN_ACTIONS = 128
};
enum { PLAN_RECURSIVE = 3, PLAN_SPIN = 4 };  // of the mutexes

typedef enum {
  LOCK,  // LOCK to UNLOCK: mutex
  TRY,
  TIMED,
  UNLOCK,
  RD,  // RD to UNRW: rwlock
  TRYRD,
  WR,
  TRYWR,
  UNRW,
  POST,  // POST to ACQTIMED: semaphore
  ACQ,
  ACQTRY,
  ACQTIMED,
  SIGNAL,  // SIGNAL to TIMEDWAIT: condition i, with mutex i and queue i
  BROADCAST,
  WAITFOR,    // until there is something in the queue
  TIMEDWAIT,  // once, if there is nothing in it
  PUT,        // no event
  TAKE,       // no event, may find nothing
  BARRIER,
  ONCE,
  NAP,        // no event: asleep in a call, of one of PLAN_NAPS kinds
  CANCELLED,  // waits until main cancels it; the actions that follow are done by a cleanup handler
  ADD,        // ADD and LOOK: atomic, on a cell
  LOOK
} Op;
enum { PLAN_NAPS = 4 };
typedef struct {
  uint8_t op, object;
} Ins;
// A refused attempt (TRY, TIMED ...) leaves the action.
typedef struct {
  Ins ins[8];
  uint32_t count;
  bool safe;              // leaving it out or doing it twice changes nothing for the others
  uint32_t first, nodes;  // among the nodes of its thread
} Action;
typedef struct {
  Action action[PLAN_ACTIONS];
  uint32_t actions;
  RtNode **node;
  uint32_t nodes;
  RtNode *create, *exit, *join, *cancel;  // cancel: NULL if it is not
} Worker;
typedef struct {
  const RtNode *from, *to;
} Edge;

typedef struct {
  uint32_t workers;  // 1 ... workers; 0 is main, which creates and joins them
  Worker *worker;
  uint32_t mutex[PLAN_MUTEXES], rwlock[PLAN_RWLOCKS], semaphore[PLAN_SEMAPHORES], cond[PLAN_CONDS],
      cell[PLAN_CELLS];
  uint32_t barrier, once;                    // objects
  uint32_t cancelled[KIT_THREADS], cancels;  // workers, in the order in which main cancels them
  Edge *edge;                                // all, those too that follow from others
  uint32_t edges;
  bool total;
} Plan;

uint32_t plan_random(uint32_t below);  // of the generator that plan_make seeds
// Adds its events to the kit.
Plan *plan_make(uint32_t seed);
