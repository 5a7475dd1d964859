// From the schedule to free running, in a program that may go on.
//
// Locks, semaphores and once flags are the real ones all along: whoever has them has them. Three things are
// ours: the order, conditions, barriers.
//   order       mode leaves ENF_ON, every thread's fast path is closed, all parked threads are woken. Each
//               finds itself not held any more, does its operation for real, and never publishes again what
//               counts. A thread between its fast path and its publishing does both; nobody is misled: what
//               it publishes has happened.
//   conditions  who was parked in a wait takes its mutex and returns, as if woken for nothing. Nobody is in
//               the real condition who does not know that the run is free; real signals were sent all along.
//   barriers    see barrier.c: a round is complete before its barrier is closed, or takes place in the
//               real one.
// The membarrier makes all running threads see their closed fast path at their next event; without it nothing
// would break, they would only be held a little longer. A thread that is yet to enter runs its original
// routine.
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

HIDDEN void enf_convert(void) {
  uint32_t on = ENF_ON;
  if (!atomic_compare_exchange_strong(&enf.mode, &on, ENF_CONVERTING)) return;
  int saved = errno;
  enf_special(ENF_SPECIAL_FREE);
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
  RT_CHAOS_HERE();
  enf_barriers_close();
  atomic_store(&enf.mode, ENF_FREE);
  RT_CHAOS_HERE();
  enf_rest_over();
  for (uint32_t i = 0; !RT_MUTANT(SLEEPS_ON) && i < enf.schedule->threads; ++i) enf_futex_wake(i);
  errno = saved;
}
