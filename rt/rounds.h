// rt/rounds -- inside rt/: keys are destroyed after C++'s thread_local objects, in rounds; a destructor of
// ours is set again until the last one, so that it sees the end of the thread.
#pragma once
#include <limits.h>

// ThreadSanitizer does the same and must be the last.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LAST_ROUND (PTHREAD_DESTRUCTOR_ITERATIONS - 1)
#endif
#endif
#ifndef LAST_ROUND
#define LAST_ROUND PTHREAD_DESTRUCTOR_ITERATIONS
#endif
