// symex/memory: what memory_check notices.
#undef NDEBUG
#include "symex/memory.c"
#include "dies.h"

static void check(void *m) {
  memory_check(m);
}

// No address twice, what may be read and written, what has an end.
static void use(void) {
  Memory m;
  assert(memory_init(&m));
  uint64_t a = memory_add(&m, MEMORY_HEAP, 10, 1, 1), b = memory_add(&m, MEMORY_GLOBAL, 4096, 256, 2);
  assert(a >= MEMORY_BASE && b > a + 10 && b % 256 == 0);
  assert(memory_readable(&m, a, 10) && memory_writable(&m, a, 10));
  assert(!memory_readable(&m, a, 11) && !memory_readable(&m, a - 1, 1) && !memory_writable(&m, b + 4096, 1));
  assert(!memory_readable(&m, 0, 1) && !memory_readable(&m, UINT64_MAX - 3, 8) &&
         !memory_readable(&m, b, UINT64_MAX));
  assert(memory_object(&m, a + 9)->made == 1 && !memory_object(&m, a + 10) &&
         memory_object(&m, b)->kind == MEMORY_GLOBAL);
  memory_flag(&m, b, 16, MEMORY_EXISTS | MEMORY_WRITTEN | MEMORY_CONSTANT);
  assert(memory_readable(&m, b, 16) && !memory_writable(&m, b + 15, 1) && memory_writable(&m, b + 16, 1));
  memcpy(memory_bytes(&m, a), "text", 5);
  const char *text;
  size_t len;
  assert(memory_text(&m, a, &text, &len) && len == 4 && !strcmp(text, "text"));
  memset(memory_bytes(&m, a), 'x', 10);
  assert(!memory_text(&m, a, &text, &len));
  memory_drop(&m, memory_at(&m, a));
  assert(!memory_readable(&m, a, 1) && memory_object(&m, a)->freed);
  uint64_t c = memory_add(&m, MEMORY_HEAP, 10, 1, 3);
  assert(c > b && c != a);
  assert(!memory_add(&m, MEMORY_HEAP, UINT64_MAX - 8, 1, 4));
  memory_check(&m);
  memory_free(&m);
}

int main(void) {
  Memory m;
  use();
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
