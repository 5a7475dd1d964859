// specialize/stop -- Ctrl-C as a wish: the work is left where that can be done, and what is there is written.
#pragma once
#include <signal.h>
#include <stdbool.h>

extern volatile sig_atomic_t stop_wanted;
// From now on the first SIGINT, SIGTERM or SIGHUP only sets it; the second ends the process.
void stop_catch(void);
