// C++20: a relaxed store of the same thread ends the release sequence too.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELEASE); store(x, 2, RELAXED))
THREAD(2, 0, (void)0)
THREAD(3, 1, if (load(x, ACQUIRE) == 2) data++)
MAIN
