#include "json.h"
#include <assert.h>
#include <inttypes.h>
#include "words.h"

static void value(Json *j) {
  if (j->comma) put(j->out, ",");
  if (j->lines) put(j->out, "\n");
  j->comma = true;
}

void json_open(Json *j, char bracket) {
  value(j);
  vec_push(j->out, (unsigned char)bracket);
  j->comma = false;
}
void json_close(Json *j, char bracket) {
  vec_push(j->out, (unsigned char)bracket);
  j->comma = true;
}

// Of a character that may not be shown, which all have at most three bytes.
static unsigned code_of(Span s, size_t n) {
  assert(n && n <= 3);
  if (n == 1) return s.at[0];
  if (n == 2) return (s.at[0] & 0x1fu) << 6 | (s.at[1] & 0x3fu);
  return (s.at[0] & 0xfu) << 12 | (s.at[1] & 0x3fu) << 6 | (s.at[2] & 0x3fu);
}

static void put_quoted(Bytes *out, Span rest) {
  put(out, "\"");
  while (rest.len) {
    size_t n = utf8_length(rest);
    unsigned char c = rest.at[0];
    if (!n)
      putf(out, "\\\\x%02x", c), n = 1;
    else if (!shown_length(rest) || c == '<')
      putf(out, "\\u%04x", code_of(rest, n));
    else if (c == '"' || c == '\\')
      putf(out, "\\%c", c);
    else
      vec_append(out, rest.at, n);
    rest = span_of(rest.at + n, rest.len - n);
  }
  put(out, "\"");
}

void json_key(Json *j, const char *name) {
  value(j);
  put_quoted(j->out, span_of(name, strlen(name)));
  put(j->out, ":");
  j->comma = j->lines = false;
}

void json_text(Json *j, const char *s) {
  value(j);
  if (s)
    put_quoted(j->out, span_of(s, strlen(s)));
  else
    put(j->out, "null");
}
void json_bytes(Json *j, const Bytes *b) {
  value(j);
  put_quoted(j->out, span_of(b->at, b->len));
}
void json_number(Json *j, uint64_t n) {
  unsigned char digits[20];
  size_t i = sizeof digits;
  value(j);
  do digits[--i] = (unsigned char)('0' + n % 10);
  while (n /= 10);
  vec_append(j->out, digits + i, sizeof digits - i);
}
void json_share(Json *j, double share) {
  value(j);
  if (share == 1)
    put(j->out, "1.0");
  else
    putf(j->out, "%.6g", share);
}
void json_bool(Json *j, bool b) {
  value(j);
  put(j->out, b ? "true" : "false");
}
