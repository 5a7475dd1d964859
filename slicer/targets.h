// slicer/targets -- the instances that a person asks about.
#pragma once
#include "slice.h"

typedef enum {
  TARGET_PLACES,  // the last execution of each line
  TARGET_CRASH,   // where the program's own code was when the run died or failed
  TARGET_SYNC,    // all events
  TARGET_VALUE    // what was printed last
} TargetKind;
typedef struct {
  TargetKind kind;
  Vec(PlaceWanted) places;
  uint32_t thread;  // SIGMA_NONE: any
} Target;

// NAME is FILE:LINE[:COL],… or sync or value. False with an error; out then holds nothing.
bool target_parse(const char *text, Target *out, Diags *diags);
void target_free(Target *t);
// False with an error, which says what is missing.
bool target_find(const Examined *of, const Target *t, SliceTargets *out, Diags *diags);
// Of a run that died: the instance that it died in, and that of the program's own code around it.
bool target_of_fault(const Examined *of, RunInstance *out);
bool target_of_death(const Examined *of, RunInstance *out);
