// rt -- the runtime that generated programs link. Include this, never a header behind it.
//   record.h  what an instrumented program calls (libspecialize-rt.a)
//   log.h     recordings on disk
//   reader.h  recordings read back (compiled into the compiler, not into programs)
#pragma once
#include "log.h"
#include "reader.h"
#include "record.h"
