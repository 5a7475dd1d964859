// A plain store over the one that released: no event wrote what is read.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELEASE))
THREAD(2, 1, *(int *)&x = 2)
THREAD(3, 2, if (load(x, ACQUIRE) == 2) data++)
MAIN
