// rt/watch/watched -- what the files of the watcher share, and replay calls.
#pragma once
#include "rt/replay/rep.h"
#include "rt/watch.h"

HIDDEN void rep_watch_heap(void);                                 // so that the linker takes the file
extern RtWatch *rep_watch __attribute__((visibility("hidden")));  // NULL: nothing is watched
