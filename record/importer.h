// record/importer -- inside sigma/: what the parts of the import share.
#pragma once
#include "import.h"
#include "sigma/sigma.h"
#include "rt/rt.h"
#include "symbols.h"

typedef struct {
  uint32_t number;         // in the schedule
  uint32_t enter;          // event; SIGMA_NONE: not yet, or it is main
  uint32_t arrival;        // event: where it waits, or SIGMA_NONE
  uint64_t arrival_index;  // entry of that
  uint64_t routine;        // address
  uint32_t call;           // site (of the module) of the innermost call when last_call
  unsigned handlers;       // signal handlers that it is in, as such
  uint64_t values[2];      // what its next atomic operation read or wrote
  unsigned value_count;
  RtEntry await;         // in front of that; op RT_NONE: it waits for nothing
  Vec(size_t) handling;  // open functions that may be handlers: calls open then, SIZE_MAX if it was called
  bool entered, fresh, last_call, was_called, left;
} ImportThread;

// What a cell of atomic operations holds, as far as events tell.
typedef struct {
  uint8_t value[8];
  bool known[8];
} ImportCell;

typedef struct {
  Sigma *s;
  Schedule *c;
  const RtRecording *r;
  const ImportNames *n;
  const ImportOptions *o;
  Diags *diags;
  RtMerge *merge;
  uint64_t index;  // of the entry in the merged order
  Symbols *symbols;
  Vec(ImportThread) threads;
  EventStacks *stacks;                   // of the events so far
  Map *thread_of, *site_of, *object_of;  // by what the recording calls them
  Vec(ImportCell) cells;
  Map *cell_of;    // by object of the recording: index and one
  Map *once_done;  // by object of the recording: it has run
  bool began, others, stopped, ended;
  bool whole;    // all entries are in the order
  size_t ender;  // the thread that ended the process, and how
  RtEntry end;
  size_t first_input;  // how many events came before it; SIZE_MAX: none
  uint32_t input_site, input;
  bool reads_stdin;
} Importer;

uint32_t import_site(Importer *k, uint32_t recorded);
uint32_t import_new_object(Importer *k, uint32_t recorded);
uint32_t import_object(Importer *k, uint32_t recorded);  // SIGMA_NONE: of no kind that schedules know
Event *import_event(Importer *k, ImportThread *t, int kind, uint32_t site);
bool import_stop(Importer *k, const char *why);  // false
bool import_atomic(Importer *k, ImportThread *t, RtEntry e, uint32_t site);
bool import_fence(Importer *k, ImportThread *t, RtEntry e, uint32_t site);
void import_end(Importer *k);            // how the run ended
void import_inputs(Importer *k);         // arguments, environment, constraint and its status
void import_standing(Importer *k);       // where threads waited without end when the run ended
void import_cut(Importer *k);            // where the events cannot have been
void importer_check(const Importer *k);  // asserts that it is whole, between two entries
