// core/arena -- scratch memory that is freed all at once. Blocks are zeroed and aligned for any type.
#pragma once
#include <stddef.h>

typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *a);
void *arena_alloc(Arena *a, size_t size);
char *arena_string(Arena *a, const char *s, size_t len);
void arena_check(const Arena *a);  // asserts that it is whole
