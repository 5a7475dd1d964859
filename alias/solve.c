// Inclusion-based points-to (Andersen) with difference propagation: a node that grew is visited once with all
// that is new, and nodes are visited in topological order, sweep after sweep. Cycles are looked for where
// edges were added, and collapsed: without that, programs of 80,000 variables take minutes, for every element
// of a cycle goes round it.
//
// Each access size at a spot has two nodes, what is stored there and what is loaded from there, so that a
// pointer into the middle of an array links its elements with itself only and not with each other.
#include "solving.h"
#include <assert.h>

// Bits, and above them the first spot.
enum { ENDS_SOURCE = 1, ENDS_TARGET = 2, ENDS_DIFFER = 4, SLIDES = 7 };

static uint32_t add_node(Solving *s) {
  uint32_t n = (uint32_t)s->nodes.len;
  vec_push(&s->nodes, (Node){0});
  vec_push(&s->copies, (Copies){0});
  vec_push(&s->sets, (Set){0});
  vec_push(&s->fresh, (Set){0});
  vec_push(&s->same, n);
  vec_push(&s->leaks, false);
  vec_push(&s->rank, (uint32_t)s->at_rank.len);
  vec_push(&s->at_rank, n);
  if (s->dirty.len * 64 < s->at_rank.len) vec_push(&s->dirty, 0);
  return n;
}

static void hide_spot(Solving *s, uint32_t id) {
  s->hidden.at[id / 64] |= 1ull << id % 64;
}

static void note_spots(Solving *s) {
  for (; s->known < spots_count(s->sys->spots); ++s->known) {
    uint32_t o = spots_at(s->sys->spots, s->known).object;
    if (s->hidden.len <= s->known / 64) vec_push(&s->hidden, 0);
    vec_push(&s->spots_of[o], s->known);
    if (s->r->escaped[o]) hide_spot(s, s->known);
  }
}

static uint32_t intern(Solving *s, Spot spot) {
  uint32_t id = spots_id(s->sys->spots, spot);
  if (id >= s->known) note_spots(s);
  return id;
}

// A set with SPOT_UNKNOWN needs nothing that has escaped.
static void give(Solving *s, uint32_t n, const Set *what) {
  n = find(s, n);
  Set *set = &s->sets.at[n];
  Set less = {0};
  bool had = has_unknown(set), has = had || has_unknown(what);
  if (has) {
    set_copy(&less, what);
    hide(s, &less);
    what = &less;
    if (!had) hide(s, set), hide(s, &s->fresh.at[n]);
  }
  if (set_merge(set, what, &s->fresh.at[n])) mark_dirty(s, n);
  set_free(&less);
}

static void give_spot(Solving *s, uint32_t n, uint32_t spot) {
  Set one = {0};
  set_add(&one, spot);
  give(s, n, &one);
  set_free(&one);
}

static void link(Solving *s, uint32_t from, uint32_t to) {
  from = find(s, from);
  to = find(s, to);
  if (from == to) return;
  vec_push(&s->copies.at[from].next, to);
  s->added++;
  if (s->sets.at[from].len) give(s, to, &s->sets.at[from]);
}

// -- memory

static Spot anywhere(uint32_t object) {
  return (Spot){object, 0, 1, SPOT_OPEN};
}

// An object that pointers have so many places in is used in ways that offsets do not tell: pools of memory,
// buffers that are taken apart, pointers that lead round in circles, farther each time. Its places become
// one.
static uint32_t place_of(Solving *s, Spot spot) {
  return intern(s, s->merged[spot.object] ? anywhere(spot.object) : spot);
}
static uint32_t place_of_id(Solving *s, uint32_t spot) {
  uint32_t o = spots_at(s->sys->spots, spot).object;
  return s->merged[o] ? intern(s, anywhere(o)) : spot;
}

static void count_place(Solving *s, uint32_t spot) {
  uint32_t o = spots_at(s->sys->spots, spot).object;
  if (!set_add(&s->pointed, spot)) return;
  if (++s->places[o] > LIMIT_ALIAS_PLACES && !s->merged[o]) {
    limit_reached(LIMIT_OF_ALIAS_PLACES);
    s->merged[o] = true;
    vec_push(&s->to_merge, o);
  }
}

