// flow/access -- every access of memory that the code of a schedule makes.
#pragma once
#include "code.h"

typedef struct {
  LLVMValueRef inst;
  LLVMValueRef pointer;  // by which; NULL: by none that is known
  unsigned kind;         // ALIAS_READS ...
  bool atomic;
  bool syncs;   // an operation uses its mutex, barrier ...
  bool bounds;  // begins or ends the life of the object: init, destroy, free
  bool own_state;  // made by the destructor of what libstdc++ keeps for a thread, in that: see owned
  int64_t bytes;   // ALIAS_REST: to the end of the object
  AliasRanges ranges;
  const CodeFunction *function;
  Regions regions;
} Access;

typedef struct Accesses Accesses;
Accesses *accesses_new(const Code *c, const Alias *a);
void accesses_free(Accesses *v);
size_t accesses_count(const Accesses *v);
const Access *accesses_at(const Accesses *v, size_t i);
// By ranges of this very object: what is not known, object 0, may be any that has escaped.
Ids accesses_writes(const Accesses *v, uint32_t object);  // that may write or free it
Ids accesses_of(const Accesses *v, uint32_t object);      // all
// The same in the order of threads: see track.h.
typedef struct Tracks Tracks;
const Tracks *accesses_write_tracks(const Accesses *v);
const Tracks *accesses_tracks(const Accesses *v);
// Of all that may write to what x touches, by whatever range.
void accesses_writers(const Accesses *v, const Access *x, IdVec *out);
// Those of an instruction: first, first + 1 ... ; how many is returned.
size_t accesses_by(const Accesses *v, LLVMValueRef inst, size_t *first);
void accesses_check(const Accesses *v);  // asserts that it is whole
