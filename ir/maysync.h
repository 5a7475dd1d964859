// ir/maysync -- which functions may synchronize, and which call sites are therefore in a schedule: those of
// sync operations, and derived ones, calls of functions that may perform one before they return.
//
// Only operations that are events count (core/sync): creating and destroying objects does not. What runs
// later or elsewhere does not count either: a thread's routine where the thread is created, a handler where
// it is registered; but what atexit registered counts at exit, a thread's destructors at pthread_exit. An
// unknown function outside does not synchronize by itself, only by calling back as ir/callgraph describes;
// where that assumption hides something, maysync_assumes and the report say so.
#pragma once
#include "callgraph.h"
#include "core/core.h"

typedef struct Maysync Maysync;
Maysync *maysync_new(const Callgraph *g);  // which must outlive it
// The same if these sites, direct operations, are ordinary code: on objects that no schedule holds. By site
// of the module; must outlive it. NULL: none.
Maysync *maysync_new_without(const Callgraph *g, const bool *ordinary);
void maysync_free(Maysync *m);
bool maysync_function(const Maysync *m, uint32_t f);  // of the call graph
// It may, and code outside may enter it by its address: a callback, but not if it is a thread's routine only.
bool maysync_enterable(const Maysync *m, uint32_t f);
const Sync *maysync_operation(const Maysync *m, uint32_t site);  // a direct one, event or not; or NULL
bool maysync_event(const Maysync *m, uint32_t site);             // a direct one that is an event
// A pthread_once whose routine may synchronize is an event and derived too.
bool maysync_derived(const Maysync *m, uint32_t site);
// A call of an unknown function that could call back a function that may synchronize, whose address is taken,
// but that nothing hands to it: assumed not to happen.
bool maysync_assumes(const Maysync *m, uint32_t site);
// A warning for each unknown function that is assumed not to call back, at its first site; or one that counts
// them.
void maysync_report(const Maysync *m, bool all, Diags *d);
void maysync_check(const Maysync *m);  // asserts that it is whole
