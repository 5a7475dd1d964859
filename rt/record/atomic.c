// Atomic operations on a cell of eight bytes. A write takes the next number under a small lock that stands in
// front of the access: the low half of the cell's word, which is otherwise 0, is the thread that has it. A
// read looks at the word before and after, and takes no number. So the order of numbers is the order of the
// accesses, whatever the processor may reorder otherwise: what is recorded is sequentially consistent.
//
// A handler of a signal that comes upon the lock of its own thread only does what it is to do.
#include <malloc.h>
#include <string.h>
#include "rec.h"
#include "rt/atomic.h"

enum { ATOMIC_PAUSES = 20 };

static uint32_t name_of(const RtThread *t) {
  return t->id + 1;
}

static void breathe(unsigned *tries) {
  if ((*tries)++ < ATOMIC_PAUSES)
    __builtin_ia32_pause();
  else
    sched_yield();
}

// The word without the lock. False: this thread has it, further out.
static bool cell_take(const RtThread *t, Cell *c, uint64_t *word) {
  for (unsigned tries = 0;; breathe(&tries)) {
    uint64_t w = atomic_load_explicit(&c->word, memory_order_relaxed);
    if ((uint32_t)w == name_of(t)) return false;
    if ((uint32_t)w) continue;
    *word = w;
    if (atomic_compare_exchange_weak_explicit(&c->word, &w, w | name_of(t), memory_order_seq_cst,
                                              memory_order_relaxed))
      return true;
  }
}
static void cell_give(Cell *c, uint64_t word) {
  atomic_store_explicit(&c->word, word, memory_order_release);
}

static RtMemoryOrder order_of(uint32_t how, bool failed) {
  static const uint8_t orders[16] = {
      [4] = RT_ACQUIRES, [5] = RT_RELEASES, [6] = RT_ACQ_REL, [7] = RT_SEQ_CST};
  return (RtMemoryOrder)orders[how >> (failed ? RT_HOW_FAILURE : 0) & RT_HOW_ORDER];
}

typedef struct {
  RtThread *t;
  Cell *c;
  RtSite site;
  bool address;  // what is there may be one
  RtAtomic what;
} Operation;

static uint64_t page_bit(uintptr_t address, _Atomic uint64_t **word) {
  uint64_t hash = (address >> 12) * UINT64_C(0x9E3779B97F4A7C15) >> 49;  // of 512 times 64
  *word = &rec->pages[hash >> 6];
  return UINT64_C(1) << (hash & 63);
}

static void note_page(uintptr_t address) {
  _Atomic uint64_t *word;
  uint64_t bit = page_bit(address, &word);
  if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) atomic_fetch_or(word, bit);
}

static Operation operation(RtThread *t, RtSite site, const volatile void *p, unsigned bytes, bool pointer) {
  RtAtomic what = {(unsigned)((uintptr_t)p & 7), bytes, RT_ATOMIC_READ, RT_RELAXED};
  note_page((uintptr_t)p);
  return (Operation){t, cell_of(t, (const void *)rt_cell_of(p), RT_ATOMIC_CELL), site, pointer, what};
}

// Addresses differ from run to run, and none is in the first pages.
static unsigned log_value(const Operation *o, uint64_t value, unsigned bit) {
  enum { SMALL = 65536 };
  if ((o->address || o->what.bytes == 8) && value >= SMALL) return 0;
  log_append(o->t, (RtEntry){RT_NO_SITE, (uint32_t)value, (uint32_t)(value >> 32), RT_VALUE, 0, 0});
  return bit;
}

static void log_atomic(const Operation *o, uint64_t word, unsigned extra) {
  uint32_t id = cell_id(o->t, o->c);
  bool was = log_hold(o->t);
  extra |= rt_atomic_extra(o->what);
  log_held(o->t, was, code_number(o->site, id, word, RT_ATOMIC, RT_OK, extra));
}

// A memory order that only a write can have is none of a read.
static RtMemoryOrder order_of_read(RtMemoryOrder o) {
  return o == RT_RELEASES ? RT_RELAXED : o == RT_ACQ_REL ? RT_ACQUIRES : o;
}

// False: this thread is changing it, further out.
static bool read_cell(RtThread *t, Cell *c, const volatile void *p, unsigned bytes, uint64_t *word,
                      uint64_t *value) {
  for (unsigned tries = 0;; breathe(&tries)) {
    *word = atomic_load_explicit(&c->word, memory_order_acquire);
    if ((uint32_t)*word == name_of(t))
      return rec_why(RT_WHY_NESTED, 0), *value = rt_atomic_load(p, bytes), false;
    if ((uint32_t)*word) continue;
    *value = rt_atomic_load(p, bytes);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&c->word, memory_order_relaxed) == *word) return true;
  }
}

