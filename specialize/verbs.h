// specialize/verbs -- the commands. argv[0] is the verb; each returns the exit status.
#pragma once

enum { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_USAGE = 2, EXIT_INCOMPLETE = 3, EXIT_INTERNAL = 4 };

#define VERB(name, function, group, arguments, line) int function(int argc, char **argv);
#include "verbs.def"
#undef VERB
