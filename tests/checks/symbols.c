// record/symbols: what symbols_check notices.
#undef NDEBUG
#include "record/symbols.c"
#include "dies.h"

static void check(void *s) {
  symbols_check(s);
}

int main(void) {
  Symbols *s = symbols_new("/nothing", 0);
  vec_append(&s->file, (const unsigned char *)"\0one\0two", 9);
  const char *names = (const char *)s->file.at;
  vec_push(&s->all, ((Symbol){0x1000, 64, names + 1}));
  vec_push(&s->all, ((Symbol){0x1000, 8, names + 5}));
  vec_push(&s->all, ((Symbol){0x2000, 0, names + 5}));
  symbols_check(s);
  Symbol kept = s->all.at[2];
  s->all.at[2].address = 0xfff;  // in no order
  dies_in("symbols_check", check, s);
  s->all.at[2].address = 0;
  dies_in("symbols_check", check, s);
  s->all.at[2] = kept, s->all.at[1].size = 65;  // the larger first
  dies_in("symbols_check", check, s);
  s->all.at[1].size = 8, s->all.at[2].name = "three";  // not of the file
  dies_in("symbols_check", check, s);
  s->all.at[2] = kept, s->file.at[8] = 'x';  // does not end
  dies_in("symbols_check", check, s);
  s->file.at[8] = 0;
  symbols_check(s);
  symbols_free(s);
  return 0;
}
