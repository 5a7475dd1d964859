// cfspec/pieces: what pieces_check notices.
#undef NDEBUG
#include "cfspec/pieces.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *p) {
  pieces_check(p);
}

int main(void) {
  Sample x = sample_new();
  Pieces *p = pieces_new(LLVMGetNamedFunction(x.c.module, "helper"), x.c.sites, x.c.may, NULL);
  assert(p->pieces.len == 5);
  pieces_between(p, 0, calls_site(&x.c, "helper#0"));
  pieces_check(p);
  Piece *unlock = &p->pieces.at[2], kept = *unlock;
  unlock->first = LLVMGetNextInstruction(unlock->last);  // leaves out the call
  dies_in("check_piece", check, p);
  *unlock = kept, unlock->site = p->pieces.at[1].site;
  dies_in("check_piece", check, p);
  *unlock = kept;
  p->next.items[0] = 4 - p->next.items[0];
  dies_in("check_next", check, p);
  p->next.items[0] = 4 - p->next.items[0], p->ends[3] = true;
  dies_in("check_next", check, p);
  p->ends[3] = false;
  p->sets.at[0][0] |= 1ull << 63;  // there are not so many
  dies_in("pieces_check", check, p);
  p->sets.at[0][0] &= ~(1ull << 63);
  pieces_check(p);
  pieces_free(p);
  sample_free(&x);
  return 0;
}
