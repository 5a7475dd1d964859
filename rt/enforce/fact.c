// Builds with --check-facts test each fact that data-flow specialization used, as the run comes by.
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

enum { WRONG = 4 };  // the exit status of an internal error

static void say(const char *text) {
  (void)!syscall(SYS_write, 2, text, strlen(text));
}

void rt_enf_fact(int holds, const char *what) {
  if (RT_LIKELY(holds)) return;
  say("specialize: wrong fact: ");
  say(what);
  say(" differs from what the schedule makes it; please report this\n");
  _exit(WRONG);
}
