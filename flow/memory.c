// What memory holds at a load: the value of the last store that must have been executed before it and must be
// to the same place, if nothing that may write there comes between or at the same time, in the order that is
// enforced.
#include "knower.h"
#include <assert.h>
#include "shared.h"
#include "track.h"

typedef enum { BEFORE, AFTER, UNSURE } Relation;

// What is read: by an access, at this address, so many bytes.
typedef struct {
  const Access *access;
  Bv address;
  int64_t bytes;
  const Point *point;
} Read;

static uint32_t block_of(const Access *x) {
  return cfg_of(x->function->cfg, x->inst);
}

// A way from one block to another, whose number is smaller.
static bool leads(const CodeFunction *f, uint32_t from, uint32_t to) {
  assert(f->cycle[from] > f->cycle[to]);
  IdVec way = {0};
  Map *seen = map_new();
  bool found = false;
  vec_push(&way, from);
  while (way.len && !found) {
    Ids next = cfg_succs(f->cfg, vec_pop(&way));
    for (vec_each(i, &next)) {
      uint32_t b = next.at[i];
      found |= b == to;
      if (f->cycle[b] < f->cycle[to] || map_or(seen, b, 0)) continue;
      map_put(seen, b, 1);
      vec_push(&way, b);
    }
  }
  vec_free(&way);
  map_free(seen);
  return found;
}

// In one root, and in the same segment of it. AFTER: also of two that exclude each other.
static Relation inside(const Known *v, const Access *w, const Access *r) {
  assert(w->function == r->function && w->function->root);
  const CodeFunction *f = w->function;
  uint32_t a = block_of(w), b = block_of(r), from = f->cycle[a], to = f->cycle[b];
  if (f->again && (f->again[a] || f->again[b])) return UNSURE;
  bool around = loops_of(f->loops, a) != LOOP_NONE || loops_irreducible(f->loops, a) != LOOP_NONE;
  if (a == b && !around) return known_earlier(v, w->inst, r->inst) ? BEFORE : AFTER;
  if (from == to) return UNSURE;
  return from > to && leads(f, a, b) ? BEFORE : AFTER;
}

static Relation relation(const Known *v, const Access *w, const Access *r) {
  bool before = true, after = true;
  for (vec_each(i, &w->regions))
    for (vec_each(k, &r->regions)) {
      Region x = w->regions.at[i], y = r->regions.at[k];
      before &= code_before(v->code, x, y, false);
      after &= code_before(v->code, y, x, false);
    }
  if (before) return BEFORE;
  if (after) return AFTER;
  bool one = w->function == r->function && w->function->root;
  return one ? inside(v, w, r) : UNSURE;
}

// It is executed once, in every run in which r is.
static bool surely(const Known *v, const Access *w, const Access *r) {
  const CodeFunction *f = w->function;
  uint32_t b = block_of(w);
  if (!f->root || loops_of(f->loops, b) != LOOP_NONE || loops_irreducible(f->loops, b) != LOOP_NONE)
    return false;
  if (f->again && f->again[b]) return false;
  if (f == r->function)
    return b == block_of(r) ? known_earlier(v, w->inst, r->inst) : dom_of(f->dom, b, block_of(r));
  return code_passed(v->code, f, b, w->regions.at[0]);
}

// -- addresses

// a is x plus a constant.
static bool constant_apart(const Known *v, Bv a, Bv x, int64_t *by) {
  Linear p, q;
  if (!linear_of(v->t, a, &p) || !linear_of(v->t, x, &q)) return false;
  linear_subtract(&p, &q);
  *by = (int64_t)p.constant;
  return p.count == 0;
}

// The one object that an address is in; NULL: not known.
static LLVMValueRef object_in(const Known *v, Bv a) {
  Linear l;
  LLVMValueRef found = NULL;
  if (!linear_of(v->t, a, &l)) return NULL;
  for (unsigned i = 0; i < l.count; ++i) {
    LLVMValueRef o = known_object(v, l.part[i].atom);
    if (o && (found || l.part[i].factor != 1)) return NULL;
    if (o) found = o;
  }
  return found;
}

