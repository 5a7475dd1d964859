// The enforced order and the happens-before credit, against the rules of docs/sigma.md applied pair by pair:
// slow, and written without looking at sigma/walk.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "sim.h"

typedef struct {
  const Schedule *c;
  uint32_t n;
  bool *enforced, *credited;  // n * n
} Rules;

static const Event *at(const Rules *r, uint32_t i) {
  return &r->c->events.at[i];
}
static void edge(Rules *r, uint32_t a, uint32_t b, bool credit) {
  if (a >= b) return;
  r->enforced[(size_t)a * r->n + b] = true;
  if (credit) r->credited[(size_t)a * r->n + b] = true;
}
static bool ok(const Event *e) {
  return e->outcome == SYNC_OK;
}
static bool is(const Event *e, int kind, uint32_t object) {
  return e->kind == kind && e->object == object;
}

// What an event does to this mutex, spin lock or (exclusively) rwlock: 1 takes, -1 frees, 0 neither.
static int grip(const Event *e, uint32_t lock) {
  if (e->kind == SYNC_WAIT && e->other == lock) {
    if (e->phase == EVENT_ARRIVE) return ok(e) ? -1 : 0;
    return e->outcome == SYNC_NOTRECOVERABLE ? 0 : 1;
  }
  if (is(e, SYNC_LOCK, lock)) return ok(e) || e->outcome == SYNC_OWNERDEAD;
  return is(e, SYNC_UNLOCK, lock) && ok(e) ? -1 : 0;
}

static void lock_rules(Rules *r, uint32_t lock) {
  uint32_t owner = SIGMA_NONE, depth = 0, taken = 0;
  for (uint32_t i = 0; i < r->n; ++i) {
    const Event *e = at(r, i);
    int g = grip(e, lock);
    if (g == 1 && e->outcome == SYNC_OWNERDEAD) {
      for (uint32_t x = 0; x < i; ++x)
        if (at(r, x)->kind == SYNC_EXIT && at(r, x)->thread == owner) edge(r, x, i, true);
      owner = SIGMA_NONE;
      depth = 0;
    }
    if (g == 1 && ++depth == 1) owner = e->thread, taken = i;
    if (is(e, SYNC_LOCK, lock) && (e->outcome == SYNC_BUSY || e->outcome == SYNC_TIMEDOUT) &&
        owner != e->thread) {
      edge(r, taken, i, false);
      uint32_t held = depth;
      for (uint32_t x = i + 1; x < r->n && held; ++x) {
        held += (uint32_t)grip(at(r, x), lock);
        if (!held) edge(r, i, x, false);
        if (r->c->objects.at[lock].robust && at(r, x)->kind == SYNC_EXIT && at(r, x)->thread == owner) {
          edge(r, i, x, false);
          break;
        }
      }
    }
    if (g != -1 || --depth) continue;
    // A release, to every later acquire.
    uint32_t inside = 0;
    for (uint32_t x = i + 1; x < r->n; ++x) {
      int later = grip(at(r, x), lock);
      if (later == 1 && at(r, x)->outcome == SYNC_OWNERDEAD) inside = 0;
      if (later == 1 && !inside && at(r, x)->outcome != SYNC_OWNERDEAD) edge(r, i, x, true);
      inside += (uint32_t)later;
    }
  }
}

