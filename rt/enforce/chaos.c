// For tests only: sleeps at random where other threads could come in between, and mistakes on purpose.
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "enf.h"

#ifdef RT_CHAOS
static _Atomic uint32_t seed;  // 0: none
static _Thread_local uint32_t state;

// Not a cancellation point, as no wait of ours is.
static void doze(long nanoseconds) {
  syscall(SYS_nanosleep, &(struct timespec){0, nanoseconds}, NULL);
}

void rt_enf_chaos(void) {
  uint32_t first = atomic_load_explicit(&seed, memory_order_relaxed);
  if (!first) return;
  if (!state) state = (first * 2654435761u ^ (uint32_t)syscall(SYS_gettid) * 40503u) | 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  int saved = errno;
  if (state % 8 == 0) sched_yield();
  if (state % 64 == 1) doze(state >> 16);
  if (state % 1024 == 2) doze(1000000);
  errno = saved;
}

__attribute__((constructor(101))) static void chaos_start(void) {
  const char *text = getenv("SPECIALIZE_CHAOS");
  if (text && *text) atomic_store(&seed, (uint32_t)strtoul(text, NULL, 10) * 2 + 1);
}
#endif

#ifdef RT_MUTANTS
RtMutant rt_enf_mutant;
bool rt_enf_fences;

static const char *const names[] = {
    "",
#define MUTANT(name) #name,
#include "mutants.def"
};

const char *rt_enf_mutant_name(uint32_t i) {
  return i + 1 < RT_ALL_MUTANTS ? names[i + 1] : NULL;
}

void rt_enf_test(const char *mutant, uint32_t chaos, bool fences) {
  rt_enf_fences = fences;
  rt_enf_mutant = RT_NO_MUTANT;
  for (int i = 1; i < RT_ALL_MUTANTS; ++i)
    if (!strcmp(mutant, names[i])) rt_enf_mutant = (RtMutant)i;
  atomic_store(&seed, chaos);
}
#endif
