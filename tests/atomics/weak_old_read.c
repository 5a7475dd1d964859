// An acquire that read what was there before the release.
#include "litmus.h"
THREAD(1, 1, data = 1; store(x, 1, RELEASE))
THREAD(2, 0, (void)0)
THREAD(
    3, 0, if (load(x, ACQUIRE) == 0) {
      usleep(60000);
      data++;
    })
MAIN
