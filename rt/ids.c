#include "ids.h"
#include <stdlib.h>

bool array_grow(void **at, size_t *room, size_t size) {
  size_t more = *room ? *room * 2 : 16;
  void *p = realloc(*at, more * size);
  if (!p) return false;
  *at = p;
  *room = more;
  return true;
}

void ids_free(Ids *t) {
  free(t->keys);
  free(t->slots);
}

static uint32_t *slot_of(const Ids *t, uint32_t key) {
  uint32_t mask = t->room * 2 - 1, i = key * UINT32_C(0x9E3779B1) & mask;
  while (t->slots[i] && t->keys[t->slots[i] - 1] != key) i = (i + 1) & mask;
  return &t->slots[i];
}

uint32_t ids_find(const Ids *t, uint32_t key) {
  return t->room ? *slot_of(t, key) - 1 : IDS_NONE;
}

static bool grow(Ids *t) {
  uint32_t room = t->room ? t->room * 2 : 16;
  if (room > UINT32_MAX / 8) return false;
  uint32_t *keys = realloc(t->keys, room * sizeof *keys);
  if (!keys) return false;
  t->keys = keys;
  uint32_t *slots = calloc(room * 2, sizeof *slots);
  if (!slots) return false;
  free(t->slots);
  t->slots = slots;
  t->room = room;
  for (uint32_t i = 0; i < t->count; ++i) *slot_of(t, t->keys[i]) = i + 1;
  return true;
}

uint32_t ids_add(Ids *t, uint32_t key) {
  if (t->count == t->room && !grow(t)) return IDS_NONE;
  uint32_t *slot = slot_of(t, key);
  if (*slot) return *slot - 1;
  t->keys[t->count] = key;
  *slot = ++t->count;
  return t->count - 1;
}
