#include <ctype.h>
#include "lines.h"

void line_free(Line *l) {
  vec_free(&l->text);
  vec_free(&l->origins);
}

static bool is_blank(unsigned char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

// The next physical line without its blanks at both ends.
static bool physical(Lines *l, Span *out, unsigned *column) {
  if (l->at >= l->text.len) return false;
  const unsigned char *start = l->text.at + l->at, *end = memchr(start, '\n', l->text.len - l->at);
  size_t len = end ? (size_t)(end - start) : l->text.len - l->at;
  l->at += len + (end != NULL);
  ++l->line;
  size_t skip = 0;
  while (skip < len && is_blank(start[skip])) ++skip;
  while (len > skip && is_blank(start[len - 1])) --len;
  *out = span_of(start + skip, len - skip);
  *column = (unsigned)skip + 1;
  return true;
}

bool lines_next(Lines *l, Line *out) {
  out->text.len = 0;
  out->origins.len = 0;
  Span part;
  unsigned column;
  bool any = false, more = true;
  while (more && physical(l, &part, &column)) {
    Origin origin = {out->text.len, l->line, column};
    vec_push(&out->origins, origin);
    more = part.len && part.at[part.len - 1] == '\\';
    vec_append(&out->text, part.at, part.len - more);
    any = true;
  }
  vec_push(&out->text, 0);
  --out->text.len;
  return any;
}

Place line_place(const Line *l, const char *file, size_t offset) {
  assert(l->origins.len);
  size_t i = l->origins.len - 1;
  while (i && l->origins.at[i].offset > offset) --i;
  const Origin *o = &l->origins.at[i];
  return (Place){file, o->line, o->column + (unsigned)(offset - o->offset)};
}

static bool starts_name(unsigned char c) {
  return isalpha(c) || c == '_' || c == '$' || c == '@' || c == '~' || c == '\'';
}

static size_t mark_length(const char *s) {
  static const char *const two[] = {":-", "!=", "<=", ">=", "=>"};
  for (size_t i = 0; i < sizeof two / sizeof *two; ++i)
    if (!strncmp(s, two[i], 2)) return 2;
  return *s && strchr("(),.:!=<>?*{};-/", *s) ? 1 : 0;
}

Token line_token(const Line *l, size_t *offset) {
  const char *s = (const char *)l->text.at;
  size_t at = *offset;
  while (at < l->text.len && is_blank((unsigned char)s[at])) ++at;
  Token t = {TOKEN_END, s + at, 0, at};
  if (at >= l->text.len) return *offset = at, t;
  size_t end = at;
  if (s[at] == '"') {
    const char *close = memchr(s + at + 1, '"', l->text.len - at - 1);
    t.kind = close ? TOKEN_TEXT : TOKEN_WRONG;
    t.at = s + at + 1;
    t.len = close ? (size_t)(close - t.at) : 0;
    return *offset = close ? (size_t)(close + 1 - s) : l->text.len, t;
  }
  if (isdigit((unsigned char)s[at])) {
    t.kind = TOKEN_NUMBER;
    while (end < l->text.len && isdigit((unsigned char)s[end])) ++end;
  } else if (starts_name((unsigned char)s[at])) {
    t.kind = TOKEN_NAME;
    while (end < l->text.len && (starts_name((unsigned char)s[end]) || isdigit((unsigned char)s[end]))) ++end;
  } else {
    size_t len = mark_length(s + at);
    t.kind = len ? TOKEN_MARK : TOKEN_WRONG;
    end = at + (len ? len : 1);
  }
  t.len = end - at;
  return *offset = end, t;
}

bool token_is(Token t, const char *mark) {
  return (t.kind == TOKEN_MARK || t.kind == TOKEN_NAME) && strlen(mark) == t.len &&
         !memcmp(t.at, mark, t.len);
}
