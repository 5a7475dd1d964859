#include "terminal.h"
#include <stdio.h>
#include <unistd.h>

void terminal_show(const char *what) {
  static int shown;
  if (!what && !shown) return;
  if (!isatty(2)) return;
  fprintf(stderr, "\r\033[K%s%s", what ? "specialize: " : "", what ? what : "");
  fflush(stderr);
  shown = what != NULL;
}
