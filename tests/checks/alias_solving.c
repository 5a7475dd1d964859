// alias/solving: what solving_check and solving_check_order notice, before the first sweep.
#undef NDEBUG
#include "alias/solve.c"
#include "alias_sample.h"
#include "dies.h"

static void check(void *s) {
  solving_check(s);
}

static void check_order(void *s) {
  solving_check_order(s);
}

// A node into which others were joined, if joined, or one that is alone with itself.
static uint32_t node_of(const Solving *s, bool joined) {
  for (uint32_t n = 1; n < s->same.len; ++n)
    if ((s->same.at[n] != n) == joined) return joined ? s->same.at[n] : n;
  assert(!"the sample has such a node");
}

static void test_nodes(Solving *s) {
  uint32_t into = node_of(s, true), n = node_of(s, false), rank = s->rank.at[n];
  for (uint32_t i = 0; i < s->same.len; ++i)
    if (s->same.at[i] == into && i != into) n = i;
  set_add(&s->sets.at[n], 1);  // it has the set of another
  dies_in("check_nodes", check, s);
  set_free(&s->sets.at[n]);
  n = node_of(s, false);
  s->rank.at[n] = s->rank.at[into];
  dies_in("check_nodes", check, s);
  s->rank.at[n] = rank;
  set_add(&s->fresh.at[n], 1);
  s->dirty.at[rank / 64] &= ~(1ull << rank % 64);  // nobody will visit it
  dies_in("check_nodes", check, s);
  set_free(&s->fresh.at[n]);
  solving_check(s);
}

static void test_order(Solving *s) {
  uint32_t last = vec_last(&s->at_rank), first = s->at_rank.at[0];
  solving_check_order(s);
  vec_push(&s->copies.at[last].next, first);
  dies_in("solving_check_order", check_order, s);
  s->copies.at[last].next.len--;
}

static void test_tables(Solving *s) {
  uint32_t spot = s->known - 1, o = spots_at(s->sys->spots, spot).object;
  s->hidden.at[spot / 64] ^= 1ull << spot % 64;
  dies_in("check_spots", check, s);
  s->hidden.at[spot / 64] ^= 1ull << spot % 64;
  s->places[o]++;
  dies_in("check_spots", check, s);
  s->places[o]--;
  for (o = 0; !s->r->stored[o].len; ++o) continue;
  s->r->stored[o].at[0].node++;
  dies_in("check_cells", check, s);
  s->r->stored[o].at[0].node--;
  vec_push(&s->to_merge, o);  // its places are told apart
  dies_in("solving_check", check, s);
  s->to_merge.len--;
}

int main(void) {
  Alias *a = sample_new();
  Solving s = solving_new(a->sys);
  note_spots(&s);
  begin(&s);
  solving_collapse(&s);  // now there are all the copies that cells have brought
  solving_check(&s);
  test_nodes(&s);
  test_order(&s);
  while (sweep(&s)) continue;
  solving_check(&s);
  test_tables(&s);
  settle(&s);
  finish(&s);
  solving_free(&s);
  solution_free(s.r);
  sample_free(a);
  return 0;
}
