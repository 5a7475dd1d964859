#include "text.h"
#include <assert.h>

static bool blank(unsigned char c) {
  return c == ' ' || c == '\t' || c == '\n';
}
static bool paren(unsigned char c) {
  return c == '(' || c == ')';
}

void text_start(Text *t, Span line) {
  t->start = t->at = line.at;
  t->end = line.at + line.len;
  t->error = NULL;
}

void text_free(Text *t) {
  vec_free(&t->scratch);
}

static TextResult fail(Text *t, const unsigned char *where, const char *error) {
  assert(t->start <= where && where <= t->end);
  t->error = error;
  t->column = (unsigned)(where - t->start) + 1;
  return TEXT_ERROR;
}

static int hex(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// At a backslash. Returns the byte, or -1 for what is no escape.
static int unescape(Text *t) {
  static const char from[] = "\"\\ntr", to[] = "\"\\\n\t\r";
  assert(*t->at == '\\');
  const char *known = t->end - t->at < 2 ? NULL : memchr(from, t->at[1], sizeof from - 1);
  if (known) {
    t->at += 2;
    return to[known - from];
  }
  if (t->end - t->at < 4 || t->at[1] != 'x' || hex(t->at[2]) < 0 || hex(t->at[3]) < 0) return -1;
  int c = hex(t->at[2]) << 4 | hex(t->at[3]);
  t->at += 4;
  return c;
}

static TextResult quoted(Text *t, Word *w) {
  const unsigned char *open = t->at++;
  for (;;) {
    const unsigned char *plain = t->at;
    while (t->at < t->end && *t->at != '"' && *t->at != '\\') ++t->at;
    vec_append(&t->scratch, plain, (size_t)(t->at - plain));
    if (t->at == t->end) return fail(t, open, "a quote without a closing quote");
    if (*t->at == '"') break;
    const unsigned char *escape = t->at;
    int c = unescape(t);
    if (c < 0) return fail(t, escape, "not an escape; use \\\" \\\\ \\n \\t \\r or \\x with two hex digits");
    vec_push(&t->scratch, (unsigned char)c);
  }
  if (++t->at < t->end && !blank(*t->at) && !(t->parens && paren(*t->at)))
    return fail(t, t->at, "a space must follow the closing quote");
  w->quoted = true;
  return TEXT_WORD;
}

static TextResult bare(Text *t) {
  const unsigned char *first = t->at;
  if (t->parens && paren(*first)) {
    ++t->at;
  } else {
    while (t->at < t->end && !blank(*t->at) && *t->at != '"' && !(t->parens && paren(*t->at))) ++t->at;
    if (t->at < t->end && *t->at == '"') return fail(t, t->at, "a quote inside a word");
  }
  vec_append(&t->scratch, first, (size_t)(t->at - first));
  return TEXT_WORD;
}

TextResult text_next(Text *t, Word *w) {
  bool comment = false;
  assert(t->start <= t->at && t->at <= t->end);
  for (; t->at < t->end && (comment || blank(*t->at) || *t->at == '#'); ++t->at)
    comment = *t->at != '\n' && (comment || *t->at == '#');
  *w = (Word){.column = (unsigned)(t->at - t->start) + 1};
  if (t->at == t->end) return TEXT_END;
  t->scratch.len = 0;
  TextResult r = *t->at == '"' ? quoted(t, w) : bare(t);
  vec_push(&t->scratch, 0);
  w->at = (const char *)t->scratch.at;
  w->len = t->scratch.len - 1;
  return r;
}

bool word_is(const Word *w, const char *s) {
  assert(w->at);
  return !w->quoted && !strcmp(w->at, s);
}

bool word_number(const Word *w, uint64_t most, uint64_t *value) {
  uint64_t n = 0;
  if (w->quoted || !w->len || (w->at[0] == '0' && w->len > 1)) return false;
  for (size_t i = 0; i < w->len; ++i) {
    unsigned digit = (unsigned char)w->at[i] - '0';
    if (digit > 9 || __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, digit, &n)) return false;
  }
  *value = n;
  return n <= most;
}

size_t text_bad(Span s) {
  for (size_t i = 0, len; i < s.len; i += len) {
    unsigned char c = s.at[i];
    len = c < 0x80 ? 1 : utf8_length(span_of(s.at + i, s.len - i));
    if (!len || c == 0x7f || (c < ' ' && c != '\n' && c != '\t')) return i;
  }
  return s.len;
}

static bool needs_quotes(const char *s, size_t len, bool parens) {
  if (!len || *s == '#' || text_bad(span_of(s, len)) < len) return true;
  for (size_t i = 0; i < len; ++i) {
    unsigned char c = (unsigned char)s[i];
    if (c >= 0x80 && !shown_length(span_of(s + i, len - i)) && utf8_length(span_of(s + i, len - i)))
      return true;
    if (c <= ' ' || c == '"' || (parens && paren(c))) return true;
  }
  return false;
}

void text_put(Bytes *out, const char *s, size_t len, bool parens) {
  if (needs_quotes(s, len, parens))
    text_put_quoted(out, s, len);
  else
    vec_append(out, s, len);
}

static void escape(Bytes *out, unsigned char c) {
  static const char from[] = "\"\\\n\t\r", to[] = "\"\\ntr", digits[] = "0123456789abcdef";
  const char *known = memchr(from, c, sizeof from - 1);
  vec_push(out, '\\');
  if (known) {
    vec_push(out, (unsigned char)to[known - from]);
  } else {
    vec_push(out, 'x');
    vec_push(out, (unsigned char)digits[c >> 4]);
    vec_push(out, (unsigned char)digits[c & 15]);
  }
}

void text_put_quoted(Bytes *out, const char *s, size_t len) {
  const unsigned char *at = (const unsigned char *)s;
  vec_push(out, '"');
  for (size_t i = 0, n; i < len; i += n) {
    n = shown_length(span_of(at + i, len - i));
    if (n > 1 || (n == 1 && at[i] != '"' && at[i] != '\\'))
      vec_append(out, at + i, n);
    else
      escape(out, at[i]), n = 1;
  }
  vec_push(out, '"');
}

void text_put_number(Bytes *out, uint64_t n) {
  unsigned char digits[20];
  size_t i = sizeof digits;
  do digits[--i] = (unsigned char)('0' + n % 10);
  while (n /= 10);
  vec_append(out, digits + i, sizeof digits - i);
}
