// race/untold -- pairs that are left out because there are more than anyone reads, counted by the function
// that writes. They are what could not be looked at.
#pragma once
#include "flow/flow.h"
#include "report/report.h"

typedef struct Untold Untold;
Untold *untold_new(void);
void untold_free(Untold *u);
void untold_add(Untold *u, const Access *writes, size_t pairs);
bool untold_any(const Untold *u);
void untold_tell(const Untold *u, size_t limit, size_t share, Report *out);
