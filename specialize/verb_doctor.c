// Says what is there, what is not, and what to do about it.
#include "doctor.h"
#include "options.h"
#include "app/app.h"
#include "verbs.h"

static const Usage usage = {
    "doctor",
    "[APP]",
    "Without APP: checks that the installation works, down to building a program and taking\n"
    "its bitcode out again. With APP: says which of its objects and functions have bitcode,\n"
    "and for the others why not.",
    "  specialize doctor\n  specialize doctor ./app\n",
    NULL,
    0,
    0};

int verb_doctor(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 0, 1, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  bool good = false;
  if (!p.operands.len)
    good = !doctor_installation();
  else
    doctor_app(p.operands.at[0], &good, d);
  status = good ? EXIT_CLEAN : EXIT_FINDINGS;
  vec_free(&p.operands);
  fflush(stdout);
  return finish(d, status, EXIT_USAGE);
}
