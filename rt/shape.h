// rt/shape -- inside rt/: what glibc's synchronization objects say of themselves, however they were made:
// whether other processes use one too, and which type a mutex is. Elsewhere nothing is known.
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "rt/log.h"

static inline uint32_t shape_word(const void *object, int i) {
  return ((const volatile uint32_t *)object)[i];
}

static inline bool shape_is_shared(RtKind kind, const void *object) {
#ifdef __GLIBC__
  enum { COND_SHARED = 1, MUTEX_SHARED = 128, BARRIER_SHARED_AT = 3, SEMAPHORE_SHARED_AT = 2 };
  switch (kind) {
    case RT_MUTEX:
      return ((const pthread_mutex_t *)object)->__data.__kind & MUTEX_SHARED;
    case RT_RWLOCK:
      return ((const pthread_rwlock_t *)object)->__data.__shared != 0;
    case RT_COND:
      return ((const pthread_cond_t *)object)->__data.__wrefs & COND_SHARED;
    case RT_BARRIER:
      return shape_word(object, BARRIER_SHARED_AT) != 0;
    case RT_SEMAPHORE:
      return shape_word(object, SEMAPHORE_SHARED_AT) != 0;
    default:
      return false;
  }
#else
  (void)kind, (void)object;
  return false;
#endif
}

// As an OBJECT entry has it.
static inline uint32_t shape_of_mutex(const pthread_mutex_t *m) {
#ifdef __GLIBC__
  enum { TYPE = 3, ROBUST = 16 };
  uint32_t kind = (uint32_t)m->__data.__kind;
  return (kind & TYPE) | (kind & ROBUST ? RT_ROBUST : 0);
#else
  (void)m;
  return RT_NO_VALUE;
#endif
}