static void rwlock_rules(Rules *r, uint32_t lock) {
  uint32_t writer = SIGMA_NONE, readers[128] = {0}, since[128] = {0}, taken = 0;
  assert(r->c->threads <= 128);
  for (uint32_t i = 0; i < r->n; ++i) {
    const Event *e = at(r, i);
    if (e->object != lock) continue;
    uint32_t t = e->thread;
    if (e->kind == SYNC_LOCK && ok(e)) writer = t, taken = i;
    if (e->kind == SYNC_RDLOCK && ok(e) && !readers[t]++) since[t] = i;
    if (e->outcome == SYNC_BUSY || e->outcome == SYNC_TIMEDOUT) {
      // Behind the acquire, and before the release, of one who holds it: the one who has read longest.
      uint32_t holder = writer;
      for (uint32_t x = 0; writer == SIGMA_NONE && x < r->c->threads; ++x)
        if (readers[x] && (holder == SIGMA_NONE || since[x] < since[holder])) holder = x;
      if (writer == t || readers[t]) continue;
      edge(r, writer == SIGMA_NONE ? since[holder] : taken, i, false);
      uint32_t held = writer == SIGMA_NONE ? readers[holder] : 1;
      for (uint32_t x = i + 1; x < r->n && held; ++x) {
        if (at(r, x)->object != lock || at(r, x)->thread != holder || !ok(at(r, x))) continue;
        held += at(r, x)->kind == SYNC_UNLOCK ? UINT32_MAX : 1;
        if (!held) edge(r, i, x, false);
      }
    }
    if (e->kind != SYNC_UNLOCK || !ok(e)) continue;
    bool wrote = writer == t;
    if (wrote)
      writer = SIGMA_NONE;
    else if (--readers[t])
      continue;
    for (uint32_t x = i + 1; x < r->n; ++x)
      if (at(r, x)->object == lock && ok(at(r, x)) &&
          (at(r, x)->kind == SYNC_LOCK || (wrote && at(r, x)->kind == SYNC_RDLOCK)))
        edge(r, i, x, true);
  }
}

static uint32_t departure_of(const Rules *r, uint32_t arrival) {
  for (uint32_t x = arrival + 1; x < r->n; ++x)
    if (at(r, x)->thread == at(r, arrival)->thread) return x;
  return SIGMA_NONE;
}

static bool stays_in_order(const Event *e) {
  if (e->phase == EVENT_DEPART) return !ok(e) || e->wake != EVENT_WOKEN;
  return ok(e);
}

static void cond_rules(Rules *r, uint32_t cond) {
  bool *matched = mem_array(r->n, 1);
  for (uint32_t i = 0; i < r->n; ++i) {
    const Event *e = at(r, i);
    if (e->object != cond) continue;
    for (uint32_t x = i + 1; x < r->n && stays_in_order(e); ++x)
      if (at(r, x)->object == cond && stays_in_order(at(r, x))) edge(r, i, x, false);
    if ((e->kind != SYNC_SIGNAL && e->kind != SYNC_BROADCAST) || !ok(e)) continue;
    for (;;) {
      uint32_t first = SIGMA_NONE;  // of the departures of those who wait here and are not woken yet
      for (uint32_t a = 0; a < i; ++a) {
        if (at(r, a)->object != cond || at(r, a)->phase != EVENT_ARRIVE || !ok(at(r, a)) || matched[a])
          continue;
        uint32_t d = departure_of(r, a);
        if (d == SIGMA_NONE || d < i || stays_in_order(at(r, d))) continue;
        if (first == SIGMA_NONE || d < departure_of(r, first)) first = a;
      }
      if (first == SIGMA_NONE) break;
      matched[first] = true;
      edge(r, i, departure_of(r, first), true);
      if (e->kind == SYNC_SIGNAL) break;
    }
  }
  mem_free(matched);
}

static bool was_in(const Rules *r, const uint32_t *generation, uint32_t thread, uint32_t which) {
  for (uint32_t i = 0; i < r->n; ++i)
    if (generation[i] == which && at(r, i)->thread == thread) return true;
  return false;
}