static uint32_t stored_at(Solving *s, uint32_t spot, int64_t bytes);
static uint32_t loaded_at(Solving *s, uint32_t spot, int64_t bytes);

static void pass_by(Solving *s, uint32_t spot, bool stores, uint32_t node) {
  vec_push(&s->memory[spots_at(s->sys->spots, spot).object].beside[stores], node);
}

// All that is stored in it is loaded by all that loads from it.
static void merge_object(Solving *s, uint32_t o) {
  uint32_t all = intern(s, anywhere(o));
  uint32_t in = stored_at(s, all, 1), out = loaded_at(s, all, 1);
  for (size_t i = 0; i < s->r->stored[o].len; ++i) link(s, s->r->stored[o].at[i].node, in);
  for (size_t i = 0; i < s->memory[o].loaded.len; ++i) link(s, out, s->memory[o].loaded.at[i].node);
  for (vec_each(i, &s->memory[o].beside[0])) link(s, out, s->memory[o].beside[0].at[i]);
  for (vec_each(i, &s->memory[o].beside[1])) link(s, s->memory[o].beside[1].at[i], in);
}

static int64_t size_of(const Solving *s, uint32_t object) {
  return s->sys->sizes.at[object];
}

// The node of a cell that is known already, or of a new one, which is_new tells. One table holds what is
// stored, another what is loaded.
static uint32_t cell_node(Solving *s, CellTable *table, Cells *cells, uint32_t spot, int64_t bytes,
                          bool *is_new) {
  while (table->latest.len <= spot) vec_push(&table->latest, (Cell){0});
  Cell *latest = &table->latest.at[spot];
  *is_new = false;
  if (latest->node && latest->bytes == bytes) return latest->node;
  Spot at = spots_at(s->sys->spots, spot);
  int64_t kept = at.stride == 1 && at.end == SPOT_OPEN ? 1 : bytes;  // the whole object, whatever the size
  uint64_t key = cell_key(spot, kept);
  uint32_t node = (uint32_t)map_or(table->nodes, key, NODE_NONE);
  *is_new = node == NODE_NONE;
  if (*is_new) {
    Cell cell = {spot, node = add_node(s), kept};
    vec_push(cells, cell);
    map_put(table->nodes, key, node);
  }
  *latest = (Cell){spot, node, bytes};
  return node;
}

// The node for what is stored at a spot; NODE_NONE: no memory is there.
static uint32_t stored_at(Solving *s, uint32_t spot, int64_t bytes) {
  Spot at = spots_at(s->sys->spots, spot = place_of_id(s, spot));
  uint32_t o = at.object;
  if (spot_outside(at, bytes, size_of(s, o))) return NODE_NONE;
  bool is_new;
  Cell cell = {spot, cell_node(s, &s->stored, &s->r->stored[o], spot, bytes, &is_new), bytes};
  if (!is_new) return cell.node;
  if (s->r->escaped[o]) leak(s, cell.node);
  for (vec_each(i, &s->memory[o].loaded)) {
    Cell *to = &s->memory[o].loaded.at[i];
    if (spot_overlaps(at, bytes, spots_at(s->sys->spots, to->spot), to->bytes)) link(s, cell.node, to->node);
  }
  vec_push(&s->born, cell);
  return cell.node;
}

static uint32_t loaded_at(Solving *s, uint32_t spot, int64_t bytes) {
  Spot at = spots_at(s->sys->spots, spot = place_of_id(s, spot));
  uint32_t o = at.object;
  if (spot_outside(at, bytes, size_of(s, o))) return NODE_NONE;
  bool is_new;
  uint32_t node = cell_node(s, &s->loaded, &s->memory[o].loaded, spot, bytes, &is_new);
  if (!is_new) return node;
  if (s->r->escaped[o]) give_spot(s, node, SPOT_UNKNOWN);
  for (vec_each(i, &s->r->stored[o])) {
    Cell *from = &s->r->stored[o].at[i];
    if (spot_overlaps(at, bytes, spots_at(s->sys->spots, from->spot), from->bytes)) link(s, from->node, node);
  }
  return node;
}

// -- moving memory: cells under way keep their distance from where the copying begins

