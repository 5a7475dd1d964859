#include "place.h"
#include <stdint.h>
#include <string.h>

// The number behind the last colon of text[0, *len), which then ends in front of that colon.
static bool take_number(const char *text, size_t *len, unsigned *out) {
  uint64_t n = 0;
  size_t at = *len;
  while (at && text[at - 1] >= '0' && text[at - 1] <= '9') --at;
  if (at == *len || *len - at > 10 || at < 2 || text[at - 1] != ':') return false;
  for (size_t i = at; i < *len; ++i) n = n * 10 + (uint64_t)(text[i] - '0');
  if (!n || n >= UINT32_MAX) return false;
  *out = (unsigned)n, *len = at - 1;
  return true;
}

bool place_parse(const char *text, PlaceWanted *out) {
  *out = (PlaceWanted){.file = text, .len = strlen(text)};
  unsigned last, before;
  if (!take_number(text, &out->len, &last)) return false;
  bool both = take_number(text, &out->len, &before);
  out->line = both ? before : last, out->column = both ? last : 0;
  return true;
}

bool place_matches(const PlaceWanted *w, Place at) {
  if (!at.file || at.line != w->line || (w->column && at.column != w->column)) return false;
  size_t n = strlen(at.file);
  return n >= w->len && !memcmp(at.file + n - w->len, w->file, w->len) &&
         (n == w->len || at.file[n - w->len - 1] == '/');
}