static uint64_t load(RtThread *t, RtSite site, const volatile void *p, unsigned bytes, bool pointer,
                     uint32_t how) {
  if (unlikely(!t)) return rt_atomic_load(p, bytes);
  Operation o = operation(t, site, p, bytes, pointer);
  cell_id(t, o.c);
  o.what.order = order_of(how, false);
  uint64_t word, v;
  if (!read_cell(t, o.c, p, bytes, &word, &v)) return v;
  log_atomic(&o, word, RT_SEEN | log_value(&o, v, RT_ATOMIC_OLD));
  return v;
}

// What is written down is before anybody else sees it.
static void finish(Operation *o, uint64_t word, bool changed, uint64_t old, uint64_t now) {
  unsigned extra = 0;
  if (o->what.effect != RT_ATOMIC_WRITE) extra |= log_value(o, old, RT_ATOMIC_OLD);
  if (changed) extra |= log_value(o, now, RT_ATOMIC_NEW);
  if (!changed)
    o->what.effect = RT_ATOMIC_READ, o->what.order = order_of_read(o->what.order), extra |= RT_SEEN;
  log_atomic(o, word, extra);
  cell_give(o->c, changed ? word + CELL_ONE : word);
}

static void store(RtThread *t, RtSite site, volatile void *p, uint64_t v, unsigned bytes, bool pointer,
                  uint32_t how) {
  uint64_t word;
  if (unlikely(!t)) {
    rt_atomic_swap(p, v, bytes);
    return;
  }
  Operation o = operation(t, site, p, bytes, pointer);
  cell_id(t, o.c);
  if (!cell_take(t, o.c, &word)) {
    rec_why(RT_WHY_NESTED, 0);
    rt_atomic_swap(p, v, bytes);
    return;
  }
  rt_atomic_swap(p, v, bytes);
  o.what.order = order_of(how, false), o.what.effect = RT_ATOMIC_WRITE;
  finish(&o, word, true, 0, v);
}

static uint64_t rmw(RtThread *t, RtSite site, volatile void *p, uint64_t v, unsigned bytes, bool pointer,
                    uint32_t how) {
  uint64_t word;
  if (unlikely(!t)) return rt_atomic_rmw(p, v, bytes, how);
  Operation o = operation(t, site, p, bytes, pointer);
  cell_id(t, o.c);
  if (!cell_take(t, o.c, &word)) return rec_why(RT_WHY_NESTED, 0), rt_atomic_rmw(p, v, bytes, how);
  uint64_t old = rt_atomic_rmw(p, v, bytes, how);
  uint64_t now = rt_atomic_apply(how, old, v, bytes) & rt_atomic_mask(bytes);
  o.what.order = order_of(how, false), o.what.effect = RT_ATOMIC_UPDATE;
  finish(&o, word, now != old || o.what.order >= RT_RELEASES, old, now);
  return old;
}

static uint64_t cas(RtThread *t, RtSite site, volatile void *p, uint64_t expected, uint64_t v, unsigned bytes,
                    bool pointer, uint32_t how) {
  uint64_t word, old = expected;
  if (unlikely(!t)) return rt_atomic_cas(p, &old, v, bytes), old;
  Operation o = operation(t, site, p, bytes, pointer);
  cell_id(t, o.c);
  if (!cell_take(t, o.c, &word)) {
    rec_why(RT_WHY_NESTED, 0);
    rt_atomic_cas(p, &old, v, bytes);
    return old;
  }
  bool done = rt_atomic_cas(p, &old, v, bytes);
  o.what.order = order_of(how, !done), o.what.effect = RT_ATOMIC_UPDATE;
  finish(&o, word, done && (v != old || o.what.order >= RT_RELEASES), old, v);
  return old;
}

// A round of a loop that waits: only the last is an event, which the loop's end tells.
static uint64_t spin(RtThread *t, volatile void *p, uint64_t v, unsigned bytes, bool swaps) {
  uint64_t word, old;
  if (unlikely(!t)) return swaps ? rt_atomic_swap(p, v, bytes) : rt_atomic_load(p, bytes);
  Cell *c = cell_of(t, (const void *)rt_cell_of(p), RT_ATOMIC_CELL);
  cell_id(t, c);
  t->spin.cell = NULL;
  if (swaps) {
    if (!cell_take(t, c, &word)) return rec_why(RT_WHY_NESTED, 0), rt_atomic_swap(p, v, bytes);
    old = rt_atomic_swap(p, v, bytes);
    t->spin.changed = old != v;
    cell_give(c, t->spin.changed ? word + CELL_ONE : word);
  } else {
    if (!read_cell(t, c, p, bytes, &word, &old)) return old;
    t->spin.changed = false;
  }
  t->spin.word = word, t->spin.now = v;
  t->spin.cell = c;
  return old;
}

