// The last decrement has to acquire.
#include "litmus.h"
static void drop(void) {
  if (atomic_fetch_sub_explicit(&x, 1, RELEASE) == 1) data++;
}
THREAD(1, 0, store(x, 2, RELAXED); usleep(20000); data = 1; drop())
THREAD(2, 0, (void)0)
THREAD(3, 2, drop())
MAIN