static bool apart(const Known *v, Bv a, int64_t bytes_a, Bv b, int64_t bytes_b) {
  int64_t by;
  if (known_apart(v, a, b)) return true;
  if (!constant_apart(v, b, a, &by)) return false;  // b is `by` behind a
  return by >= 0 ? by >= bytes_a : bytes_b < ALIAS_REST && -by >= bytes_b;
}

static bool may_meet(const Known *v, const Access *x, const Access *y) {
  for (vec_each(i, &x->ranges))
    for (vec_each(k, &y->ranges))
      if (alias_ranges_meet(v->alias, &x->ranges.at[i], &y->ranges.at[k])) return true;
  return false;
}

static int64_t constant_length(LLVMValueRef call, unsigned arg) {
  LLVMValueRef n = LLVMGetOperand(call, arg);
  return LLVMIsAConstantInt(n) ? (int64_t)LLVMConstIntGetZExtValue(n) : -1;
}

static bool is_named(LLVMValueRef call, const char *prefix) {
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  size_t len;
  return f && !strncmp(LLVMGetValueName2(f, &len), prefix, strlen(prefix));
}
static bool is_copy(LLVMValueRef i) {
  return is_named(i, "llvm.memcpy.") || is_named(i, "llvm.memmove.");
}
static bool is_volatile_copy(LLVMValueRef i) {
  LLVMValueRef flag = is_copy(i) ? LLVMGetOperand(i, 3) : NULL;
  return flag && !(LLVMIsAConstantInt(flag) && !LLVMConstIntGetZExtValue(flag));
}
static bool is_fill(LLVMValueRef i) {
  return is_named(i, "llvm.memset.");
}

static int64_t bytes_of(const Access *w) {
  if (!is_copy(w->inst) && !is_fill(w->inst)) return w->bytes;
  int64_t n = constant_length(w->inst, 2);
  return n < 0 ? ALIAS_REST : n;
}

// Of calls that are known to leave a value: how many bytes of it; else 0. See left_by.
static int64_t bytes_left(const Known *v, const Access *w);

// How much of it is surely written: a call may fail, and write nothing.
static int64_t bytes_surely(const Known *v, const Access *w) {
  int64_t n = bytes_of(w);
  bool writes = LLVMIsAStoreInst(w->inst) || is_copy(w->inst) || is_fill(w->inst);
  return !writes ? bytes_left(v, w) : n < ALIAS_REST ? n : 0;
}

static Bv address_of(Known *v, const Access *w) {
  if (!w->pointer) return BV_NONE;
  Point p = point_at(v, w->inst, 3);
  return known_eval(v, w->pointer, &p);
}

// -- values

static Bv read_at(Known *v, const Read *r);

static Bv part_of(Known *v, Bv whole, int64_t offset, int64_t bytes) {
  assert(offset >= 0 && bytes > 0);
  unsigned w = bv_at(v->t, whole).width;
  if (w % 8 || (offset + bytes) * 8 > w) return BV_NONE;
  Bv shifted = bv_op(v->t, BV_LSHR, whole, bv_const(v->t, w, (uint64_t)offset * 8));
  return bv_resize(v->t, shifted, (unsigned)bytes * 8, false);
}

static const Access *read_side(const Known *v, LLVMValueRef copy) {
  size_t first = 0, n = accesses_by(v->accesses, copy, &first);
  for (size_t i = 0; i < n; ++i) {
    const Access *x = accesses_at(v->accesses, first + i);
    if (x->kind == ALIAS_READS) return x;
  }
  return NULL;
}

static bool is_cancelled(const Known *v, uint32_t thread) {
  const Schedule *s = order_schedule(code_order(v->code));
  for (vec_each(i, &s->events))
    if (s->events.at[i].kind == SYNC_CANCEL && s->events.at[i].other == thread) return true;
  return false;
}

