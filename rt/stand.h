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
enum { RT_STANDS = 512, RT_STAND_NOBODY = UINT32_MAX };

typedef struct {
  _Atomic uint32_t thread;  // its number + 1; RT_STAND_NOBODY: it has none; 0: the slot is free
  _Atomic uint32_t task;    // of the kernel
  _Atomic uint32_t turn;    // odd: it waits, without end, for what follows
  uint32_t site, kind;
  uint32_t target;  // of a join in a recording: the thread + 1; 0: not known
  uint64_t object;  // its address, in a recording its number; the name of a thread
  uint64_t self;    // its own name
} RtStand;

static inline void stand_begin(RtStand *s, RtStandKind kind, uint32_t site, uint64_t object) {
  s->kind = kind, s->site = site, s->object = object;
  atomic_store_explicit(&s->turn, atomic_load_explicit(&s->turn, memory_order_relaxed) + 1,
                        memory_order_release);
}
static inline void stand_end(RtStand *s) {
  atomic_store_explicit(&s->turn, atomic_load_explicit(&s->turn, memory_order_relaxed) + 1,
                        memory_order_release);
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
