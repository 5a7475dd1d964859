// A constraint stays in one context if both of its nodes belong to one activation: to the same function, or
// the source to none. A node that belongs to the wrong function costs precision but is never wrong, for edges
// between functions end in every context, unless they are those of a call.
#include "facts.h"

enum { OUTSIDE = 0 };  // as a function: who calls what nobody in the module calls

typedef Vec(uint64_t) Rows;
// In the order of relation_names.
typedef enum {
  BASE,
  CLONE,
  COPY,
  COPY_ANY,
  SHIFT,
  SHIFT_ANY,
  LOAD,
  LOAD_ANY,
  STORE,
  STORE_ANY,
  STEP,
  INTO,
  FROM,
  INSIDE,
  OBJECT,
  HOLDER,
  SOURCE,
  TARGET,
  TAKES,
  GIVES,
  BLANK,
  CARRIED,
  ROOT,
  HAS,
  EDGE,
  DIRECT,
  ENTERS,
  LEAVES,
  CALLEE,
  ALLOWED,
  FUNCTION,
  ROUTINE,
  OPEN,
  ACTUAL,
  FORMAL,
  RESULT,
  RESULT_ANY,
  RETURNS,
  HIDDEN,
  WHOLE,
  SHIFT_DIM,
  SHIFT_DIM_ANY,
  LOAD_DIM,
  LOAD_DIM_ANY,
  STORE_DIM,
  STORE_DIM_ANY,
  SOURCE_DIM,
  TARGET_DIM,
  LEAKS,
  GIVEN,
  RELATIONS
} RelationId;
static const struct {
  const char *name;
  unsigned attributes;
} relations[RELATIONS] = {[BASE] = {"base", 2},
                          [CLONE] = {"clone", 2},
                          [COPY] = {"copy", 2},
                          [COPY_ANY] = {"copyany", 2},
                          [SHIFT] = {"shift", 3},
                          [SHIFT_ANY] = {"shiftany", 3},
                          [LOAD] = {"load", 3},
                          [LOAD_ANY] = {"loadany", 3},
                          [STORE] = {"store", 3},
                          [STORE_ANY] = {"storeany", 3},
                          [STEP] = {"step", 3},
                          [INTO] = {"into", 3},
                          [FROM] = {"from", 3},
                          [INSIDE] = {"inside", 2},
                          [OBJECT] = {"object", 2},
                          [HOLDER] = {"holder", 2},
                          [SOURCE] = {"source", 2},
                          [TARGET] = {"target", 2},
                          [TAKES] = {"takes", 4},
                          [GIVES] = {"gives", 4},
                          [BLANK] = {"blank", 2},
                          [CARRIED] = {"carried", 2},
                          [ROOT] = {"root", 1},
                          [HAS] = {"has", 2},
                          [EDGE] = {"edge", 2},
                          [DIRECT] = {"direct", 2},
                          [ENTERS] = {"enters", 3},
                          [LEAVES] = {"leaves", 3},
                          [CALLEE] = {"callee", 2},
                          [ALLOWED] = {"allowed", 2},
                          [FUNCTION] = {"function", 2},
                          [ROUTINE] = {"routine", 2},
                          [OPEN] = {"open", 1},
                          [ACTUAL] = {"actual", 3},
                          [FORMAL] = {"formal", 3},
                          [RESULT] = {"result", 2},
                          [RESULT_ANY] = {"resultany", 2},
                          [RETURNS] = {"returns", 2},
                          [HIDDEN] = {"hidden", 2},
                          [WHOLE] = {"whole", 2},
                          [SHIFT_DIM] = {"shiftdim", 2},
                          [SHIFT_DIM_ANY] = {"shiftdimany", 2},
                          [LOAD_DIM] = {"loaddim", 2},
                          [LOAD_DIM_ANY] = {"loaddimany", 2},
                          [STORE_DIM] = {"storedim", 2},
                          [STORE_DIM_ANY] = {"storedimany", 2},
                          [SOURCE_DIM] = {"sourcedim", 2},
                          [TARGET_DIM] = {"targetdim", 2},
                          [LEAKS] = {"leaks", 1},
                          [GIVEN] = {"given", 1}};

