// rt/watch/watched -- what the files of the watcher share, and replay calls.
#pragma once
#include "rt/replay/rep.h"
#include "rt/watch.h"

extern RtWatch *rep_watch __attribute__((visibility("hidden")));  // NULL: nothing is watched