// Memory of unknown length keeps its layout only from the beginning of one object to that of another, as when
// an array grows. Text and buffers are copied otherwise, to and fro by all distances.
static bool keeps_offsets(const Move *m, Spot end) {
  return m->bytes < SPOT_REST || (!end.stride && !end.first);
}

static uint32_t moving(Solving *s, uint32_t move, Spot at, int64_t bytes) {
  uint32_t o = s->sys->moves.at[move].object;
  at.object = o;
  uint32_t spot = place_of(s, at);
  bool is_new;
  Cell cell = {spot, cell_node(s, &s->stored, &s->r->stored[o], spot, bytes, &is_new), bytes};
  if (!is_new) return cell.node;
  vec_push(&s->born, cell);
  if (s->r->stored[o].len > LIMIT_ALIAS_PLACES && !s->merged[o]) {
    limit_reached(LIMIT_OF_ALIAS_PLACES);
    s->merged[o] = true;
    vec_push(&s->to_merge, o);
  }
  return cell.node;
}

// Of memory whose places are no longer told apart, one cell has all that the others have.
static bool is_replaced(Solving *s, Cell cell) {
  return place_of_id(s, cell.spot) != cell.spot;
}

static void carry(Solving *s, uint32_t move, uint32_t from, Cell cell) {
  const Move *m = &s->sys->moves.at[move];
  Spot start = spots_at(s->sys->spots, from), distance = anywhere(m->object);
  if (keeps_offsets(m, start)) distance = spot_add(spots_at(s->sys->spots, cell.spot), start, true);
  distance.object = m->object;
  if (!spot_overlaps(distance, cell.bytes, (Spot){.object = m->object}, m->bytes)) return;
  link(s, cell.node, moving(s, move, distance, cell.bytes));
}

// A move within one object, by some distance, would repeat itself along the whole object, place by place: it
// takes everything everywhere instead. True once a source and a target lie in the object, and differ.
static bool slides(const Solving *s, uint32_t move, uint32_t object) {
  return map_or(s->ends, (uint64_t)move << 32 | object, 0) == SLIDES;
}

static bool note_end(Solving *s, uint32_t move, uint32_t spot, uint64_t end) {
  uint32_t object = spots_at(s->sys->spots, spot).object;
  uint64_t key = (uint64_t)move << 32 | object, old = map_or(s->ends, key, 0), ends = old | end;
  if (old == SLIDES || object == OBJECT_UNKNOWN) return false;
  bool differ = old && (old >> 4) != spot;
  if (differ || old & ENDS_DIFFER) ends |= ENDS_DIFFER;
  if (!old) ends |= (uint64_t)spot << 4;
  bool slide = (ends & SLIDES) == SLIDES;
  map_put(s->ends, key, slide ? SLIDES : ends);
  return slide;
}

static void deliver(Solving *s, uint32_t move, Cell cell, uint32_t to) {
  const Move *m = &s->sys->moves.at[move];
  Spot target = spots_at(s->sys->spots, to), at = spots_at(s->sys->spots, cell.spot);
  if (target.object == OBJECT_UNKNOWN) {
    leak(s, cell.node);
    return;
  }
  if (target.stride != 1 && slides(s, move, target.object)) return;
  at.object = target.object;
  if (at.stride && at.end == SPOT_OPEN && m->bytes < SPOT_REST) at.end = m->bytes;
  Spot moved = keeps_offsets(m, target) ? spot_add(at, target, false) : anywhere(target.object);
  uint32_t spot = intern(s, moved), node = stored_at(s, spot, cell.bytes);
  if (node != NODE_NONE)
    link(s, cell.node, node);
  else
    pass_by(s, spot, true, cell.node);
}

static void carry_unknown(Solving *s, uint32_t move) {
  give_spot(s, moving(s, move, anywhere(0), 1), SPOT_UNKNOWN);
}

static uint32_t anywhere_in(Solving *s, uint32_t object) {
  return intern(s, anywhere(object));
}

static void move_to(Solving *s, uint32_t move, uint32_t spot);

