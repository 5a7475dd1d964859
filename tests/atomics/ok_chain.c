// Exchanges continue the release sequence.
#include "litmus.h"
THREAD(1, 0, data = 1; store(x, 1, RELEASE))
THREAD(2, 1, atomic_fetch_add_explicit(&x, 1, RELAXED))
THREAD(3, 2, if (load(x, ACQUIRE) == 2) data++)
MAIN
