// A relaxed store, of another thread, over the one that released.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELEASE))
THREAD(2, 1, store(x, 1, RELAXED))
THREAD(3, 2, if (load(x, ACQUIRE) == 1) data++)
MAIN
