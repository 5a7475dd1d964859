// A fence behind its store.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELAXED); atomic_thread_fence(RELEASE))
THREAD(2, 0, (void)0)
THREAD(3, 1, if (load(x, ACQUIRE) == 1) data++)
MAIN
