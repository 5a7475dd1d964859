// app -- programs and objects as files: ELF, archives, what a linker took, how a program was linked, and the
// sections in which it carries that. Also the command lines of compilers and linkers, and other processes.
// Loads no LLVM: the compiler wrapper must start fast. Include this, never a header behind it.
#pragma once
#include "ar.h"
#include "bitcode.h"
#include "cc_args.h"
#include "cc_link.h"
#include "elf.h"
#include "ld_args.h"
#include "recipe.h"
#include "run.h"
#include "sections.h"
#include "trace.h"