// What does not keep its layout is copied the same way from, or to, wherever in an object: once.
static bool is_repeated(Solving *s, uint32_t move, uint32_t spot, uint64_t end) {
  Spot at = spots_at(s->sys->spots, spot);
  if (keeps_offsets(&s->sys->moves.at[move], at) || at.object == OBJECT_UNKNOWN) return false;
  if (at.stride == 1) return false;  // also of a move that slides
  uint64_t key = (uint64_t)move << 32 | at.object, known = map_or(s->whole, key, 0);
  map_put(s->whole, key, known | end);
  return known & end;
}

static void move_from(Solving *s, uint32_t move, uint32_t spot) {
  uint32_t o = spots_at(s->sys->spots, spot).object;
  if (o == OBJECT_UNKNOWN || s->r->escaped[o]) {
    carry_unknown(s, move);
    if (o == OBJECT_UNKNOWN) return;
  }
  if (!is_repeated(s, move, spot, ENDS_SOURCE)) {
    Watch w = {move, spot};
    vec_push(&s->memory[o].readers, w);
    for (size_t i = 0; i < s->r->stored[o].len; ++i) carry(s, move, spot, s->r->stored[o].at[i]);
  }
  if (note_end(s, move, spot, ENDS_SOURCE)) move_to(s, move, anywhere_in(s, o));
}

static void move_to(Solving *s, uint32_t move, uint32_t spot) {
  uint32_t o = s->sys->moves.at[move].object, target = spots_at(s->sys->spots, spot).object;
  if (!is_repeated(s, move, spot, ENDS_TARGET)) {
    vec_push(&s->sinks.at[move], spot);
    for (size_t i = 0; i < s->r->stored[o].len; ++i)
      if (!is_replaced(s, s->r->stored[o].at[i])) deliver(s, move, s->r->stored[o].at[i], spot);
  }
  if (note_end(s, move, spot, ENDS_TARGET)) move_to(s, move, anywhere_in(s, target));
}

// What is new in an object goes on to where it is copied to.
static void tell_of_born(Solving *s) {
  while (s->born.len) {
    Cell cell = vec_pop(&s->born);
    uint32_t o = spots_at(s->sys->spots, cell.spot).object;
    for (size_t i = 0; i < s->memory[o].readers.len; ++i) {
      Watch w = s->memory[o].readers.at[i];
      carry(s, w.move, w.spot, cell);
    }
    if (s->sys->objects.at[o].kind != KIND_MOVE || is_replaced(s, cell)) continue;
    uint32_t move = s->move_of[o];
    for (size_t i = 0; i < s->sinks.at[move].len; ++i) deliver(s, move, cell, s->sinks.at[move].at[i]);
  }
}

// -- calls

static bool fits(Solving *s, const Call *c, const Routine *f) {
  uint32_t call = c->type, routine = f->type;
  if (c->program && LLVMIsDeclaration(f->function)) return false;
  if (c->limited && f->function != c->only) return false;
  if (call == NODE_NONE) return true;
  uint64_t key = (uint64_t)call << 32 | routine, known = map_or(s->fits, key, 0);
  if (!known) {
    known = 1 + signature_fits(intern_text(s->sys->types, call), intern_text(s->sys->types, routine));
    map_put(s->fits, key, known);
  }
  return known == 2;
}

static void connect(Solving *s, uint32_t call, uint32_t object) {
  uint32_t id = s->sys->routine_of[object];
  const Call *c = &s->sys->calls.at[call];
  if (id == NODE_NONE || !fits(s, c, &s->sys->routines.at[id])) return;
  const Routine *f = &s->sys->routines.at[id];
  pairs_add(&s->r->targets, call, id);
  for (uint32_t i = 0; i < c->count; ++i) {
    uint32_t arg = s->sys->args.at[c->first + i];
    if (arg != NODE_NONE) link(s, arg, i < f->count ? f->first + i : f->extra);
  }
  if (c->result != NODE_NONE) link(s, f->result, c->result);
}

static void call_unknown(Solving *s, const Call *c) {
  if (c->limited) return;
  for (uint32_t i = 0; i < c->count; ++i)
    if (s->sys->args.at[c->first + i] != NODE_NONE) leak(s, s->sys->args.at[c->first + i]);
  if (c->result != NODE_NONE) give_spot(s, c->result, SPOT_UNKNOWN);
}

// -- what leaves the program

