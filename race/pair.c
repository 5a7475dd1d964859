#include "pair.h"
#include <assert.h>
#include <pthread.h>

bool pair_concurrent(const Code *c, const Access *x, const Access *y, Region *rx, Region *ry) {
  for (vec_each(i, &x->regions))
    for (vec_each(k, &y->regions)) {
      *rx = x->regions.at[i], *ry = y->regions.at[k];
      assert(rx->from <= rx->to && ry->from <= ry->to);
      if (rx->thread == ry->thread) continue;
      if (!code_before(c, *rx, *ry, true) && !code_before(c, *ry, *rx, true)) return true;
    }
  return false;
}

// How far behind the mutex an access begins. False: not known to be always the same.
static bool behind_mutex(Flow *f, const Access *x, LLVMValueRef mutex, unsigned side, int64_t *bytes) {
  Linear to, from;
  if (!x->pointer || x->bytes <= 0 || x->bytes >= ALIAS_REST) return false;
  Bv a = flow_term(f, x->pointer, x->inst, side, NULL), m = flow_term(f, mutex, x->inst, side, NULL);
  if (a == BV_NONE || m == BV_NONE) return false;
  assert(bv_at(flow_terms(f), a).width == 64 && bv_at(flow_terms(f), m).width == 64);
  const Bvs *t = flow_terms(f);
  if (!linear_of(t, a, &to) || !linear_of(t, m, &from)) return false;
  linear_subtract(&to, &from);
  *bytes = (int64_t)to.constant;
  return to.count == 0 && *bytes > -ALIAS_REST && *bytes < ALIAS_REST;
}

bool pair_under_one(Flow *f, const Access *x, LLVMValueRef m, const Access *y, LLVMValueRef n) {
  const int64_t size = sizeof(pthread_mutex_t);
  int64_t a, b;
  if (!m || !n || !behind_mutex(f, x, m, 1, &a) || !behind_mutex(f, y, n, 2, &b)) return false;
  // m - n is between these, both included, if the accesses share a byte.
  int64_t least = 1 - x->bytes - (a - b), most = y->bytes - 1 - (a - b);
  return least > -size && most < size;
}
