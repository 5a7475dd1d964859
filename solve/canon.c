#include "canon.h"

typedef struct {
  const Bvs *t;
  Map *number;  // of a term that is written
  uint32_t variables;
  Bytes *out;
} Canon;

static void put(Canon *c, uint64_t x) {
  for (size_t i = 0; i < sizeof x; ++i) vec_push(c->out, (unsigned char)(x >> 8 * i));
}

// Variables by the order in which they are met.
static void write_term(Canon *c, Bv x) {
  BvTerm e = bv_at(c->t, x);
  Bv parts[] = {e.a, e.b, e.c};
  put(c, (uint64_t)e.op << 8 | e.width);
  put(c, e.op == BV_VAR ? c->variables++ : e.value);
  for (int i = 0; i < 3; ++i)
    if (parts[i] != BV_NONE) put(c, map_or(c->number, parts[i], 0));
  map_put(c->number, x, map_count(c->number));
}

void canon_write(const Bvs *t, const Bv *terms, size_t count, Bytes *out) {
  Canon c = {t, map_new(), 0, out};
  BvVec work = {0};
  uint64_t number;
  for (size_t i = 0; i < count; ++i) {
    for (vec_push(&work, terms[i]); work.len;) {  // operands first; terms can be deep
      Bv x = vec_last(&work);
      BvTerm e = bv_at(t, x);
      Bv parts[] = {e.a, e.b, e.c};
      size_t before = work.len;
      bool known = map_get(c.number, x, &number);
      for (int k = 0; k < 3 && !known; ++k)
        if (parts[k] != BV_NONE && !map_get(c.number, parts[k], &number)) vec_push(&work, parts[k]);
      if (work.len > before) continue;
      work.len--;
      if (!known) write_term(&c, x);
    }
    put(&c, UINT64_MAX), put(&c, map_or(c.number, terms[i], 0));
  }
  map_free(c.number);
  vec_free(&work);
}
