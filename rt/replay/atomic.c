// Atomic operations, in their turn.
#include "rep.h"
#include "rt/atomic.h"

#define ATOMICS(size, type, bytes)                                                                   \
  type rt_rec_specialize_atomic_load_##size(RtSite site, const volatile void *p, uint32_t how) {     \
    (void)how;                                                                                       \
    RepOp op = rep_arrive(site);                                                                     \
    type v = (type)rt_atomic_load(p, bytes);                                                         \
    rep_done(op, 0);                                                                                 \
    return v;                                                                                        \
  }                                                                                                  \
  void rt_rec_specialize_atomic_store_##size(RtSite site, volatile void *p, type v, uint32_t how) {  \
    (void)how;                                                                                       \
    RepOp op = rep_arrive(site);                                                                     \
    rt_atomic_swap(p, (uint64_t)v, bytes);                                                           \
    rep_done(op, 0);                                                                                 \
  }                                                                                                  \
  type rt_rec_specialize_atomic_spin_load_##size(volatile void *p, uint32_t how) {                   \
    (void)how;                                                                                       \
    return (type)rt_atomic_load(p, bytes);                                                           \
  }                                                                                                  \
  type rt_rec_specialize_atomic_spin_rmw_##size(volatile void *p, type v, uint32_t how) {            \
    (void)how;                                                                                       \
    return (type)rt_atomic_swap(p, (uint64_t)v, bytes);                                              \
  }                                                                                                  \
  void rt_rec_specialize_atomic_waited_##size(RtSite site, volatile void *p, type v, uint32_t how) { \
    (void)p, (void)v, (void)how;                                                                     \
    RepOp op = rep_arrive(site);                                                                     \
    rep_done(op, 0);                                                                                 \
  }                                                                                                  \
  type rt_rec_specialize_atomic_rmw_##size(RtSite site, volatile void *p, type v, uint32_t how) {    \
    RepOp op = rep_arrive(site);                                                                     \
    type old = (type)rt_atomic_rmw(p, (uint64_t)v, bytes, how);                                      \
    rep_done(op, 0);                                                                                 \
    return old;                                                                                      \
  }                                                                                                  \
  type rt_rec_specialize_atomic_cas_##size(RtSite site, volatile void *p, type expected, type v,     \
                                           uint32_t how) {                                           \
    (void)how;                                                                                       \
    RepOp op = rep_arrive(site);                                                                     \
    uint64_t old = (uint64_t)expected;                                                               \
    rt_atomic_cas(p, &old, (uint64_t)v, bytes);                                                      \
    rep_done(op, 0);                                                                                 \
    return (type)old;                                                                                \
  }
RT_ATOMIC_SIZES(ATOMICS)

void rt_rec_specialize_atomic_fence(RtSite site, uint32_t how) {
  (void)how;
  RepOp op = rep_arrive(site);
  atomic_thread_fence(memory_order_seq_cst);
  rep_done(op, 0);
}

void rt_rec_specialize_atomic_await(RtSite site, uint32_t how) {
  (void)how;
  RepOp op = rep_arrive(site);
  rep_done(op, 0);
}

void rt_rec_freed(const void *block) {
  (void)block;
}
void rt_rec_over(const void *local, uint64_t size) {
  (void)local, (void)size;
}
