#include "fields.h"
#include <assert.h>
#include "checked.h"

static bool plain(unsigned char c) {
  return c >= ' ' && c != '\\' && c != 0x7f;
}

void fields_put(Bytes *out, const char *key, const char *value) {
  static const char hex[] = "0123456789abcdef";
  assert(*key && !strpbrk(key, " \n"));
  bytes_text(out, key);
  vec_push(out, ' ');
  for (const unsigned char *p = (const unsigned char *)value; *p; ++p) {
    if (plain(*p)) {
      vec_push(out, *p);
    } else {
      char code[4] = {'\\', 'x', hex[*p >> 4], hex[*p & 15]};
      vec_append(out, code, 4);
    }
  }
  vec_push(out, '\n');
}

void fields_putf(Bytes *out, const char *key, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *value = mem_vformat(fmt, args);
  va_end(args);
  fields_put(out, key, value);
  mem_free(value);
}

Fields fields_open(Span text) {
  return (Fields){.text = text};
}

static int digit(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Undoes the escapes in place.
static bool unescape(char *s) {
  char *to = s;
  while (*s) {
    if (*s != '\\') {
      *to++ = *s++;
      continue;
    }
    int high = s[1] == 'x' ? digit((unsigned char)s[2]) : -1,
        low = high < 0 ? -1 : digit((unsigned char)s[3]);
    if (low < 0 || !(high | low)) return false;
    *to++ = (char)(high << 4 | low);
    s += 4;
  }
  *to = 0;
  return true;
}

bool fields_next(Fields *f) {
  if (f->wrong || f->at >= f->text.len) return false;
  const unsigned char *line = f->text.at + f->at;
  const unsigned char *end = memchr(line, '\n', f->text.len - f->at);
  const unsigned char *space = end ? memchr(line, ' ', (size_t)(end - line)) : NULL;
  ++f->line;
  f->wrong = !space || memchr(line, 0, (size_t)(end - line));
  if (f->wrong) return false;
  fields_close(f);
  f->key = mem_format("%.*s", (int)(space - line), (const char *)line);
  f->value = mem_alloc((size_t)(end - space));
  memcpy(f->value, space + 1, (size_t)(end - space - 1));
  f->at = (size_t)(end + 1 - f->text.at);
  f->wrong = !unescape(f->value);
  CHECKED(fields_check(f));
  return !f->wrong;
}

void fields_close(Fields *f) {
  mem_free(f->key);
  mem_free(f->value);
  f->key = f->value = NULL;
}

void fields_check(const Fields *f) {
  assert(f->at <= f->text.len);
  assert(!f->at || f->text.at[f->at - 1] == '\n');  // it stands where a line begins
  assert(!f->at || f->line);
  assert(!f->key == !f->value);
  assert(!f->key || !strchr(f->key, ' '));
}
