// core/arena: what arena_check notices.
#undef NDEBUG
#include "core/arena.c"
#include "dies.h"

static void check(void *a) {
  arena_check(a);
}

static void take_all(void *a) {
  arena_alloc(a, SIZE_MAX);
}

int main(void) {
  Arena *a = arena_new();
  arena_check(a);
  arena_alloc(a, 3), arena_alloc(a, ARENA_CHUNK + 1), arena_alloc(a, 5);
  arena_check(a);
  dies_in("arena_alloc", take_all, a);
  size_t used = a->used, size = a->size;
  a->used = size + ARENA_ALIGN;
  dies_in("arena_check", check, a);
  a->used = 1;  // what comes next would not be aligned
  dies_in("arena_check", check, a);
  a->used = used, a->size = used;
  dies_in("arena_check", check, a);
  a->size = size, a->chunks.at[0]++;
  dies_in("arena_check", check, a);
  a->chunks.at[0]--;
  arena_free(a);
  return 0;
}