typedef struct {
  const Alias *a;
  System *sys;
  const Solution *sol;
  uint64_t room;
  bool clones;
  Rows rows[RELATIONS];
  Map *functions;   // -> id, from 1
  uint32_t count;   // of ids
  uint32_t *owner;  // by node: function, or OUTSIDE
  Map *sizes;       // bytes of an access -> id
  uint32_t size_count;
  Cells cells;          // node: unused
  Map *cell_ids;        // spot and bytes -> index
  Vec(IdVec) cells_of;  // by object
  Map *seen;            // pairs whose rows are there
  uint32_t positions;
} Facts;

static void row(Facts *f, RelationId r, uint64_t x, uint64_t y, uint64_t z, uint64_t w) {
  uint64_t all[] = {x, y, z, w};
  vec_append(&f->rows[r], all, relations[r].attributes);
}

static Spot spot_of(const Facts *f, uint32_t id) {
  return spots_at(f->sys->spots, id);
}

// -- functions and whom nodes belong to

static uint32_t function_id(Facts *f, LLVMValueRef function) {
  uint64_t id;
  if (!function) return OUTSIDE;
  if (map_get(f->functions, map_key(function), &id)) return (uint32_t)id;
  map_put(f->functions, map_key(function), f->count);
  return f->count++;
}

static uint32_t function_of_call(Facts *f, LLVMValueRef call) {
  if (!call || !LLVMIsAInstruction(call)) return OUTSIDE;
  return function_id(f, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
}

static void own(Facts *f, const Map *nodes, LLVMValueRef v, uint32_t function) {
  uint64_t node;
  if (map_get(nodes, map_key(v), &node) && node < f->sys->nodes) f->owner[node] = function;
}

static void own_values(Facts *f, LLVMValueRef function) {
  const Build *b = &f->a->build;
  uint32_t id = function_id(f, function);
  for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) own(f, b->nodes, p, id);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      own(f, b->nodes, i, id);
      own(f, b->variables, i, id);
    }
}

// The function whose code makes the object, in each context another one; OUTSIDE: there is no such function.
static uint32_t maker_of(Facts *f, uint32_t object) {
  const Object *o = &f->sys->objects.at[object];
  return o->kind == KIND_HEAP || o->kind == KIND_STACK ? function_of_call(f, o->value) : OUTSIDE;
}

static void find_owners(Facts *f) {
  const Build *b = &f->a->build;
  f->owner = mem_array(f->sys->nodes + 1, sizeof *f->owner);
  for (LLVMValueRef g = LLVMGetFirstFunction(b->module); g; g = LLVMGetNextFunction(g)) own_values(f, g);
  for (vec_each(i, &b->parts)) {
    const Parts *p = &b->parts.at[i];
    uint32_t id = function_id(f, p->function);
    for (uint32_t k = 0; k < p->count; ++k) f->owner[p->first + k] = id;
    f->owner[p->extra] = f->owner[p->result] = id;
  }
  for (vec_each(i, &f->sys->bases)) {
    const Base *base = &f->sys->bases.at[i];
    if (f->owner[base->node] == OUTSIDE) f->owner[base->node] = maker_of(f, spot_of(f, base->spot).object);
  }
  f->owner[NODE_UNKNOWN] = OUTSIDE;
}

// A node that a call uses must belong to the caller or to nobody.
static void disown(Facts *f, uint32_t node, uint32_t function) {
  if (node != NODE_NONE && f->owner[node] != function) f->owner[node] = OUTSIDE;
}

