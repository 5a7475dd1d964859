// Where another thread could come in between, a thread waits at random, so that runs differ.
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "rec.h"
#include "rt/private_env.h"

static uint32_t seed;  // 0: no delays

HIDDEN void delay_start(void) {
  const char *text = private_env_take("SPECIALIZE_RECORD_DELAYS");
  seed = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

HIDDEN uint32_t delay_on(void) {
  return seed ? REC_DELAYED : REC_ON;
}

// Not a cancellation point, as no wait of ours is.
static void doze(long nanoseconds) {
  syscall(SYS_nanosleep, &(struct timespec){0, nanoseconds}, NULL);
}

// The same ones for a thread of this number in every run with this seed.
HIDDEN void delay(RtThread *t) {
  uint32_t x = t->delays;
  int saved = errno;
  bool first = !x;
  if (first) x = (seed * 2654435761u ^ (t->id + 1) * 40503u) | 1;
  x ^= x << 13, x ^= x >> 17, x ^= x << 5;
  t->delays = x ? x : 1;
  if (x % 8 == 0) sched_yield();
  if (x % 32 == 1) doze(x >> 14);
  if (x % 256 == 2 || (first && x % 4 == 1)) doze(1000000);
  errno = saved;
}
