// What rt/exec starts in the place of a program: FOLDER SEED PATH ARGV0 [arguments].
#include <errno.h>
#include "session/session.h"
#include "verbs.h"

int verb_exec_recorded(int argc, char **argv) {
  if (argc < 5) return EXIT_USAGE;
  inside_become(argv[1], argv[2], argv[3], argv + 4);
  fprintf(stderr, "specialize: error: cannot run %s: %s\n", argv[3], strerror(errno));
  return errno == ENOENT ? 127 : 126;
}
