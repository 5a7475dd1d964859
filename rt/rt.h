// rt -- the runtime that generated programs link. Include this, never a header behind it.
//   record.h  what an instrumented program calls (libspecialize-rt.a)
//   log.h     recordings on disk
//   reader.h  recordings read back (compiled into the compiler, not into programs)
//   enforce.h what a specialized program calls (libspecialize-enforce.a)
//   replay.h  replay and the program that it runs (libspecialize-replay.a)
//   select.h  what its dispatcher calls (the same)
#pragma once
#include "enforce.h"
#include "log.h"
#include "reader.h"
#include "record.h"
#include "replay.h"
#include "select.h"
