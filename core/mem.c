#include "mem.h"
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(size_t wanted) {
  fprintf(stderr, "specialize: out of memory (allocating %zu bytes)\n", wanted);
  exit(4);
}

static MemExhausted *exhausted = die;

void mem_on_exhausted(MemExhausted *f) {
  exhausted = f ? f : die;
}

void *mem_alloc(size_t size) {
  void *p = calloc(1, size ? size : 1);
  if (!p) exhausted(size);
  assert(p);  // exhausted must not return
  return p;
}

void *mem_array(size_t count, size_t size) {
  size_t total;
  bool fits = !__builtin_mul_overflow(count, size, &total);
  if (!fits) exhausted(SIZE_MAX);
  assert(fits);
  return mem_alloc(total);
}

void *mem_resize(void *p, size_t size) {
  void *q = realloc(p, size ? size : 1);
  if (!q) exhausted(size);
  assert(q);
  return q;
}

void *mem_copy(const void *p, size_t size) {
  assert(p || !size);
  void *q = mem_alloc(size);
  if (size) memcpy(q, p, size);
  return q;
}

char *mem_string(const char *s) {
  return mem_copy(s, strlen(s) + 1);
}

char *mem_vformat(const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, fmt, args);
  assert(n >= 0);
  char *s = mem_alloc((size_t)n + 1);
  int written = vsnprintf(s, (size_t)n + 1, fmt, again);
  assert(written == n);
  va_end(again);
  return s;
}

char *mem_format(const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *s = mem_vformat(fmt, args);
  va_end(args);
  return s;
}

void mem_free(void *p) {
  free(p);
}
