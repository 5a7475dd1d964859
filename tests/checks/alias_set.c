// alias/set: what set_check notices.
#undef NDEBUG
#include "alias/set.c"
#include "dies.h"

static void check(void *s) {
  set_check(s);
}

static void test_within(void) {
  Set few = {0}, many = {0};
  assert(set_within(&few, &many));
  for (uint32_t i = 0; i < 5; ++i) set_add(&many, 100 * i);
  set_add(&few, 300);
  assert(set_within(&few, &many) && !set_within(&many, &few));
  set_add(&few, 301);
  assert(!set_within(&few, &many));
  set_free(&few), set_free(&many);
}

static void test_damage(void) {
  Set s = {0};
  set_check(&s);
  for (uint32_t i = 0; i < 9; ++i) set_add(&s, 70 * i);
  set_check(&s);
  uint64_t bits = s.bits[1];
  s.bits[1] = 0;  // a block without members
  dies_in("set_check", check, &s);
  s.bits[1] = bits;
  s.index[3] = s.index[2];
  dies_in("set_check", check, &s);
  s.index[3] = s.index[2] + 1;
  uint32_t *index = s.index++;
  dies_in("set_check", check, &s);
  s.index = index, s.cap = s.len - 1;
  dies_in("set_check", check, &s);
  set_free(&s);
}

int main(void) {
  test_within();
  test_damage();
  return 0;
}
