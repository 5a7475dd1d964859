// FILE:LINE and FILE:LINE:COLUMN, as people write them.
#include <assert.h>
#include <string.h>
#include "core/core.h"

static void is_place(const char *text, const char *file, unsigned line, unsigned column) {
  PlaceWanted p;
  assert(place_parse(text, &p));
  assert(p.len == strlen(file) && !memcmp(p.file, file, p.len));
  assert(p.line == line && p.column == column);
}

static void is_none(const char *text) {
  PlaceWanted p;
  assert(!place_parse(text, &p));
}

static bool matches(const char *text, const char *file, unsigned line, unsigned column) {
  PlaceWanted p;
  assert(place_parse(text, &p));
  return place_matches(&p, (Place){file, line, column});
}

int main(void) {
  is_place("a.c:7", "a.c", 7, 0);
  is_place("a.c:7:12", "a.c", 7, 12);
  is_place("x/3:4", "x/3", 4, 0);
  is_place("3:4", "3", 4, 0);
  is_none(""), is_none("a.c"), is_none(":7"), is_none("a.c:"), is_none("a.c:0"), is_none("a.c:7x");
  is_none("a.c:99999999999"), is_none("a.c:4294967295");
  assert(matches("a.c:7", "a.c", 7, 3) && matches("a.c:7", "src/a.c", 7, 3));
  assert(!matches("a.c:7", "aa.c", 7, 3) && !matches("a.c:7", "a.c", 8, 3) && !matches("a.c:7", NULL, 7, 3));
  assert(matches("a.c:7:3", "a.c", 7, 3) && !matches("a.c:7:4", "a.c", 7, 3));
  return 0;
}
