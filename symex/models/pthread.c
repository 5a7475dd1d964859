// What threads have beside synchronization: attributes, own values, their numbers. Operations are the
// interpreter's.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include "host.h"

unsigned long pthread_self(void) {
  return 0x700000000000ul + host_self() * 0x1000ul;
}
unsigned long thrd_current(void) {
  return pthread_self();
}
int pthread_equal(pthread_t a, pthread_t b) {
  return a == b;
}
int thrd_equal(unsigned long a, unsigned long b) {
  return a == b;
}

#define CLEARS(f, type)                \
  int f(type *a) {                     \
    return memset(a, 0, sizeof *a), 0; \
  }
CLEARS(pthread_attr_init, pthread_attr_t)
CLEARS(pthread_attr_destroy, pthread_attr_t)
CLEARS(pthread_mutexattr_init, pthread_mutexattr_t)
CLEARS(pthread_mutexattr_destroy, pthread_mutexattr_t)
CLEARS(pthread_condattr_init, pthread_condattr_t)
CLEARS(pthread_condattr_destroy, pthread_condattr_t)
CLEARS(pthread_rwlockattr_init, pthread_rwlockattr_t)
CLEARS(pthread_rwlockattr_destroy, pthread_rwlockattr_t)
CLEARS(pthread_barrierattr_init, pthread_barrierattr_t)
CLEARS(pthread_barrierattr_destroy, pthread_barrierattr_t)
#define KEEPS(name, type, value, at)                                         \
  int pthread_##name##_set##value(type *a, int x) {                          \
    return ((int *)a)[at] = x, 0;                                            \
  }                                                                          \
  int pthread_##name##_get##value(const type *restrict a, int *restrict x) { \
    return *x = ((const int *)a)[at], 0;                                     \
  }
KEEPS(attr, pthread_attr_t, detachstate, 0)
KEEPS(attr, pthread_attr_t, scope, 1)
KEEPS(attr, pthread_attr_t, inheritsched, 2)
KEEPS(attr, pthread_attr_t, schedpolicy, 3)
KEEPS(mutexattr, pthread_mutexattr_t, type, 0)
int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int x) {
  return (void)a, (void)x, 0;
}
int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int x) {
  return (void)a, (void)x, 0;
}
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int x) {
  return (void)a, (void)x, 0;
}
KEEPS(condattr, pthread_condattr_t, pshared, 0)
int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t x) {
  return (void)a, (void)x, 0;
}
KEEPS(rwlockattr, pthread_rwlockattr_t, pshared, 0)
KEEPS(rwlockattr, pthread_rwlockattr_t, kind_np, 1)
KEEPS(barrierattr, pthread_barrierattr_t, pshared, 0)
int pthread_attr_setstacksize(pthread_attr_t *a, size_t n) {
  return ((size_t *)a)[3] = n, 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *restrict a, size_t *restrict n) {
  return *n = ((const size_t *)a)[3] ? ((const size_t *)a)[3] : 8 << 20, 0;
}
int pthread_attr_setguardsize(pthread_attr_t *a, size_t n) {
  return (void)a, (void)n, 0;
}
int pthread_attr_setstack(pthread_attr_t *a, void *at, size_t n) {
  return (void)a, (void)at, (void)n, 0;
}
int pthread_setname_np(pthread_t t, const char *name) {
  return (void)t, (void)name, 0;
}
int pthread_setconcurrency(int n) {
  return (void)n, 0;
}
int pthread_setaffinity_np(pthread_t t, size_t n, const cpu_set_t *s) {
  return (void)t, (void)n, (void)s, 0;
}
int pthread_setschedparam(pthread_t t, int p, const struct sched_param *s) {
  return (void)t, (void)p, (void)s, 0;
}
int sched_setaffinity(pid_t t, size_t n, const cpu_set_t *s) {
  return (void)t, (void)n, (void)s, 0;
}

enum { KEYS = 256, ROUNDS = 4 };
static void (*destroy[KEYS])(void *);
static bool used[KEYS];
static _Thread_local void *values[KEYS];
static _Thread_local unsigned highest;
int pthread_key_create(pthread_key_t *to, void (*f)(void *)) {
  for (unsigned i = 0; i < KEYS; ++i)
    if (!used[i]) return used[i] = true, destroy[i] = f, *to = i, 0;
  return EAGAIN;
}
int pthread_key_delete(pthread_key_t k) {
  return k < KEYS ? (used[k] = false, 0) : EINVAL;
}
void *pthread_getspecific(pthread_key_t k) {
  return k < KEYS ? values[k] : 0;
}
int pthread_setspecific(pthread_key_t k, const void *value) {
  if (k >= KEYS) return EINVAL;
  values[k] = (void *)(uintptr_t)value;
  if (k >= highest) highest = k + 1;
  return 0;
}
int tss_create(unsigned *to, void (*f)(void *)) {
  return pthread_key_create(to, f) ? 2 : 0;
}
void *tss_get(unsigned k) {
  return pthread_getspecific(k);
}
int tss_set(unsigned k, void *value) {
  return pthread_setspecific(k, value) ? 2 : 0;
}
void tss_delete(unsigned k) {
  pthread_key_delete(k);
}

typedef struct Destructor {
  struct Destructor *before;
  void (*f)(void *);
  void *argument;
} Destructor;
static _Thread_local Destructor *destructors;
int __cxa_thread_atexit(void (*f)(void *), void *argument, void *dso) {
  (void)dso;
  Destructor *d = host_allocate(sizeof *d, 16);
  *d = (Destructor){destructors, f, argument};
  destructors = d;
  return 0;
}

void specialize_forget_thread(void) {
  while (destructors) {
    Destructor *d = destructors;
    destructors = d->before;
    d->f(d->argument);
  }
  for (int round = 0; round < ROUNDS && highest; ++round) {
    unsigned n = highest;
    highest = 0;
    for (unsigned i = 0; i < n; ++i) {
      void *value = values[i];
      if (!value || !used[i] || !destroy[i]) continue;
      values[i] = 0;
      destroy[i](value);
    }
  }
}
int sem_getvalue(void *s, int *to) {
  (void)s, (void)to;
  host_refuse("sem_getvalue, whose answer the recording does not have");
}
int pthread_kill(pthread_t t, int n) {
  (void)t, (void)n;
  host_refuse("pthread_kill: when a signal comes is in no recording");
}
int pthread_atfork(void (*a)(void), void (*b)(void), void (*c)(void)) {
  return (void)a, (void)b, (void)c, 0;
}
int pthread_getattr_np(pthread_t t, pthread_attr_t *a) {
  (void)t, (void)a;
  host_refuse("pthread_getattr_np, which has no model");
}
