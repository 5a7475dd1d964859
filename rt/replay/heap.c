// Memory that is freed is kept while the run is held to its list, so that no address means two things.
// Programs that define these functions themselves keep theirs, and a library's allocator stays the one that
// is asked.
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "rep.h"

extern void __libc_free(void *p);
extern void *__libc_realloc(void *p, size_t size);

typedef void Free(void *p);
typedef void *Realloc(void *p, size_t size);
static _Atomic uint64_t kept;

static _Atomic(Free *) next_free;
static _Atomic(Realloc *) next_realloc;

// Libraries call us before any constructor of the program runs.
static void find_allocator(void) {
  void *found = dlsym(RTLD_NEXT, "free"), *found_realloc = dlsym(RTLD_NEXT, "realloc");
  Free *f = __libc_free;
  Realloc *r = __libc_realloc;
  if (found && found_realloc) memcpy(&f, &found, sizeof f), memcpy(&r, &found_realloc, sizeof r);
  next_realloc = r;
  next_free = f;
}

static void really_free(void *p) {
  if (!next_free) find_allocator();
  next_free(p);
}

static void *really_realloc(void *p, size_t size) {
  if (!next_free) find_allocator();
  return next_realloc(p, size);
}

HIDDEN void rep_heap(void) {}

static bool keeps(void *p) {
  if (!p || !rep_me()) return false;
  if (atomic_fetch_add(&kept, malloc_usable_size(p)) < rep_table->keep) return true;
  atomic_store(&rep_table->reused, 1);  // from now on addresses say nothing
  return false;
}

__attribute__((visibility("default"), weak)) void free(void *p) {
  if (!keeps(p)) really_free(p);
}

__attribute__((visibility("default"), weak)) void *realloc(void *p, size_t size) {
  if (!p || !size || !rep_me()) return really_realloc(p, size);
  size_t before = malloc_usable_size(p);
  void *made = malloc(size);
  if (!made) return NULL;
  memcpy(made, p, before < size ? before : size);
  if (!keeps(p)) really_free(p);
  return made;
}

// The memory goes back, and the addresses stay taken: an access to them still crashes.
__attribute__((visibility("default"), weak)) int munmap(void *p, size_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, saved = errno;
  bool aligned = p && size && !((uintptr_t)p % (uintptr_t)sysconf(_SC_PAGESIZE));
  if (aligned && rep_me()) {
    if (mmap(p, size, PROT_NONE, flags, -1, 0) == p) return 0;
    errno = saved;
    atomic_store(&rep_table->reused, 1);
  }
  return (int)syscall(SYS_munmap, p, size);
}
