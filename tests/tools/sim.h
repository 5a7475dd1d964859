// tests/tools/sim -- makes schedules that can have happened: runs a random program on threads and objects of
// its own under a random scheduler, and writes down what it does. Knows nothing of how sigma/ checks.
#pragma once
#include "sigma/sigma.h"

typedef struct {
  uint64_t seed;
  uint32_t threads, events;  // at most so many threads; ends soon after so many events
  uint32_t objects;          // of each kind
  bool plain;                // only mutexes, calls, create and join; nothing fails
  bool calm;                 // nobody blocks for ever or leaves early: for long runs
  bool crowd;                // mostly waits at one condition variable
  bool odd;                  // names and texts with every kind of byte, all lines that a schedule may have
} SimOptions;

uint64_t sim_random(uint64_t *state);
uint32_t sim_below(uint64_t *state, uint32_t n);
SimOptions sim_options(uint64_t seed);  // small ones, of all kinds
Sigma *sim_sigma(SimOptions o);
void sim_schedule(Sigma *s, SimOptions o);  // adds one
