// rt/stand -- where the threads of a running program wait for each other: slots that the program writes, in
// memory that it shares with whoever runs it, and that outlive it. A slot is written by its thread only.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum {
  RT_STAND_NOWHERE,
  RT_STAND_LOCK,
  RT_STAND_RDLOCK,
  RT_STAND_JOIN,
  RT_STAND_WAIT,
  RT_STAND_BARRIER,
  RT_STAND_ACQUIRE
} RtStandKind;
enum { RT_STANDS = 512 };
#define RT_STAND_NOBODY UINT32_MAX

typedef struct {
  _Atomic uint32_t thread;  // its number + 1; RT_STAND_NOBODY: it has none; 0: the slot is free
  _Atomic uint32_t task;    // of the kernel
  _Atomic uint32_t turn;    // odd: it waits, without end, for what follows
  uint32_t site, kind;
  uint32_t more;    // in a recording: of a join the thread + 1; else 1 if other processes use the object
  uint64_t object;  // its address, in a recording its number; the name of a thread
  uint64_t self;    // its own name
} RtStand;

// A handler of a signal may wait in between: then the thread is not known to wait any more.
static inline void stand_begin(RtStand *s, RtStandKind kind, uint32_t site, uint64_t object) {
  uint32_t turn = atomic_load_explicit(&s->turn, memory_order_relaxed);
  s->kind = kind, s->site = site, s->object = object;
  atomic_store_explicit(&s->turn, (turn + 2) | 1, memory_order_release);
}
static inline void stand_end(RtStand *s) {
  uint32_t turn = atomic_load_explicit(&s->turn, memory_order_relaxed);
  atomic_store_explicit(&s->turn, (turn + 1) & ~1u, memory_order_release);
}
static inline bool stand_waits(const RtStand *s) {
  return atomic_load_explicit(&s->thread, memory_order_acquire) &&
         atomic_load_explicit(&s->turn, memory_order_acquire) & 1;
}

// For who looks on: whether every thread of the process waits in a slot and sleeps, and did so the last times
// too.
typedef struct {
  uint64_t seen;  // what it looked like
  unsigned times;
} RtStandLook;
bool rt_stand_all(const RtStand *slots, uint32_t count, pid_t pid, RtStandLook *look);
