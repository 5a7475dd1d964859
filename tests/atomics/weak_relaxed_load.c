// A load that does not acquire.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELEASE))
THREAD(2, 0, (void)0)
THREAD(3, 1, if (load(x, RELAXED) == 1) data++)
MAIN
