// record/instrument -- turns a module into one that records its run (rt/record.h): hooks in the place of sync
// operations, around derived syncs, at inputs, at branches and accesses if asked.
#pragma once
#include "ir/ir.h"

// The numbers in a recording: sites are those of ir/site, functions those of ir/callgraph, dispatch point
// 0 is main's entry. Branches count all successors of blocks with several, in module order, from 1.
typedef struct {
  const char *name;  // function%ordinal
  bool writes;
} InstrumentAccess;
typedef struct {
  bool branches;
  const char *directory;  // where to record without SPECIALIZE_DIR; NULL: nowhere
  const Pairs *targets;   // of indirect calls, for callgraph_new_with; NULL
  const InstrumentAccess
      *accesses;  // for replay (rt/replay.h), numbered from 0; what orders memory gets hooks then
  size_t access_count;
  bool watch;  // hooks at all accesses of accesses_all, for rt/watch.h
  // For rt/roll.h: only sync operations have hooks, and not those at ordinary sites; NULL: there are none.
  bool events;
  const bool *ordinary;
} InstrumentOptions;

// All accesses that have an address in front of them, but those of variables that no other thread can see;
// names are the caller's.
typedef Vec(InstrumentAccess) InstrumentAccesses;
void accesses_all(LLVMModuleRef m, InstrumentAccesses *out);
void accesses_free_all(InstrumentAccesses *all);

// False after an error: there is no main. Whether what is recorded may not be all, maysync_report tells.
bool instrument_module(LLVMModuleRef m, const uint8_t hash[HASH_BYTES], const InstrumentOptions *o, Diags *d);
