// capture -- the module of an app: the bitcode of what a linker took, joined and stored in the program; and
// the program linked again from that. Include this, never a header behind it.
#pragma once
#include "capture_link.h"
#include "link.h"
#include "merge.h"
