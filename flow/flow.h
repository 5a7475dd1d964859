// flow -- what values are in the clones of one schedule. Include this, never a header behind it.
#pragma once
#include "code.h"
#include "entered.h"
#include "input.h"
#include "known.h"
#include "origin.h"
