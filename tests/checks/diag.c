// core/diag: what diags_check notices.
#undef NDEBUG
#include "core/diag.c"
#include "dies.h"

static void check(void *d) {
  diags_check(d);
}

static void look(void *d) {
  diags_at(d, 3);
}

int main(void) {
  Diags *d = diags_new();
  diag_error(d, "one");
  diag_note(d, "why");
  diag_warning(d, "two");
  diag_error(d, "one");
  diags_check(d);
  dies_in("diags_at", look, d);
  d->errors = 2;
  dies_in("diags_check", check, d);
  d->errors = 1, d->all.at[1].kind = DIAG_WARNING;  // it was not seen as one
  dies_in("diags_check", check, d);
  d->all.at[1].kind = (DiagKind)7;
  dies_in("diags_check", check, d);
  d->all.at[1].kind = DIAG_NOTE;
  diags_free(d);
  return 0;
}
