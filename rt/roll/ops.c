// The operations: each takes its node, and does with it what rt/enforce does with that of a clone.
#include "rolls.h"

#define NAMED(o) ((const void *)(uintptr_t)(o))
#define HOT(result, name, object, first, args, ...)                                                         \
  int rt_rec_##name(RtSite site, __VA_ARGS__) {                                                             \
    const RtNode *n = roll_take(site, #name);                                                               \
    if (RT_UNLIKELY(!n || roll_cancelled(n))) return name args;                                             \
    if (RT_UNLIKELY(!rt_ready(n, NAMED(object)))) return rt_enf_slow_##name(n, RT_UNWRAP args);             \
    int r = first;                                                                                          \
    if (RT_UNLIKELY(rt_outcome_##result(r) != n->outcome)) return rt_enf_rest_##name(n, RT_UNWRAP args, r); \
    rt_publish(n);                                                                                          \
    return r;                                                                                               \
  }
#define SLOW(name, args, ...)                                                      \
  int rt_rec_##name(RtSite site, __VA_ARGS__) {                                    \
    const RtNode *n = roll_take(site, #name);                                      \
    return n && !roll_cancelled(n) ? rt_enf_##name(n, RT_UNWRAP args) : name args; \
  }
#define COLD(result, name, object, first, args, ...) SLOW(name, args, __VA_ARGS__)
#define SIGNAL(result, name, object, first, args, ...) SLOW(name, args, __VA_ARGS__)
#include "rt/real.def"

// Waits and barriers are two events; the second comes with the first.
#define BOTH(name, args, ...)                   \
  int rt_rec_##name(RtSite site, __VA_ARGS__) { \
    const RtNode *n = roll_take(site, #name);   \
    if (!n) return name args;                   \
    roll_pass(n);                               \
    return rt_enf_##name(n, RT_UNWRAP args);    \
  }
BOTH(pthread_cond_wait, (c, m), pthread_cond_t *c, pthread_mutex_t *m)
BOTH(pthread_cond_timedwait, (c, m, d), pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *d)
BOTH(pthread_cond_clockwait, (c, m, k, d), pthread_cond_t *c, pthread_mutex_t *m, clockid_t k,
     const struct timespec *d)
BOTH(cnd_wait, (c, m), cnd_t *c, mtx_t *m)
BOTH(cnd_timedwait, (c, m, d), cnd_t *c, mtx_t *m, const struct timespec *d)
BOTH(pthread_barrier_wait, (b), pthread_barrier_t *b)

// Threads. A child finds its cursor when it comes to its first event.
SLOW(pthread_create, (id, a, f, x), pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *x)
SLOW(pthread_join, (id, v), pthread_t id, void **v)
SLOW(pthread_tryjoin_np, (id, v), pthread_t id, void **v)
SLOW(pthread_timedjoin_np, (id, v, d), pthread_t id, void **v, const struct timespec *d)
SLOW(pthread_clockjoin_np, (id, v, k, d), pthread_t id, void **v, clockid_t k, const struct timespec *d)
SLOW(pthread_detach, (id), pthread_t id)
SLOW(pthread_cancel, (id), pthread_t id)
SLOW(thrd_create, (id, f, x), thrd_t *id, thrd_start_t f, void *x)
SLOW(thrd_join, (id, v), thrd_t id, int *v)
SLOW(thrd_detach, (id), thrd_t id)

void rt_rec_pthread_testcancel(RtSite site) {
  const RtNode *n = roll_take(site, "pthread_testcancel");
  if (n && !roll_cancelled(n))
    rt_enf_pthread_testcancel(n);
  else
    pthread_testcancel();
}

// The end of a thread is met by a destructor of rt/enforce, behind all others.
void rt_rec_pthread_exit(RtSite site, void *result) {
  (void)site;
  pthread_exit(result);
}
void rt_rec_thrd_exit(RtSite site, int result) {
  (void)site;
  thrd_exit(result);
}
