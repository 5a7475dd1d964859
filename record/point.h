// record/point -- the dispatch point inside main that `at main:FILE:LINE` names: the first instruction of the
// line, if control passes it at most once, and nothing before it synchronizes or is returned to by longjmp.
#pragma once
#include "ir/ir.h"
#include "sigma/sigma.h"

// NULL after an error that says why the line is no such point.
LLVMValueRef sigma_point(const Sigma *s, uint32_t schedule, const Callgraph *graph, const Maysync *sync,
                         Diags *diags);
