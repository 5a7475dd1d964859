// record/feed -- what a program reads from standard input, kept on its way. A regular file is read beside
// the program. A pipe is handed on through a fifo, from the moment that the program reads
// (rt/record/input.c): one that does not loses nothing, and of one that does no more is taken than it can
// hold.
#pragma once
#include "stored.h"

typedef struct Feed Feed;
// Before the program runs; makes the fifo in dir. Never NULL.
Feed *feed_start(const char *dir, Diags *d);
const char *feed_variable(const Feed *f);  // the program needs it in its environment; NULL: nothing
const Stored *feed_end(Feed *f);  // after it; NULL: not known, as of a terminal. Lives as long as f
void feed_free(Feed *f);