static void settle_owners(Facts *f) {
  for (vec_each(i, &f->sys->calls)) {
    const Call *c = &f->sys->calls.at[i];
    uint32_t caller = function_of_call(f, c->call);
    disown(f, c->callee, caller);
    for (uint32_t k = 0; k < c->count; ++k) disown(f, f->sys->args.at[c->first + k], caller);
  }
}

static bool stays(const Facts *f, uint32_t dst, uint32_t src) {
  return f->owner[src] == OUTSIDE || f->owner[src] == f->owner[dst];
}

// What has escaped is not named in the sets of such nodes.
static bool is_dim(const Facts *f, uint32_t node) {
  return set_has(solution_set(f->sol, node), SPOT_UNKNOWN);
}

// -- places and cells

static uint32_t place(Facts *f, Spot s) {
  if (f->sol->whole[s.object]) s = (Spot){s.object, 0, 1, SPOT_OPEN};
  return spots_id(f->sys->spots, s);
}

static uint64_t size_id(Facts *f, int64_t bytes) {
  uint64_t id;
  if (map_get(f->sizes, (uint64_t)bytes, &id)) return id;
  map_put(f->sizes, (uint64_t)bytes, f->size_count);
  return f->size_count++;
}

// Of a place; it may be new.
static uint32_t cell_of(Facts *f, uint32_t spot, int64_t bytes) {
  Spot at = spot_of(f, spot);
  if (at.stride == 1 && at.end == SPOT_OPEN) bytes = 1;
  uint64_t key = (uint64_t)spot << 32 | (bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX), id;
  if (map_get(f->cell_ids, key, &id)) return (uint32_t)id;
  Cell c = {spot, (uint32_t)f->cells.len, bytes};
  map_put(f->cell_ids, key, c.node);
  vec_push(&f->cells, c);
  vec_push(&f->cells_of.at[at.object], c.node);
  return c.node;
}

static bool is_new(Facts *f, RelationId r, uint64_t x, uint64_t y) {
  assert(x < (uint64_t)1 << 26 && y < (uint64_t)1 << 32);
  uint64_t key = (uint64_t)r << 58 | x << 32 | y;
  if (map_or(f->seen, key, 0)) return false;
  map_put(f->seen, key, 1);
  return true;
}

// The cell for an access there. NODE_NONE: no memory is there.
static uint32_t cell_at(Facts *f, uint32_t spot, int64_t bytes) {
  spot = place(f, spot_of(f, spot));
  Spot at = spot_of(f, spot);
  return spot_outside(at, bytes, f->sys->sizes.at[at.object]) ? NODE_NONE : cell_of(f, spot, bytes);
}

// Escaped objects as a whole. Before cells are carried on.
static void give_whole(Facts *f) {
  for (uint32_t o = 1; o < f->sys->objects.len; ++o) {
    if (!f->sol->escaped[o]) continue;
    uint32_t all = spots_id(f->sys->spots, (Spot){o, 0, 1, SPOT_OPEN});
    row(f, WHOLE, all, cell_of(f, all, 1), 0, 0);
  }
}

// -- relations of code

static void give_edges(Facts *f) {
  for (vec_each(i, &f->sys->bases)) {
    const Base *b = &f->sys->bases.at[i];
    uint32_t maker = maker_of(f, spot_of(f, b->spot).object);
    bool clones = f->clones && maker != OUTSIDE && f->owner[b->node] == maker;
    row(f, clones ? CLONE : BASE, b->node, place(f, spot_of(f, b->spot)), 0, 0);
  }
  for (vec_each(i, &f->sys->edges)) {
    const Edge *e = &f->sys->edges.at[i];
    bool in_context = stays(f, e->dst, e->src);
    if (e->direct) {
      const Direct *d = &f->sys->directs.at[e->direct - 1];
      uint32_t caller = function_of_call(f, d->call), callee = function_id(f, d->callee);
      uint32_t from = e->enters ? caller : callee, to = e->enters ? callee : caller;
      bool fits = f->owner[e->dst] == to && (f->owner[e->src] == from || f->owner[e->src] == OUTSIDE);
      if (fits)
        row(f, e->enters ? ENTERS : LEAVES, e->direct - 1, e->dst, e->src, 0);
      else
        row(f, COPY_ANY, e->dst, e->src, 0, 0);
    } else if (!e->shift) {
      row(f, in_context ? COPY : COPY_ANY, e->dst, e->src, 0, 0);
    } else {
      row(f, in_context ? SHIFT : SHIFT_ANY, e->dst, e->src, e->shift, 0);
      if (is_dim(f, e->src)) row(f, in_context ? SHIFT_DIM : SHIFT_DIM_ANY, e->dst, e->src, 0, 0);
    }
  }
}