// What a thread gives to whoever joins it: the same wherever it ends; BV_NONE: not known.
static Bv result_of(Known *v, uint32_t thread) {
  const CodeFunction *f = code_root(v->code, thread);
  Bv result = BV_NONE;
  if (!f || is_cancelled(v, thread)) return BV_NONE;
  for (uint32_t b = 0; b < cfg_count(f->cfg); ++b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(f->cfg, b)), given = NULL;
    if (cfg_place(f->cfg, b) == CFG_NONE || f->leaves[b]) continue;
    if (LLVMIsAReturnInst(end) && LLVMGetNumOperands(end)) given = LLVMGetOperand(end, 0);
    for (all_insts(i, cfg_block(f->cfg, b))) {
      const Sync *s = call_is(i) ? sync_of_call(i) : NULL;
      if (s && s->kind == SYNC_EXIT) given = sync_operand(i, s->value);
    }
    if (!given && LLVMGetNumSuccessors(end) == 0) return BV_NONE;  // in a call, or without a result
    if (!given) continue;
    Point p = point_at(v, end, 3);
    Bv x = known_eval(v, given, &p);
    if (x == BV_NONE || known_variant(v, x) || (result != BV_NONE && x != result)) return BV_NONE;
    result = x;
  }
  return result;
}

// The thread that a call joins, if it stores the result there; 0: none.
static uint32_t joined_at(const Known *v, const Access *w) {
  uint32_t thread, first, last;
  const Sync *s = call_is(w->inst) ? sync_of_call(w->inst) : NULL;
  if (!s || s->kind != SYNC_JOIN || !cfspec_event_of(w->inst, &thread, &first, &last)) return 0;
  const Order *o = code_order(v->code);
  const Event *e = &order_schedule(o)->events.at[order_event(o, thread, first)];
  bool joins =
      e->kind == SYNC_JOIN && e->outcome == SYNC_OK && e->wake == EVENT_WOKEN && e->other != SIGMA_NONE;
  return joins && s->value.place != SYNC_ABSENT && sync_operand(w->inst, s->value) == w->pointer ? e->other
                                                                                                 : 0;
}

static int64_t bytes_left(const Known *v, const Access *w) {
  for (vec_each(i, &v->left)) {
    const Left *x = &v->left.at[i];
    if (x->call == w->inst && x->pointer == w->pointer) return bv_at(v->t, x->value).width / 8;
  }
  return joined_at(v, w) ? 8 : 0;
}

// What w has written `offset` bytes behind its beginning.
static Bv left_by(Known *v, const Access *w, int64_t offset, int64_t bytes) {
  for (vec_each(i, &v->left)) {
    const Left *x = &v->left.at[i];
    if (x->call == w->inst && x->pointer == w->pointer && !offset && bv_at(v->t, x->value).width == bytes * 8)
      return x->value;
  }
  uint32_t joined = offset || bytes != 8 ? 0 : joined_at(v, w);
  return joined ? result_of(v, joined) : BV_NONE;
}

static Bv written(Known *v, const Access *w, int64_t offset, int64_t bytes) {
  Point p = point_at(v, w->inst, 3);
  if (LLVMIsAStoreInst(w->inst)) {
    LLVMValueRef stored = LLVMGetOperand(w->inst, 0);
    unsigned width = known_width(v, LLVMTypeOf(stored));
    if (!width || width % 8) return BV_NONE;
    Bv whole = known_eval(v, stored, &p);
    return whole == BV_NONE ? BV_NONE : part_of(v, whole, offset, bytes);
  }
  if (is_fill(w->inst)) {
    Bv byte = known_eval(v, LLVMGetOperand(w->inst, 1), &p);
    return byte != BV_NONE && bv_is(v->t, byte, 0) ? bv_const(v->t, (unsigned)bytes * 8, 0) : BV_NONE;
  }
  if (!is_copy(w->inst)) return left_by(v, w, offset, bytes);
  if (is_volatile_copy(w->inst) && !v->volatile_known) return BV_NONE;
  const Access *from = read_side(v, w->inst);
  Bv source = from && from->pointer ? known_eval(v, from->pointer, &p) : BV_NONE;
  if (source == BV_NONE) return BV_NONE;
  Read r = {from, bv_op(v->t, BV_ADD, source, bv_const(v->t, 64, (uint64_t)offset)), bytes, &p};
  return read_at(v, &r);
}

