// Threads that outlive their part of the schedule.
#include <poll.h>
#include "enf.h"

// poll is a cancellation point. What a thread waits for may never come only if another one diverges, and that
// one says so.
HIDDEN noreturn void enf_rest(uint32_t thread) {
  (void)thread;
  for (;;) poll(NULL, 0, -1);
}

noreturn void rt_enf_rest(const RtEdge *e) {
  enf_rest(e->thread);
}
