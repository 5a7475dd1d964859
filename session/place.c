#include "place.h"
#include <stdlib.h>

bool place_parse(const char *text, PlaceWanted *out) {
  const char *colon = strrchr(text, ':');
  char *end;
  if (!colon || colon == text || !colon[1]) return false;
  unsigned long n = strtoul(colon + 1, &end, 10);
  *out = (PlaceWanted){text, (size_t)(colon - text), (unsigned)n};
  return !*end && n && n < UINT32_MAX;
}

bool place_matches(const PlaceWanted *w, Place at) {
  if (!at.file || at.line != w->line) return false;
  size_t n = strlen(at.file);
  return n >= w->len && !memcmp(at.file + n - w->len, w->file, w->len) &&
         (n == w->len || at.file[n - w->len - 1] == '/');
}
