// race/frames -- places of the source as a report tells them.
#pragma once
#include "flow/flow.h"
#include "report/report.h"

const char *frames_file(Report *r,
                        const OriginFrame *f);  // as called from the report's directory, if it lies below
void frames_of(Report *r, LLVMValueRef inst, FindingFrames *out);  // innermost first
char *frames_name(const char *symbol);                             // short, also of C++; mem_free it
const char *frames_routine(Report *r, const Sigma *s, const Order *o,
                           uint32_t thread);  // NULL: of main, or not known
