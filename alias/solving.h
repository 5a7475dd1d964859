// alias/solving -- what the files behind alias/solve share while it works: solve.c carries pointers along,
// collapse.c looks for cycles and makes one node of each.
#pragma once
#include "solve.h"

// Apart from the rest of a node: the search for cycles looks at them only.
typedef struct {
  IdVec next;       // copy edges to
  size_t squeezed;  // its length when it last had no repetitions
} Copies;

typedef struct {
  IdVec shifts;         // indices of System.edges
  IdVec loads, stores;  // indices of System's
  IdVec moves_from, moves_to, calls;
} Node;

typedef struct {
  uint32_t move, spot;
} Watch;

typedef struct {
  Cells loaded;
  Vec(Watch) readers;  // moves that copy from here
  IdVec beside[2];     // what is loaded from (stored) outside of it: nowhere, unless it is merged
} Memory;

// Most spots are asked for with one size only, which needs no search.
typedef struct {
  Map *nodes;    // spot, bytes -> node
  Cells latest;  // by spot: the one that was asked for last; node 0: none
} CellTable;

typedef struct {
  System *sys;
  Solution *r;
  Vec(Node) nodes;
  Vec(Copies) copies;
  Vec(Set) sets, fresh;
  IdVec same, rank;
  Vec(bool) leaks;  // by node: what it points to escapes
  Memory *memory;   // by object
  CellTable stored, loaded;
  Vec(IdVec) sinks;     // by move: the spots that it copies to
  IdVec to_escape;      // objects
  IdVec at_rank;        // node by rank
  Vec(uint64_t) dirty;  // by rank
  size_t added;         // edges since cycles were looked for
  size_t edges;
  bool *merged;          // by object: its places are no longer told apart
  uint32_t *places;      // by object: how many places in it pointers have
  Set pointed;           // the spots that have been counted
  IdVec to_merge;        // objects
  Vec(uint64_t) hidden;  // by spot, as bits: of objects that escaped, which SPOT_UNKNOWN stands for
  uint32_t known;        // spots that the two above know of
  IdVec *spots_of;       // by object
  Cells born;            // cells that moves have not heard of
  Map *whole;            // move, object -> the ends there at which it does not keep its layout
  Map *ends;             // move, object -> what is known of its ends there: ENDS_SOURCE ...
  uint32_t *move_of;     // by object
  Map *fits;             // call type, routine type -> 1 no, 2 yes
} Solving;

Solving solving_new(System *sys);  // without nodes
void solving_free(Solving *s);     // all but the solution, which has taken over the sets

static inline uint64_t cell_key(uint32_t spot, int64_t bytes) {
  return (uint64_t)spot << 32 | (bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX);
}

static inline uint32_t find(Solving *s, uint32_t n) {
  while (s->same.at[n] != n) n = s->same.at[n] = s->same.at[s->same.at[n]];
  return n;
}

static inline void mark_dirty(Solving *s, uint32_t n) {
  uint32_t rank = s->rank.at[n];
  s->dirty.at[rank / 64] |= 1ull << rank % 64;
}

static inline bool has_unknown(const Set *s) {
  return s->len && !s->index[0] && s->bits[0] & 1;
}

static inline void hide(Solving *s, Set *set) {
  set_mask(set, s->hidden.at, s->hidden.len);
}

// What it points to escapes, from now on.
static inline void leak(Solving *s, uint32_t n) {
  n = find(s, n);
  if (s->leaks.at[n]) return;
  s->leaks.at[n] = true;
  for (set_each(at, &s->sets.at[n])) vec_push(&s->to_escape, spots_at(s->sys->spots, at.id).object);
}

// Makes one node of every cycle of copies, and numbers the nodes so that copies lead upwards.
void solving_collapse(Solving *s);
void solving_check_order(const Solving *s);  // asserts that copies lead upwards
void solving_check(const Solving *s);        // asserts that it is whole
