// core/checked -- whole structures, verified after each pass where time does not matter: X_check functions
// assert what every reader of X relies on. They run in debug builds and under sanitizers.
#pragma once

#ifdef SPEC_CHECKED
#define CHECKED(call) (call)
#else
#define CHECKED(call) ((void)0)
#endif
