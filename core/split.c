#include "split.h"
#include <assert.h>
#include <stdbool.h>

// Decimal without leading zeros, so that a site has one name only.
static bool parse_ordinal(const char *digits, size_t len, uint32_t *ordinal) {
  if (!len || len > 9 || (len > 1 && *digits == '0')) return false;
  *ordinal = 0;
  for (size_t i = 0; i < len; ++i) {
    if (digits[i] < '0' || digits[i] > '9') return false;
    *ordinal = *ordinal * 10 + (uint32_t)(digits[i] - '0');
  }
  return true;
}

size_t place_split(const char *name, size_t len, char mark, uint32_t *ordinal) {
  assert(mark && (mark < '0' || mark > '9'));
  size_t at = len;
  while (at && name[at - 1] != mark) --at;
  return at && parse_ordinal(name + at, len - at, ordinal) ? at - 1 : 0;
}
