// core/limits -- the one table of limits (limits.def): their values, and how often each was reached.
#pragma once
#include <stddef.h>
#include <stdint.h>

enum {
#define LIMIT(id, name, value, unit, set, effect) LIMIT_##id = value,
#include "limits.def"
};

typedef enum {
#define LIMIT(id, name, value, unit, set, effect) LIMIT_OF_##id,
#include "limits.def"
  LIMITS
} LimitId;

typedef struct {
  const char *name;
  uint64_t value;  // the default
  const char *unit, *set, *effect;
} Limit;
extern const Limit limits[LIMITS];

// Counted for the whole process, by any thread; a count is all that it is.
void limit_reached(LimitId id);
uint64_t limit_count(LimitId id);
