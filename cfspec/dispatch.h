// cfspec/dispatch -- which schedule an input fits: constraints as code.
//
// One function, made of the constraints of several schedules (docs/sigma.md has the language,
// sigma/term_eval.c is the reference): a decision tree of straight LLVM IR. What several constraints ask is
// asked once: equal terms are evaluated at most once on any path, a test that is decided simplifies all
// constraints behind it, equalities of one term with several literals are one switch. `and`, `or`, `ite`
// decide from the left. Nothing has a side effect; errno is kept, memory is neither allocated nor read where
// it cannot be.
//
// A tree may be exponentially larger than what it decides. Where it would outgrow a multiple of that, the
// constraints that are left are evaluated whole, one after another; terms are still evaluated at most once.
#pragma once
#include <llvm-c/Core.h>
#include "ir/ir.h"
#include "sigma/sigma.h"

// A dispatch point inside main. At main's entry there is none (NULL), and no local is defined.
typedef struct {
  LLVMValueRef main;           // with the debug records of its variables
  LLVMValueRef at;             // the first instruction behind the point: what is in scope there is meant
  const LLVMValueRef *locals;  // allocas of main
  size_t count;
} DispatchPlace;

// i64 (i32 argc, ptr argv, ptr locals), internal: the lowest of these schedules whose constraint holds, or
// -1. locals points to as many pointers as the place has locals, in their order; NULL without a place. What
// the code calls is in rt/select.h. NULL with errors that say which schedule names something that is not
// there; the module is then as it was.
LLVMValueRef dispatch_function(LLVMModuleRef m, const Sigma *s, const uint32_t *schedules, size_t count,
                               const DispatchPlace *place, Diags *d);
