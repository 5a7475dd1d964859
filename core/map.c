// Open addressing with linear probing, at most half full; nothing is ever removed.
#include "map.h"
#include <assert.h>
#include "checked.h"
#include "mem.h"

// A free slot has key 0; what 0 maps to stands apart. Three words a slot would cost half as many cache misses
// again.
typedef struct {
  uint64_t key, value;
} Slot;

struct Map {
  Slot *slots;
  uint64_t mask, count;
  uint64_t zero;  // its value
  bool has_zero;
};

static uint64_t mix(uint64_t x) {
  x ^= x >> 32;
  x *= 0x9e3779b97f4a7c15u;
  return x ^ x >> 29;
}

Map *map_new(void) {
  Map *m = mem_alloc(sizeof *m);
  m->mask = 15;
  m->slots = mem_array(m->mask + 1, sizeof *m->slots);
  return m;
}

void map_free(Map *m) {
  if (!m) return;
  CHECKED(map_check(m));
  mem_free(m->slots);
  mem_free(m);
}

// Of a key that is not 0.
static Slot *find(const Map *m, uint64_t key) {
  uint64_t i = mix(key) & m->mask;
  while (m->slots[i].key && m->slots[i].key != key) i = (i + 1) & m->mask;
  return &m->slots[i];
}

static void grow(Map *m) {
  Slot *old = m->slots;
  uint64_t size = m->mask + 1;
  m->mask = size * 2 - 1;
  m->slots = mem_array(size * 2, sizeof *m->slots);
  for (uint64_t i = 0; i < size; ++i)
    if (old[i].key) *find(m, old[i].key) = old[i];
  mem_free(old);
  CHECKED(map_check(m));
}

void map_put(Map *m, uint64_t key, uint64_t value) {
  if (!key) {
    m->count += !m->has_zero;
    m->has_zero = true;
    m->zero = value;
    return;
  }
  if ((m->count + 1) * 2 > m->mask) grow(m);
  Slot *s = find(m, key);
  m->count += !s->key;
  *s = (Slot){key, value};
  assert(m->count * 2 <= m->mask);  // or find would not end
}

bool map_get(const Map *m, uint64_t key, uint64_t *value) {
  const Slot *s = key ? find(m, key) : NULL;
  bool there = s ? s->key : m->has_zero;
  if (there) *value = s ? s->value : m->zero;
  return there;
}

uint64_t map_or(const Map *m, uint64_t key, uint64_t otherwise) {
  map_get(m, key, &otherwise);
  return otherwise;
}

uint64_t map_count(const Map *m) {
  return m->count;
}

void map_check(const Map *m) {
  uint64_t keys = 0;
  assert((m->mask & (m->mask + 1)) == 0);
  assert(m->count * 2 <= m->mask + 2);
  for (uint64_t i = 0; i <= m->mask; ++i) {
    if (!m->slots[i].key) continue;
    assert(find(m, m->slots[i].key) == &m->slots[i]);
    ++keys;
  }
  assert(keys + m->has_zero == m->count);
}
