#include "options.h"
#include "recorder.h"
#include "run.h"
#include "verbs.h"

enum { RECORD, OUT };
static const Option options[] = {{"--record", NULL, "make the program that always records its runs"},
                                 {"-o", "OUT", "the program to write"}};
static const Usage usage = {
    "build",
    "--record APP -o OUT",
    "Makes a variant of APP that records every run, a flight recorder: into the directory that the\n"
    "environment variable SPECIALIZE_DIR names, one folder a process; nothing without it. A run that is\n"
    "killed or crashes leaves what it had done. `specialize record --from DIR` makes schedules of it.",
    "  specialize build --record ./app -o app.rec\n"
    "  SPECIALIZE_DIR=/var/tmp/runs ./app.rec\n"
    "  specialize record -o app.sigma --from /var/tmp/runs ./app\n",
    options,
    sizeof options / sizeof *options};

int verb_build(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  Loaded l = {0};
  RecorderOptions how = {0};
  env_check(d);
  if (!p.value[RECORD])
    diag_error(d, "say what to make: --record");
  else if (!p.value[OUT])
    diag_error(d, "say with -o what to write");
  else if (loaded_open(p.operands.at[0], &l, d))
    recorder_build(&l, p.operands.at[0], p.value[OUT], &how, d);
  loaded_free(&l);
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
