// core/progress -- what is being done, for whoever watches. Says nothing until the command shows it.
#pragma once

// Replaces what was said before; NULL clears it. Say NULL before anything else is printed.
void progress(const char *what);
void progress_on(void (*show)(const char *what));
