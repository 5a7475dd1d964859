// core -- what every folder stands on: memory, diagnostics, files, and the view of LLVM IR that all share.
// Include this, never a header behind it.
#pragma once
#include "arena.h"
#include "call.h"
#include "diag.h"
#include "file.h"
#include "intern.h"
#include "ir.h"
#include "map.h"
#include "mem.h"
#include "site.h"
#include "sync.h"
#include "vec.h"
#include "where.h"
