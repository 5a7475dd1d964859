// A compare-exchange that fails has the order of its failure.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELEASE))
THREAD(2, 0, (void)0)
THREAD(3, 1, int old = 5;
       if (!atomic_compare_exchange_strong_explicit(&x, &old, 6, ACQ_REL, RELAXED) && old == 1) data++)
MAIN