static void give_steps(Facts *f) {
  for (vec_each(i, &f->sys->edges)) {
    const Edge *e = &f->sys->edges.at[i];
    if (!e->shift) continue;
    for (set_each(at, solution_set(f->sol, e->src)))
      if (is_new(f, STEP, e->shift, at.id))
        row(f, STEP, e->shift, at.id, place(f, spot_shift(spot_of(f, at.id), f->sys->shifts.at[e->shift])),
            0);
  }
}

static void give_accesses(Facts *f) {
  for (vec_each(i, &f->sys->stores)) {
    const Access *x = &f->sys->stores.at[i];
    uint64_t size = size_id(f, x->bytes);
    bool same = f->owner[x->value] == f->owner[x->pointer] || f->owner[x->value] == OUTSIDE ||
                f->owner[x->pointer] == OUTSIDE;
    row(f, same ? STORE : STORE_ANY, x->value, x->pointer, size, 0);
    if (is_dim(f, x->pointer)) row(f, same ? STORE_DIM : STORE_DIM_ANY, x->value, x->pointer, 0, 0);
    for (set_each(at, solution_set(f->sol, x->pointer))) {
      if (at.id == SPOT_UNKNOWN || !is_new(f, INTO, size, at.id)) continue;
      uint32_t cell = cell_at(f, at.id, x->bytes);
      if (cell != NODE_NONE) row(f, INTO, size, at.id, cell, 0);
    }
  }
}

// Behind all that makes cells.
static void give_loads(Facts *f) {
  for (vec_each(i, &f->sys->loads)) {
    const Access *x = &f->sys->loads.at[i];
    uint64_t size = size_id(f, x->bytes);
    bool same = stays(f, x->value, x->pointer);
    row(f, same ? LOAD : LOAD_ANY, x->value, x->pointer, size, 0);
    if (is_dim(f, x->pointer)) row(f, same ? LOAD_DIM : LOAD_DIM_ANY, x->value, x->pointer, 0, 0);
    for (set_each(at, solution_set(f->sol, x->pointer))) {
      if (at.id == SPOT_UNKNOWN || !is_new(f, FROM, size, at.id)) continue;
      Spot s = spot_of(f, place(f, spot_of(f, at.id)));
      if (spot_outside(s, x->bytes, f->sys->sizes.at[s.object])) continue;
      row(f, INSIDE, size, at.id, 0, 0);
      const IdVec *cells = &f->cells_of.at[s.object];
      for (vec_each(k, cells)) {
        const Cell *c = &f->cells.at[cells->at[k]];
        if (f->sol->whole[s.object] || spot_overlaps(s, x->bytes, spot_of(f, c->spot), c->bytes))
          row(f, FROM, size, at.id, cells->at[k], 0);
      }
    }
  }
}

// -- memory that is moved; the rules are those of alias/solve.c

static bool keeps_offsets(const Move *m, Spot end) {
  return m->bytes < SPOT_REST || (!end.stride && !end.first);
}

