// Read with another size than written.
#include "litmus.h"
THREAD(1, 0, data = 1; store(both.half[0], 1, RELEASE))
THREAD(2, 0, (void)0)
THREAD(3, 1, if (load(both.whole, ACQUIRE) == 1) data++)
MAIN
