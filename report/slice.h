// report/slice -- how something happened: the chain from a target back to its causes, and the lines that it
// depends on. Plain data that slicer/ fills in and that all formats read. Texts are interned in the report
// and may hold any bytes; NULL where nothing is known.
#pragma once
#include "finding.h"
#include "formats.h"

typedef enum {
  SLICE_STEP_TARGET,
  SLICE_STEP_LOST,       // a write that another one, which did not know of it, replaced
  SLICE_STEP_UNORDERED,  // nothing orders the two
  SLICE_STEP_LATE,       // a write that was still to come
  SLICE_STEP_VALUE,
  SLICE_STEP_BRANCH,
  SLICE_STEP_ORDER,
  SLICE_STEP_CALL,
  SLICE_STEP_INPUT  // where nothing is before: input, initial values
} SliceStepKind;

typedef struct {
  SliceStepKind kind;
  const char *file, *function;
  uint32_t line, thread;
  const char *text;        // what happened
  const char *value;       // NULL: none
  uint32_t because;        // number of the step that this one explains, from 1; 0: of none
  uint64_t round, rounds;  // of a loop; 0: in none
  uint64_t place;          // in the order of the run
} SliceStep;

enum { SLICE_WHY_DATA = 1, SLICE_WHY_CONTROL = 2, SLICE_WHY_ORDER = 4, SLICE_WHY_PATH = 8 };
typedef struct {
  const char *file;
  uint32_t line;
  uint32_t *threads;  // of its kept instances, ascending
  size_t thread_count;
  uint64_t executed, kept;
  unsigned why;
  bool check;  // a check that passed: it could have ended the run
} SliceLine;

typedef struct {
  const char *file, *value;
  uint32_t line, thread;
} SliceTargetPlace;

typedef struct {
  const char *program, *directory, *headline;  // headline: what happened at the target
  const char *level, *basis;
  Vec(SliceTargetPlace) targets;
  uint64_t executed, kept;
  Vec(SliceLine) lines;  // by file and line; also those that were executed and are not kept
  Vec(SliceStep) steps;
  const char *absent;        // why the line that was asked for is not in the slice; NULL
  Vec(const char *) hidden;  // what the chain leaves out, in a few words each
  bool checked, same;        // the executable check
  uint64_t check_values, check_branches;
  Vec(FindingGap) incomplete;
  Intern *texts;
} SliceReport;

SliceReport *slice_report_new(void);
void slice_report_free(SliceReport *r);
const char *slice_text_of(SliceReport *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// The line; NULL: no code of it was executed.
const SliceLine *slice_report_line(const SliceReport *r, const char *file, uint32_t line);
const char *slice_step_word(SliceStepKind k);

typedef struct {
  bool full;         // text only: the source too
  Sources *sources;  // NULL: none is shown
} SliceFormat;
void slice_text(const SliceReport *r, Bytes *out, const SliceFormat *f);
void slice_json(const SliceReport *r, Bytes *out, const SliceFormat *f);  // docs/slice.schema.json
void slice_sarif(const SliceReport *r, Bytes *out, const SliceFormat *f);
void slice_report_check(const SliceReport *r);  // asserts that it is whole