static void escape_routine(Solving *s, const Routine *f) {
  for (uint32_t i = 0; i < f->count; ++i) give_spot(s, f->first + i, SPOT_UNKNOWN);
  give_spot(s, f->extra, SPOT_UNKNOWN);
  leak(s, f->result);
}

static void escape_object(Solving *s, uint32_t o) {
  if (o == OBJECT_UNKNOWN || s->r->escaped[o]) return;
  s->r->escaped[o] = true;
  for (vec_each(i, &s->spots_of[o])) hide_spot(s, s->spots_of[o].at[i]);
  for (vec_each(i, &s->r->stored[o])) leak(s, s->r->stored[o].at[i].node);
  for (vec_each(i, &s->memory[o].loaded)) give_spot(s, s->memory[o].loaded.at[i].node, SPOT_UNKNOWN);
  for (size_t i = 0; i < s->memory[o].readers.len; ++i) carry_unknown(s, s->memory[o].readers.at[i].move);
  if (s->sys->routine_of[o] != NODE_NONE) escape_routine(s, &s->sys->routines.at[s->sys->routine_of[o]]);
}

// Ends all that was begun: cells to be told of, objects to escape.
static void settle(Solving *s) {
  while (s->to_escape.len || s->born.len || s->to_merge.len) {
    tell_of_born(s);
    if (s->to_merge.len) merge_object(s, vec_pop(&s->to_merge));
    if (s->to_escape.len) escape_object(s, vec_pop(&s->to_escape));
  }
}

// -- visiting a node with what is new to it

static void visit_memory(Solving *s, uint32_t n, const Set *what) {
  System *sys = s->sys;
  for (size_t i = 0; i < s->nodes.at[n].loads.len; ++i) {
    const Access *a = &sys->loads.at[s->nodes.at[n].loads.at[i]];
    for (set_each(at, what)) {
      uint32_t from = at.id == SPOT_UNKNOWN ? NODE_UNKNOWN : loaded_at(s, at.id, a->bytes);
      if (from != NODE_NONE)
        link(s, from, a->value);
      else
        pass_by(s, at.id, false, a->value);
    }
  }
  for (size_t i = 0; i < s->nodes.at[n].stores.len; ++i) {
    const Access *a = &sys->stores.at[s->nodes.at[n].stores.at[i]];
    for (set_each(at, what)) {
      if (at.id == SPOT_UNKNOWN) {
        leak(s, a->value);
        continue;
      }
      uint32_t to = stored_at(s, at.id, a->bytes);
      if (to != NODE_NONE)
        link(s, a->value, to);
      else
        pass_by(s, at.id, true, a->value);
    }
  }
}

static void visit_others(Solving *s, uint32_t n, const Set *what) {
  for (size_t i = 0; i < s->nodes.at[n].moves_from.len; ++i)
    for (set_each(at, what)) move_from(s, s->nodes.at[n].moves_from.at[i], at.id);
  for (size_t i = 0; i < s->nodes.at[n].moves_to.len; ++i)
    for (set_each(at, what)) move_to(s, s->nodes.at[n].moves_to.at[i], at.id);
  for (size_t i = 0; i < s->nodes.at[n].calls.len; ++i) {
    uint32_t call = s->nodes.at[n].calls.at[i];
    for (set_each(at, what)) {
      if (at.id == SPOT_UNKNOWN)
        call_unknown(s, &s->sys->calls.at[call]);
      else
        connect(s, call, spots_at(s->sys->spots, at.id).object);
    }
  }
}

static void visit_edges(Solving *s, uint32_t n, const Set *what) {
  for (size_t i = 0; i < s->copies.at[n].next.len; ++i) {
    uint32_t to = find(s, s->copies.at[n].next.at[i]);
    if (to != n) give(s, to, what);
  }
  for (size_t i = 0; i < s->nodes.at[n].shifts.len; ++i) {
    const Edge *e = &s->sys->edges.at[s->nodes.at[n].shifts.at[i]];
    Shift by = s->sys->shifts.at[e->shift];
    Set moved = {0};
    for (set_each(at, what)) {
      Spot p = spots_at(s->sys->spots, at.id);
      uint32_t spot = place_of(s, spot_shift(p, by));
      count_place(s, spot);
      set_add(&moved, spot);
    }
    give(s, e->dst, &moved);
    set_free(&moved);
  }
}

