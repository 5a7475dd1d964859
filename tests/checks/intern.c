// core/intern: what intern_check notices.
#undef NDEBUG
#include "core/intern.c"
#include "dies.h"

static void check(void *t) {
  intern_check(t);
}

static void get(void *t) {
  intern_text(t, 3);
}

int main(void) {
  Intern *t = intern_new();
  intern_id(t, "one", 3), intern_id(t, "two", 3), intern_id(t, "three", 5);
  intern_check(t);
  dies_in("intern_text", get, t);
  uint32_t *slot = slot_of(t, "two", 3);
  *slot = 1;  // two names for one id
  dies_in("intern_check", check, t);
  *slot = 0;
  dies_in("intern_check", check, t);
  *slot = 2, t->entries.at[1].len = 2;
  dies_in("intern_check", check, t);
  t->entries.at[1].len = 3, t->mask = 62;
  dies_in("intern_check", check, t);
  t->mask = 63;
  intern_check(t);
  intern_free(t);
  return 0;
}
