#include "arena.h"
#include <assert.h>
#include <stdalign.h>
#include "checked.h"
#include "mem.h"
#include "vec.h"

enum { ARENA_CHUNK = 64 * 1024, ARENA_ALIGN = alignof(max_align_t) };

struct Arena {
  Vec(char *) chunks;
  size_t used, size;  // of the last chunk
};

Arena *arena_new(void) {
  return mem_alloc(sizeof(Arena));
}

void arena_free(Arena *a) {
  if (!a) return;
  CHECKED(arena_check(a));
  for (vec_each(i, &a->chunks)) mem_free(a->chunks.at[i]);
  vec_free(&a->chunks);
  mem_free(a);
}

void *arena_alloc(Arena *a, size_t size) {
  assert(size <= SIZE_MAX - ARENA_ALIGN);
  size = (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
  if (!a->chunks.len || a->size - a->used < size) {
    a->size = size > ARENA_CHUNK ? size : ARENA_CHUNK;
    a->used = 0;
    vec_push(&a->chunks, mem_alloc(a->size));
  }
  void *p = vec_last(&a->chunks) + a->used;
  a->used += size;
  assert(a->used <= a->size);
  return p;
}

char *arena_string(Arena *a, const char *s, size_t len) {
  char *copy = arena_alloc(a, len + 1);
  memcpy(copy, s, len);
  return copy;
}

void arena_check(const Arena *a) {
  assert(a->used <= a->size);
  assert(a->used % ARENA_ALIGN == 0);
  assert(a->chunks.len ? a->size >= ARENA_CHUNK : !a->size);
  for (vec_each(i, &a->chunks)) {
    assert(a->chunks.at[i]);
    assert((uintptr_t)a->chunks.at[i] % ARENA_ALIGN == 0);
  }
}
