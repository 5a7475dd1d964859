// app/cc_args -- what a compiler command line will do, as far as capturing bitcode needs to know.
#pragma once
#include "run.h"

typedef struct {
  Args seen;        // the arguments with @files expanded, for looking; the compiler gets the originals
  bool capture;     // something is compiled to machine code that we can capture
  bool links;       // the linker will be called
  bool incomplete;  // the last option lacks its value: the compiler's error to report
  Strings objects;  // where -c puts objects
  const char *fuse_ld, *ld_path;  // the user's choice of a linker, or NULL
  Args finders;                   // options that decide where the compiler finds its programs
  size_t end;  // index in the original arguments before which ours are inserted (a "--", or their end)
} CcPlan;

CcPlan cc_plan(char *const *args);
void cc_plan_free(CcPlan *p);
// `@file` arguments replaced by what they hold, as GNU tools do; one that cannot be read stays as it is.
void expand_responses(char *const *args, Args *out);