// Whether a source and another end lie in the object.
static bool slides(const Facts *f, const Move *m, uint32_t object) {
  const Set *ends[] = {solution_set(f->sol, m->src), solution_set(f->sol, m->dst)};
  uint32_t first = NODE_NONE;
  bool source = false, differ = false;
  for (int e = 0; e < 2; ++e)
    for (set_each(at, ends[e])) {
      if (spot_of(f, at.id).object != object) continue;
      source |= !e;
      differ |= first != NODE_NONE && first != at.id;
      first = at.id;
    }
  return source && differ;
}

static void take(Facts *f, uint32_t move, uint32_t from, uint32_t cell) {
  const Move *m = &f->sys->moves.at[move];
  const Cell c = f->cells.at[cell];
  Spot start = spot_of(f, from), distance = {m->object, 0, 1, SPOT_OPEN};
  if (keeps_offsets(m, start)) distance = spot_add(spot_of(f, c.spot), start, true);
  distance.object = m->object;
  if (!spot_overlaps(distance, c.bytes, (Spot){.object = m->object}, m->bytes)) return;
  row(f, TAKES, move, from, cell, cell_of(f, place(f, distance), c.bytes));
}

static void deliver(Facts *f, uint32_t move, uint32_t to, uint32_t cell) {
  const Move *m = &f->sys->moves.at[move];
  const Cell c = f->cells.at[cell];
  Spot target = spot_of(f, to), at = spot_of(f, c.spot);
  bool keeps = keeps_offsets(m, target) && !(target.stride != 1 && slides(f, m, target.object));
  at.object = target.object;
  if (at.stride && at.end == SPOT_OPEN && m->bytes < SPOT_REST) at.end = m->bytes;
  Spot moved = keeps ? spot_add(at, target, false) : (Spot){target.object, 0, 1, SPOT_OPEN};
  uint32_t there = cell_at(f, place(f, moved), c.bytes);
  if (there != NODE_NONE) row(f, GIVES, move, to, cell, there);
}

static void give_ends(Facts *f, uint32_t move) {
  const Move *m = &f->sys->moves.at[move];
  row(f, SOURCE, move, m->src, 0, 0);
  row(f, TARGET, move, m->dst, 0, 0);
  if (is_dim(f, m->src)) row(f, SOURCE_DIM, move, m->src, 0, 0);
  if (is_dim(f, m->dst)) row(f, TARGET_DIM, move, m->dst, 0, 0);
  row(f, BLANK, move, cell_of(f, place(f, (Spot){m->object, 0, 1, SPOT_OPEN}), 1), 0, 0);
}

typedef struct {
  uint32_t move, spot;
} Reader;

// Cells make cells: each is looked at once, when it is there.
static void give_moves(Facts *f) {
  uint32_t objects = (uint32_t)f->sys->objects.len;
  Pairs by_object = {0};
  Vec(Reader) readers = {0};
  uint32_t *move_of = mem_array(objects, sizeof *move_of);
  for (uint32_t i = 0; i < objects; ++i) move_of[i] = NODE_NONE;
  for (uint32_t i = 0; i < f->sys->moves.len; ++i) {
    const Move *m = &f->sys->moves.at[i];
    give_ends(f, i);
    move_of[m->object] = i;
    for (set_each(at, solution_set(f->sol, m->src))) {
      if (at.id == SPOT_UNKNOWN) continue;
      Reader r = {i, at.id};
      pairs_add(&by_object, spot_of(f, at.id).object, (uint32_t)readers.len);
      vec_push(&readers, r);
    }
  }
  Lists readers_of = lists_new(objects, &by_object);
  for (uint32_t c = 0; c < f->cells.len; ++c) {
    uint32_t o = spot_of(f, f->cells.at[c].spot).object, move = move_of[o];
    Ids ids = lists_of(&readers_of, o);
    for (vec_each(k, &ids)) take(f, readers.at[ids.at[k]].move, readers.at[ids.at[k]].spot, c);
    if (move == NODE_NONE) continue;
    row(f, CARRIED, move, c, 0, 0);
    for (set_each(at, solution_set(f->sol, f->sys->moves.at[move].dst)))
      if (at.id != SPOT_UNKNOWN) deliver(f, move, at.id, c);
  }
  lists_free(&readers_of);
  vec_free(&by_object);
  vec_free(&readers);
  mem_free(move_of);
}

