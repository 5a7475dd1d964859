// replay/replayer -- brings the two accesses of a witness together in the original program, or its threads to
// where they wait for each other; or says why not. How: docs/architecture.md, "From a witness to a replay".
#pragma once
#include "ir/ir.h"
#include "rt/rt.h"
#include "sigma/sigma.h"

typedef enum {
  REPLAY_REPLAYED,   // seen
  REPLAY_REFUTED,    // with this input and this order of events they do not meet
  REPLAY_UNDECIDED,  // not seen, and may be
  REPLAY_FAILED      // the program could not be run
} ReplayVerdict;

typedef struct {
  unsigned tries;    // to hold the two together; 0: as many as usual
  double timeout;    // of a run, in seconds; 0: as usual
  double until;      // no run begins or lasts longer, on replay_clock; 0: no limit
  bool pass_output;  // what the program wrote in the last run goes to our standard output and error
} ReplayOptions;

// A thread that waits in a program that stands.
typedef struct {
  uint32_t thread;  // of the witness; SIGMA_NONE: none of those
  uint32_t site;    // of the module
  RtStandKind kind;
  uint32_t joins;  // of a join the thread, as far as it is known
} ReplayStood;

typedef struct {
  ReplayVerdict verdict;
  bool apart;     // replayed, one after the other: they cannot be held at the same time
  unsigned runs;  // of the program, in all
  uint64_t occurrence[2], address[2], size[2];  // of the accesses in the order of the file; if replayed
  bool has_values;  // of what both touch, at most 8 bytes: before, and behind the one that went first
  unsigned first;   // which one that was
  uint64_t before, after;
  int status;              // of the program behind it, as wait() gives it
  bool hung;               // it was killed
  Vec(ReplayStood) stood;  // the program stands: which threads
  char *why;               // a sentence
  char *followed;          // another, if replayed: a crash, another output, or nothing
  bool visible;            // what followed
} ReplayResult;

// The witness says where to come to. One that does not, only what comes first, is replayed if threads stand
// anywhere.
bool replay_can(const Sigma *witness, Diags *diags);
typedef struct Replayer Replayer;
// A variant of the program for all accesses of these witnesses; they live as long as it does. NULL after an
// error: a witness is of another module, or cannot have happened, or names what is no access.
// A warning if the file of a witness, or of schedules, is not the user's own.
bool replay_is_own(const char *file);
void replay_tell_owner(const char *file, Diags *diags);
// From now on witnesses may set any variable of the environment.
void replay_trust_environment(void);
bool replay_trusted(void);
Replayer *replayer_new(const char *app, const Sigma *const *witnesses, size_t count, Diags *diags);
void replayer_free(Replayer *r);
// Of one of these witnesses. May be called by several threads at once.
ReplayResult replayer_run(const Replayer *r, const Sigma *witness, const ReplayOptions *o);
void replay_result_free(ReplayResult *r);
