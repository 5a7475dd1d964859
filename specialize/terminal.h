// specialize/terminal -- progress on one line of a terminal; nothing where standard error is none.
#pragma once

void terminal_show(const char *what);  // for progress_on
