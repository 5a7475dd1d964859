// The slow path of atomic operations, and reads of another value than was recorded.
#include "enf.h"

// ops.c has the numbers of `what`, and the fast path.
static uint64_t atomic_real(int what, volatile void *p, uint64_t a, uint64_t b, unsigned bytes,
                            uint32_t how) {
  if (what == 0) return rt_atomic_load(p, bytes);
  if (what == 1) return rt_atomic_swap(p, a, bytes);
  if (what == 2) return rt_atomic_rmw(p, a, bytes, how);
  if (what == 3) rt_atomic_cas(p, &a, b, bytes);
  return a;
}

uint64_t rt_enf_slow_atomic(const RtNode *n, int what, volatile void *p, uint64_t a, uint64_t b,
                            unsigned bytes, uint32_t how) {
  int saved = errno;
  bool held = enf_arrive(n, (const void *)rt_cell_of(p));
  uint64_t was = atomic_real(what, p, a, b, bytes, how);
  if (held && what != 1 && !rt_as_recorded(n, was))
    rt_enf_other_value(n);
  else if (held)
    enf_finish(n, 0);
  errno = saved;
  return was;
}

void rt_enf_slow_fence(const RtNode *n) {
  int saved = errno;
  if (enf_arrive(n, NULL)) enf_finish(n, 0);
  errno = saved;
}

// It has been done, and nothing has used what it read: a run that may go on does so from here.
void rt_enf_other_value(const RtNode *n) {
  int saved = errno;
  enf_seen(n, "a read of another value");
  errno = saved;
}
