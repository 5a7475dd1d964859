// forge/specializer -- the program that keeps its schedules: made from an app and a file of schedules.
#pragma once
#include "cfspec/cfspec.h"
#include "dfspec/dfspec.h"
#include "emitter.h"
#include "record/record.h"
#include "timings.h"

typedef struct {
  const char *out;
  bool chaos;                  // link the runtime that sleeps at random
  bool trust;                  // also constraints that are unproved
  bool rolled;                 // hold them in the original code, whatever their size
  size_t budget;               // cloned instructions at most; 0: the default
  const char *emit_llvm;       // a directory; NULL
  bool apart;                  // clone what never synchronizes too, for each thread
  bool alias;                  // tell the optimizer which accesses of clones never meet
  unsigned jobs;               // threads that optimize and emit; 0: a processor each
  size_t unit;                 // instructions below which a module is not cut into units; 0: the default
  Bytes *segments, *branches;  // to be filled with what is cut, as text; NULL: not wanted
  bool free;                   // runs that leave their schedule go on
  bool no_dataflow;            // clones keep all their tests and loads
  bool check_facts;            // the program tests what data-flow specialization took to be true
} SpecializerOptions;
// What --on-divergence or SPECIALIZE_ON_DIVERGENCE says: abort or free. False: neither, said; `where` is
// which.
bool specializer_divergence(const char *word, const char *where, bool *free, Diags *diags);

// Changes the module of `l`, which is of no further use. False with an error; says which schedules are left
// out.
// What is written is an app too, of the unspecialized module.
typedef struct {
  size_t schedules;
  size_t rolled;  // bytes of schedules that the original code is held to; 0: there are clones
  CfspecFigures clones;
  DfspecFigures facts;  // sums over the schedules
  EmitterFigures units;
  Timings times;
} SpecializerFigures;
bool specializer_build(Program *l, const char *app, Sigma *s, const SpecializerOptions *o,
                       SpecializerFigures *out, Diags *diags);
// Makes the module of `l` what is built for one schedule, with what it makes true, before events become
// operations. notes: of dfspec/. False with an error.
bool specializer_clones(Program *l, const char *app, Sigma *s, uint32_t schedule, DfspecNotes *notes,
                        Diags *diags);
// Makes the module of `l` what analyses read of one schedule (cfspec/view). keep: as there.
// budget: cloned instructions at most; 0: the default. All but VIEW_MADE come with an error. VIEW_TOO_LARGE,
// VIEW_REFUSED: the schedule is one of the program, but has no clones.
typedef enum { VIEW_FAILED, VIEW_TOO_LARGE, VIEW_REFUSED, VIEW_MADE } ViewResult;
ViewResult specializer_view(Program *l, const char *app, Sigma *s, uint32_t schedule, bool keep,
                            size_t budget, Diags *diags);
