// capture -- the module of an app. Include this, never a header behind it.
//
// In: what a linker took, as the wrapper wrote it down (app/). Out: one module of all bitcode (merge), stored
// in the program with its Recipe (capture_link); later, the program linked again with other objects in the
// module's place (link). An object whose bitcode cannot be used is named in the recipe, with the reason. A
// program that cannot be captured stays as the linker made it.
#pragma once
#include "capture_link.h"
#include "link.h"
#include "merge.h"
