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

ALWAYS int rt_enf_is_free(uint32_t thread) {
  uint32_t special = atomic_load_explicit(&rt_enf_threads[thread].special, memory_order_relaxed);
  return RT_UNLIKELY(special & RT_SPECIAL_FREE) != 0;
}
