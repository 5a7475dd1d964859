// The neighbour in the cell was published, not these bytes.
#include "litmus.h"
THREAD(1, 0, data = 1; store(both.half[0], 1, RELEASE))
THREAD(2, 0, (void)0)
THREAD(3, 1, if (load(both.half[1], ACQUIRE) == 0) data++)
MAIN