static void waited(RtThread *t, RtSite site, const volatile void *p, uint64_t v, unsigned bytes, bool pointer,
                   uint32_t how) {
  if (unlikely(!t)) return;
  Operation o = operation(t, site, p, bytes, pointer);
  if (t->spin.cell != o.c) return;
  t->spin.cell = NULL;
  log_append(t, (RtEntry){t->spin.site, 0, 0, RT_AWAIT, 0, 0});
  o.what.order = order_of(how, false);
  o.what.effect = t->spin.changed ? RT_ATOMIC_UPDATE : RT_ATOMIC_READ;
  if (!t->spin.changed) o.what.order = order_of_read(o.what.order);
  unsigned extra = log_value(&o, v, RT_ATOMIC_OLD);
  if (t->spin.changed) extra |= log_value(&o, t->spin.now, RT_ATOMIC_NEW);
  log_atomic(&o, t->spin.word, t->spin.changed ? extra : extra | RT_SEEN);
}

void rt_rec_specialize_atomic_await(RtSite site, uint32_t how) {
  (void)how;
  RtThread *t = rec_enter();
  if (t) t->spin.site = site, t->spin.cell = NULL;
}

// Nobody else may use it any more. What is there next has another name.
static void end_cells(RtThread *t, uintptr_t from, uintptr_t to) {
  enum { PAGE = 4096 };
  for (uintptr_t page = from & ~(uintptr_t)(PAGE - 1); page < to; page += PAGE) {
    _Atomic uint64_t *word;
    uint64_t bit = page_bit(page, &word);
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) continue;
    uintptr_t at = page > from ? page : from, end = page + PAGE < to ? page + PAGE : to;
    for (at &= ~(uintptr_t)7; at < end; at += 8) {
      Cell *c = cell_known(at | (uint64_t)RT_ATOMIC_CELL << 56);
      if (c && atomic_load_explicit(&c->id, memory_order_relaxed) && !(uint32_t)cell_word(c))
        cell_end(t, c, RT_NO_SITE);
    }
  }
}

void rt_rec_freed(const void *block) {
  RtThread *t = block ? rec_enter() : NULL;
  if (t) end_cells(t, (uintptr_t)block, (uintptr_t)block + malloc_usable_size((void *)(uintptr_t)block));
}

void rt_rec_over(const void *local, uint64_t size) {
  RtThread *t = rec_enter();
  if (t) end_cells(t, (uintptr_t)local, (uintptr_t)local + size);
}

#define ATOMICS(size, type, bytes)                                                                      \
  type rt_rec_specialize_atomic_load_##size(RtSite site, const volatile void *p, uint32_t how) {        \
    return (type)load(rec_enter(), site, p, bytes, *#size == 'p', how);                                 \
  }                                                                                                     \
  void rt_rec_specialize_atomic_store_##size(RtSite site, volatile void *p, type v, uint32_t how) {     \
    store(rec_enter(), site, p, (uint64_t)v, bytes, *#size == 'p', how);                                \
  }                                                                                                     \
  type rt_rec_specialize_atomic_spin_load_##size(volatile void *p, uint32_t how) {                      \
    (void)how;                                                                                          \
    return (type)spin(rec_enter(), p, 0, bytes, false);                                                 \
  }                                                                                                     \
  type rt_rec_specialize_atomic_spin_rmw_##size(volatile void *p, type v, uint32_t how) {               \
    (void)how;                                                                                          \
    return (type)spin(rec_enter(), p, (uint64_t)v, bytes, true);                                        \
  }                                                                                                     \
  void rt_rec_specialize_atomic_waited_##size(RtSite site, volatile void *p, type v, uint32_t how) {    \
    waited(rec_enter(), site, p, (uint64_t)v, bytes, *#size == 'p', how);                               \
  }                                                                                                     \
  type rt_rec_specialize_atomic_rmw_##size(RtSite site, volatile void *p, type v, uint32_t how) {       \
    return (type)rmw(rec_enter(), site, p, (uint64_t)v, bytes, *#size == 'p', how);                     \
  }                                                                                                     \
  type rt_rec_specialize_atomic_cas_##size(RtSite site, volatile void *p, type expected, type v,        \
                                           uint32_t how) {                                              \
    return (type)cas(rec_enter(), site, p, (uint64_t)expected, (uint64_t)v, bytes, *#size == 'p', how); \
  }
RT_ATOMIC_SIZES(ATOMICS)

void rt_rec_specialize_atomic_fence(RtSite site, uint32_t how) {
  RtThread *t = rec_enter();
  atomic_thread_fence(memory_order_seq_cst);
  if (t) log_append(t, (RtEntry){site, 0, order_of(how, false), RT_FENCE, 0, 0});
}
