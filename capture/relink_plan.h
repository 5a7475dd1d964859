// capture/relink_plan -- from a linker's command line and what it took, the arguments of the same link
// with the captured objects replaced by one module.
#pragma once
#include "app/app.h"
#include "objects.h"

// `objects` in link order; directory is where the linker ran. Fills recipe->args and recipe->files.
void relink_plan(const LdArgs *args, const Trace *trace, const ObjectList *objects, const char *directory,
                 Recipe *recipe);