static void barrier_rules(Rules *r, uint32_t barrier) {
  uint32_t count = r->c->objects.at[barrier].amount, arrived = 0;
  uint32_t *generation = mem_array(r->n, sizeof *generation);
  for (uint32_t i = 0; i < r->n; ++i)
    if (is(at(r, i), SYNC_BARRIER, barrier) && at(r, i)->phase == EVENT_ARRIVE)
      generation[i] = 1 + arrived++ / count;
  for (uint32_t a = 0; a < r->n; ++a)
    for (uint32_t b = 0; generation[a] && b < r->n; ++b) {
      uint32_t d = generation[b] ? departure_of(r, b) : SIGMA_NONE;
      if (generation[b] == generation[a] && d != SIGMA_NONE) edge(r, a, d, true);
      if (generation[b] > generation[a]) edge(r, a, b, false);
    }
  for (uint32_t g = 2; g <= 1 + arrived / count; ++g) {
    uint32_t newcomer = SIGMA_NONE;
    for (uint32_t i = 0; i < r->n; ++i) {
      if (generation[i] != g || was_in(r, generation, at(r, i)->thread, g - 1)) continue;
      if (newcomer == SIGMA_NONE) newcomer = i;
      edge(r, newcomer, i, false);
    }
  }
  mem_free(generation);
}

static void semaphore_rules(Rules *r, uint32_t s) {
  uint32_t value = r->c->objects.at[s].amount, taken = 0;
  for (uint32_t i = 0; i < r->n; ++i) {
    const Event *e = at(r, i);
    if (!is(e, SYNC_ACQUIRE, s)) continue;
    bool refused = e->outcome == SYNC_AGAIN || e->outcome == SYNC_TIMEDOUT;
    for (uint32_t x = 0; refused && x < r->n; ++x) {
      if (at(r, x)->object != s) continue;
      bool also = at(r, x)->outcome == SYNC_AGAIN || at(r, x)->outcome == SYNC_TIMEDOUT;
      if (at(r, x)->kind == SYNC_ACQUIRE && (ok(at(r, x)) || also)) edge(r, x, i, false);
      if (at(r, x)->kind == SYNC_POST && ok(at(r, x))) edge(r, i, x, false);
    }
    if (!ok(e) || taken++ < value) continue;
    uint32_t nth = taken - value;
    for (uint32_t x = 0; x < i; ++x)
      if (is(at(r, x), SYNC_POST, s) && ok(at(r, x)) && --nth == 0) edge(r, x, i, true);
  }
}

static AtomicEffect effect_at(const Rules *r, const Sigma *s, uint32_t i) {
  AtomicEffect x = {.kind = EFFECT_FENCE};
  if (at(r, i)->kind == SYNC_ATOMIC || at(r, i)->kind == SYNC_FENCE)
    assert(effect_parse(sigma_text(s, at(r, i)->other), &x));
  return x;
}
static bool has_byte(const AtomicEffect *x, unsigned byte) {
  return byte >= x->first && byte < (unsigned)x->first + x->bytes;
}

static bool changes(const Rules *r, const Sigma *s, uint32_t i) {
  return effect_at(r, s, i).kind != EFFECT_READ || at(r, i)->wake == EVENT_ANEW;
}

// The write of this byte of the cell that event i comes upon; SIGMA_NONE: there is none.
static uint32_t version_at(const Rules *r, const Sigma *s, uint32_t i, unsigned byte) {
  for (uint32_t k = i + 1; k-- > 0;) {
    AtomicEffect x = effect_at(r, s, k);
    if (!is(at(r, k), SYNC_ATOMIC, at(r, i)->object) || !has_byte(&x, byte)) continue;
    if (k < i && x.kind != EFFECT_READ) return k;
    if (at(r, k)->wake == EVENT_ANEW) return SIGMA_NONE;
  }
  return SIGMA_NONE;
}

// Credit to event `to` from what the version that event i reads at this byte was published with: the heads of
// the release sequences that it is in, and the fences in front of them.
static void synchronize(Rules *r, const Sigma *s, uint32_t i, unsigned byte, uint32_t to, bool *seen) {
  uint32_t w = version_at(r, s, i, byte);
  if (w == SIGMA_NONE || seen[w]) return;
  seen[w] = true;
  AtomicEffect x = effect_at(r, s, w);
  if (effect_releases((MemoryOrder)x.order)) edge(r, w, to, true);
  for (uint32_t f = 0; f < w; ++f) {
    AtomicEffect fence = effect_at(r, s, f);
    if (at(r, f)->kind == SYNC_FENCE && at(r, f)->thread == at(r, w)->thread &&
        effect_releases((MemoryOrder)fence.order))
      edge(r, f, to, true);
  }
  for (unsigned b = x.first; x.kind == EFFECT_UPDATE && b < (unsigned)x.first + x.bytes; ++b)
    synchronize(r, s, w, b, to, seen);
}

