// FNV-1a: what a fingerprint must be is stable over versions of this tool, not secret.
#include "findings.h"

static void add(uint64_t *h, const char *text) {
  for (const char *c = text ? text : ""; *c; ++c) *h = (*h ^ (unsigned char)*c) * UINT64_C(1099511628211);
  *h = *h * UINT64_C(1099511628211) ^ 0xff;
}

// Texts as JSON keeps them, so that a finding and what was read back of it are the same.
static void add_shown(uint64_t *h, const char *text) {
  Bytes b = {0};
  if (text) put_shown(&b, text);
  vec_push(&b, 0);
  add(h, (const char *)b.at);
  vec_free(&b);
}

static uint64_t side(const FindingAccess *a) {
  uint64_t h = UINT64_C(14695981039346656037);
  add_shown(&h, a->at.file ? file_base(a->at.file) : NULL);
  add_shown(&h, a->at.function);
  return h;
}

uint64_t fingerprint(const Finding *f, uint32_t nth) {
  uint64_t a = side(&f->a), b = side(&f->b), h = a < b ? a * 31 + b : b * 31 + a;
  add(&h, f->rule);
  add_shown(&h, f->object.name);
  return (h ^ nth) * UINT64_C(1099511628211);
}

// Equal ones are counted in the order of lines, which editing above them keeps.
static bool stands_before(const Finding *a, const Finding *b) {
  if (a->a.at.line != b->a.at.line) return a->a.at.line < b->a.at.line;
  if (a->b.at.line != b->b.at.line) return a->b.at.line < b->b.at.line;
  if (a->a.at.column != b->a.at.column) return a->a.at.column < b->a.at.column;
  return a->b.at.column != b->b.at.column ? a->b.at.column < b->b.at.column : a < b;
}

uint64_t *fingerprints(const Report *r) {
  size_t n = r->findings.len;
  uint64_t *all = mem_array(n + 1, sizeof *all), *plain = mem_array(n + 1, sizeof *plain);
  for (size_t i = 0; i < n; ++i) plain[i] = fingerprint(&r->findings.at[i], 0);
  for (size_t i = 0; i < n; ++i) {
    uint32_t nth = 0;
    for (size_t k = 0; k < n; ++k)
      nth += k != i && plain[k] == plain[i] && stands_before(&r->findings.at[k], &r->findings.at[i]);
    all[i] = fingerprint(&r->findings.at[i], nth);
  }
  mem_free(plain);
  return all;
}
