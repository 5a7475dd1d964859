// ir -- the view of LLVM IR that all folders share. Include this, never a header behind it.
//
// In: a module. Out: its calls by name (Sites: function#ordinal), who may call whom (Callgraph) and which
// calls may synchronize (Maysync); of a function its blocks, dominators, loops and induction variables (Cfg,
// Dom, Loops, Inducts); source places; machine code. What functions outside the module do stands in tables
// (library.def). Answers describe the module as it was when they were made. It changes a module
// only where its name says so (cut, emit, merge), and knows no schedule.
#pragma once
#include "app/app.h"
#include "alike.h"
#include "attribute.h"
#include "borrow.h"
#include "call.h"
#include "callgraph.h"
#include "cfg.h"
#include "cut.h"
#include "dom.h"
#include "each.h"
#include "emit.h"
#include "family.h"
#include "hash.h"
#include "induct.h"
#include "inst.h"
#include "libc.h"
#include "library.h"
#include "libstdcxx.h"
#include "lines.h"
#include "linked.h"
#include "linker.h"
#include "loop.h"
#include "maysync.h"
#include "mention.h"
#include "module.h"
#include "outline.h"
#include "region.h"
#include "rehome.h"
#include "signature.h"
#include "site.h"
#include "stand_in.h"
#include "startup.h"
#include "summary.h"
#include "text.h"
#include "variables.h"
#include "where.h"
