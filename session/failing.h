// session/failing -- a program run until a run of it fails, and recorded.
#pragma once
#include <stddef.h>
#include "core/core.h"

typedef struct {
  char *dir, *program, *sigma;  // of the run that failed: schedule 0
  size_t runs;
} Failing;
// argv ends with NULL. From the second run on with delays. False after an error, or if no run failed; free
// either way, which removes what is in dir.
bool failing_run(char *const *argv, size_t runs, Failing *out, Diags *diags);
void failing_free(Failing *f);
