#include "linear.h"
#include <assert.h>

static void add_part(Linear *l, Bv atom, uint64_t factor) {
  unsigned i = 0;
  if (l->count > LIMIT_LINEAR) return;
  while (i < l->count && l->part[i].atom < atom) ++i;
  if (i < l->count && l->part[i].atom == atom) {
    l->part[i].factor = (l->part[i].factor + factor) & bv_mask(l->width);
    if (l->part[i].factor) return;
    memmove(l->part + i, l->part + i + 1, (--l->count - i) * sizeof *l->part);
    return;
  }
  if (!(factor & bv_mask(l->width))) return;
  if (l->count == LIMIT_LINEAR) {
    l->count = LIMIT_LINEAR + 1;
    return;
  }
  memmove(l->part + i + 1, l->part + i, (l->count - i) * sizeof *l->part);
  l->part[i] = (LinearPart){atom, factor & bv_mask(l->width)};
  l->count++;
}

static void add(const Bvs *t, Bv x, uint64_t factor, Linear *l, int depth) {
  BvTerm e = bv_at(t, x);
  uint64_t c;
  if (l->count > LIMIT_LINEAR || !factor) return;
  if (e.op == BV_CONST) {
    l->constant += factor * e.value;
  } else if (e.op == BV_ADD && depth) {
    add(t, e.a, factor, l, depth - 1);
    add(t, e.b, factor, l, depth - 1);
  } else if (e.op == BV_SUB && depth) {
    add(t, e.a, factor, l, depth - 1);
    add(t, e.b, 0 - factor, l, depth - 1);
  } else if (e.op == BV_MUL && depth && bv_is_const(t, e.b, &c)) {
    add(t, e.a, factor * c, l, depth - 1);
  } else {
    add_part(l, x, factor);
  }
}

bool linear_of(const Bvs *t, Bv x, Linear *out) {
  *out = (Linear){.width = bv_at(t, x).width};
  add(t, x, 1, out, 40);
  out->constant &= bv_mask(out->width);
  for (unsigned i = 1; i < out->count && i < LIMIT_LINEAR; ++i)
    assert(out->part[i - 1].atom < out->part[i].atom);
  return out->count <= LIMIT_LINEAR;
}

void linear_subtract(Linear *x, const Linear *y) {
  assert(x->width == y->width && y->count <= LIMIT_LINEAR);
  x->constant = (x->constant - y->constant) & bv_mask(x->width);
  for (unsigned i = 0; i < y->count; ++i) add_part(x, y->part[i].atom, 0 - y->part[i].factor);
}
