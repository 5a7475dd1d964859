// alias/solve -- the least solution of a System: for each node the spots that its pointers may point to.
//
// SPOT_UNKNOWN in a set stands for every object that has escaped, at any offset, and for memory that is not
// the program's. An object escapes when unknown code, or memory that unknown code sees, may hold its address;
// then what is stored in it escapes too, and what is read from it may be unknown. A function that escapes
// gets unknown arguments. So sets say nothing of escaped objects beside SPOT_UNKNOWN: they are dropped there.
#pragma once
#include "system.h"

// What is stored at a spot by accesses of so many bytes.
typedef struct {
  uint32_t spot, node;
  int64_t bytes;
} Cell;
typedef Vec(Cell) Cells;

typedef struct {
  uint32_t objects;
  uint32_t nodes;  // more than the system's: cells have some
  uint32_t *same;  // by node: the one whose set it shares
  Set *sets;       // by node that is its own `same`
  bool *escaped;   // by object
  bool *whole;     // by object: its places have become one
  Cells *stored;   // by object
  Pairs targets;   // owner: index of System.calls; item: of System.routines
  size_t sweeps, merged;
} Solution;

Solution *solve(System *s);  // adds spots
void solution_free(Solution *r);
void solution_check(const Solution *r, const System *s);  // asserts that it is whole, and solves this
static inline const Set *solution_set(const Solution *r, uint32_t node) {
  return &r->sets[r->same[node]];
}