// -- calls

static uint32_t site_of(const Facts *f, size_t call) {
  return (uint32_t)(f->sys->directs.len + call);
}

static void give_directs(Facts *f) {
  for (vec_each(i, &f->sys->directs)) {
    const Direct *d = &f->sys->directs.at[i];
    row(f, HAS, function_of_call(f, d->call), i, 0, 0);
    row(f, EDGE, i, function_id(f, d->callee), 0, 0);
    row(f, DIRECT, i, function_id(f, d->callee), 0, 0);
  }
}

static void give_call(Facts *f, size_t i) {
  const Call *c = &f->sys->calls.at[i];
  uint32_t site = site_of(f, i), caller = function_of_call(f, c->call);
  row(f, HAS, caller, site, 0, 0);
  row(f, CALLEE, site, c->callee, 0, 0);
  if (!c->limited) row(f, OPEN, site, 0, 0, 0);
  if (c->result != NODE_NONE)
    row(f, f->owner[c->result] == caller && caller != OUTSIDE ? RESULT : RESULT_ANY, site, c->result, 0, 0);
  if (c->count > f->positions) f->positions = c->count;
  for (uint32_t k = 0; k < c->count; ++k)
    if (f->sys->args.at[c->first + k] != NODE_NONE) row(f, ACTUAL, site, k, f->sys->args.at[c->first + k], 0);
}

static void give_target(Facts *f, size_t call, const Routine *r) {
  uint32_t site = site_of(f, call), to = function_id(f, r->function);
  if (!is_new(f, EDGE, to, site)) return;
  row(f, EDGE, site, to, 0, 0);
  row(f, ALLOWED, site, to, 0, 0);
}

// Beside what the solution knows, functions that have escaped: they may be hidden there.
static void give_calls(Facts *f) {
  for (vec_each(i, &f->sys->calls)) give_call(f, i);
  for (vec_each(i, &f->sol->targets))
    give_target(f, f->sol->targets.at[i].owner, &f->sys->routines.at[f->sol->targets.at[i].item]);
  for (vec_each(i, &f->sys->calls)) {
    if (!is_dim(f, f->sys->calls.at[i].callee)) continue;
    for (vec_each(k, &f->sys->routines)) {
      const Routine *r = &f->sys->routines.at[k];
      if (f->sol->escaped[r->object] && system_call_fits(f->sys, &f->sys->calls.at[i], r))
        give_target(f, i, r);
    }
  }
}

static void give_routines(Facts *f) {
  for (vec_each(i, &f->sys->routines)) {
    const Routine *r = &f->sys->routines.at[i];
    uint32_t id = function_id(f, r->function);
    row(f, ROUTINE, r->object, id, 0, 0);
    row(f, RETURNS, id, r->result, 0, 0);
    for (uint32_t k = 0; k < r->count; ++k) row(f, FORMAL, id, k, r->first + k, 0);
    for (uint32_t k = r->count; k < f->positions || k == r->count; ++k) row(f, FORMAL, id, k, r->extra, 0);
    if (r->count + 1 > f->positions) f->positions = r->count + 1;
  }
  for (uint32_t s = 0; s < spots_count(f->sys->spots); ++s) {
    uint32_t routine = f->sys->routine_of[spot_of(f, s).object];
    if (routine != NODE_NONE)
      row(f, FUNCTION, s, function_id(f, f->sys->routines.at[routine].function), 0, 0);
  }
}

