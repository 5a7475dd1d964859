#include "model.h"
#include <assert.h>
#include <stdlib.h>

void model_free(Model *m) {
  vec_free(&m->vars), vec_free(&m->values);
}

static int by_number(const void *a, const void *b) {
  Bv x = *(const Bv *)a, y = *(const Bv *)b;
  return (x > y) - (x < y);
}

void model_vars(const Bvs *t, const Bv *terms, size_t count, BvVec *out) {
  BvVec work = {0};
  Map *seen = map_new();
  vec_append(&work, terms, count);
  while (work.len) {
    Bv x = vec_pop(&work);
    if (map_or(seen, x, 0)) continue;
    map_put(seen, x, 1);
    BvTerm e = bv_at(t, x);
    if (e.op == BV_VAR) vec_push(out, x);
    Bv parts[] = {e.a, e.b, e.c};
    for (int i = 0; i < 3; ++i)
      if (parts[i] != BV_NONE) vec_push(&work, parts[i]);
  }
  if (out->len) qsort(out->at, out->len, sizeof *out->at, by_number);
  map_free(seen);
  vec_free(&work);
}

static bool value_of_var(const Model *m, Bv x, uint64_t *out) {
  assert(m->vars.len == m->values.len);
  const Bv *at = m->vars.len ? bsearch(&x, m->vars.at, m->vars.len, sizeof x, by_number) : NULL;
  if (at) *out = m->values.at[at - m->vars.at];
  return at != NULL;
}

// Operands first. Terms can be deep: no recursion.
bool model_value(const Bvs *t, const Model *m, Bv root, uint64_t *out) {
  BvVec work = {0};
  Map *values = map_new();
  bool ok = true;
  vec_push(&work, root);
  while (work.len && ok) {
    Bv x = vec_last(&work);
    BvTerm e = bv_at(t, x);
    Bv parts[] = {e.a, e.b, e.c};
    uint64_t part[3] = {0}, value = e.value;
    size_t before = work.len;
    for (int i = 0; i < 3; ++i)
      if (parts[i] != BV_NONE && !map_get(values, parts[i], &part[i])) vec_push(&work, parts[i]);
    if (work.len > before) continue;
    work.len--;
    if (e.op == BV_VAR) ok = value_of_var(m, x, &value);
    if (e.op > BV_VAR) value = bv_compute(t, x, part);
    map_put(values, x, value & bv_mask(e.width));
  }
  ok = ok && map_get(values, root, out);
  map_free(values);
  vec_free(&work);
  return ok;
}
