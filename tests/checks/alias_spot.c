// alias/spot: what spots_check notices.
#undef NDEBUG
#include "alias/spot.c"
#include "dies.h"

static void check(void *s) {
  spots_check(s);
}

int main(void) {
  Sizes sizes = {0};
  vec_push(&sizes, -1);
  vec_push(&sizes, 64);
  Spots *s = spots_new(&sizes);
  spots_check(s);
  spots_id(s, (Spot){.object = OBJECT_UNKNOWN});
  for (int64_t i = 0; i < 600; ++i) spots_id(s, (Spot){.object = 1, .first = i});
  spots_id(s, (Spot){1, 3, 8, SPOT_OPEN});
  spots_check(s);
  s->spots.at[5].object = 2;  // not there
  dies_in("spots_check", check, s);
  s->spots.at[5].object = 1, s->spots.at[5].end = 7;  // not its normal form
  dies_in("spots_check", check, s);
  s->spots.at[5].end = 0;
  spots_check(s);
  Spot kept = s->spots.at[7];
  s->spots.at[7] = s->spots.at[6];  // twice
  dies_in("spots_check", check, s);
  s->spots.at[7] = kept;
  size_t slot = slot_of(s, s->spots.at[9]);
  s->table[slot] = 0;
  dies_in("spots_check", check, s);
  s->table[slot] = 10;
  spots_check(s);
  spots_free(s);
  vec_free(&sizes);
  return 0;
}