// Who may be entered by nobody that the module shows: without a caller, or given to outside code. Without
// contexts, everybody.
static void give_roots(Facts *f) {
  bool *entered = mem_array(f->count + 1, sizeof *entered);
  for (size_t i = 0; i < f->rows[EDGE].len; i += 2) entered[f->rows[EDGE].at[i + 1]] = true;
  for (vec_each(i, &f->sys->routines)) {
    const Routine *r = &f->sys->routines.at[i];
    if (f->sol->escaped[r->object]) entered[function_id(f, r->function)] = false;
  }
  for (uint32_t i = 0; i < f->count; ++i)
    if (f->room == 1 || i == OUTSIDE || !entered[i]) row(f, ROOT, i, 0, 0, 0);
  mem_free(entered);
}

static void give_rest(Facts *f) {
  for (uint32_t s = 1; s < spots_count(f->sys->spots); ++s) {
    uint32_t o = spot_of(f, s).object;
    if (f->sol->escaped[o]) row(f, HIDDEN, s, spots_id(f->sys->spots, (Spot){o, 0, 1, SPOT_OPEN}), 0, 0);
  }
  for (uint32_t s = 0; s < spots_count(f->sys->spots); ++s)
    if (s != SPOT_UNKNOWN) row(f, OBJECT, s, spot_of(f, s).object, 0, 0);
  for (vec_each(i, &f->cells)) row(f, HOLDER, i, spot_of(f, f->cells.at[i].spot).object, 0, 0);
  for (vec_each(i, &f->sys->escapes)) row(f, LEAKS, f->sys->escapes.at[i], 0, 0, 0);
  for (vec_each(i, &f->sys->escaped))
    if (f->sys->escaped.at[i] != OBJECT_UNKNOWN) row(f, GIVEN, f->sys->escaped.at[i], 0, 0, 0);
}

// -- the whole

static void hand_over(Facts *f, Datalog *d) {
  const struct {
    const char *name;
    uint64_t size;
  } domains[] = {{"N", f->sys->nodes},
                 {"S", spots_count(f->sys->spots)},
                 {"K", f->cells.len},
                 {"B", f->size_count},
                 {"I", f->sys->directs.len + f->sys->calls.len},
                 {"F", f->count},
                 {"Z", f->positions + 1},
                 {"C", f->room},
                 {"O", f->sys->objects.len},
                 {"M", f->sys->moves.len},
                 {"W", f->sys->shifts.len}};
  bool ok = true;
  for (size_t i = 0; i < sizeof domains / sizeof *domains; ++i)
    ok &= datalog_resize(d, domains[i].name, domains[i].size ? domains[i].size : 1);
  for (RelationId r = 0; r < RELATIONS; ++r)
    ok &= datalog_give(d, relations[r].name, f->rows[r].at, f->rows[r].len / relations[r].attributes);
  assert(ok && "points-to.datalog and alias/facts.c disagree");
}

void facts_give(const Alias *a, uint64_t room, bool clones, Datalog *d) {
  assert(room);
  Facts f = {.a = a, .sys = a->sys, .sol = a->sol, .room = room, .clones = clones, .count = 1};
  f.functions = map_new(), f.sizes = map_new(), f.cell_ids = map_new(), f.seen = map_new();
  for (vec_each(i, &f.sys->objects)) vec_push(&f.cells_of, (IdVec){0});
  find_owners(&f);
  settle_owners(&f);
  give_edges(&f);
  give_steps(&f);
  give_accesses(&f);
  give_whole(&f);
  give_moves(&f);
  give_loads(&f);
  give_directs(&f);
  give_calls(&f);
  give_routines(&f);
  give_roots(&f);
  give_rest(&f);
  hand_over(&f, d);
  for (RelationId r = 0; r < RELATIONS; ++r) vec_free(&f.rows[r]);
  for (vec_each(i, &f.cells_of)) vec_free(&f.cells_of.at[i]);
  vec_free(&f.cells_of);
  vec_free(&f.cells);
  map_free(f.functions), map_free(f.sizes), map_free(f.cell_ids), map_free(f.seen);
  mem_free(f.owner);
}
