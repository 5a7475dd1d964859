// app -- programs and objects as files. Include this, never a header behind it.
//
// In: bytes that may be hostile: ELF files, archives, what a linker printed, command lines. Out: App, the
// bitcode and the link recipe that a program carries in sections of its own (sections); Recipe, how it was
// linked; Trace, what the linker took; CcPlan, what a compiler call will do. Also other processes (run).
// Loads no LLVM, because the compiler wrapper must start fast, and never runs what it has only read.
#pragma once
#include "ar.h"
#include "bitcode.h"
#include "cc_args.h"
#include "cc_link.h"
#include "elf.h"
#include "ld_args.h"
#include "linker.h"
#include "recipe.h"
#include "run.h"
#include "sections.h"
#include "trace.h"
