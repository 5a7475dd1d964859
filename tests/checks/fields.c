// core/fields: what fields_check notices.
#undef NDEBUG
#include "core/fields.c"
#include "dies.h"

static void check(void *f) {
  fields_check(f);
}

static void put(void *key) {
  Bytes out = {0};
  fields_put(&out, key, "value");
}

int main(void) {
  Bytes text = {0};
  fields_put(&text, "one", "a\nb");
  fields_put(&text, "two", "");
  dies_in("fields_put", put, (char[]){"two words"});
  dies_in("fields_put", put, (char[]){""});
  Fields f = fields_open(span_of(text.at, text.len));
  fields_check(&f);
  assert(fields_next(&f) && !strcmp(f.value, "a\nb"));
  size_t at = f.at;
  f.at = text.len + 1;
  dies_in("fields_check", check, &f);
  f.at = at - 1;
  dies_in("fields_check", check, &f);
  f.at = at;
  char *key = f.key;
  f.key = NULL;
  dies_in("fields_check", check, &f);
  f.key = key, f.line = 0;
  dies_in("fields_check", check, &f);
  f.line = 1;
  assert(fields_next(&f) && !fields_next(&f) && !f.wrong);
  fields_close(&f);
  vec_free(&text);
  return 0;
}
