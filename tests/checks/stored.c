// record/stored: what stored_check notices.
#undef NDEBUG
#include "record/stored.c"
#include "dies.h"

static void check(void *x) {
  stored_check(x);
}

int main(void) {
  static const unsigned char zeros[LIMIT_INPUT_COPY + 10];
  Stored *x = stored_new();
  stored_check(x);
  stored_add(x, zeros, 100);
  stored_check(x);
  x->size++;
  dies_in("stored_check", check, x);
  x->size--, x->copy.len--;
  dies_in("stored_check", check, x);
  x->copy.len++;
  stored_add(x, zeros, sizeof zeros);
  stored_check(x);
  assert(x->copy.len == LIMIT_INPUT_COPY);
  x->size = LIMIT_INPUT_COPY - 1;
  dies_in("stored_check", check, x);
  stored_free(x);
  return 0;
}
