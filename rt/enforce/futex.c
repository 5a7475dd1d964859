// Waits for a futex of a program whose atomic operations are held to their order: see cfspec/futex.c.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

long rt_enf_futex_wait(long number, void *word, long op, long value, void *until, void *other, long mask) {
  if (enf_on() && enf_self && !enf_is_child()) return sched_yield(), 0;
  return syscall(number, word, op, value, until, other, mask);
}

// That of libstdc++'s futures, without a time: true, it was woken.
bool rt_enf_futex_wait_until(void *self, uint32_t *word, uint32_t value, bool timed) {
  (void)self, (void)timed;
  if (enf_on() && enf_self && !enf_is_child()) return sched_yield(), true;
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0);
  errno = saved;
  return true;
}