static void cell_rules(Rules *r, const Sigma *s, uint32_t cell) {
  for (uint32_t i = 0; i < r->n; ++i) {
    if (!is(at(r, i), SYNC_ATOMIC, cell)) continue;
    AtomicEffect x = effect_at(r, s, i);
    uint32_t waits = SIGMA_NONE;  // for this operation, directly in front of it
    for (uint32_t k = 0; k < i; ++k)
      if (at(r, k)->thread == at(r, i)->thread) waits = at(r, k)->kind == SYNC_AWAIT ? k : SIGMA_NONE;
    for (uint32_t k = 0; waits != SIGMA_NONE && k < waits; ++k)
      if (is(at(r, k), SYNC_ATOMIC, cell) && (changes(r, s, i) || changes(r, s, k))) edge(r, k, waits, false);
    for (uint32_t k = 0; k < i; ++k)
      if (is(at(r, k), SYNC_ATOMIC, cell) && (changes(r, s, i) || changes(r, s, k))) edge(r, k, i, false);
    for (uint32_t k = i; x.kind != EFFECT_WRITE && k < r->n; ++k) {
      bool fence = at(r, k)->kind == SYNC_FENCE && at(r, k)->thread == at(r, i)->thread;
      AtomicEffect y = effect_at(r, s, k);
      if ((k != i && !fence) || !effect_acquires((MemoryOrder)y.order)) continue;
      bool *seen = mem_array(r->n, sizeof *seen);  // writes
      for (unsigned b = x.first; b < (unsigned)x.first + x.bytes; ++b) synchronize(r, s, i, b, k, seen);
      mem_free(seen);
    }
  }
}

static void once_rules(Rules *r, uint32_t o) {
  for (uint32_t a = 0; a < r->n; ++a)
    for (uint32_t b = a + 1; b < r->n; ++b) {
      const Event *x = at(r, a), *y = at(r, b);
      if (x->object != o || y->object != o) continue;
      bool begins = y->kind == SYNC_ONCE || y->kind == SYNC_ONCE_BEGIN;
      if ((x->kind == SYNC_ONCE_END || (x->kind == SYNC_ONCE && x->outcome == SYNC_RAN)) && begins && ok(y))
        edge(r, a, b, true);
      if (x->kind == SYNC_ONCE_ABORT && begins && y->outcome == SYNC_RAN) edge(r, a, b, true);
    }
}

static uint32_t first_cancel(const Rules *r, uint32_t thread) {
  for (uint32_t i = 0; i < r->n; ++i)
    if (at(r, i)->kind == SYNC_CANCEL && ok(at(r, i)) && at(r, i)->other == thread) return i;
  return SIGMA_NONE;
}

static void thread_rules(Rules *r) {
  for (uint32_t a = 0; a < r->n; ++a)
    for (uint32_t b = a + 1; b < r->n; ++b) {
      const Event *x = at(r, a), *y = at(r, b);
      bool about = event_shape(y->kind) & EVENT_MAY_THREAD && y->kind != SYNC_CREATE;
      if (x->thread == y->thread) edge(r, a, b, true);
      if (x->kind == SYNC_CREATE && y->kind == SYNC_ENTER && x->other == y->thread) edge(r, a, b, true);
      if (x->kind == SYNC_CREATE && about && ok(x) && x->other == y->other) edge(r, a, b, false);
      if (x->kind == SYNC_EXIT && y->kind == SYNC_JOIN && ok(y) && y->other == x->thread) edge(r, a, b, true);
      if (x->kind == SYNC_JOIN && !ok(x) && y->kind == SYNC_EXIT && x->other == y->thread &&
          (x->outcome == SYNC_BUSY || x->outcome == SYNC_TIMEDOUT))
        edge(r, a, b, false);
      if (x->kind == SYNC_CANCEL && ok(x) && y->kind == SYNC_EXIT && x->other == y->thread)
        edge(r, a, b, false);
      if (x->kind == SYNC_CANCEL && ok(x) && y->wake == EVENT_CANCELLED && x->other == y->thread &&
          a == first_cancel(r, y->thread))
        edge(r, a, b, false);
      if (x->kind == SYNC_EXIT && y->kind == SYNC_CANCEL && ok(y) && x->thread == y->other)
        edge(r, a, b, false);
    }
  for (uint32_t a = 0; a + 1 < r->n && !r->c->incomplete; ++a) edge(r, a, r->n - 1, false);
}

