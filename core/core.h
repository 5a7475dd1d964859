// core -- what every folder stands on: memory, diagnostics, files, and the view of LLVM IR that all share.
// Include this, never a header behind it.
#pragma once
#include "arena.h"
#include "call.h"
#include "cfg.h"
#include "diag.h"
#include "dom.h"
#include "file.h"
#include "intern.h"
#include "ir.h"
#include "lists.h"
#include "map.h"
#include "mem.h"
#include "scc.h"
#include "site.h"
#include "sync.h"
#include "vec.h"
#include "where.h"
