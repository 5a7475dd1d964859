// Points-to sets are small and clustered: objects of one function, fields of one object have ids close
// together. Most unions add nothing, so that case is a search without a write.
#include "set.h"
#include <assert.h>
#include <string.h>
#include "ir/ir.h"

void set_free(Set *s) {
  mem_free(s->bits);
  *s = (Set){0};
}

static void reserve(Set *s, uint32_t blocks) {
  if (blocks <= s->cap) return;
  uint32_t cap = s->cap ? s->cap + s->cap / 2 : 1;
  if (cap < blocks) cap = blocks;
  uint64_t *bits = mem_array(cap, sizeof *bits + sizeof *s->index);
  uint32_t *index = (uint32_t *)(bits + cap);
  if (s->len) {
    memcpy(bits, s->bits, s->len * sizeof *bits);
    memcpy(index, s->index, s->len * sizeof *index);
  }
  mem_free(s->bits);
  s->bits = bits;
  s->index = index;
  s->cap = cap;
}

// The first block from `from` on whose index is not below `index`.
static uint32_t find(const Set *s, uint32_t from, uint32_t index) {
  uint32_t step = 1, low = from, high = from;
  while (high < s->len && s->index[high] < index) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  if (high > s->len) high = s->len;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (s->index[mid] < index)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

bool set_add(Set *s, uint32_t id) {
  uint32_t index = id / 64, at = find(s, 0, index);
  uint64_t bit = 1ull << id % 64;
  if (at < s->len && s->index[at] == index) {
    if (s->bits[at] & bit) return false;
    s->bits[at] |= bit;
    return true;
  }
  reserve(s, s->len + 1);
  memmove(s->bits + at + 1, s->bits + at, (s->len - at) * sizeof *s->bits);
  memmove(s->index + at + 1, s->index + at, (s->len - at) * sizeof *s->index);
  s->bits[at] = bit;
  s->index[at] = index;
  s->len++;
  return true;
}

bool set_has(const Set *s, uint32_t id) {
  uint32_t at = find(s, 0, id / 64);
  return at < s->len && s->index[at] == id / 64 && s->bits[at] >> id % 64 & 1;
}

// How many blocks of `from` are not in s at all; *any: something is new.
static uint32_t missing(const Set *s, const Set *from, bool *any) {
  uint32_t at = 0, count = 0;
  *any = false;
  for (uint32_t i = 0; i < from->len; ++i) {
    at = find(s, at, from->index[i]);
    if (at < s->len && s->index[at] == from->index[i]) {
      *any |= (from->bits[i] & ~s->bits[at]) != 0;
    } else {
      *any = true;
      count++;
    }
  }
  return count;
}

// From the back, in place: what is in s only moves up by as many blocks as are still to come.
static void merge_blocks(Set *s, const Set *from, uint32_t more) {
  uint32_t to = s->len + more, a = s->len, b = from->len;
  reserve(s, to);
  s->len = to;
  while (b) {
    uint32_t index = from->index[b - 1];
    if (a && s->index[a - 1] > index) {
      --a, --to;
      s->bits[to] = s->bits[a];
      s->index[to] = s->index[a];
    } else {
      uint64_t bits = from->bits[--b];
      --to;
      if (a && s->index[a - 1] == index) bits |= s->bits[--a];
      s->bits[to] = bits;
      s->index[to] = index;
    }
  }
}

static void add_blocks(Set *s, const Set *from) {
  bool any;
  uint32_t more = missing(s, from, &any);
  if (any) merge_blocks(s, from, more);
}

static void difference(const Set *from, const Set *s, Set *out) {
  uint32_t at = 0;
  reserve(out, from->len);
  for (uint32_t i = 0; i < from->len; ++i) {
    at = find(s, at, from->index[i]);
    uint64_t bits = from->bits[i];
    if (at < s->len && s->index[at] == from->index[i]) bits &= ~s->bits[at];
    if (!bits) continue;
    out->bits[out->len] = bits;
    out->index[out->len++] = from->index[i];
  }
}

bool set_merge(Set *s, const Set *from, Set *fresh) {
  bool any;
  uint32_t more = missing(s, from, &any);
  if (!any) return false;
  if (fresh && fresh->len) {
    Set found = {0};
    difference(from, s, &found);
    add_blocks(fresh, &found);
    set_free(&found);
  } else if (fresh) {
    difference(from, s, fresh);
  }
  merge_blocks(s, from, more);
  return true;
}

void set_mask(Set *s, const uint64_t *words, size_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->len; ++i) {
    uint64_t bits = s->bits[i];
    if (s->index[i] < count) bits &= ~words[s->index[i]];
    if (!bits) continue;
    s->bits[kept] = bits;
    s->index[kept++] = s->index[i];
  }
  s->len = kept;
}

size_t set_count(const Set *s) {
  size_t n = 0;
  for (uint32_t i = 0; i < s->len; ++i) n += (size_t)__builtin_popcountll(s->bits[i]);
  return n;
}

void set_copy(Set *s, const Set *from) {
  if (!from->len) return;
  reserve(s, from->len);
  memcpy(s->bits, from->bits, from->len * sizeof *s->bits);
  memcpy(s->index, from->index, from->len * sizeof *s->index);
  s->len = from->len;
}

bool set_equal(const Set *a, const Set *b) {
  return a->len == b->len && (!a->len || (!memcmp(a->bits, b->bits, a->len * sizeof *a->bits) &&
                                          !memcmp(a->index, b->index, a->len * sizeof *a->index)));
}

bool set_within(const Set *part, const Set *whole) {
  bool more;
  missing(whole, part, &more);
  return !more;
}

// Sets are compared by their blocks: so there is one way to write each.
void set_check(const Set *s) {
  assert(s->len <= s->cap && !s->bits == !s->cap);
  assert(!s->cap || s->index == (const uint32_t *)(s->bits + s->cap));
  for (uint32_t i = 0; i < s->len; ++i) {
    assert(s->bits[i]);
    assert(!i || s->index[i - 1] < s->index[i]);
  }
}
