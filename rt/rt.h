// rt -- the runtime that generated programs link. Include this, never a header behind it.
//
// record.h: what an instrumented program calls (rt/record, libspecialize-rt.a). enforce.h and select.h: what
// a specialized one calls (rt/enforce, libspecialize-enforce.a). replay.h: what holds a program to a witness
// (rt/replay, libspecialize-replay.a). atomic.h: atomic operations in all of these. watched.h: what
// rt/outside watches. log.h: recordings on disk; reader.h reads them back, in the compiler. libc only. It
// lives in the user's process: error codes instead of assertions, no output but on divergence, and nothing of
// the program's state is changed.
#pragma once
#include "atomic.h"
#include "enforce.h"
#include "log.h"
#include "reader.h"
#include "record.h"
#include "replay.h"
#include "roll.h"
#include "select.h"
#include "stand.h"
#include "watch.h"
#include "watched.h"
