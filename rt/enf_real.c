// The slow paths of the operations that the real functions do, and those that are never inlined.
#include "enf.h"

#define HOT(result, name, object, first, args, ...)                                   \
  int rt_enf_rest_##name(const RtNode *n, __VA_ARGS__, int r) {                       \
    for (unsigned i = 0; enf_again(n, rt_outcome_##result(r), i); ++i) r = name args; \
    int saved = errno;                                                                \
    enf_finish(n, rt_outcome_##result(r));                                            \
    errno = saved;                                                                    \
    return r;                                                                         \
  }                                                                                   \
  int rt_enf_slow_##name(const RtNode *n, __VA_ARGS__) {                              \
    if (!enf_arrive(n, (const void *)(uintptr_t)object)) return name args;            \
    int r = first;                                                                    \
    return rt_enf_rest_##name(n, RT_UNWRAP args, r);                                  \
  }
#define COLD(result, name, object, first, args, ...)                                  \
  int rt_enf_##name(const RtNode *n, __VA_ARGS__) {                                   \
    if (!enf_arrive(n, object)) return name args;                                     \
    int r = first;                                                                    \
    for (unsigned i = 0; enf_again(n, rt_outcome_##result(r), i); ++i) r = name args; \
    int saved = errno;                                                                \
    enf_finish(n, rt_outcome_##result(r));                                            \
    errno = saved;                                                                    \
    return r;                                                                         \
  }
#include "enf_ops.def"

void rt_enf_before(const RtNode *n, const void *object) {
  enf_arrive(n, object);
}

void rt_enf_after(const RtNode *n) {
  if (enf_on()) enf_done(n);
}
