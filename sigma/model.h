// sigma/model -- what Σ holds: sites, and schedules of events. Plain data: read it directly, add with the
// functions here or by vec_push. Texts are ids for sigma_text; ids of sites, threads and objects are indices.
#pragma once
#include "event.h"
#include "term.h"

typedef struct {
  uint32_t name;  // function#ordinal
  uint32_t file;  // SIGMA_NONE: no debug location
  uint32_t line, column;
  uint8_t kind;   // SyncKind, or EVENT_CALL for what is only a derived sync
  bool derived;   // calls may perform sync operations
  bool excluded;  // its operations are on excluded objects, and no events
} SigmaSite;

// An instruction that touches memory, as witnesses name it.
typedef struct {
  uint32_t name;  // function%ordinal, see ir/inst
  uint32_t file;  // SIGMA_NONE: no debug location
  uint32_t line, column;
  uint32_t bytes;  // SIGMA_NONE: not the same every time
  bool writes;     // else it reads
} SigmaAccess;

typedef struct {
  uint8_t family;      // SyncFamily
  bool recursive;      // a mutex that its owner may lock again
  bool robust;         // a mutex that outlives its owner: who comes next is told
  bool shared;         // with other processes, whose operations are in no schedule
  bool prefer_writer;  // an rwlock whose readers give way to waiting writers
  bool counted;        // amount is known; a barrier and a semaphore need it
  uint32_t amount;     // threads of a barrier, first value of a semaphore
  uint32_t number;     // m0, m1 ... of its family
  uint32_t name;       // for people: variable, or where it was allocated; SIGMA_NONE
} SigmaObject;

typedef enum { SIGMA_RECORDED, SIGMA_ENUMERATED, SIGMA_WRITTEN } SigmaOrigin;
typedef enum { SIGMA_END_UNKNOWN, SIGMA_EXIT, SIGMA_SIGNAL } SigmaEnd;
typedef enum { SIGMA_PROVED, SIGMA_EXACT, SIGMA_BY_HAND, SIGMA_UNPROVED, SIGMA_FALSE } SigmaStatus;
typedef enum { SIGMA_HB, SIGMA_TOTAL } SigmaOrder;
typedef struct {
  uint32_t name, value;  // value SIGMA_NONE: the variable was read and was not set
} SigmaEnv;
// A file that was read, or stdin: a copy, or size and hash, or not known any more.
typedef struct {
  bool lost;
  uint32_t name, hash;  // hash SIGMA_NONE: copy holds it
  uint64_t size;
  Bytes copy;
} SigmaInput;
typedef struct {
  uint32_t function, file, line, column;  // file SIGMA_NONE: not known
} SigmaFrame;
// Code that is not recorded, a shared library mostly.
typedef struct {
  uint32_t name;
  uint32_t threads;  // that it made
  uint32_t places;   // in it that synchronize
} SigmaOutside;

typedef struct {
  SigmaOrigin origin;
  SigmaEnd end;
  uint32_t end_number;  // exit status or signal
  Vec(uint32_t) argv;   // empty: not known
  Vec(SigmaEnv) env;    // what the run read of it
  Vec(SigmaInput) inputs;
  uint32_t crash_thread;  // SIGMA_NONE: none
  uint64_t crash_address;
  Vec(SigmaFrame) frames;  // innermost first
  SigmaOrder order;
  uint32_t at_file, at_line;  // dispatch point inside main; SIGMA_NONE, 0: main's entry
  SigmaStatus status;
  Term when;         // in the Terms of the Sigma
  uint32_t because;  // text: why the status is false; SIGMA_NONE: not known
  bool incomplete;
  uint64_t left_out;  // operations of the run on excluded objects
  Vec(SigmaOutside) outside;
  uint32_t threads;  // thread 0 enters at the dispatch point; numbered in the order of creation
  Vec(SigmaObject) objects;
  uint32_t next_number[SYNC_FUTEX + 1];  // of objects, by family
  Vec(Event) events;                     // in one total order
  Vec(Event)
      standing;  // where threads waited behind it and never went on: the operation, not done; by thread
  uint32_t occurrences[2];   // of the accesses at the end: which execution in its segment; SIGMA_NONE: any
  uint32_t line, when_line;  // of `schedule` and of `when` in the file; 0: not read from one
} Schedule;

typedef struct {
  uint8_t family;  // SyncFamily
  uint32_t name;
} SigmaExclusion;

typedef struct Sigma Sigma;
struct Sigma {
  const char *file;  // where it was read from, for messages
  uint32_t program, module, module_line;
  Vec(uint32_t) atomics;  // texts: variables whose atomic operations are events; or "all" alone
  Vec(SigmaExclusion) exclusions;
  Vec(SigmaSite) sites;
  Vec(SigmaAccess) accesses;
  Vec(Schedule *) schedules;
  Intern *texts;
  Terms *terms;
  Map *site_of_name;
};

Sigma *sigma_new(const char *program, const char *module);
void sigma_free(Sigma *s);
const char *sigma_text(const Sigma *s, uint32_t text);  // NULL for SIGMA_NONE
uint32_t sigma_intern(Sigma *s, const char *text);
uint32_t sigma_site(const Sigma *s, const char *name);          // SIGMA_NONE: not there
uint32_t sigma_add_site(Sigma *s, const char *name, int kind);  // or the one that is there
Schedule *sigma_add_schedule(Sigma *s);  // constraint false, order HB, thread 0; valid until sigma_free
void sigma_drop_schedule(Sigma *s);      // the last one
const char *sigma_status_word(SigmaStatus status);
const char *sigma_origin_word(SigmaOrigin origin);
const char *sigma_order_word(SigmaOrder order);
// Share of the run's operations that the schedule holds, 1 if nothing was left out.
double schedule_share(const Schedule *c);
// Ends with two accesses side by side: says how to come to a race, and is no schedule of a whole run.
bool schedule_is_witness(const Schedule *c);
// Ends with threads that wait for each other: says how to come to a deadlock, or is a run that came to one.
bool schedule_stands(const Schedule *c);
uint32_t schedule_occurrence(const Schedule *c, uint32_t event);  // of an access
// The larger figures of both, by name; true if that changes anything.
bool schedule_add_outside(Schedule *c, SigmaOutside o);
uint32_t schedule_add_thread(Schedule *c);
uint32_t schedule_add_object(Schedule *c, SyncFamily family);

// sigma_check says whether schedules can have happened; these are about ids and tables, which the reader and
// whoever makes a Sigma see to.
void sigma_assert_whole(const Sigma *s);                        // asserts that it is whole
void schedule_assert_whole(const Sigma *s, const Schedule *c);  // asserts that it is whole
