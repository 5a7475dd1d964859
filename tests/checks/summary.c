// ir/summary: what summaries_check notices.
#undef NDEBUG
#include "ir/summary.c"
#include "dies.h"

static void check(void *s) {
  summaries_check(s);
}

static Do *first_of(Summaries *s, const char *name) {
  Summary what;
  assert(summaries_find(s, name, &what) && what.len);
  return &s->all.at[what.at - s->all.at];
}

int main(void) {
  Summaries *s = summaries_new();
  const char *why;
  assert(summaries_add(s, "W0:1 r=@mine", "fill* filler", &why));
  assert(!summaries_add(s, "W0 S1", "spoilt", &why));  // leaves nothing that anybody finds
  summaries_check(s);
  Do *d = first_of(s, "filler");
  d->place.operand = OPERAND_NONE;
  dies_in("check_value", check, s);
  d->place.operand = (uint8_t)(OPERAND_NAMED + summaries_named(s));
  dies_in("check_value", check, s);
  d->place.operand = 0, d->times = OPERAND_RESULT;
  dies_in("check_do", check, s);
  d->times = 1;
  Slice kept = vec_last(&s->slices);
  vec_last(&s->slices).first = (uint32_t)s->all.len;
  dies_in("summaries_check", check, s);
  vec_last(&s->slices) = kept;
  vec_last(&s->patterns)[0] = '?';
  dies_in("summaries_check", check, s);
  summaries_free(s);
  return 0;
}
