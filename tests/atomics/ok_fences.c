// Relaxed accesses between a release and an acquire fence.
#include "litmus.h"
THREAD(1, 0, data = 1; atomic_thread_fence(RELEASE); store(x, 1, RELAXED))
THREAD(2, 0, (void)0)
THREAD(
    3, 1, if (load(x, RELAXED) == 1) {
      atomic_thread_fence(ACQUIRE);
      data++;
    })
MAIN
