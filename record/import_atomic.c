// Atomic operations: what a recording says of one, as the text of its event. What it read tells whether an
// event wrote that. If none did, a variable was written by code that is no event; and memory without a name
// was used again, which makes it another object.
#include <assert.h>
#include "importer.h"

static ImportCell *cell_of(Importer *k, uint32_t recorded) {
  uint64_t at = map_or(k->cell_of, recorded, 0);
  if (!at) {
    vec_push(&k->cells, ((ImportCell){{0}, {false}}));
    map_put(k->cell_of, recorded, at = k->cells.len);
  }
  return &k->cells.at[at - 1];
}

static bool fits(const ImportCell *c, const AtomicEffect *x) {
  for (unsigned b = 0; x->has_was && b < x->bytes; ++b)
    if (c->known[x->first + b] && c->value[x->first + b] != (uint8_t)(x->was >> 8 * b)) return false;
  return true;
}

static void learn(ImportCell *c, const AtomicEffect *x, bool has, uint64_t value) {
  for (unsigned b = 0; b < x->bytes; ++b) {
    c->known[x->first + b] = has;
    c->value[x->first + b] = has ? (uint8_t)(value >> 8 * b) : 0;
  }
}

static bool effect_of(ImportThread *t, RtEntry e, AtomicEffect *x) {
  static const EffectKind kinds[] = {EFFECT_READ, EFFECT_WRITE, EFFECT_UPDATE, EFFECT_FENCE};
  RtAtomic a = rt_atomic_of(e.extra);
  bool has_was = e.extra & RT_ATOMIC_OLD, has_now = e.extra & RT_ATOMIC_NEW;
  if (t->value_count < (unsigned)has_was + has_now) return false;
  *x = (AtomicEffect){.kind = (uint8_t)kinds[a.effect], .order = (uint8_t)a.order, .first = (uint8_t)a.first};
  x->bytes = (uint8_t)a.bytes;
  x->has_was = has_was, x->has_now = has_now;
  x->was = has_was ? t->values[0] : 0, x->now = has_now ? t->values[has_was] : 0;
  return x->kind != EFFECT_FENCE && effect_is_whole(x);
}

static bool add(Importer *k, ImportThread *t, int kind, uint32_t site, uint32_t object,
                const AtomicEffect *x) {
  char text[EFFECT_TEXT];
  if (site == SIGMA_NONE) return import_stop(k, "an atomic operation in code outside the module");
  effect_print(x, text);
  Event *v = import_event(k, t, kind, site);
  v->object = object;
  v->other = sigma_intern(k->s, text);
  return true;
}

// Behind all that came before the operation: where the loop stood before nobody can tell.
static void await(Importer *k, ImportThread *t) {
  uint32_t site = import_site(k, t->await.site);
  t->await.op = RT_NONE;
  if (site != SIGMA_NONE) import_event(k, t, SYNC_AWAIT, site);
}

bool import_atomic(Importer *k, ImportThread *t, RtEntry e, uint32_t site) {
  AtomicEffect x;
  bool whole = effect_of(t, e, &x), anew = false;
  t->value_count = 0;
  if (!whole) return import_stop(k, "an atomic operation that none can be");
  uint32_t object = import_object(k, e.object);
  if (object == SIGMA_NONE || k->c->objects.at[object].family != SYNC_CELL)
    return import_stop(k, "an atomic operation on an object of another kind");
  if (t->await.op == RT_AWAIT) await(k, t);
  ImportCell *c = cell_of(k, e.object);
  if (!fits(c, &x)) {
    anew = k->c->objects.at[object].name != SIGMA_NONE;
    if (!anew) *c = (ImportCell){{0}, {false}};
    uint32_t other = anew ? object : import_new_object(k, e.object);
    if (!anew) map_put(k->object_of, e.object, object = other);
  }
  if (x.kind == EFFECT_READ && x.has_was) learn(c, &x, true, x.was);
  if (x.kind == EFFECT_READ && anew && !x.has_was) learn(c, &x, false, 0);
  if (x.kind != EFFECT_READ) learn(c, &x, x.has_now, x.now);
  if (!add(k, t, SYNC_ATOMIC, site, object, &x)) return false;
  if (anew) vec_last(&k->c->events).wake = EVENT_ANEW;
  return true;
}

bool import_fence(Importer *k, ImportThread *t, RtEntry e, uint32_t site) {
  AtomicEffect x = {.kind = EFFECT_FENCE, .order = (uint8_t)(e.seq <= RT_SEQ_CST ? e.seq : RT_SEQ_CST)};
  if (x.order == ORDER_RELAXED) return true;
  return add(k, t, SYNC_FENCE, site, SIGMA_NONE, &x);
}
