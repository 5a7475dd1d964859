// The table of limits: whole, counted by name, and the runtime's own default is the one it lists.
#include <assert.h>
#include <string.h>
#include "core/core.h"
#include "rt/rt.h"

static void test_table(void) {
  for (int i = 0; i < LIMITS; ++i) {
    assert(*limits[i].name && *limits[i].unit && *limits[i].effect && limits[i].set);
    for (int k = 0; k < i; ++k) assert(strcmp(limits[i].name, limits[k].name));
  }
  assert(limits[LIMIT_OF_PATIENCE].value == RT_PATIENCE);
}

static void test_counts(void) {
  assert(!limit_count(LIMIT_OF_PAIRS));
  limit_reached(LIMIT_OF_PAIRS), limit_reached(LIMIT_OF_PAIRS);
  assert(limit_count(LIMIT_OF_PAIRS) == 2 && !limit_count(LIMIT_OF_LOCKS));
}

int main(void) {
  test_table();
  test_counts();
}
