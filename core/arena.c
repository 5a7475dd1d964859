#include "arena.h"
#include <stdalign.h>
#include "mem.h"
#include "vec.h"

enum { ARENA_CHUNK = 64 * 1024 };

struct Arena {
  Vec(char *) chunks;
  size_t used, size;  // of the last chunk
};

Arena *arena_new(void) {
  return mem_alloc(sizeof(Arena));
}

void arena_free(Arena *a) {
  if (!a) return;
  for (vec_each(i, &a->chunks)) mem_free(a->chunks.at[i]);
  vec_free(&a->chunks);
  mem_free(a);
}

void *arena_alloc(Arena *a, size_t size) {
  size_t align = alignof(max_align_t);
  size = (size + align - 1) & ~(align - 1);
  if (!a->chunks.len || a->size - a->used < size) {
    a->size = size > ARENA_CHUNK ? size : ARENA_CHUNK;
    a->used = 0;
    vec_push(&a->chunks, mem_alloc(a->size));
  }
  void *p = vec_last(&a->chunks) + a->used;
  a->used += size;
  return p;
}

char *arena_string(Arena *a, const char *s, size_t len) {
  char *copy = arena_alloc(a, len + 1);
  memcpy(copy, s, len);
  return copy;
}
