#include "shown.h"
#include <stdbool.h>
#include <stdio.h>
#include "mem.h"
#include "utf8.h"

// U+0080 to U+009F are control characters too: some terminals obey them. U+061C, U+200E, U+200F, U+202A to
// U+202E and U+2066 to U+2069 turn the direction of writing, U+2028 and U+2029 end a line.
static bool is_control(Span s, size_t n) {
  if (n == 1) return s.at[0] < ' ' || s.at[0] == 0x7f;
  if (n == 2) return (s.at[0] == 0xc2 && s.at[1] < 0xa0) || (s.at[0] == 0xd8 && s.at[1] == 0x9c);
  if (n != 3 || s.at[0] != 0xe2) return false;
  unsigned last = s.at[2];
  return (s.at[1] == 0x80 && (last == 0x8e || last == 0x8f || (last >= 0xa8 && last <= 0xae))) ||
         (s.at[1] == 0x81 && last >= 0xa6 && last <= 0xa9);
}

size_t shown_length(Span s) {
  size_t n = utf8_length(s);
  return n && is_control(s, n) ? 0 : n;
}

static void put_byte(Bytes *out, unsigned char c) {
  char text[5];
  snprintf(text, sizeof text, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\x%02x", c);
  bytes_text(out, text);
}

void put_shown_span(Bytes *out, Span rest) {
  while (rest.len) {
    size_t n = shown_length(rest);
    if (n)
      vec_append(out, rest.at, n);
    else
      put_byte(out, rest.at[0]), n = 1;
    rest = span_of(rest.at + n, rest.len - n);
  }
}

void put_shown(Bytes *out, const char *s) {
  put_shown_span(out, span_of(s, strlen(s)));
}

char *shown(const char *s) {
  Bytes b = {0};
  put_shown(&b, s);
  vec_push(&b, 0);
  return (char *)b.at;
}
