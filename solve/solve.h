// solve -- terms over bit-vectors, and what can be said of them. Include this, never a header behind it.
#pragma once
#include "bv.h"
#include "canon.h"
#include "interval.h"
#include "linear.h"
#include "model.h"
#include "solver.h"