static void visit(Solving *s, uint32_t n) {
  Set what = s->fresh.at[n];
  if (!what.len) return;
  s->fresh.at[n] = (Set){0};
  if (has_unknown(&s->sets.at[n])) hide(s, &what);
  if (s->leaks.at[n])
    for (set_each(at, &what)) vec_push(&s->to_escape, spots_at(s->sys->spots, at.id).object);
  settle(s);
  visit_edges(s, n, &what);
  visit_memory(s, n, &what);
  visit_others(s, n, &what);
  settle(s);
  set_free(&what);
}

// -- the whole

static void begin(Solving *s) {
  System *sys = s->sys;
  for (uint32_t n = 0; n < sys->nodes; ++n) add_node(s);
  for (vec_each(i, &sys->edges)) {
    Edge e = sys->edges.at[i];
    vec_push(e.shift ? &s->nodes.at[e.src].shifts : &s->copies.at[e.src].next, e.shift ? (uint32_t)i : e.dst);
  }
  for (vec_each(i, &sys->loads)) vec_push(&s->nodes.at[sys->loads.at[i].pointer].loads, (uint32_t)i);
  for (vec_each(i, &sys->stores)) vec_push(&s->nodes.at[sys->stores.at[i].pointer].stores, (uint32_t)i);
  for (vec_each(i, &sys->moves)) {
    vec_push(&s->nodes.at[sys->moves.at[i].src].moves_from, (uint32_t)i);
    vec_push(&s->nodes.at[sys->moves.at[i].dst].moves_to, (uint32_t)i);
    vec_push(&s->sinks, (IdVec){0});
  }
  for (vec_each(i, &sys->calls)) vec_push(&s->nodes.at[sys->calls.at[i].callee].calls, (uint32_t)i);
  for (vec_each(i, &sys->escapes)) leak(s, sys->escapes.at[i]);
  for (vec_each(i, &sys->bases)) {
    count_place(s, sys->bases.at[i].spot);
    give_spot(s, sys->bases.at[i].node, sys->bases.at[i].spot);
  }
  solving_collapse(s);
  settle(s);
  for (vec_each(i, &sys->escaped)) vec_push(&s->to_escape, sys->escaped.at[i]);
  settle(s);
}

static bool sweep(Solving *s) {
  bool any = false;
  for (size_t word = 0; word < s->dirty.len; ++word)
    while (s->dirty.at[word]) {
      uint32_t rank = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(s->dirty.at[word]);
      s->dirty.at[word] &= s->dirty.at[word] - 1;
      any = true;
      visit(s, s->at_rank.at[rank]);
    }
  s->r->sweeps++;
  return any;
}

// What is known of escaped objects beside SPOT_UNKNOWN, and of places that became one, depends on the order
// of the work, and says nothing.
static void normalize(Solving *s, Set *set) {
  Set kept = {0};
  bool unknown = set_has(set, SPOT_UNKNOWN);
  for (set_each(at, set)) {
    uint32_t o = spots_at(s->sys->spots, at.id).object;
    if (!unknown || !s->r->escaped[o]) set_add(&kept, place_of_id(s, at.id));
  }
  set_free(set);
  *set = kept;
}

static void finish(Solving *s) {
  Solution *r = s->r;
  assert(!s->to_escape.len && !s->born.len && !s->to_merge.len);
  r->nodes = (uint32_t)s->nodes.len;
  r->objects = (uint32_t)s->sys->objects.len;
  r->same = mem_array(r->nodes, sizeof *r->same);
  for (uint32_t n = 0; n < r->nodes; ++n) {
    r->same[n] = find(s, n);
    normalize(s, &s->sets.at[n]);
    set_free(&s->fresh.at[n]);
    Node *node = &s->nodes.at[n];
    IdVec *all[] = {&s->copies.at[n].next, &node->shifts,   &node->loads, &node->stores,
                    &node->moves_from,     &node->moves_to, &node->calls};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) vec_free(all[i]);
  }
  r->sets = s->sets.at;
  r->whole = s->merged, s->merged = NULL;
  for (vec_each(i, &s->sys->objects)) {
    vec_free(&s->memory[i].loaded);
    vec_free(&s->memory[i].readers);
    vec_free(&s->memory[i].beside[0]);
    vec_free(&s->memory[i].beside[1]);
  }
  for (vec_each(i, &s->sinks)) vec_free(&s->sinks.at[i]);
}