static void close_over(bool *before, uint32_t n) {
  for (uint32_t k = 0; k < n; ++k)
    for (uint32_t a = 0; a < k; ++a)
      if (before[(size_t)a * n + k])
        for (uint32_t b = k + 1; b < n; ++b) before[(size_t)a * n + b] |= before[(size_t)k * n + b];
}

static Rules rules_of(const Sigma *s) {
  const Schedule *c = s->schedules.at[0];
  Rules r = {c, (uint32_t)c->events.len, NULL, NULL};
  r.enforced = mem_array((size_t)r.n * r.n, 1);
  r.credited = mem_array((size_t)r.n * r.n, 1);
  thread_rules(&r);
  for (uint32_t o = 0; o < c->objects.len; ++o) {
    SyncFamily f = (SyncFamily)c->objects.at[o].family;
    if (f == SYNC_MUTEX || f == SYNC_SPIN) lock_rules(&r, o);
    if (f == SYNC_RWLOCK) rwlock_rules(&r, o);
    if (f == SYNC_COND) cond_rules(&r, o);
    if (f == SYNC_BARRIER_OBJECT) barrier_rules(&r, o);
    if (f == SYNC_SEMAPHORE) semaphore_rules(&r, o);
    if (f == SYNC_ONCE_FLAG) once_rules(&r, o);
    if (f == SYNC_CELL) cell_rules(&r, s, o);
  }
  close_over(r.enforced, r.n);
  close_over(r.credited, r.n);
  return r;
}

int main(int argc, char **argv) {
  uint64_t last = argc > 1 ? (uint64_t)atol(argv[1]) : 600;
  for (uint64_t seed = 0; seed < last; ++seed) {
    SimOptions options = sim_options(seed);
    options.odd = false;
    options.calm = seed % 5 == 0;
    if (seed % 40 == 0) options.threads = 80, options.events = 500;
    Sigma *s = sim_sigma(options);
    Diags *diags = diags_new();
    Order *o = order_new(s, 0, diags);
    diags_print(diags, stderr, "test");
    assert(o);
    Rules r = rules_of(s);
    for (uint32_t a = 0; a < r.n; ++a)
      for (uint32_t b = 0; b < r.n; ++b) {
        bool enforced = r.enforced[(size_t)a * r.n + b], credited = r.credited[(size_t)a * r.n + b];
        if (order_before(o, a, b) != enforced || order_happens_before(o, a, b) != credited) {
          Bytes text = {0};
          sigma_print(s, &text);
          fprintf(stderr, "%.*sseed %llu: %u %u: %d %d\n", (int)text.len, (char *)text.at, seed + 0ull, a, b,
                  enforced, credited);
          vec_free(&text);
        }
        assert(order_before(o, a, b) == enforced && order_happens_before(o, a, b) == credited);
      }
    for (uint32_t i = 0; i < r.n; ++i) {
      const OrderWait *waits;
      size_t n = order_waits(o, i, &waits);
      for (size_t k = 0; k < n; ++k) assert(waits[k].credit == order_happens_before(o, waits[k].event, i));
    }
    mem_free(r.enforced);
    mem_free(r.credited);
    order_free(o);
    diags_free(diags);
    sigma_free(s);
  }
  return 0;
}
