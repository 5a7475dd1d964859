// specialize/progress -- what a verb is doing, on one line of a terminal; nothing where standard error is
// none.
#pragma once

// Replaces what was said before; NULL: away with it. Say NULL before anything else is printed.
void progress(const char *what);
