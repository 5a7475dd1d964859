// core/stop -- Ctrl-C as a wish: the work is left where that can be done, and what is there is written.
#pragma once
#include <stdbool.h>

bool stop_wanted(void);
// From now on the first SIGINT, SIGTERM or SIGHUP only makes that true; the second ends the process.
void stop_catch(void);
