// What rt/outside has seen. Of each thread that is made there is a note, and one of each place that
// synchronizes.
#include <errno.h>
#include <link.h>
#include <string.h>
#include <unistd.h>
#include "rec.h"

typedef struct {
  uintptr_t caller;
  const char *file;
} Search;

static int look(struct dl_phdr_info *of, size_t size, void *p) {
  (void)size;
  Search *s = p;
  for (int i = 0; i < of->dlpi_phnum; ++i) {
    const ElfW(Phdr) *h = &of->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || s->caller - of->dlpi_addr - h->p_vaddr >= h->p_memsz) continue;
    s->file = *of->dlpi_name ? of->dlpi_name : program_invocation_name;
    return 1;
  }
  return 0;
}

// Not by dladdr, which waits for a dlopen in another thread.
static void note(const char *function, const void *caller) {
  Search s = {(uintptr_t)caller, NULL};
  dl_iterate_phdr(look, &s);
  const char *file = s.file ? s.file : "";
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  struct iovec text[] = {{(void *)(uintptr_t)function, strlen(function) + 1},
                         {(void *)(uintptr_t)base, strlen(base)}};
  note_add(RT_NOTE_OUTSIDE, text, 2);
}

static bool recording(void) {
  return rec && rec->live && rec->process && rec->process->pid == getpid();
}

// Libraries start before the recorder. If they make more threads than this by then, the notes are incomplete.
static struct {
  const char *function;
  const void *caller;
} early[64];
static _Atomic uint32_t early_count;
enum { EARLY_MOST = sizeof early / sizeof *early };

void rt_outside_made(const char *function, const void *caller) {
  if (rec_self->creating) return;
  if (recording()) {
    note(function, caller);
  } else if (!rec) {
    uint32_t i = atomic_fetch_add(&early_count, 1);
    if (i < EARLY_MOST) early[i].function = function, early[i].caller = caller;
  }
}

HIDDEN void outside_start(void) {
  uint32_t n = atomic_load(&early_count);
  for (uint32_t i = 0; i < n && i < EARLY_MOST; ++i)
    if (early[i].function) note(early[i].function, early[i].caller);
  if (n > EARLY_MOST) rec_why(RT_WHY_NOTES, 0);
}

extern const char __executable_start HIDDEN, etext HIDDEN;

// Most calls are our own, and a library may lock often: the cheap questions come first.
void rt_outside_called(const char *function, const void *caller) {
  const char *at = caller;
  if (likely(at >= &__executable_start && at < &etext)) return;
  if (!rec || !rec->live || !seen_first(&rec->outside, (uintptr_t)caller)) return;
  int saved = errno;
  if (recording()) note(function, caller);
  errno = saved;
}
