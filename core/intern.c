#include "intern.h"
#include <assert.h>
#include "arena.h"
#include "checked.h"
#include "vec.h"

typedef struct {
  const char *text;
  size_t len;
} Entry;

struct Intern {
  Arena *arena;
  Vec(Entry) entries;
  uint32_t *slots;  // id + 1, 0 is free
  uint32_t mask;
};

Intern *intern_new(void) {
  Intern *t = mem_alloc(sizeof *t);
  t->arena = arena_new();
  t->mask = 63;
  t->slots = mem_array(t->mask + 1u, sizeof *t->slots);
  return t;
}

void intern_free(Intern *t) {
  if (!t) return;
  CHECKED(intern_check(t));
  arena_free(t->arena);
  vec_free(&t->entries);
  mem_free(t->slots);
  mem_free(t);
}

static uint32_t hash(const char *s, size_t len) {
  uint32_t h = 2166136261u;  // FNV-1a
  for (size_t i = 0; i < len; ++i) h = (h ^ (unsigned char)s[i]) * 16777619u;
  return h ^ h >> 15;
}

static uint32_t *slot_of(const Intern *t, const char *s, size_t len) {
  uint32_t i = hash(s, len) & t->mask;
  for (; t->slots[i]; i = (i + 1) & t->mask) {
    const Entry *e = &t->entries.at[t->slots[i] - 1];
    if (e->len == len && !memcmp(e->text, s, len)) break;
  }
  return &t->slots[i];
}

static void grow(Intern *t) {
  mem_free(t->slots);
  t->mask = t->mask * 2 + 1;
  t->slots = mem_array((size_t)t->mask + 1, sizeof *t->slots);
  for (vec_each(i, &t->entries)) *slot_of(t, t->entries.at[i].text, t->entries.at[i].len) = (uint32_t)i + 1;
  CHECKED(intern_check(t));
}

uint32_t intern_find(const Intern *t, const char *s, size_t len) {
  return *slot_of(t, s, len) - 1u;
}

uint32_t intern_id(Intern *t, const char *s, size_t len) {
  uint32_t *slot = slot_of(t, s, len);
  if (*slot) return *slot - 1;
  assert(t->entries.len < INTERN_NONE - 1);
  Entry e = {arena_string(t->arena, s, len), len};
  vec_push(&t->entries, e);
  *slot = (uint32_t)t->entries.len;
  if (t->entries.len * 2 > t->mask) grow(t);
  return (uint32_t)t->entries.len - 1;
}

const char *intern_text(const Intern *t, uint32_t id) {
  assert(id < t->entries.len);
  return t->entries.at[id].text;
}

uint32_t intern_count(const Intern *t) {
  return (uint32_t)t->entries.len;
}

void intern_check(const Intern *t) {
  size_t used = 0;
  assert((t->mask & (t->mask + 1)) == 0);
  assert(t->entries.len * 2 <= t->mask);
  for (uint32_t i = 0; i <= t->mask; ++i) used += t->slots[i] != 0;
  assert(used == t->entries.len);
  for (vec_each(i, &t->entries)) {
    const Entry *e = &t->entries.at[i];
    assert(!e->text[e->len]);
    assert(intern_find(t, e->text, e->len) == i);
  }
}
