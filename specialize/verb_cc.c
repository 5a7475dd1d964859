#include "app/app.h"
#include "verbs.h"
#include <errno.h>

int verb_cc(int argc, char **argv) {
  char *dir = self_dir();
  Args a = {0};
  (void)argc;
  args_addf(&a, "%s/specialize-cc", dir);
  args_all(&a, argv + 1);
  run_instead(args_done(&a));
  fprintf(stderr, "specialize: error: cannot run %s: %s\n", a.at[0], strerror(errno));
  return EXIT_INTERNAL;
}
