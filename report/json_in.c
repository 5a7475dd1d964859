#include "json_in.h"
#include <stdlib.h>

enum { DEEPEST = 200 };

void in_wrong(JsonIn *in, const char *what) {
  if (!in->wrong) diag(in->diags, DIAG_ERROR, (Place){in->file, in->line, 0}, "%s", what);
  in->wrong = true;
}

void in_free(JsonIn *in) {
  vec_free(&in->word);
}

// What comes next, behind white space; 0 at the end.
static unsigned char peek(JsonIn *in) {
  for (; !in->wrong && in->at < in->text.len; ++in->at) {
    unsigned char c = in->text.at[in->at];
    if (c == '\n') ++in->line;
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return c;
  }
  return 0;
}

static void expect(JsonIn *in, unsigned char c, const char *what) {
  if (peek(in) == c && c)
    ++in->at;
  else
    in_wrong(in, what);
}

static bool takes(JsonIn *in, const char *word) {
  size_t n = strlen(word);
  if (peek(in) != (unsigned char)*word || in->text.len - in->at < n || memcmp(in->text.at + in->at, word, n))
    return false;
  in->at += n;
  return true;
}

static unsigned hex4(JsonIn *in) {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i, ++in->at) {
    unsigned char c = in->at < in->text.len ? in->text.at[in->at] : 0, low = c | 0x20;
    if (c >= '0' && c <= '9')
      value = value << 4 | (c - '0');
    else if (low >= 'a' && low <= 'f')
      value = value << 4 | (low - 'a' + 10u);
    else
      return in_wrong(in, "\\u without four hexadecimal digits"), 0;
  }
  return value;
}

static void put_code(Bytes *out, unsigned c) {
  if (c < 0x80) {
    vec_push(out, (unsigned char)c);
    return;
  }
  unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned lead[] = {0, 0xc0, 0xe0, 0xf0};
  vec_push(out, (unsigned char)(lead[more] | c >> 6 * more));
  while (more--) vec_push(out, (unsigned char)(0x80 | (c >> 6 * more & 0x3f)));
}

static void take_code(JsonIn *in) {
  unsigned c = hex4(in);
  if (c >= 0xd800 && c < 0xdc00 && in->text.len - in->at > 6 && !memcmp(in->text.at + in->at, "\\u", 2)) {
    in->at += 2;
    unsigned low = hex4(in);
    c = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00) : 0xd800;
  }
  if (in->wrong) return;
  if (!c || (c >= 0xd800 && c < 0xe000))
    in_wrong(in, c ? "incomplete surrogate pair" : "a text holds a NUL");
  else
    put_code(&in->word, c);
}

static void take_escape(JsonIn *in) {
  static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
  unsigned char c = in->at < in->text.len ? in->text.at[in->at++] : 0;
  const char *found = c ? strchr(names, c) : NULL;
  if (c == 'u')
    take_code(in);
  else if (found)
    vec_push(&in->word, (unsigned char)bytes[found - names]);
  else
    in_wrong(in, "not a JSON escape");
}

static void take_quoted(JsonIn *in) {
  in->word.len = 0;
  expect(in, '"', "a text is missing here");
  while (!in->wrong) {
    Span rest = span_of(in->text.at + in->at, in->text.len - in->at);
    size_t n = rest.len ? utf8_length(rest) : 0;
    if (!n || rest.at[0] < ' ') {
      in_wrong(in, rest.len ? "a string has a byte that JSON does not allow" : "the string does not end");
    } else if (rest.at[0] == '\\') {
      ++in->at;
      take_escape(in);
    } else {
      in->at += n;
      if (rest.at[0] == '"') break;
      vec_append(&in->word, rest.at, n);
    }
  }
  vec_push(&in->word, 0);
}

// Whether another value stands before the bracket that ends; takes the comma, or that bracket.
static bool more(JsonIn *in, unsigned char end) {
  bool first = in->first;
  in->first = false;
  if (peek(in) == end && end) return ++in->at, false;
  if (!first) expect(in, ',', end == '}' ? "expected , or }" : "expected , or ]");
  return !in->wrong;
}

void in_object(JsonIn *in) {
  expect(in, '{', "expected an object");
  in->first = true;
}
void in_array(JsonIn *in) {
  expect(in, '[', "expected an array");
  in->first = true;
}
bool in_item(JsonIn *in) {
  return more(in, ']');
}
const char *in_key(JsonIn *in) {
  if (!more(in, '}')) return NULL;
  take_quoted(in);
  expect(in, ':', "expected : after the name");
  return in->wrong ? NULL : (const char *)in->word.at;
}

bool in_null(JsonIn *in) {
  return takes(in, "null");
}

const char *in_text(JsonIn *in) {
  if (in_null(in)) return NULL;
  take_quoted(in);
  return in->wrong ? NULL : (const char *)in->word.at;
}

uint64_t in_number(JsonIn *in, uint64_t most) {
  uint64_t n = 0;
  unsigned char c = peek(in);
  if (c < '0' || c > '9') return in_wrong(in, "expected a number"), 0;
  for (; in->at < in->text.len; ++in->at) {
    c = in->text.at[in->at];
    if (c == '.' || c == 'e' || c == 'E') return in_wrong(in, "expected a whole number"), 0;
    if (c < '0' || c > '9') break;
    if (n > (most - (c - '0')) / 10 || most < (uint64_t)(c - '0'))
      return in_wrong(in, "the number is too large"), 0;
    n = n * 10 + (c - '0');
  }
  return n;
}

// Digits, point and exponent are all that strtod is shown, so that no locale and no "inf" comes in.
static double real(JsonIn *in) {
  char digits[64];
  size_t n = 0;
  peek(in);
  while (n + 1 < sizeof digits && in->at < in->text.len && in->text.at[in->at] &&
         strchr("0123456789.+-eE", in->text.at[in->at]))
    digits[n++] = (char)in->text.at[in->at++];
  digits[n] = 0;
  char *end;
  double value = strtod(digits, &end);
  if (!n || *end || !strchr("-0123456789", digits[0])) return in_wrong(in, "expected a number"), 0;
  return value;
}

double in_share(JsonIn *in) {
  double value = real(in);
  if (!(value >= 0 && value <= 1)) return in_wrong(in, "expected a number from 0 to 1"), 0;
  return value;
}

bool in_bool(JsonIn *in) {
  if (takes(in, "true")) return true;
  if (!takes(in, "false")) in_wrong(in, "expected true or false");
  return false;
}

static void skip(JsonIn *in, int depth) {
  unsigned char c = peek(in);
  if (depth > DEEPEST) {
    in_wrong(in, "nested too deeply");
  } else if (c == '{') {
    for (in_object(in); in_key(in);) skip(in, depth + 1);
  } else if (c == '[') {
    for (in_array(in); in_item(in);) skip(in, depth + 1);
  } else if (c == '"') {
    take_quoted(in);
  } else if (!takes(in, "true") && !takes(in, "false") && !takes(in, "null")) {
    real(in);
  }
}
void in_skip(JsonIn *in) {
  skip(in, 0);
}

void in_end(JsonIn *in) {
  if (peek(in) || in->at < in->text.len) in_wrong(in, "unexpected text after the end");
}
