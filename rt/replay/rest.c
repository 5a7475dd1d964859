// Hooks that replay has no use for: beginnings and ends of objects, calls, inputs.
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include "rep.h"

#define NOTHING(f, ...) \
  void f(__VA_ARGS__) {}
#define PASS(type, f, args, ...)              \
  type rt_rec_##f(RtSite site, __VA_ARGS__) { \
    (void)site;                               \
    return f args;                            \
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
NOTHING(rt_rec_call, RtSite site)
NOTHING(rt_rec_ret, RtSite site)
NOTHING(rt_rec_unwound, uint32_t depth)
NOTHING(rt_rec_landed, uint32_t depth, const void *exception)
NOTHING(rt_rec_jumped, RtSite site, int result, volatile uint64_t *mark, int cleanup)
NOTHING(rt_rec_vforked, pid_t result)
NOTHING(rt_rec_outside, void)
NOTHING(rt_rec_outside_over, void)
NOTHING(rt_rec_entered, uint32_t function)
NOTHING(rt_rec_branch, uint32_t id)
NOTHING(rt_rec_input, RtSite site, uint32_t input)
NOTHING(rt_rec_input_fd, RtSite site, int fd)
NOTHING(rt_rec_input_stream, RtSite site, FILE *stream)
NOTHING(rt_rec_allocated, RtSite site, const void *memory)
NOTHING(rt_rec_address, const void *pointer)
NOTHING(rt_rec_opened, int fd)
NOTHING(rt_rec_opened_stream, FILE *stream)
NOTHING(rt_rec_exec, RtSite site)
#pragma GCC diagnostic pop

uint32_t rt_rec_depth(void) {
  return 0;
}
// What a handler does is nobody's event here.
void rt_rec_handler(int number) {
  (void)number;
  if (rep_self) ++rep_self->handlers;
}
void rt_rec_handled(int number) {
  (void)number;
  if (rep_self && rep_self->handlers) --rep_self->handlers;
}

PASS(char *, getenv, (name), const char *name)
PASS(char *, secure_getenv, (name), const char *name)
PASS(int, pthread_mutex_init, (m, a), pthread_mutex_t *m, const pthread_mutexattr_t *a)
PASS(int, pthread_mutex_destroy, (m), pthread_mutex_t *m)
PASS(int, pthread_spin_init, (m, shared), pthread_spinlock_t *m, int shared)
PASS(int, pthread_spin_destroy, (m), pthread_spinlock_t *m)
PASS(int, pthread_rwlock_init, (m, a), pthread_rwlock_t *m, const pthread_rwlockattr_t *a)
PASS(int, pthread_rwlock_destroy, (m), pthread_rwlock_t *m)
PASS(int, pthread_cond_init, (c, a), pthread_cond_t *c, const pthread_condattr_t *a)
PASS(int, pthread_cond_destroy, (c), pthread_cond_t *c)
PASS(int, pthread_barrier_init, (b, a, n), pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned n)
PASS(int, pthread_barrier_destroy, (b), pthread_barrier_t *b)
PASS(int, sem_init, (s, shared, n), sem_t *s, int shared, unsigned n)
PASS(int, sem_destroy, (s), sem_t *s)
PASS(int, sem_close, (s), sem_t *s)
PASS(int, mtx_init, (m, type), mtx_t *m, int type)
PASS(int, cnd_init, (c), cnd_t *c)

void rt_rec_mtx_destroy(RtSite site, mtx_t *m) {
  (void)site;
  mtx_destroy(m);
}
void rt_rec_cnd_destroy(RtSite site, cnd_t *c) {
  (void)site;
  cnd_destroy(c);
}
sem_t *rt_rec_sem_open(RtSite site, const char *name, int flags, ...) {
  (void)site;
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
  unsigned value = flags & O_CREAT ? va_arg(args, unsigned) : 0;
  va_end(args);
  return sem_open(name, flags, mode, value);
}
