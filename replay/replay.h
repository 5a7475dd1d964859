// replay -- a witness, run on the original program, and what happened judged. Include this, never a header
// behind it.
#pragma once
#include "judge.h"
#include "match.h"
#include "replayer.h"
#include "run.h"
#include "told.h"
