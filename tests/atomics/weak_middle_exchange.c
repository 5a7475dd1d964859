// What the thread of a relaxed exchange in the middle did is not published.
#include "litmus.h"
THREAD(1, 0, store(x, 1, RELEASE))
THREAD(2, 1, data = 1; atomic_fetch_add_explicit(&x, 1, RELAXED))
THREAD(3, 2, if (load(x, ACQUIRE) == 2) data++)
MAIN
