// specialize/recorder -- the program that records its run: made from an app, kept by hash in the user's
// cache.
#pragma once
#include "loaded.h"

typedef struct {
  bool branches;
  bool verbose;           // names all functions that may do more than is recorded, also if nothing is built
  const char *directory;  // where the program records without being told; NULL: nowhere
} RecorderOptions;

// Writes it to `out`. False with an error.
bool recorder_build(const Loaded *l, const char *app, const char *out, const RecorderOptions *o,
                    Diags *diags);
// The same from the cache, made if it is not there. NULL with an error; the caller frees the path.
char *recorder_cached(const Loaded *l, const char *app, const RecorderOptions *o, Diags *diags);
