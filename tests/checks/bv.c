// solve/bv: what bvs_check notices.
#undef NDEBUG
#include "solve/bv.c"
#include "dies.h"

static void check(void *t) {
  bvs_check(t);
}

// More than the first table holds.
static void fill(Bvs *t) {
  Bv x = bv_var(t, 32, 1), sum = x;
  for (uint64_t i = 0; i < 1000; ++i)
    sum = bv_op(t, BV_XOR, bv_op(t, BV_MUL, sum, x), bv_const(t, 32, i * 77));
}

int main(void) {
  Bvs *t = bvs_new();
  bvs_check(t);
  fill(t);
  Bv x = bv_var(t, 8, 1), y = bv_var(t, 8, 2), less = bv_op(t, BV_ULT, x, y);
  Bv wide = bv_resize(t, x, 16, true), either = bv_ite(t, less, x, y), seven = bv_const(t, 8, 7);
  Bv sum = bv_op(t, BV_ADD, x, y);
  bvs_check(t);
  BvTerm *at = t->terms.at, kept = at[sum];

  at[sum].a = sum;  // not made before
  dies_in("check_term", check, t);
  at[sum] = kept, at[sum].b = wide;
  dies_in("check_term", check, t);
  at[sum] = kept, at[sum].a = y, at[sum].b = x;  // in no order
  dies_in("check_term", check, t);
  at[sum] = kept, at[sum].width = 9;
  dies_in("check_term", check, t);
  at[sum] = kept, at[sum].op = BV_SUB;  // found as a sum only
  dies_in("check_slots", check, t);
  at[sum] = kept, at[seven].value = 256;
  dies_in("check_term", check, t);
  at[seven].value = 7, at[wide].width = 8;
  dies_in("check_term", check, t);
  at[wide].width = 16, at[either].a = x;
  dies_in("check_term", check, t);
  at[either].a = less;
  size_t slot = 0;
  while (!t->slots[slot]) ++slot;
  uint32_t id = t->slots[slot];
  t->slots[slot] = 0;
  dies_in("check_slots", check, t);
  t->slots[slot] = id;
  bvs_check(t);
  bvs_free(t);
  return 0;
}
