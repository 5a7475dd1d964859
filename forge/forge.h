// forge -- the pipeline of `specialize build`: which schedules, within which budget, cut into which units.
// Include this, never a header behind it.
#pragma once
#include "specializer.h"