static Bv initial_at(Known *v, LLVMValueRef c, uint64_t offset, int64_t bytes, const Point *p) {
  LLVMTypeRef type = LLVMTypeOf(c);
  unsigned width = known_width(v, type);
  if (LLVMIsNull(c)) return bv_const(v->t, (unsigned)bytes * 8, 0);
  if (width) {
    Bv whole = width % 8 ? BV_NONE : known_eval(v, c, p);
    return whole == BV_NONE ? BV_NONE : part_of(v, whole, (int64_t)offset, bytes);
  }
  if (LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMIsAConstantStruct(c)) {
    unsigned i = LLVMElementAtOffset(v->layout, type, offset);
    return initial_at(v, LLVMGetOperand(c, i), offset - LLVMOffsetOfElement(v->layout, type, i), bytes, p);
  }
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind) return BV_NONE;
  uint64_t size = LLVMABISizeOfType(v->layout, LLVMGetElementType(type)), i = size ? offset / size : 0;
  if (!size || i >= LLVMGetArrayLength2(type)) return BV_NONE;
  LLVMValueRef item = LLVMGetAggregateElement(c, (unsigned)i);
  return item ? initial_at(v, item, offset - i * size, bytes, p) : BV_NONE;
}

// Before anything was written there.
static Bv initial(Known *v, const Read *r) {
  LLVMValueRef o = object_in(v, r->address);
  Linear l;
  if (!o || !linear_of(v->t, r->address, &l) || l.count != 1) return BV_NONE;
  if (LLVMIsAGlobalVariable(o) && !LLVMIsThreadLocal(o) && LLVMGetInitializer(o)) {
    uint64_t size = LLVMABISizeOfType(v->layout, LLVMGlobalGetValueType(o));
    if (l.constant + (uint64_t)r->bytes > size || l.constant > size) return BV_NONE;
    return initial_at(v, LLVMGetInitializer(o), l.constant, r->bytes, r->point);
  }
  if (is_named(o, "calloc")) return bv_const(v->t, (unsigned)r->bytes * 8, 0);
  return BV_NONE;
}

// -- the search

typedef Vec(const Access *) Writes;

static bool covers(Known *v, const Read *r, const Access *w);

typedef struct {
  Known *v;
  const Read *r;
  Writes *out;
  bool known;    // no write is made at the same time
  bool looping;  // some are made also after the load, in a loop around both
  size_t seen;
  Map *there;  // where the load may touch several objects: writes that were looked at
} Search;

// A copy reads before it writes.
static bool is_itself(const Access *w, const Access *r) {
  return w->inst == r->inst && w->function->root && !loops_irreducible_count(w->function->loops) &&
         loops_of(w->function->loops, block_of(w)) == LOOP_NONE;
}

// Whether it is a write that counts.
static bool consider(Search *s, uint32_t id) {
  const Access *w = accesses_at(s->v->accesses, id);
  if (s->there && map_or(s->there, id, 0)) return false;
  if (s->there) map_put(s->there, id, 1);
  if (w->own_state || is_itself(w, s->r->access)) return false;  // nobody reads what is destroyed
  if (++s->seen > LIMIT_VALUE_WRITES) {
    limit_reached(LIMIT_OF_VALUE_WRITES);
    s->known = false;
  }
  Relation rel = relation(s->v, w, s->r->access);
  if (rel == AFTER || !may_meet(s->v, w, s->r->access)) return false;
  Bv at = address_of(s->v, w);
  if (at != BV_NONE && apart(s->v, s->r->address, s->r->bytes, at, bytes_of(w))) return false;
  if (known_dead(s->v, w->inst)) return false;
  bool same = w->function == s->r->access->function && w->function->root;
  s->known &= rel != UNSURE || same;
  s->looping |= rel == UNSURE;
  vec_push(s->out, w);
  return true;
}

