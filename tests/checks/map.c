// core/map: what map_check notices.
#undef NDEBUG
#include "core/map.c"
#include "dies.h"

static void check(void *m) {
  map_check(m);
}

static Slot *some(const Map *m) {
  for (uint64_t i = 0; i <= m->mask; ++i)
    if (m->slots[i].key) return &m->slots[i];
  return NULL;
}

int main(void) {
  Map *m = map_new();
  for (uint64_t i = 0; i < 1000; ++i) map_put(m, i * 8, i);
  map_check(m);
  m->count++;
  dies_in("map_check", check, m);
  m->count--, m->has_zero = false;
  dies_in("map_check", check, m);
  m->has_zero = true, m->mask--;
  dies_in("map_check", check, m);
  m->mask++;
  Slot *s = some(m), kept = *s;
  s->key = find(m, 4096 * 8)->key ? 1 : 4096 * 8;  // a key that is looked for elsewhere
  while (find(m, s->key) == s) s->key += 8;
  dies_in("map_check", check, m);
  *s = kept;
  map_check(m);
  map_free(m);
  return 0;
}
