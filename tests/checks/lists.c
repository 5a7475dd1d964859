// core/lists: what lists_check notices, and which lists mirror each other.
#undef NDEBUG
#include "core/lists.c"
#include "dies.h"

static void check(void *l) {
  lists_check(l, 3, 5);
}

static void make(void *pairs) {
  lists_new(2, pairs);
}

static void pop(void *v) {
  IdVec *ids = v;
  (void)vec_pop(ids);
}

static void test_mirror(void) {
  Pairs to = {0}, from = {0}, other = {0};
  pairs_add(&to, 0, 1), pairs_add(&to, 2, 1), pairs_add(&to, 0, 1), pairs_add(&to, 1, 3);
  pairs_add(&from, 3, 1), pairs_add(&from, 1, 2), pairs_add(&from, 1, 0), pairs_add(&from, 1, 0);
  pairs_add(&other, 3, 1), pairs_add(&other, 1, 2), pairs_add(&other, 1, 0), pairs_add(&other, 1, 2);
  Lists a = lists_new(3, &to), b = lists_new(4, &from), c = lists_new(4, &other);
  assert(lists_mirror(&a, 3, &b, 4) && lists_mirror(&b, 4, &a, 3));
  assert(!lists_mirror(&a, 3, &c, 4));
  lists_free(&a), lists_free(&b), lists_free(&c);
  vec_free(&to), vec_free(&from), vec_free(&other);
}

int main(void) {
  Pairs p = {0};
  IdVec none = {0};
  pairs_add(&p, 2, 4), pairs_add(&p, 0, 3), pairs_add(&p, 2, 1);
  dies_in("lists_new", make, &p);
  dies_in("pop", pop, &none);
  Lists l = lists_new(3, &p);
  check(&l);
  l.items[1] = 5;
  dies_in("lists_check", check, &l);
  l.items[1] = 4, l.first[1] = 3;
  dies_in("lists_check", check, &l);
  l.first[1] = 1, l.first[0] = 1;
  dies_in("lists_check", check, &l);
  lists_free(&l);
  vec_free(&p);
  test_mirror();
  return 0;
}