// From the last backwards, to the first that surely is executed and writes all that is read: what comes
// before that in the thread does not matter.
static void search_back(Search *s, const Track *t, size_t from) {
  uint32_t enough = 0;
  bool covered = false;
  for (size_t i = from; i-- > 0 && s->known;) {
    const Access *w = accesses_at(s->v->accesses, t->accesses.at[i]);
    if (covered && t->last[i] <= enough && (t->root || t->last[i] < enough)) return;
    if (!consider(s, t->accesses.at[i]) || covered || !covers(s->v, s->r, w)) continue;
    covered = true, enough = w->regions.at[0].from;
  }
}

// In the load's own root, what stands behind it is not before it, but around a cycle.
static size_t search_own(Search *s, const Track *t, size_t from, size_t to) {
  const Access *r = s->r->access;
  const CodeFunction *f = r->function;
  size_t place = track_place(t, s->v->accesses, r);
  uint32_t cycle = f->cycle[block_of(r)];
  for (size_t i = place < from ? from : place; i < to && s->known; ++i) {
    const Access *w = accesses_at(s->v->accesses, t->accesses.at[i]);
    bool near = w->regions.at[0].from == r->regions.at[0].from;
    if (near && f->cycle[block_of(w)] != cycle) break;
    if (near) consider(s, t->accesses.at[i]);
  }
  return place < to ? place : to;
}

static void search_track(Search *s, const Track *t) {
  const Access *r = s->r->access;
  size_t from, to;
  track_around(t, s->v->accesses, s->v->code, &r->regions, false, &from, &to);
  bool own = t->root && r->function->root && r->regions.len == 1 && r->regions.at[0].thread == t->thread &&
             !r->function->again;
  if (own) {
    search_back(s, t, search_own(s, t, from, to));
    return;
  }
  for (size_t i = from; i < to && s->known; ++i) consider(s, t->accesses.at[i]);
  if (s->known) search_back(s, t, from);
}

static void search_object(Search *s, uint32_t object) {
  const Track *tracks;
  size_t count;
  Ids loose;
  tracks_of(accesses_write_tracks(s->v->accesses), object, &tracks, &count, &loose);
  for (size_t i = 0; i < loose.len && s->known; ++i) consider(s, loose.at[i]);
  for (size_t i = 0; i < count && s->known; ++i) search_track(s, &tracks[i]);
}

// Writes that may be what r reads, or may change it, as far as others do not surely come behind them;
// looping: some of them also after it, in a loop around both. False: too many, or one at the same time.
static bool find_writes(Known *v, const Read *r, Writes *out, bool *looping) {
  Search s = {.v = v, .r = r, .out = out, .known = true};
  bool escaped = false;
  const AliasRanges *all = &r->access->ranges;
  for (vec_each(i, all)) {
    s.known &= all->at[i].object != 0;
    s.known &= !shared_object(v->alias, all->at[i].object, v->shares);
    escaped |= alias_object(v->alias, all->at[i].object).escaped;
  }
  if (all->len > 1 || escaped) s.there = map_new();
  for (size_t i = 0; i < all->len && s.known; ++i)
    if (!i || all->at[i].object != all->at[i - 1].object) search_object(&s, all->at[i].object);
  if (s.known && escaped) search_object(&s, 0);
  map_free(s.there);
  *looping = s.looping;
  return s.known;
}

// Of all, the one that comes after the others, surely writes there, and all of it.
static const Access *last_of(Known *v, const Read *r, const Writes *all, int64_t *offset) {
  for (vec_each(i, all)) {
    const Access *w = all->at[i];
    Bv at = address_of(v, w);
    bool last = at != BV_NONE && constant_apart(v, r->address, at, offset) && *offset >= 0 &&
                *offset + r->bytes <= bytes_surely(v, w) && surely(v, w, r->access);
    for (size_t k = 0; k < all->len && last; ++k) last = k == i || relation(v, all->at[k], w) == BEFORE;
    if (last) return w;
  }
  return NULL;
}

