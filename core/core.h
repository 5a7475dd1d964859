// core -- what every folder stands on. Include this, never a header behind it.
//
// Memory that never runs out quietly (mem), containers (Vec, Map, Intern, Lists, Arena), whole files, the
// table of sync operations (sync, syncs.def), and Diags: what is to be said to the user, collected until the
// command prints it. Ids are dense and come first; nothing depends on the order of pointers. Needs no LLVM,
// knows no program and no schedule, and never prints.
#pragma once
#include "arena.h"
#include "cache_path.h"
#include "checked.h"
#include "decision.h"
#include "diag.h"
#include "fields.h"
#include "file.h"
#include "intern.h"
#include "limits.h"
#include "lists.h"
#include "map.h"
#include "mem.h"
#include "pack.h"
#include "place.h"
#include "progress.h"
#include "scc.h"
#include "shown.h"
#include "split.h"
#include "stop.h"
#include "sync.h"
#include "utf8.h"
#include "vec.h"