Solution *solve(System *sys) {
  assert(sys->routine_of);
  Solving s = solving_new(sys);
  note_spots(&s);
  begin(&s);
  while (sweep(&s))
    if (s.added > s.edges / 4 + 64) {
      solving_collapse(&s);
      settle(&s);
    }
  CHECKED(solving_check(&s));
  finish(&s);
  CHECKED(solution_check(s.r, sys));
  solving_free(&s);
  return s.r;
}

static bool is_in(const Solution *r, const System *s, uint32_t spot, const Set *set) {
  if (set_has(set, spot)) return true;
  return r->escaped[spots_at(s->spots, spot).object] && set_has(set, SPOT_UNKNOWN);
}

static void check_copy(const Solution *r, const System *s, uint32_t from, uint32_t to) {
  if (r->same[from] == r->same[to]) return;
  for (set_each(at, solution_set(r, from))) assert(is_in(r, s, at.id, solution_set(r, to)));
}

static void check_copies(const Solution *r, const System *s) {
  for (vec_each(i, &s->edges))
    if (!s->edges.at[i].shift) check_copy(r, s, s->edges.at[i].src, s->edges.at[i].dst);
  for (vec_each(i, &r->targets)) {
    assert(r->targets.at[i].owner < s->calls.len && r->targets.at[i].item < s->routines.len);
    const Call *c = &s->calls.at[r->targets.at[i].owner];
    const Routine *f = &s->routines.at[r->targets.at[i].item];
    for (uint32_t k = 0; k < c->count; ++k)
      if (s->args.at[c->first + k] != NODE_NONE)
        check_copy(r, s, s->args.at[c->first + k], k < f->count ? f->first + k : f->extra);
    if (c->result != NODE_NONE) check_copy(r, s, f->result, c->result);
  }
}

static void check_leak(const Solution *r, const System *s, uint32_t node) {
  for (set_each(at, solution_set(r, node))) {
    uint32_t o = spots_at(s->spots, at.id).object;
    assert(o == OBJECT_UNKNOWN || r->escaped[o]);
  }
}

static void check_escapes(const Solution *r, const System *s) {
  for (vec_each(i, &s->escaped)) assert(r->escaped[s->escaped.at[i]] || !s->escaped.at[i]);
  for (vec_each(i, &s->escapes)) check_leak(r, s, s->escapes.at[i]);
  for (uint32_t o = 0; o < r->objects; ++o)
    for (vec_each(i, &r->stored[o])) {
      const Cell *c = &r->stored[o].at[i];
      assert(c->node < r->nodes && c->spot < spots_count(s->spots));
      assert(spots_at(s->spots, c->spot).object == o);
      if (r->escaped[o]) check_leak(r, s, c->node);
    }
}

void solution_check(const Solution *r, const System *s) {
  assert(r->objects == s->objects.len && r->nodes >= s->nodes);
  for (uint32_t n = 0; n < r->nodes; ++n) {
    assert(r->same[n] < r->nodes && r->same[r->same[n]] == r->same[n]);
    assert(r->same[n] == n || !r->sets[n].len);
    set_check(&r->sets[n]);
    bool unknown = set_has(&r->sets[n], SPOT_UNKNOWN);
    for (set_each(at, &r->sets[n])) {
      assert(at.id < spots_count(s->spots));
      assert(!unknown || !r->escaped[spots_at(s->spots, at.id).object]);
    }
  }
  check_copies(r, s);
  check_escapes(r, s);
  spots_check(s->spots);
}

void solution_free(Solution *r) {
  if (!r) return;
  for (uint32_t n = 0; n < r->nodes; ++n) set_free(&r->sets[n]);
  for (uint32_t o = 0; o < r->objects; ++o) vec_free(&r->stored[o]);
  mem_free(r->sets);
  mem_free(r->same);
  mem_free(r->escaped);
  mem_free(r->whole);
  mem_free(r->stored);
  vec_free(&r->targets);
  mem_free(r);
}
