// Threads that outlive their part of the schedule.
#include <poll.h>
#include <semaphore.h>
#include "enf.h"

static sem_t over;

HIDDEN bool enf_rests_make(void) {
  return !sem_init(&over, 0, 0);
}

// sem_wait is a cancellation point, and has nothing to undo. What a thread waits for may never come only if
// another one diverges, and that one says so. Each who is woken wakes the next.
HIDDEN void enf_rest(void) {
  int saved = errno;
  while (enf_on())
    if (!sem_wait(&over)) sem_post(&over);
  errno = saved;
}

HIDDEN void enf_rest_over(void) {
  sem_post(&over);
}

// A child that was forked has nothing that it could go on with.
noreturn void rt_enf_rest(const RtEdge *e) {
  (void)e;
  enf_rest();
  for (;;) poll(NULL, 0, -1);
}

void rt_enf_stay(const RtEdge *e) {
  (void)e;
  enf_rest();
  enf_settle();
}
