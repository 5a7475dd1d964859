// record/recorder -- the program with hooks, which records its run or replays a witness: made from an
// app, kept by hash in the user's cache.
#pragma once
#include "instrument.h"
#include "program.h"

typedef struct {
  bool branches;
  bool verbose;           // names all functions that may do more than is recorded, also if nothing is built
  const char *directory;  // where the program records without being told; NULL: nowhere
  const InstrumentAccess *accesses;  // if there are any, the program is for replay
  size_t access_count;
  bool replay;  // it is for replay without any
  bool watch;   // all accesses have hooks, and the program is for being watched
} RecorderOptions;

// Writes it to `out`. False with an error.
bool recorder_build(const Program *l, const char *app, const char *out, const RecorderOptions *o,
                    Diags *diags);
// The same from the cache, made if it is not there. NULL with an error; the caller frees the path.
char *recorder_cached(const Program *l, const char *app, const RecorderOptions *o, Diags *diags);
