// session/inside -- programs that a command runs, like `make test`: each one that specialize-cc has built
// runs as its recording variant. The command and what it starts have rt/exec loaded, which starts `specialize
// exec-recorded` in the place of these programs. A folder holds what they leave: for each run a folder with
// the program's path, the directory it ran in, and the recording.
#pragma once
#include "app/app.h"

// What `specialize exec-recorded FOLDER SEED PATH ARGV0 [arguments]` does: it becomes the variant, or, if
// there can be none, the program itself. Returns only if not even that is possible, with errno.
int inside_become(const char *folder, const char *seed, const char *path, char *const *argv);
// Whether commands can be run so: not if the loader would take the name of a folder for several. False with
// an error.
bool inside_can(const char *folder, Diags *diags);
// Runs a command so: its status as wait() gives it, or -1 with errno. seed: of the delays; 0: none.
int inside_run(const char *folder, uint32_t seed, char *const *argv);

typedef struct {
  char *program, *place, *recording;  // the directory it ran in; NULL: it left no recording
} InsideRun;
typedef Vec(InsideRun) InsideRuns;
void inside_runs(const char *folder, InsideRuns *out);  // as they began
void inside_runs_free(InsideRuns *runs);
