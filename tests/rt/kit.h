// tests/rt/kit -- schedules made by hand, and programs that follow them or do not. `test` runs every scenario
// in a process of its own, and looks at how that ends and at what it says.
#pragma once
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "rt/rt.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KIT_TSAN 1
#endif
#endif
#ifndef KIT_TSAN
#define KIT_TSAN 0
#endif

// HELD(f, node, arguments): f, held to its node. With KIT_ROLLED the same programs take their events from
// streams (kit_rolled.c): then a node stands for a site that only this event has.
#ifdef KIT_ROLLED
enum { KIT_IS_ROLLED = 1 };
#define HELD(f, n, ...) rt_rec_##f((n)->place, __VA_ARGS__)
#else
enum { KIT_IS_ROLLED = 0 };
#define HELD(f, n, ...) rt_enf_##f(n, __VA_ARGS__)
#endif

enum { KIT_THREADS = 256, KIT_OBJECTS = 1024 };

// In the order of each thread; t0 is there, others begin with kit_enter.
typedef struct {
  int outcome;
  uint32_t mutex, round;
  bool hidden;  // has a position, is not published
} Kit;
RtNode *kit_event(uint32_t thread, const char *what, uint32_t object, Kit more, const RtNode *const *after);
RtNode *kit_enter(uint32_t thread, const char *routine, RtNode *create);
void kit_enter_node(uint32_t thread, const char *routine, const RtNode *enter);
void kit_exit_node(uint32_t thread, const RtNode *n);
RtNode *kit_exit(uint32_t thread, const RtNode *const *after);
// Two events; the second is the first's depart. `after` is what the departure waits for.
RtNode *kit_wait(uint32_t thread, uint32_t cond, uint32_t mutex, int outcome, const RtNode *const *first,
                 const RtNode *const *after);
RtNode *kit_barrier(uint32_t thread, uint32_t barrier, uint32_t round, int outcome);
uint32_t kit_object(uint8_t family, const char *name, uint32_t amount);
void kit_last(uint32_t object, const RtNode *n);
void kit_callback(uint32_t thread, const void *function, const void *clone);
// Fills the schedule from all these and begins it.
// alter: how the schedule is made wrong; 0: it is not, and KIT_ROLLED has to be there for others.
void kit_begin(bool free_running, uint32_t alter);
// kit_rolled.c
void kit_rolled_begin(const RtSchedule *s, uint32_t alter);
// The nodes of a thread, in their order.
uint32_t kit_nodes(uint32_t thread, RtNode *const **out);
extern RtSchedule kit_schedule;

#define AFTER(...) ((const RtNode *const[]){__VA_ARGS__, NULL})
#define EV(t, what, object, ...) kit_event(t, what, object, (Kit){0}, AFTER(__VA_ARGS__))
#define EVO(t, what, object, result, ...) \
  kit_event(t, what, object, (Kit){.outcome = (result)}, AFTER(__VA_ARGS__))
#define ok(call) assert((call) == 0)

typedef struct {
  const char *name;
  void (*run)(void);  // from main; it returns from there
  int status;         // wanted
  const char *said;   // what must be in the message; NULL: it must say nothing
  bool bare;          // not with ThreadSanitizer
} Scenario;
int kit_main(int argc, char **argv, const Scenario *all);
struct timespec kit_ahead(clockid_t clock, long milliseconds);
