#include "utf8.h"

size_t utf8_length(Span s) {
  if (!s.len) return 0;
  unsigned char c = s.at[0];
  size_t len = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
  if (len > s.len) return 0;
  for (size_t i = 1; i < len; ++i)
    if ((s.at[i] & 0xc0) != 0x80) return 0;
  if (len == 3 && ((c == 0xe0 && s.at[1] < 0xa0) || (c == 0xed && s.at[1] > 0x9f))) return 0;
  if (len == 4 && ((c == 0xf0 && s.at[1] < 0x90) || (c == 0xf4 && s.at[1] > 0x8f))) return 0;
  return len;
}
