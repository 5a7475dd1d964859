// The slow paths of the operations that the real functions do, and those that are never inlined.
#include "enf.h"

// Whether an attempt that ended in e was that of another function, which is not what a free run wants.
#define only_tried_ERROR(e) false
#define only_tried_ERRNO(e) false
#define only_tried_THRD(e) false
#define only_tried_WAITS(e) ((e) == EAGAIN)

// r: how the first attempt ended.
#define FINISH(result, again)                                                \
  for (unsigned i = 0;; ++i) {                                               \
    int e = rt_outcome_##result(r);                                          \
    if (!enf_again(n, e, i) && (!only_tried_##result(e) || enf_on())) break; \
    r = again;                                                               \
  }                                                                          \
  int saved = errno;                                                         \
  enf_finish(n, rt_outcome_##result(r));                                     \
  errno = saved;                                                             \
  return r;
#define HOT(result, name, object, first, args, ...)                        \
  int rt_enf_rest_##name(const RtNode *n, __VA_ARGS__, int r) {            \
    FINISH(result, name args)                                              \
  }                                                                        \
  int rt_enf_slow_##name(const RtNode *n, __VA_ARGS__) {                   \
    if (!enf_arrive(n, (const void *)(uintptr_t)object)) return name args; \
    int r = first;                                                         \
    FINISH(result, name args)                                              \
  }
#define COLD(result, name, object, first, args, ...) \
  int rt_enf_##name(const RtNode *n, __VA_ARGS__) {  \
    if (!enf_arrive(n, object)) return name args;    \
    int r = first;                                   \
    FINISH(result, name args)                        \
  }
#include "rt/real.def"

uint32_t rt_enf_position(uint32_t thread) {
  return enf_on() && !enf_is_child() ? atomic_load(&rt_enf_threads[thread].published) : RT_NONE32;
}

void rt_enf_jump(const RtNode *n) {
  if (enf_arrive(n, NULL)) enf_done(n);
}

void rt_enf_call(const RtNode *n) {
  if (enf_arrive(n, NULL)) enf_done(n);
}

void rt_enf_before(const RtNode *n, const void *object) {
  enf_arrive(n, object);
}

void rt_enf_after(const RtNode *n) {
  if (enf_on()) enf_done(n);
}

// The cancellation has come, for the event waited for it; but join, for one, would find it only if it slept.
void rt_enf_cancelled(void) {
  if (enf_on()) pthread_testcancel();
}
