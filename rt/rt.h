// rt -- the runtime that generated programs link. Include this, never a header behind it.
//   record.h  what an instrumented program calls (libspecialize-rt.a)
//   log.h     recordings on disk
#pragma once
#include "log.h"
#include "record.h"
