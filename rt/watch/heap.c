// While a run is watched, memory that is freed is kept, so that no address means two things. It is left out
// where the program has a malloc of its own.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include "rt/replay/rep.h"
#include "watched.h"

extern void __libc_free(void *p);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_malloc(size_t size);

static _Atomic uint64_t kept;

static bool keeps(void *p) {
  if (!p || !rep_watch || !rep_me()) return false;
  if (atomic_fetch_add(&kept, malloc_usable_size(p)) < rep_watch->keep) return true;
  atomic_fetch_or(&rep_watch->flags, RT_WATCH_REUSED);  // from now on nothing is noted
  return false;
}

__attribute__((visibility("default"))) void free(void *p) {
  if (!keeps(p)) __libc_free(p);
}

__attribute__((visibility("default"))) void *realloc(void *p, size_t size) {
  if (!p || !size || !rep_watch || !rep_me()) return __libc_realloc(p, size);
  size_t before = malloc_usable_size(p);
  void *made = __libc_malloc(size);
  if (!made) return NULL;
  memcpy(made, p, before < size ? before : size);
  if (!keeps(p)) __libc_free(p);
  return made;
}
