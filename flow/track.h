// flow/track -- the accesses of an object in the order in which their threads make them, so that the few that
// matter to a question are found without asking all of them: of other threads those that nothing orders, of
// what comes before a place the last.
#pragma once
#include "access.h"

// Accesses of one thread, each at one place of it; ascending by that. In a root that is the order of its
// code too: none leads back to an earlier one but around a cycle.
typedef struct {
  uint32_t thread;
  bool root;  // all stand in the root of the thread, else none
  Ids accesses;
  const uint32_t *last;  // for each: how far it and those before it may reach
} Track;
typedef Vec(Track) TrackVec;

Tracks *tracks_new(const Accesses *v, const Lists *by_object, uint32_t objects);
void tracks_free(Tracks *t);
// Of an object: its tracks, and those that stand at several places.
void tracks_of(const Tracks *t, uint32_t object, const Track **tracks, size_t *count, Ids *loose);
// All before `from` are before r in the enforced order, all from `to` on behind it. credit: as in
// code_before.
void track_around(const Track *t, const Accesses *v, const Code *c, const Regions *r, bool credit,
                  size_t *from, size_t *to);
// Of a root: how many stand before this instruction of it, in the order of its code.
size_t track_place(const Track *t, const Accesses *v, const Access *x);
void tracks_check(const Tracks *t, const Accesses *v);  // asserts that it is whole