// One of several values, it is not known which; but the objects that they are in may be.
static bool objects_of(Known *v, const Read *r, const Access *w, IdVec *out) {
  Point p = point_at(v, w->inst, 3);
  if (is_fill(w->inst)) return bv_is(v->t, known_eval(v, LLVMGetOperand(w->inst, 1), &p), 0);
  if (is_copy(w->inst)) {
    Bv at = address_of(v, w);
    int64_t offset;
    if (at == BV_NONE || !constant_apart(v, r->address, at, &offset)) return false;
    Bv x = offset < 0 || offset + r->bytes > bytes_surely(v, w) ? BV_NONE : written(v, w, offset, r->bytes);
    return x != BV_NONE && known_objects(v, x, out);
  }
  if (!LLVMIsAStoreInst(w->inst)) return false;
  LLVMValueRef stored = LLVMGetOperand(w->inst, 0);
  if (LLVMGetTypeKind(LLVMTypeOf(stored)) != LLVMPointerTypeKind) return false;
  size_t before = out->len;
  Bv x = known_eval(v, stored, &p);
  if (x != BV_NONE && known_objects(v, x, out)) return true;
  AliasRanges ranges = {0};
  out->len = before;
  alias_points_to(v->alias, stored, &ranges);
  for (vec_each(i, &ranges)) vec_push(out, ranges.at[i].object);
  vec_free(&ranges);
  return true;
}

// What w stores is what was read there, and moved on: in no other object than all that is stored there since
// the place was covered.
static bool moves_on(Known *v, const Read *r, const Writes *all, const Access *w) {
  LLVMValueRef from = LLVMIsAStoreInst(w->inst) ? LLVMGetOperand(w->inst, 0) : NULL;
  size_t first = 0;
  while (from && LLVMIsAGetElementPtrInst(from)) from = LLVMGetOperand(from, 0);
  if (!from || !LLVMIsALoadInst(from) || accesses_by(v->accesses, from, &first) != 1) return false;
  const Access *load = accesses_at(v->accesses, first);
  if (load->bytes != r->bytes || address_of(v, load) != r->address) return false;
  for (vec_each(i, all))
    if (covers(v, r, all->at[i]) && relation(v, all->at[i], load) != BEFORE) return false;
  return true;
}

static Bv one_of(Known *v, const Read *r, const Writes *all, bool looping) {
  VarInfo info = {.bounded = true, .variant = looping};
  for (size_t i = 0; i < all->len && info.bounded; ++i)
    info.bounded = moves_on(v, r, all, all->at[i]) || objects_of(v, r, all->at[i], &info.objects);
  if (!info.bounded || r->bytes != 8) return vec_free(&info.objects), BV_NONE;
  uint64_t key = known_fresh(v);
  v->infos.at[key] = info;
  return bv_var(v->t, 64, key);
}

static bool covers(Known *v, const Read *r, const Access *w) {
  assert(w->kind & (ALIAS_WRITES | ALIAS_FREES));
  Bv at = address_of(v, w);
  int64_t offset;
  return at != BV_NONE && constant_apart(v, r->address, at, &offset) && offset >= 0 &&
         offset + r->bytes <= bytes_surely(v, w) && surely(v, w, r->access);
}

// What comes before a write that surely covers it all is not read. False: there is no such write, and what
// was there at first is not nothing.
static bool drop_covered(Known *v, const Read *r, Writes *all) {
  bool covered = false;
  for (size_t i = 0; i < all->len; ++i) {
    const Access *w = all->at[i];
    if (!covers(v, r, w)) continue;
    covered = true;
    size_t kept = 0;
    for (size_t k = 0; k < all->len; ++k)
      if (all->at[k] == w || relation(v, all->at[k], w) != BEFORE) all->at[kept++] = all->at[k];
    if (kept < all->len) i = (size_t)-1;  // from the start
    all->len = kept;
  }
  Bv first = covered ? BV_NONE : initial(v, r);
  return covered || (first != BV_NONE && bv_is(v->t, first, 0));
}

