// core/map -- from a 64-bit key (a pointer, an id) to a 64-bit value. Iterate over your own vectors instead:
// the order inside a map depends on addresses, and results must not.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct Map Map;
Map *map_new(void);
void map_free(Map *m);
void map_put(Map *m, uint64_t key, uint64_t value);  // replaces
bool map_get(const Map *m, uint64_t key, uint64_t *value);
uint64_t map_or(const Map *m, uint64_t key, uint64_t otherwise);
uint64_t map_count(const Map *m);
void map_check(const Map *m);  // asserts that it is whole

#define map_key(p) ((uint64_t)(uintptr_t)(p))
