// The hot operations. Compiled twice: into the library, and to bitcode that the compiler links into generated
// modules, where they are inlined. (gcc, which makes only the library, would not know what to inline them
// into.)
#include "inline.h"

#ifdef __clang__
#define ALWAYS __attribute__((always_inline))
#else
#define ALWAYS
#endif

#define HOT(result, name, object, first, args, ...)                                                         \
  ALWAYS int rt_enf_##name(const RtNode *n, __VA_ARGS__) {                                                  \
    if (RT_UNLIKELY(!rt_ready(n, (const void *)(uintptr_t)object)))                                         \
      return rt_enf_slow_##name(n, RT_UNWRAP args);                                                         \
    int r = first;                                                                                          \
    if (RT_UNLIKELY(rt_outcome_##result(r) != n->outcome)) return rt_enf_rest_##name(n, RT_UNWRAP args, r); \
    rt_publish(n);                                                                                          \
    return r;                                                                                               \
  }
#include "rt/real.def"

// Atomic operations on cells. All are sequentially consistent, as they were when recorded.
enum { ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_RMW, ATOMIC_CAS, ATOMIC_WAITED };
RT_INLINE uint64_t atomic_now(int what, volatile void *p, uint64_t a, uint64_t b, unsigned bytes,
                              uint32_t how) {
  switch (what) {
    case ATOMIC_LOAD:
      return rt_atomic_load(p, bytes);
    case ATOMIC_STORE:
      return rt_atomic_swap(p, a, bytes);
    case ATOMIC_RMW:
      return rt_atomic_rmw(p, a, bytes, how);
    case ATOMIC_CAS:
      rt_atomic_cas(p, &a, b, bytes);
      return a;
    default:  // the loop has read it
      return a;
  }
}
RT_INLINE uint64_t atomic(const RtNode *n, int what, volatile void *p, uint64_t a, uint64_t b, unsigned bytes,
                          uint32_t how) {
  if (RT_UNLIKELY(!rt_ready(n, (const void *)rt_cell_of(p))))
    return rt_enf_slow_atomic(n, what, p, a, b, bytes, how);
  if (RT_MUTANT(EARLY_ACCESS)) rt_publish(n);
  uint64_t was = atomic_now(what, p, a, b, bytes, how);
  if (RT_UNLIKELY(what != ATOMIC_STORE && !rt_as_recorded(n, was)))
    rt_enf_other_value(n);
  else
    rt_publish(n);
  return was;
}
#define ATOMICS(size, type, bytes)                                                                           \
  ALWAYS type rt_enf_specialize_atomic_load_##size(const RtNode *n, volatile void *p, uint32_t how) {        \
    return (type)atomic(n, ATOMIC_LOAD, p, 0, 0, bytes, how);                                                \
  }                                                                                                          \
  ALWAYS void rt_enf_specialize_atomic_store_##size(const RtNode *n, volatile void *p, type v,               \
                                                    uint32_t how) {                                          \
    atomic(n, ATOMIC_STORE, p, (uint64_t)v, 0, bytes, how);                                                  \
  }                                                                                                          \
  ALWAYS void rt_enf_specialize_atomic_waited_##size(const RtNode *n, volatile void *p, type v,              \
                                                     uint32_t how) {                                         \
    atomic(n, ATOMIC_WAITED, p, (uint64_t)v, 0, bytes, how);                                                 \
  }                                                                                                          \
  ALWAYS type rt_enf_specialize_atomic_rmw_##size(const RtNode *n, volatile void *p, type v, uint32_t how) { \
    return (type)atomic(n, ATOMIC_RMW, p, (uint64_t)v, 0, bytes, how);                                       \
  }                                                                                                          \
  ALWAYS type rt_enf_specialize_atomic_cas_##size(const RtNode *n, volatile void *p, type expected, type v,  \
                                                  uint32_t how) {                                            \
    return (type)atomic(n, ATOMIC_CAS, p, (uint64_t)expected, (uint64_t)v, bytes, how);                      \
  }
RT_ATOMIC_SIZES(ATOMICS)

ALWAYS void rt_enf_specialize_atomic_fence(const RtNode *n, uint32_t how) {
  (void)how;
  bool ready = rt_ready(n, NULL);
  atomic_thread_fence(memory_order_seq_cst);
  if (RT_UNLIKELY(!ready))
    rt_enf_slow_fence(n);
  else
    rt_publish(n);
}

// In front of a loop that waits: what it is to find comes first, then it goes round for real.
ALWAYS void rt_enf_specialize_atomic_await(const RtNode *n, uint32_t how) {
  (void)how;
  if (RT_UNLIKELY(!rt_ready(n, NULL)))
    rt_enf_slow_fence(n);
  else
    rt_publish(n);
}

ALWAYS int rt_enf_is_free(uint32_t thread) {
  uint32_t special = atomic_load_explicit(&rt_enf_threads[thread].special, memory_order_relaxed);
  return RT_UNLIKELY(special & RT_SPECIAL_FREE) != 0;
}