static Bv read_at(Known *v, const Read *r) {
  Writes all = {0};
  Bv found = BV_NONE;
  int64_t offset = 0;
  if (r->bytes > 8 || known_variant(v, r->address)) return BV_NONE;
  bool looping = false;
  if (find_writes(v, r, &all, &looping)) {
    const Access *w = all.len && !looping ? last_of(v, r, &all, &offset) : NULL;
    if (w) known_learn(v, w);
    found = w ? written(v, w, offset, r->bytes) : all.len ? BV_NONE : initial(v, r);
    if (!w && all.len && drop_covered(v, r, &all)) found = one_of(v, r, &all, looping);
  }
  vec_free(&all);
  return found != BV_NONE && !looping && known_variant(v, found) ? BV_NONE : found;
}

Bv known_load(Known *v, LLVMValueRef load, const Point *p) {
  unsigned width = known_width(v, LLVMTypeOf(load));
  size_t first = 0;
  if (LLVMGetVolatile(load) && !v->volatile_known) return BV_NONE;
  if (width % 8 || accesses_by(v->accesses, load, &first) != 1) return BV_NONE;
  const CodeFunction *f = code_of(v->code, LLVMGetBasicBlockParent(LLVMGetInstructionParent(load)));
  if (!f->root || (f->again && f->again[cfg_of(f->cfg, load)])) return BV_NONE;
  const Access *x = accesses_at(v->accesses, first);
  Bv address = known_eval(v, LLVMGetOperand(load, 0), p);
  if (address == BV_NONE) return BV_NONE;
  Read r = {x, address, (int64_t)width / 8, p};
  return read_at(v, &r);
}

Bv known_read(Known *v, LLVMValueRef inst, LLVMValueRef pointer, const Point *p) {
  size_t first = 0, n = accesses_by(v->accesses, inst, &first);
  for (size_t i = 0; i < n; ++i) {
    const Access *x = accesses_at(v->accesses, first + i);
    if (!(x->kind & ALIAS_READS) || x->pointer != pointer) continue;
    Bv address = known_eval(v, pointer, p);
    Read r = {x, address, 8, p};
    return address == BV_NONE ? BV_NONE : read_at(v, &r);
  }
  return BV_NONE;
}

Bv known_initial(Known *v, const Access *load) {
  Point p = point_at(v, load->inst, 1);
  Bv address = load->pointer ? known_eval(v, load->pointer, &p) : BV_NONE;
  Read r = {load, address, load->bytes, &p};
  return address == BV_NONE || load->bytes > 8 ? BV_NONE : initial(v, &r);
}

bool known_before(const Known *v, LLVMValueRef first, LLVMValueRef second) {
  const CodeFunction *f = code_of(v->code, LLVMGetBasicBlockParent(LLVMGetInstructionParent(first)));
  Access a = {.inst = first, .function = f}, b = {.inst = second, .function = f};
  return f->root && inside(v, &b, &a) == AFTER;
}

bool known_defs(Known *v, const Access *load, FlowDefs *out) {
  Point p = point_at(v, load->inst, 1);
  Bv address = load->pointer && load->function->root ? known_eval(v, load->pointer, &p) : BV_NONE;
  Read r = {load, address, load->bytes, &p};
  Writes all = {0};
  int64_t offset = 0;
  bool looping = false;
  bool known = address != BV_NONE && find_writes(v, &r, &all, &looping);
  const Access *last = known && !looping ? last_of(v, &r, &all, &offset) : NULL;
  if (known && !last) drop_covered(v, &r, &all);
  for (size_t i = 0; known && i < all.len; ++i)
    if (!last || all.at[i] == last) vec_push(out, ((FlowDef){all.at[i], all.at[i] == last}));
  vec_free(&all);
  return known;
}
