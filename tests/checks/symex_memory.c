// symex/memory: what memory_check notices.
#undef NDEBUG
#include "symex/memory.c"
#include "dies.h"

static void check(void *m) {
  memory_check(m);
}

int main(void) {
  Memory m;
  assert(memory_init(&m));
  uint64_t first = memory_add(&m, MEMORY_HEAP, 24, 8, 0), second = memory_add(&m, MEMORY_HEAP, 8, 64, 0);
  memory_check(&m);
  m.objects.at[0].size = second - first;
  dies_in("memory_check", check, &m);
  m.objects.at[0].size = 24;
  m.used = m.limit + 1;
  dies_in("memory_check", check, &m);
  m.used = second + 8 - MEMORY_BASE;
  memory_check(&m);
  memory_free(&m);
  return 0;
}
