// What rt/outside has seen. Of each thread that is made there is a note, and one of each place that
// synchronizes.
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "rec.h"

static void note(const char *function, const void *caller) {
  Dl_info where;
  const char *file = dladdr(caller, &where) && where.dli_fname ? where.dli_fname : "";
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  struct iovec text[] = {{(void *)(uintptr_t)function, strlen(function) + 1},
                         {(void *)(uintptr_t)base, strlen(base)}};
  note_add(RT_NOTE_OUTSIDE, text, 2);
}

static bool recording(void) {
  return rec && rec->live && rec->process && rec->process->pid == getpid();
}

// Libraries begin before we do. Who is not heard of any more: the notes are incomplete then.
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

// Most calls are our own.
void rt_outside_called(const char *function, const void *caller) {
  const char *at = caller;
  if (likely(at >= &__executable_start && at < &etext)) return;
  int saved = errno;
  if (recording() && seen_first(&rec->outside, (uintptr_t)caller)) note(function, caller);
  errno = saved;
}
