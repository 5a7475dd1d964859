#include "stop.h"
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t wanted;

bool stop_wanted(void) {
  return wanted;
}

static void want(int sig) {
  (void)sig;
  wanted = 1;
}

// What is ignored (nohup) stays ignored.
void stop_catch(void) {
  static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction act = {.sa_handler = want, .sa_flags = SA_RESTART | SA_RESETHAND}, old;
  for (size_t i = 0; i < sizeof caught / sizeof *caught; ++i)
    if (!sigaction(caught[i], NULL, &old) && old.sa_handler != SIG_IGN) sigaction(caught[i], &act, NULL);
}
