#include "ar.h"
#include <ar.h>

static const char thin_magic[] = "!<thin>\n";

bool ar_is(Span f) {
  return f.len >= SARMAG && (!memcmp(f.at, ARMAG, SARMAG) || !memcmp(f.at, thin_magic, SARMAG));
}

Ar ar_open(Span file) {
  Ar ar = {.file = file, .at = SARMAG};
  if (!ar_is(file))
    ar.wrong = "not an archive";
  else
    ar.thin = !memcmp(file.at, thin_magic, SARMAG);
  return ar;
}

// A number in a field padded with blanks; SIZE_MAX if it is none.
static size_t number(const char *p, size_t len) {
  size_t n = 0, i = 0;
  for (; i < len && p[i] >= '0' && p[i] <= '9'; ++i) {
    if (n > SIZE_MAX / 16) return SIZE_MAX;
    n = n * 10 + (size_t)(p[i] - '0');
  }
  if (!i) return SIZE_MAX;
  for (; i < len; ++i)
    if (p[i] != ' ') return SIZE_MAX;
  return n;
}

static Span trimmed(const char *p, size_t len, char stop) {
  const char *end = memchr(p, stop, len);
  if (!end)
    for (end = p + len; end > p && end[-1] == ' ';) --end;
  return span_of((const unsigned char *)p, (size_t)(end - p));
}

// "/123": a name in the name table, up to "/\n".
static bool long_name(Ar *ar, size_t at, Span *name) {
  if (at >= ar->names.len) return false;
  const char *start = (const char *)ar->names.at + at;
  const char *end = memchr(start, '\n', ar->names.len - at);
  if (!end) return false;
  *name = span_of(ar->names.at + at, (size_t)(end - start));
  if (name->len && end[-1] == '/') --name->len;
  return true;
}

typedef enum { AR_MEMBER, AR_INDEX, AR_NAMES, AR_BROKEN } Kind;

// The tables of a thin archive are inside it.
static bool table(const struct ar_hdr *h) {
  return h->ar_name[0] == '/' && (h->ar_name[1] < '0' || h->ar_name[1] > '9');
}

static Kind classify(Ar *ar, const struct ar_hdr *h, ArMember *m) {
  if (h->ar_name[0] == '/' && h->ar_name[1] == '/') return AR_NAMES;
  if (!memcmp(h->ar_name, "/ ", 2) || !memcmp(h->ar_name, "/SYM64/", 7)) return AR_INDEX;
  if (h->ar_name[0] == '/') {
    size_t at = number(h->ar_name + 1, sizeof h->ar_name - 1);
    return long_name(ar, at, &m->name) ? AR_MEMBER : AR_BROKEN;
  }
  if (!memcmp(h->ar_name, "#1/", 3)) {
    size_t len = number(h->ar_name + 3, sizeof h->ar_name - 3);
    if (len > m->data.len) return AR_BROKEN;
    m->name = trimmed((const char *)m->data.at, len, '\0');
    m->data = span_of(m->data.at + len, m->data.len - len);
  } else {
    m->name = trimmed(h->ar_name, sizeof h->ar_name, '/');
  }
  return m->name.len >= 9 && !memcmp(m->name.at, "__.SYMDEF", 9) ? AR_INDEX : AR_MEMBER;
}

bool ar_next(Ar *ar, ArMember *out) {
  while (!ar->wrong && ar->at < ar->file.len) {
    if (ar->file.len - ar->at < sizeof(struct ar_hdr)) break;
    const struct ar_hdr *h = (const struct ar_hdr *)(ar->file.at + ar->at);  // characters only
    size_t size = number(h->ar_size, sizeof h->ar_size), body = ar->at + sizeof *h;
    if (memcmp(h->ar_fmag, ARFMAG, 2) || size == SIZE_MAX) break;
    bool here = !ar->thin || table(h);
    if (here && size > ar->file.len - body) break;
    *out = (ArMember){.data = span_of(ar->file.at + body, here ? size : 0)};
    Kind kind = classify(ar, h, out);
    if (kind == AR_BROKEN) break;
    if (kind == AR_NAMES) ar->names = out->data;
    ar->at = body + (here ? size + (size & 1) : 0);
    if (kind == AR_MEMBER) return true;
  }
  if (!ar->wrong && ar->at < ar->file.len) ar->wrong = "broken archive member";
  return false;
}
