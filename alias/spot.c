#include "spot.h"
#include <assert.h>

struct Spots {
  const Sizes *sizes;
  Vec(Spot) spots;
  uint32_t *table;  // id + 1; 0: free
  size_t room;
};

Spots *spots_new(const Sizes *sizes) {
  assert(sizes);
  Spots *s = mem_alloc(sizeof *s);
  s->sizes = sizes;
  s->room = 1024;
  s->table = mem_array(s->room, sizeof *s->table);
  return s;
}

void spots_free(Spots *s) {
  if (!s) return;
  vec_free(&s->spots);
  mem_free(s->table);
  mem_free(s);
}

uint32_t spots_count(const Spots *s) {
  return (uint32_t)s->spots.len;
}
Spot spots_at(const Spots *s, uint32_t id) {
  return s->spots.at[id];
}

static bool is_same(Spot p, Spot q) {
  return p.object == q.object && p.first == q.first && p.stride == q.stride && p.end == q.end;
}

static size_t slot_of(const Spots *s, Spot p) {
  uint64_t h = p.object * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 29) ^ (uint64_t)p.first) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 32) ^ (uint64_t)p.stride) * 0x94d049bb133111ebu;
  h = (h ^ (h >> 31) ^ (uint64_t)p.end) * 0x9e3779b97f4a7c15u;
  size_t i = (size_t)(h >> 20) & (s->room - 1);
  while (s->table[i]) {
    if (is_same(s->spots.at[s->table[i] - 1], p)) break;
    i = (i + 1) & (s->room - 1);
  }
  return i;
}

static void grow(Spots *s) {
  mem_free(s->table);
  s->room *= 2;
  s->table = mem_array(s->room, sizeof *s->table);
  for (vec_each(i, &s->spots)) s->table[slot_of(s, s->spots.at[i])] = (uint32_t)i + 1;
}

uint32_t spots_id(Spots *s, Spot spot) {
  spot = spot_normal(spot, s->sizes->at[spot.object]);
  size_t i = slot_of(s, spot);
  if (s->table[i]) return s->table[i] - 1;
  vec_push(&s->spots, spot);
  s->table[i] = (uint32_t)s->spots.len;
  if (s->spots.len * 2 > s->room) grow(s);
  return (uint32_t)s->spots.len - 1;
}

static int64_t modulo(int64_t a, int64_t m) {
  int64_t r = a % m;
  return r < 0 ? r + m : r;
}

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t r = a % b;
    a = b;
    b = r;
  }
  return a;
}

static bool is_far(int64_t offset) {
  return offset > LIMIT_ALIAS_OFFSET || offset < -LIMIT_ALIAS_OFFSET;
}

static const Spot anywhere = {0, 0, 1, SPOT_OPEN};

Spot spot_normal(Spot s, int64_t size) {
  uint32_t object = s.object;
  if (object == OBJECT_UNKNOWN || size == 0) return (Spot){object, 0, 0, 0};
  if (s.stride && s.end != SPOT_OPEN) {
    if (s.end - s.first <= s.stride)
      s.stride = 0;
    else if (is_far(s.end) || (size >= 0 && s.first < s.stride && s.first >= 0 && s.end >= size))
      s.end = SPOT_OPEN;
  }
  if (is_far(s.first) && s.end != SPOT_OPEN) {
    s = anywhere;
    s.object = object;
  }
  if (s.stride && s.end == SPOT_OPEN) {
    s.first = modulo(s.first, s.stride);
    if (is_far(s.stride) || (size >= 0 && s.stride >= size)) s.stride = size >= 0 && s.stride >= size ? 0 : 1;
    if (s.stride == 1) s.first = 0;
    if (!s.stride && is_far(s.first)) s.stride = 1, s.first = 0;
  }
  if (!s.stride) s.end = 0;
  return s;
}

Spot spot_shift(Spot s, Shift by) {
  if (by.stride < 0) by.stride = -by.stride;
  s.first += by.bytes;
  if (s.stride && s.end != SPOT_OPEN) s.end += by.bytes;
  if (!by.stride) return s;
  bool open = !by.limit || (s.stride && s.end == SPOT_OPEN);
  int64_t last = s.stride && !open ? s.end : s.first + 1;
  s.stride = gcd(s.stride, by.stride);
  s.end = open ? SPOT_OPEN : last + by.limit - 1;
  return s;
}

// What copying memory does to offsets. Where both repeat, or the subtracted one does, the remainder is left.
Spot spot_add(Spot s, Spot by, bool subtract) {
  s.first += subtract ? -by.first : by.first;
  if (s.stride && s.end != SPOT_OPEN) s.end += subtract ? -by.first : by.first;
  if (!by.stride) return s;
  s.stride = gcd(s.stride, by.stride);
  s.end = SPOT_OPEN;
  return s;
}

// The bytes of the last place that is not above `top`: is there one at `bottom` or later?
static bool reaches(Spot s, int64_t bottom, int64_t top) {
  if (bottom > top) return false;
  if (!s.stride) return s.first >= bottom && s.first <= top;
  if (s.end != SPOT_OPEN) {
    if (top > s.end - 1) top = s.end - 1;
    if (bottom < s.first) bottom = s.first;
    if (bottom > top) return false;
  }
  return modulo(top - s.first, s.stride) <= top - bottom;
}

bool spot_overlaps(Spot a, int64_t bytes_a, Spot b, int64_t bytes_b) {
  if (a.object != b.object) return false;
  if (!a.stride) return reaches(b, a.first - bytes_b + 1, a.first + bytes_a - 1);
  if (!b.stride) return reaches(a, b.first - bytes_a + 1, b.first + bytes_b - 1);
  if (a.end != SPOT_OPEN && b.end != SPOT_OPEN &&
      (a.end - 1 + bytes_a <= b.first || b.end - 1 + bytes_b <= a.first))
    return false;
  int64_t m = gcd(a.stride, b.stride);
  return bytes_a + bytes_b - 1 >= m || modulo(a.first + bytes_a - 1 - b.first, m) <= bytes_a + bytes_b - 2;
}

bool spot_outside(Spot s, int64_t bytes, int64_t size) {
  if (size < 0 || (s.stride && s.end == SPOT_OPEN)) return false;
  int64_t last = s.stride ? s.end - 1 : s.first;
  return s.first >= size || last + bytes <= 0;
}

void spots_check(const Spots *s) {
  size_t used = 0;
  assert((s->room & (s->room - 1)) == 0 && s->spots.len * 2 <= s->room);
  for (size_t i = 0; i < s->room; ++i) used += s->table[i] != 0;
  assert(used == s->spots.len);
  for (vec_each(i, &s->spots)) {
    Spot p = s->spots.at[i];
    assert(p.object < s->sizes->len && (p.object == OBJECT_UNKNOWN) == (i == SPOT_UNKNOWN));
    assert(is_same(p, spot_normal(p, s->sizes->at[p.object])));
    assert(s->table[slot_of(s, p)] == i + 1);
  }
}
