// Forked processes. A child has one thread, and may never have those again that the schedule speaks of: it is
// the original program from the fork on. Handlers of pthread_atfork tell where libc forks; a page that the
// kernel clears in the child tells of all other ways.
//
// The child of vfork borrows the memory of its parent: nothing here may change but the mark that it is there,
// which the parent takes away when it goes on.
#include <pthread.h>
#include <sys/mman.h>
#include "enf.h"

static const volatile uint32_t *own;

// The process is not the one that began; told to nobody yet.
static bool was_cleared(void) {
  return own && !*own;
}

static void forked(void) {
  if (!enf.schedule || !enf.threads) return;
  atomic_store(&enf.mode, ENF_FORKED);
  enf_special(ENF_SPECIAL_FREE);
}

HIDDEN void enf_forks_watch(void) {
  pthread_atfork(NULL, NULL, forked);
}

// Old kernels cannot clear a page; then handlers have to do.
HIDDEN void enf_forks_make(void) {
  enum { SIZE = 4096 };
  uint32_t *page = enf_memory(SIZE);
  if (!page) return;
  *page = 1;
  if (madvise(page, SIZE, MADV_WIPEONFORK))
    munmap(page, SIZE);
  else
    own = page;
}

HIDDEN bool enf_is_child(void) {
  if (was_cleared() && enf_on()) forked();
  return atomic_load(&enf.mode) == ENF_FORKED || (enf_self && enf_self->lent);
}

int rt_enf_forked(uint32_t thread) {
  enf_is_child();
  return (atomic_load(&rt_enf_threads[thread].special) & ENF_SPECIAL_FREE) != 0;
}

int rt_enf_vforked(uint32_t thread, int result) {
  if (enf.threads) enf.threads[thread].lent = result == 0;
  return result == 0 || rt_enf_forked(thread);
}
