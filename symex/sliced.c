#include "sliced.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "backwalk.h"
#include "decides.h"
#include "inside.h"
#include "number.h"
#include "operands.h"

enum { MOST_KEPT = 2000000 };
enum { FIXED = 1 };  // a byte that the schedule decides: what the run read is what every such run reads

typedef struct {
  uint64_t term;  // Bv + 2; FIXED; 0: nothing was written
  uint8_t part;   // which byte of it
  uint32_t thread, step;
} Shadow;

typedef struct {
  uint64_t address;
  uint32_t index;
} ArgumentText;

typedef struct {
  const SlicedInput *in;
  const Bytecode *c;
  const RunTrace *t;
  Sliced *out;
  Bvs *b;
  Order *order;
  Vec(BackwalkVisit) visits;  // latest first
  RunValue *values;
  Map *atom_of, *pinned;  // pinned: variable: its value as a term, + 1
  BvVec pins;             // truths that say so
  Map *slots;             // frame and slot: Bv + 1
  Map *bytes;             // address: index of shadow + 1
  Vec(Shadow) shadow;
  Vec(ArgumentText) texts;    // of arguments
  Vec(uint64_t) environment;  // addresses of values
  Vec(uint64_t) known;        // by term: what it was in the run
  Map *thread_locals;         // beginning: 1
  Bv *results;                // of threads
  Lists events;               // by thread, in the order of the trace: indices in t->events
  const BackwalkVisit *v;
  const RunValue *value;
  const Inst *i;
} Maker;

// --- variables

const Atom *sliced_atom(const Sliced *s, Bv x) {
  BvTerm e = bv_at(s->t, x);
  return e.op == BV_VAR ? &s->atoms.at[e.value] : NULL;
}

static bool is_same(const Atom *x, const Atom *y) {
  bool same_name = x->name == y->name || (x->name && y->name && !strcmp(x->name, y->name));
  return x->kind == y->kind && x->index == y->index && x->at == y->at && x->a == y->a && x->b == y->b &&
         same_name;
}

static uint64_t atom_key(const Atom *a) {
  uint64_t h = a->kind;
  for (const char *c = a->name; c && *c; ++c) h = h * 31 + (unsigned char)*c;
  h = h * UINT64_C(0x9E3779B97F4A7C15) + a->index;
  h = h * UINT64_C(0x9E3779B97F4A7C15) + a->at;
  h = h * UINT64_C(0x9E3779B97F4A7C15) + a->a;
  return h * UINT64_C(0x9E3779B97F4A7C15) + a->b;
}

// Equal ones are one variable. Two of the same key that differ are rare: the later one is then made anew.
static Bv atom(Maker *m, Atom a) {
  uint64_t key = atom_key(&a), known = a.kind == ATOM_OPAQUE ? 0 : map_or(m->atom_of, key, 0);
  if (known && is_same(&m->out->atoms.at[known - 1], &a)) {
    mem_free(a.name);
    Bv var = m->out->atoms.at[known - 1].var;
    uint64_t value = map_or(m->pinned, var, 0);
    return value ? (Bv)value - 1 : var;
  }
  a.var = bv_var(m->b, a.width, m->out->atoms.len);
  vec_push(&m->out->atoms, a);
  if (a.kind != ATOM_OPAQUE) map_put(m->atom_of, key, m->out->atoms.len);
  return a.var;
}

static Bv opaque(Maker *m, unsigned width, uint64_t recorded, const char *why) {
  return atom(m, (Atom){.kind = ATOM_OPAQUE,
                        .width = (uint8_t)width,
                        .a = BV_NONE,
                        .b = BV_NONE,
                        .recorded = recorded & bv_mask(width),
                        .pc = m->v->at.pc,
                        .why = why});
}

static Bv constant(Maker *m, uint64_t value) {
  return bv_const(m->b, 64, value);
}

// --- what terms were in the run

static uint64_t known_value(Maker *m, Bv x) {
  while (m->known.len <= x) {
    Bv y = (Bv)m->known.len;
    BvTerm e = bv_at(m->b, y);
    uint64_t parts[3] = {0};
    if (e.op > BV_VAR) {
      parts[0] = m->known.at[e.a];
      if (e.b != BV_NONE) parts[1] = m->known.at[e.b];
      if (e.c != BV_NONE) parts[2] = m->known.at[e.c];
    }
    uint64_t value = e.op == BV_CONST ? e.value
                     : e.op == BV_VAR ? m->out->atoms.at[e.value].recorded
                                      : bv_compute(m->b, y, parts);
    vec_push(&m->known, value);
  }
  return m->known.at[x];
}

uint64_t sliced_recorded(const Sliced *s, Bv x) {
  Model model = {0};
  uint64_t value = 0;
  model_vars(s->t, &x, 1, &model.vars);
  for (vec_each(i, &model.vars)) vec_push(&model.values, sliced_atom(s, model.vars.at[i])->recorded);
  model_value(s->t, &model, x, &value);
  model_free(&model);
  return value;
}

static bool is_constant(const Maker *m, Bv x) {
  uint64_t value;
  return bv_is_const(m->b, x, &value);
}

// The place in the program that an instance belongs to.
static uint32_t program_pc(const Maker *m) {
  uint32_t frame = m->v->frame, pc = m->v->at.pc;
  while (m->c->functions.at[m->t->frames.at[frame].function].model) {
    const TraceFrame *f = &m->t->frames.at[frame];
    if (f->caller == TRACE_NONE || f->starts) break;
    frame = f->caller, pc = f->call;
  }
  return pc;
}

static void add_truth(Maker *m, Bv truth) {
  SlicedTruth x = {truth, program_pc(m)};
  if (bv_is(m->b, truth, 1)) return;
  if (!known_value(m, truth)) m->out->wrong = program_pc(m);
  vec_push(&m->out->truths, x);
}

// --- addresses

// What the run made at an address of its own: a block of the heap, the variables of a frame.
static Bv object(Maker *m, uint64_t address, uint32_t index, uint32_t at) {
  return atom(m, (Atom){.kind = ATOM_OBJECT,
                        .width = 64,
                        .index = index,
                        .at = at,
                        .a = BV_NONE,
                        .b = BV_NONE,
                        .recorded = address});
}

static bool is_object(const Maker *m, Bv x) {
  BvTerm e = bv_at(m->b, x);
  return e.op == BV_VAR && m->out->atoms.at[e.value].kind == ATOM_OBJECT;
}

// The object that an address begins from, and how far behind it; BV_NONE: it is no such address.
static Bv base_of(Maker *m, Bv x, Bv *offset) {
  BvTerm e = bv_at(m->b, x);
  Bv rest, base;
  if (is_object(m, x)) return *offset = constant(m, 0), x;
  if (e.op != BV_ADD || e.width != 64) return BV_NONE;
  if ((base = base_of(m, e.a, &rest)) != BV_NONE) {
    *offset = bv_op(m->b, BV_ADD, rest, e.b);
  } else if ((base = base_of(m, e.b, &rest)) != BV_NONE) {
    *offset = bv_op(m->b, BV_ADD, e.a, rest);
  }
  return base;
}

// Two addresses in one object lie as their offsets do; in two they are never the same, and nothing else is
// known. No object reaches around the end of memory.
static Bv of_addresses(Maker *m, BvOp op, Bv a, Bv b) {
  Bv x = BV_NONE, y = BV_NONE, p = base_of(m, a, &x), q = base_of(m, b, &y);
  if (p == BV_NONE && q == BV_NONE) return BV_NONE;
  if (op == BV_AND && q == BV_NONE && is_constant(m, b) && known_value(m, b) < 16)
    return bv_op(m->b, BV_AND, x, b);
  if (p != q && op == BV_EQ && known_value(m, a) != known_value(m, b)) return bv_const(m->b, 1, 0);
  if (p != q) return BV_NONE;
  if (op == BV_ULT || op == BV_ULE) return bv_op(m->b, op == BV_ULT ? BV_SLT : BV_SLE, x, y);
  return op == BV_EQ || op == BV_SUB || op == BV_SLT || op == BV_SLE ? bv_op(m->b, op, x, y) : BV_NONE;
}

// The part of a sum or product that decides it: equal parts, equal wholes, and the other way round.
static Bv deciding(const Maker *m, Bv x) {
  for (;;) {
    BvTerm e = bv_at(m->b, x);
    uint64_t by;
    bool number = e.b != BV_NONE && bv_is_const(m->b, e.b, &by);
    if (e.op == BV_ZEXT || e.op == BV_SEXT || (e.op == BV_ADD && number)) {
      x = e.a;
      continue;
    }
    if (e.op == BV_ADD && (is_object(m, e.a) || is_object(m, e.b))) {
      x = is_object(m, e.a) ? e.b : e.a;
      continue;
    }
    if (e.op != BV_MUL || !number || !by || by >> 31) return x;
    BvTerm of = bv_at(m->b, e.a);  // no product of 32 and 31 bits wraps around in 64
    if (e.width < 64 || (of.op != BV_ZEXT && of.op != BV_SEXT) || bv_at(m->b, of.a).width > 32) return x;
    x = e.a;
  }
}

// It is what it was.
static void pin(Maker *m, Bv x) {
  x = deciding(m, x);
  if (is_constant(m, x) || is_object(m, x)) return;
  unsigned width = bv_at(m->b, x).width;
  add_truth(m, bv_op(m->b, BV_EQ, x, bv_const(m->b, width, known_value(m, x))));
}

static void pin_at(Maker *m, Bv x, uint64_t value) {
  if (known_value(m, x) != value) m->out->wrong = program_pc(m);
  pin(m, x);
}

// --- slots and memory

static uint64_t slot_key(uint32_t frame, uint32_t slot) {
  return (uint64_t)frame << 32 | slot;
}

static Bv slot_of(Maker *m, uint32_t frame, uint32_t slot) {
  const Function *f = &m->c->functions.at[m->t->frames.at[frame].function];
  uint32_t variables = f->slots - f->constant_count;
  if (slot >= variables) return constant(m, m->c->pool.at[f->constants + slot - variables]);
  uint64_t known = map_or(m->slots, slot_key(frame, slot), 0);
  return known ? (Bv)known - 1 : opaque(m, 64, 0, "a value that is not followed");
}

static void set_slot(Maker *m, uint32_t frame, uint32_t slot, Bv x) {
  map_put(m->slots, slot_key(frame, slot), (uint64_t)x + 1);
}

static Bv as(Maker *m, Bv x, unsigned width) {
  return bv_resize(m->b, x, width, false);
}
static Bv as_signed(Maker *m, Bv x, unsigned from, unsigned width) {
  return bv_resize(m->b, as(m, x, from), width, true);
}

static Bv get(Maker *m, uint32_t slot) {
  return slot_of(m, m->v->frame, slot);
}
static void put(Maker *m, Bv x) {
  set_slot(m, m->v->frame, m->i->to, x);
}

static uint64_t observed(const Maker *m) {
  return m->value->known ? m->value->words[0] : 0;
}

static void set_byte(Maker *m, uint64_t address, uint64_t term, unsigned part) {
  Shadow s = {term, (uint8_t)part, m->v->thread, m->v->at.step};
  uint64_t at = map_or(m->bytes, address, 0);
  if (at) {
    m->shadow.at[at - 1] = s;
  } else {
    vec_push(&m->shadow, s);
    map_put(m->bytes, address, m->shadow.len);
  }
}

static void set_memory(Maker *m, uint64_t address, unsigned size, Bv x) {
  x = as(m, x, size * 8);
  for (unsigned n = 0; n < size; ++n) set_byte(m, address + n, (uint64_t)x + 2, n);
}
static void set_fixed(Maker *m, uint64_t address, uint64_t size) {
  for (uint64_t n = 0; n < size; ++n) set_byte(m, address + n, FIXED, 0);
}

static Bv byte_of(Maker *m, Bv x, unsigned part) {
  unsigned width = bv_at(m->b, x).width;
  if (part) x = bv_op(m->b, BV_LSHR, x, bv_const(m->b, width, part * 8));
  return as(m, x, 8);
}

static const ArgumentText *text_at(const Maker *m, uint64_t address) {
  const ArgumentText *best = NULL;
  for (vec_each(i, &m->texts)) {
    const Schedule *c = m->t->schedule;
    uint64_t size = strlen(sigma_text(m->in->sigma, c->argv.at[m->texts.at[i].index])) + 1;
    if (address >= m->texts.at[i].address && address - m->texts.at[i].address < size) best = &m->texts.at[i];
  }
  return best;
}

static bool in_thread_locals(const Maker *m, uint64_t address) {
  for (uint64_t n = 0; n <= m->c->thread_local_size; ++n)
    if (map_or(m->thread_locals, address - n, 0)) return true;
  return false;
}

// What was there at the beginning.
static Bv first_byte(Maker *m, uint64_t address, uint64_t seen) {
  const ArgumentText *text = text_at(m, address);
  if (text) {
    uint32_t at = (uint32_t)(address - text->address);
    return atom(m, (Atom){.kind = ATOM_CHAR,
                          .width = 8,
                          .index = text->index,
                          .at = at,
                          .a = BV_NONE,
                          .b = BV_NONE,
                          .recorded = seen & 0xff});
  }
  if (memory_object(&m->c->start, address)) return bv_const(m->b, 8, *memory_bytes(&m->c->start, address));
  for (vec_each(i, &m->environment))
    if (address >= m->environment.at[i] && address - m->environment.at[i] < 4096)
      return opaque(m, 8, seen, "a text of the environment");
  if (in_thread_locals(m, address)) return bv_const(m->b, 8, seen);
  return opaque(m, 8, seen, "memory that nothing has written");
}

// Events of one thread: the last before a step, the first not before it. TRACE_NONE: none.
static uint32_t event_near(const Maker *m, uint32_t thread, uint32_t step, bool before) {
  Ids all = lists_of(&m->events, thread);
  size_t low = 0, high = all.len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (m->t->events.at[all.at[middle]].step < step)
      low = middle + 1;
    else
      high = middle;
  }
  if (before) return low ? m->t->events.at[all.at[low - 1]].event : TRACE_NONE;
  return low < all.len ? m->t->events.at[all.at[low]].event : TRACE_NONE;
}

static void check_order(Maker *m, const Shadow *s) {
  if (s->thread == m->v->thread) return;
  uint32_t after = event_near(m, s->thread, s->step, false), before;
  before = event_near(m, m->v->thread, m->v->at.step, true);
  bool ordered = after != TRACE_NONE && before != TRACE_NONE && order_happens_before(m->order, after, before);
  if (!ordered) m->out->races = program_pc(m);
}

static Bv read_memory(Maker *m, uint64_t address, unsigned size, uint64_t seen) {
  unsigned fixed = 0, whole = 0;
  uint64_t first = 0;
  Shadow parts[8] = {{0}};
  assert(size <= 8);
  for (unsigned n = 0; n < size; ++n) {
    uint64_t at = map_or(m->bytes, address + n, 0);
    if (at) parts[n] = m->shadow.at[at - 1], check_order(m, &parts[n]);
    if (!n) first = parts[n].term;
    fixed += parts[n].term == FIXED;
    whole += parts[n].term > FIXED && parts[n].term == first && parts[n].part == n;
  }
  if (fixed == size) return bv_const(m->b, size * 8, seen);
  if (whole == size && bv_at(m->b, (Bv)(first - 2)).width == size * 8) return (Bv)(first - 2);
  Bv x = BV_NONE;
  for (unsigned n = 0; n < size; ++n) {
    uint64_t byte = seen >> (8 * n) & 0xff;
    Bv one = parts[n].term == FIXED ? bv_const(m->b, 8, byte)
             : parts[n].term        ? byte_of(m, (Bv)(parts[n].term - 2), parts[n].part)
                                    : first_byte(m, address + n, byte);
    one = as(m, one, size * 8);
    if (n) one = bv_op(m->b, BV_SHL, one, bv_const(m->b, size * 8, 8 * n));
    x = n ? bv_op(m->b, BV_OR, x, one) : one;
  }
  return x;
}

// --- numbers

static double real_of(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}
static uint64_t bits_of(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static Bv real_operation(Maker *m, AtomKind kind, Bv a, Bv b) {
  double x = real_of(known_value(m, a)), y = b == BV_NONE ? 0 : real_of(known_value(m, b));
  double r = kind == ATOM_ADD ? x + y : kind == ATOM_SUB ? x - y : kind == ATOM_MUL ? x * y : x / y;
  if (is_constant(m, a) && is_constant(m, b)) return constant(m, bits_of(r));
  return atom(m, (Atom){.kind = (uint8_t)kind, .width = 64, .a = a, .b = b, .recorded = bits_of(r)});
}

static Bv real_compare(Maker *m, unsigned relation, Bv a, Bv b) {
  double x = real_of(known_value(m, a)), y = real_of(known_value(m, b));
  bool is = (relation & (x == y ? 1u : x > y ? 2u : x < y ? 4u : 8u)) != 0;
  if (is_constant(m, a) && is_constant(m, b)) return bv_const(m->b, 1, is);
  return atom(m, (Atom){.kind = ATOM_COMPARE, .width = 1, .index = relation, .a = a, .b = b, .recorded = is});
}

static Bv cast(Maker *m) {
  const Inst *i = m->i;
  Bv a = get(m, i->a);
  bool to_double = i->b == 3 && i->c == NUMBER_DOUBLE, from_double = i->b == NUMBER_DOUBLE && i->c == 3;
  if (is_constant(m, a)) return constant(m, observed(m));
  if (to_double && i->more == LLVMSIToFP && i->bytes <= 64) {
    Bv x = as_signed(m, a, i->bytes, 64);
    return atom(m, (Atom){.kind = ATOM_OF_INT, .width = 64, .a = x, .b = BV_NONE, .recorded = observed(m)});
  }
  if (to_double && i->more == LLVMUIToFP && i->bytes < 64)
    return atom(m, (Atom){.kind = ATOM_OF_INT,
                          .width = 64,
                          .a = as(m, as(m, a, i->bytes), 64),
                          .b = BV_NONE,
                          .recorded = observed(m)});
  if (from_double && i->more == LLVMFPToSI && i->imm <= 64) {
    double d = real_of(known_value(m, a));
    if (fabs(d) < 9e18) {
      Bv x = atom(
          m,
          (Atom){.kind = ATOM_TO_INT, .width = 64, .a = a, .b = BV_NONE, .recorded = (uint64_t)(int64_t)d});
      return as(m, x, (unsigned)i->imm);
    }
  }
  return opaque(m, i->imm < 64 ? (unsigned)i->imm : 64, observed(m), "a conversion between kinds of numbers");
}

static Bv intrinsic(Maker *m, const Operands *o) {
  const Inst *i = m->i;
  bool all = true;
  for (int n = 0; n < 3; ++n)
    for (uint32_t k = 0; k < o->reads[n].count; ++k) all &= is_constant(m, get(m, o->reads[n].first + k));
  if (all) return constant(m, observed(m));
  unsigned width = i->imm < 64 && i->more < INTRINSIC_FIRST_FLOAT ? (unsigned)i->imm : 64;
  if (i->more < INTRINSIC_FIRST_FLOAT && i->imm <= 64) {
    Bv a = as(m, get(m, i->a), width), b = i->bytes > 1 ? as(m, get(m, i->b), width) : BV_NONE;
    switch ((NumberIntrinsic)i->more) {
      case INTRINSIC_SMAX:
        return bv_ite(m->b, bv_op(m->b, BV_SLT, a, b), b, a);
      case INTRINSIC_SMIN:
        return bv_ite(m->b, bv_op(m->b, BV_SLT, a, b), a, b);
      case INTRINSIC_UMAX:
        return bv_ite(m->b, bv_op(m->b, BV_ULT, a, b), b, a);
      case INTRINSIC_UMIN:
        return bv_ite(m->b, bv_op(m->b, BV_ULT, a, b), a, b);
      case INTRINSIC_ABS: {
        Bv zero = bv_const(m->b, width, 0);
        return bv_ite(m->b, bv_op(m->b, BV_SLT, a, zero), bv_op(m->b, BV_SUB, zero, a), a);
      }
      default:
        return opaque(m, width, observed(m), "an operation on bits");
    }
  }
  if (i->more == INTRINSIC_FABS && i->imm == NUMBER_DOUBLE) {
    Bv a = get(m, i->a), zero = constant(m, 0);
    return bv_ite(m->b, real_compare(m, 5, a, zero), real_operation(m, ATOM_SUB, zero, a), a);
  }
  if (i->more == INTRINSIC_FMULADD && i->imm == NUMBER_DOUBLE)
    return real_operation(m, ATOM_ADD, real_operation(m, ATOM_MUL, get(m, i->a), get(m, i->b)), get(m, i->c));
  return opaque(m, 64, observed(m), "a function of floating point");
}

static Bv arithmetic(Maker *m) {
  static const BvOp table[] = {
      [OP_ADD] = BV_ADD,   [OP_SUB] = BV_SUB,   [OP_MUL] = BV_MUL, [OP_UDIV] = BV_UDIV, [OP_SDIV] = BV_SDIV,
      [OP_UREM] = BV_UREM, [OP_SREM] = BV_SREM, [OP_SHL] = BV_SHL, [OP_LSHR] = BV_LSHR, [OP_ASHR] = BV_ASHR,
      [OP_AND] = BV_AND,   [OP_OR] = BV_OR,     [OP_XOR] = BV_XOR, [OP_EQ] = BV_EQ,     [OP_NE] = BV_EQ,
      [OP_ULT] = BV_ULT,   [OP_ULE] = BV_ULE,   [OP_SLT] = BV_SLT, [OP_SLE] = BV_SLE};
  const Inst *i = m->i;
  unsigned width = i->op < OP_EQ ? i->bytes : 64u - i->width;
  Bv a = as(m, get(m, i->a), width), b = as(m, get(m, i->b), width);
  Bv x = width == 64 ? of_addresses(m, table[i->op], a, b) : BV_NONE;
  if (x == BV_NONE) x = bv_op(m->b, table[i->op], a, b);
  return i->op == OP_NE ? bv_not(m->b, x) : x;
}

// --- calls

static uint32_t pass_slot(const Maker *m, const Call *call, uint32_t arg) {
  return m->c->passes.at[call->args + arg].slot;
}

static bool is_call(const Maker *m) {
  return m->i->op == OP_CALL || m->i->op == OP_ICALL || m->i->op == OP_SYNC || m->i->op == OP_HOST;
}

// Writes of whatever has no term.
static void effects(Maker *m, bool fixed) {
  for (size_t n = m->v->effects; n < m->v->effects_end; ++n) {
    const TraceEffect *e = &m->t->effects.at[n];
    if (!e->writes || (e->pc != TRACE_NONE && e->pc & TRACE_ARGUMENT)) continue;
    if (e->pc != TRACE_NONE && e->pc != m->v->at.pc) continue;
    if (e->size > 1 << 20) continue;  // freed; whoever reads it finds what was there
    if (fixed) {
      set_fixed(m, e->address, e->size);
      continue;
    }
    for (uint64_t k = 0; k < e->size; ++k)
      set_byte(m, e->address + k, (uint64_t)opaque(m, 8, 0, "what a function outside wrote") + 2, 0);
  }
}

static void pass_arguments(Maker *m, const Call *call) {
  const BackwalkVisit *v = m->v;
  if (v->child == TRACE_NONE) return;
  const Function *f = &m->c->functions.at[m->t->frames.at[v->child].function];
  uint32_t at = 0;
  bool direct = m->i->op == OP_CALL || m->i->op == OP_ICALL;
  const Sync *s = call->sync;
  if (!direct && s && s->kind == SYNC_CREATE) {  // the model of a thread's begin: routine, argument
    if (s->start.place == SYNC_VALUE) set_slot(m, v->child, 0, get(m, pass_slot(m, call, s->start.arg)));
    if (s->argument.place == SYNC_VALUE && s->argument.arg < call->arg_count)
      set_slot(m, v->child, 1, get(m, pass_slot(m, call, s->argument.arg)));
    return;
  }
  for (uint32_t n = 0; direct && n < call->arg_count; ++n) {
    const Pass *p = &m->c->passes.at[call->args + n];
    for (uint32_t k = 0; k < p->count && at < f->params; ++k, ++at)
      if (!p->size) set_slot(m, v->child, at, get(m, p->slot + k));
  }
  for (size_t n = v->effects; n < v->effects_end; ++n) {
    const TraceEffect *e = &m->t->effects.at[n];
    if (e->pc == TRACE_NONE || !(e->pc & TRACE_ARGUMENT) || e->size > 8) continue;
    set_memory(m, e->address, (unsigned)e->size, get(m, pass_slot(m, call, e->pc & ~TRACE_ARGUMENT)));
  }
}

static void joined(Maker *m, const Call *call) {
  for (vec_each(n, &m->t->events)) {
    const TraceEvent *e = &m->t->events.at[n];
    if (e->step != m->v->at.step || e->pc != m->v->at.pc || e->frame != m->v->frame) continue;
    uint32_t other = m->t->schedule->events.at[e->event].other;
    if (call->sync->kind != SYNC_JOIN || other >= m->t->schedule->threads) continue;
    for (size_t k = m->v->effects; k < m->v->effects_end; ++k) {
      const TraceEffect *w = &m->t->effects.at[k];
      if (w->writes && w->size <= 8 && m->results[other] != BV_NONE)
        set_memory(m, w->address, (unsigned)w->size, m->results[other]);
    }
  }
}

static void pin_argument(Maker *m, const Call *call, SyncArg a) {
  if (a.place == SYNC_VALUE || a.place == SYNC_LOADED || a.place == SYNC_VIRTUAL)
    if (a.arg < call->arg_count) pin(m, get(m, pass_slot(m, call, a.arg)));
}

static void pin_attributes(Maker *m) {
  for (size_t n = m->v->effects; n < m->v->effects_end; ++n) {
    const TraceEffect *e = &m->t->effects.at[n];
    for (uint64_t k = 0; k < e->size && !e->writes; ++k) {
      uint64_t at = map_or(m->bytes, e->address + k, 0);
      if (at && m->shadow.at[at - 1].term > FIXED)
        pin(m, byte_of(m, (Bv)(m->shadow.at[at - 1].term - 2), m->shadow.at[at - 1].part));
    }
  }
}

static void operation(Maker *m, const Call *call) {
  const Sync *s = call->sync;
  if (s && s->kind == SYNC_INIT) pin_attributes(m);
  effects(m, true);
  if (s && (call->event || s->kind == SYNC_INIT)) {
    pin_argument(m, call, s->object), pin_argument(m, call, s->mutex);
    pin_argument(m, call, s->id), pin_argument(m, call, s->start);
    for (uint32_t n = 0; s->kind == SYNC_INIT && n < call->arg_count; ++n)
      pin(m, get(m, pass_slot(m, call, n)));
  }
  if (s && s->kind == SYNC_JOIN) joined(m, call);
  if (call->result_count)
    set_slot(m, m->v->frame, call->result,
             s && call->event && m->value->known ? constant(m, observed(m))
                                                 : opaque(m, 64, observed(m), "how an operation ends"));
}

static uint32_t argument_at(const Maker *m, uint64_t number) {
  return number < m->t->schedule->argv.len ? (uint32_t)number : TRACE_NONE;
}

static char *text_in_start(const Maker *m, uint64_t address) {
  const MemoryObject *o = memory_object(&m->c->start, address);
  if (!o) return NULL;
  const unsigned char *from = memory_bytes(&m->c->start, address);
  uint64_t left = o->at + o->size - address;
  return memchr(from, 0, left) ? mem_string((const char *)from) : NULL;
}

static Bv variable_of_environment(Maker *m, const Call *call) {
  uint64_t value = observed(m);
  Bv name = get(m, pass_slot(m, call, 0));
  char *text = is_constant(m, name) ? text_in_start(m, known_value(m, name)) : NULL;
  if (value && value != UINT64_MAX) vec_push(&m->environment, value);
  if (!text || value == UINT64_MAX) {
    mem_free(text);
    return opaque(m, 64, value, "the environment");
  }
  return atom(m, (Atom){.kind = ATOM_ENVIRONMENT,
                        .width = 64,
                        .name = text,
                        .a = BV_NONE,
                        .b = BV_NONE,
                        .recorded = value});
}

static void host(Maker *m, const Call *call) {
  static uint32_t allocate, argument, environment, ends, self, constructor, assume, plain;
  if (!plain) {
    assume = host_find("host_assume", true), plain = host_find("acos", false);
    allocate = host_find("host_allocate", true), argument = host_find("host_argument", true);
    environment = host_find("host_environment", true), ends = host_find("host_thread_end", true);
    self = host_find("host_self", true), constructor = host_find("host_constructor", true);
  }
  uint32_t which = m->i->a;
  bool all = true, state = which < plain;
  for (uint32_t n = 0; n < call->arg_count; ++n)
    for (uint32_t k = 0; k < m->c->passes.at[call->args + n].count; ++k)
      all &= is_constant(m, get(m, pass_slot(m, call, n) + k));
  if (which == ends) m->results[m->v->thread] = get(m, pass_slot(m, call, 0));
  if (which == assume) add_truth(m, opaque(m, 1, 1, "what the recording does not say, such as the time"));
  effects(m, false);
  if (!call->result_count) return;
  Bv x;
  if (!m->value->known) {
    x = opaque(m, 64, 0, "what a function outside gives");
  } else if (which == argument) {
    uint32_t index = argument_at(m, known_value(m, get(m, pass_slot(m, call, 0))));
    pin(m, get(m, pass_slot(m, call, 0)));
    ArgumentText text = {observed(m), index};
    if (index != TRACE_NONE) vec_push(&m->texts, text);
    x = constant(m, observed(m));
  } else if (which == environment) {
    x = variable_of_environment(m, call);
  } else if (which == allocate) {
    uint64_t at = observed(m);
    x = at ? object(m, at, (uint32_t)at, (uint32_t)(at >> 32)) : constant(m, 0);
  } else if (which == self || which == constructor || (!state && all)) {
    x = constant(m, observed(m));
  } else {
    x = opaque(m, 64, observed(m), state ? "what a function outside gives" : "a function of floating point");
  }
  set_slot(m, m->v->frame, call->result, x);
  if (call->result_count == 2)
    set_slot(m, m->v->frame, call->result + 1, opaque(m, 64, m->value->words[1], "a wide number"));
}

// A number that is read from a text, as one.
static Bv number_of_text(Maker *m, TextNumber kind) {
  const Function *f = &m->c->functions.at[m->t->frames.at[m->v->frame].function];
  Bv text = get(m, 0), base = f->params > 2 ? get(m, 2) : BV_NONE;
  const Atom *from = sliced_atom(m->out, text);
  Atom a = {.kind = kind == NUMBER_REAL       ? ATOM_REAL
                    : kind == NUMBER_UNSIGNED ? ATOM_UNSIGNED
                                              : ATOM_NUMBER,
            .width = 64,
            .a = BV_NONE,
            .b = BV_NONE};
  const char *of = NULL;
  if (base != BV_NONE && !bv_is(m->b, base, 10))
    return opaque(m, 64, observed(m), "a number of another base");
  if (from && from->kind == ATOM_ENVIRONMENT) {
    const Schedule *c = m->t->schedule;
    a.name = mem_string(from->name);
    for (vec_each(i, &c->env))
      if (!strcmp(sigma_text(m->in->sigma, c->env.at[i].name), a.name) && c->env.at[i].value != SIGMA_NONE)
        of = sigma_text(m->in->sigma, c->env.at[i].value);
  } else if (is_constant(m, text)) {
    const ArgumentText *t = text_at(m, known_value(m, text));
    if (t && t->address == known_value(m, text)) {
      a.index = t->index;
      of = sigma_text(m->in->sigma, m->t->schedule->argv.at[t->index]);
    }
  }
  if (!of) {
    mem_free(a.name);
    return opaque(m, 64, observed(m), "a number in a text that is no argument");
  }
  a.recorded = kind == NUMBER_REAL       ? bits_of(strtod(of, NULL))
               : kind == NUMBER_UNSIGNED ? (uint64_t)strtoull(of, NULL, 10)
                                         : (uint64_t)strtoll(of, NULL, 10);
  Bv x = atom(m, a);
  if (kind != NUMBER_INT && !is_constant(m, x)) m->out->atoms.at[bv_at(m->b, x).value].wide = true;
  return kind == NUMBER_INT ? as(m, x, 32) : x;
}

static void returns(Maker *m) {
  const TraceFrame *f = &m->t->frames.at[m->v->frame];
  const Inst *at = f->caller == TRACE_NONE || f->starts ? NULL : &m->c->insts.at[f->call];
  if (!at || (at->op != OP_CALL && at->op != OP_ICALL)) return;
  const Call *call = &m->c->calls.at[at->imm];
  TextNumber kind = m->v->why == BACKWALK_JUDGED ? decides_number(m->in->runner, f->function) : NUMBER_NONE;
  for (uint32_t n = 0; n < call->result_count && n < m->i->bytes; ++n)
    set_slot(m, f->caller, call->result + n, kind ? number_of_text(m, kind) : get(m, m->i->a + n));
}

// --- branches

static bool leads_to(const Maker *m, uint64_t edge, uint32_t block) {
  return m->c->edges.at[edge].block == block;
}

static void phis(Maker *m) {
  const Edge *edge = NULL;
  const Call *call = is_call(m) ? &m->c->calls.at[m->i->imm] : NULL;
  uint64_t edges[2] = {CODE_NONE, CODE_NONE};
  if (m->i->op == OP_BR) edges[0] = m->i->imm;
  if (m->i->op == OP_CBR) edges[0] = m->i->to, edges[1] = m->i->bytes;
  if (call) edges[0] = call->normal, edges[1] = call->unwind;
  for (int n = 0; n < 2; ++n)
    if (edges[n] != CODE_NONE && leads_to(m, edges[n], m->v->behind)) edge = &m->c->edges.at[edges[n]];
  for (uint64_t n = 0; m->i->op == OP_SWITCH && n <= m->c->pool.at[m->i->imm]; ++n) {
    uint64_t e = m->c->pool.at[m->i->imm + 1 + 2 * n];
    if (leads_to(m, e, m->v->behind)) edge = &m->c->edges.at[e];
  }
  if (!edge || !edge->count) return;
  // A value that nobody has wanted has no term, and needs none.
  Bv *terms = mem_array(edge->count, sizeof *terms);
  const Move *moves = m->c->moves.at + edge->first;
  const Function *f = &m->c->functions.at[m->t->frames.at[m->v->frame].function];
  for (uint32_t n = 0; n < edge->count; ++n) {
    bool known = moves[n].from >= f->slots - f->constant_count ||
                 map_or(m->slots, slot_key(m->v->frame, moves[n].from), 0);
    terms[n] = known ? get(m, moves[n].from) : BV_NONE;
  }
  for (uint32_t n = 0; n < edge->count; ++n)
    map_put(m->slots, slot_key(m->v->frame, moves[n].to), terms[n] == BV_NONE ? 0 : (uint64_t)terms[n] + 1);
  mem_free(terms);
}

static void branch(Maker *m) {
  const Inst *i = m->i;
  if (leads_to(m, i->to, m->v->behind) && leads_to(m, i->bytes, m->v->behind)) return;
  Bv c = as(m, get(m, i->a), 1);
  add_truth(m, leads_to(m, i->to, m->v->behind) ? c : bv_not(m->b, c));
}

static void choose(Maker *m) {
  const uint64_t *cases = m->c->pool.at + m->i->imm;
  Bv value = get(m, m->i->a), none = bv_const(m->b, 1, 1), some = bv_const(m->b, 1, 0);
  unsigned width = bv_at(m->b, value).width;
  for (uint64_t n = 0; n < cases[0]; ++n) {
    if (cases[2 + 2 * n] > bv_mask(width)) continue;
    Bv is = bv_op(m->b, BV_EQ, value, bv_const(m->b, width, cases[2 + 2 * n]));
    if (leads_to(m, cases[3 + 2 * n], m->v->behind)) some = bv_op(m->b, BV_OR, some, is);
    none = bv_op(m->b, BV_AND, none, bv_not(m->b, is));
  }
  add_truth(m, leads_to(m, cases[1], m->v->behind) ? bv_op(m->b, BV_OR, some, none) : some);
}

// --- memory

static void load(Maker *m, Bv address) {
  if (address != BV_NONE) pin_at(m, address, m->v->address);
  unsigned size = m->i->bytes, width = m->i->op == OP_LOADN ? m->i->width : size * 8;
  if (size > 8) {
    for (uint32_t n = 0; n < 2; ++n)
      set_slot(m, m->v->frame, m->i->to + n, opaque(m, 64, m->value->words[n], "a wide number"));
    return;
  }
  put(m, as(m, read_memory(m, m->v->address, size, observed(m)), width));
}

static void store(Maker *m, Bv address) {
  if (address != BV_NONE) pin_at(m, address, m->v->address);
  if (!(m->v->why & BACKWALK_DATA)) return;
  if (m->i->bytes > 8)
    for (unsigned n = 0; n < m->i->bytes; ++n)
      set_byte(m, m->v->address + n, (uint64_t)opaque(m, 8, 0, "a wide number") + 2, 0);
  else
    set_memory(m, m->v->address, m->i->bytes, get(m, m->i->b));
}

static void copy(Maker *m) {
  pin_at(m, get(m, m->i->a), m->v->address), pin_at(m, get(m, m->i->b), m->v->from);
  pin_at(m, get(m, m->i->c), m->v->size);
  Vec(Shadow) all = {0};
  for (uint64_t n = 0; n < m->v->size; ++n) {
    uint64_t at = map_or(m->bytes, m->v->from + n, 0);
    Shadow none = {0};
    vec_push(&all, at ? m->shadow.at[at - 1] : none);
  }
  for (uint64_t n = 0; n < m->v->size; ++n) {
    uint64_t from = m->v->from + n;
    bool known = all.at[n].term || text_at(m, from) || memory_object(&m->c->start, from);
    if (all.at[n].term)
      set_byte(m, m->v->address + n, all.at[n].term, all.at[n].part);
    else if (known && !text_at(m, from))
      set_byte(m, m->v->address + n, (uint64_t)first_byte(m, from, 0) + 2, 0);
    else
      set_byte(m, m->v->address + n, (uint64_t)opaque(m, 8, 0, "memory that was copied") + 2, 0);
  }
  vec_free(&all);
}

static void exchange(Maker *m) {
  unsigned width = m->i->width;
  pin_at(m, get(m, m->i->a), m->v->address);
  if (width > 64 || m->i->bytes > 8 || (m->i->op == OP_RMW && m->i->imm)) {
    put(m, opaque(m, 64, observed(m), "an atomic operation on a wide number"));
    return;
  }
  Bv old = as(m, read_memory(m, m->v->address, m->i->bytes, observed(m)), width),
     by = as(m, get(m, m->i->b), width);
  put(m, old);
  if (m->i->op == OP_CMPXCHG) {
    Bv same = bv_op(m->b, BV_EQ, old, by);
    add_truth(m, m->v->size ? same : bv_not(m->b, same));
    set_slot(m, m->v->frame, m->i->to + 1, bv_const(m->b, 1, m->v->size));
    if (m->v->size) set_memory(m, m->v->address, m->i->bytes, as(m, get(m, m->i->c), width));
    return;
  }
  static const struct {
    LLVMAtomicRMWBinOp from;
    BvOp to;
  } table[] = {{LLVMAtomicRMWBinOpAdd, BV_ADD},
               {LLVMAtomicRMWBinOpSub, BV_SUB},
               {LLVMAtomicRMWBinOpAnd, BV_AND},
               {LLVMAtomicRMWBinOpOr, BV_OR},
               {LLVMAtomicRMWBinOpXor, BV_XOR}};
  Bv new = m->i->more == LLVMAtomicRMWBinOpXchg ? by : BV_NONE;
  for (size_t n = 0; n < sizeof table / sizeof *table; ++n)
    if (m->i->more == table[n].from) new = bv_op(m->b, table[n].to, old, by);
  if (new == BV_NONE) new = opaque(m, width, 0, "an atomic operation");
  set_memory(m, m->v->address, m->i->bytes, new);
}

// --- one instance

// Sums and products that may not fit: what they are, and whether they did not.
static bool overflow(Maker *m) {
  const Inst *i = m->i;
  unsigned width = (unsigned)i->imm;
  if (i->imm > 64) return false;
  Bv a = as(m, get(m, i->a), width), b = as(m, get(m, i->b), width), r, over;
  uint64_t by;
  if (i->more == INTRINSIC_UMUL_OVER) {
    if (bv_is_const(m->b, a, &by)) r = a, a = b, b = r;
    if (!bv_is_const(m->b, b, &by)) return false;
    r = bv_op(m->b, BV_MUL, a, b);
    over = by ? bv_op(m->b, BV_ULT, bv_const(m->b, width, bv_mask(width) / by), a) : bv_const(m->b, 1, 0);
  } else if (i->more == INTRINSIC_UADD_OVER) {
    r = bv_op(m->b, BV_ADD, a, b), over = bv_op(m->b, BV_ULT, r, a);
  } else if (i->more == INTRINSIC_USUB_OVER) {
    r = bv_op(m->b, BV_SUB, a, b), over = bv_op(m->b, BV_ULT, a, b);
  } else {
    return false;
  }
  set_slot(m, m->v->frame, i->to, r);
  set_slot(m, m->v->frame, i->to + 1, over);
  return true;
}

static void rest(Maker *m, const Operands *o) {
  bool all = true;
  for (int n = 0; n < 3; ++n)
    for (uint32_t k = 0; k < o->reads[n].count; ++k) all &= is_constant(m, get(m, o->reads[n].first + k));
  for (uint32_t k = 0; k < o->gives.count; ++k) {
    Bv x = all && k < 2 && m->value->known
               ? constant(m, m->value->words[k])
               : opaque(m, 64, k < 2 ? m->value->words[k] : 0, "an operation that has no term");
    set_slot(m, m->v->frame, o->gives.first + k, x);
  }
}

static bool negates(const Maker *m) {
  return m->i->op == OP_FLOAT && m->i->more == LLVMFNeg && m->i->imm == NUMBER_DOUBLE;
}

static void pick(Maker *m) {
  Bv by = get(m, m->i->b);
  pin(m, by);
  uint64_t at = known_value(m, by);
  bool takes = m->i->op == OP_PICK;
  for (uint32_t k = 0; at < m->i->imm && k < m->i->bytes; ++k) {
    uint32_t inside = (uint32_t)at * m->i->bytes + k;
    set_slot(m, m->v->frame, m->i->to + (takes ? k : inside), get(m, m->i->a + (takes ? inside : k)));
  }
}

static void make(Maker *m) {
  const Inst *i = m->i;
  Operands o = operands_of(m->c, i);
  Op op = (Op)i->op;
  if (op <= OP_SLE) {
    put(m, arithmetic(m));
    return;
  }
  switch (op) {
    case OP_PICK:
    case OP_PLACE:
      pick(m);
      break;
    case OP_MOVE:
      put(m, get(m, i->a));
      break;
    case OP_MOVES: {
      Vec(Bv) all = {0};
      for (uint32_t k = 0; k < i->bytes; ++k) {
        const Function *f = &m->c->functions.at[m->t->frames.at[m->v->frame].function];
        bool known =
            i->a + k >= f->slots - f->constant_count || map_or(m->slots, slot_key(m->v->frame, i->a + k), 0);
        vec_push(&all, known ? get(m, i->a + k) : BV_NONE);
      }
      for (uint32_t k = 0; k < i->bytes; ++k)
        if (all.at[k] != BV_NONE) set_slot(m, m->v->frame, i->to + k, all.at[k]);
      vec_free(&all);
      break;
    }
    case OP_MASK:
      put(m, as(m, get(m, i->a), (unsigned)__builtin_popcountll(i->imm)));
      break;
    case OP_SEXT:
      put(m, as_signed(m, get(m, i->a), 64u - i->width, (unsigned)__builtin_popcountll(i->imm)));
      break;
    case OP_SELECT: {
      Bv a = get(m, i->a), b = get(m, i->b);
      unsigned x = bv_at(m->b, a).width, y = bv_at(m->b, b).width, width = x > y ? x : y;
      put(m, bv_ite(m->b, as(m, get(m, i->c), 1), as(m, a, width), as(m, b, width)));
      break;
    }
    case OP_ADDI:
      put(m, bv_op(m->b, BV_ADD, as(m, get(m, i->a), 64), constant(m, i->imm)));
      break;
    case OP_SCALE: {
      Bv by = as_signed(m, get(m, i->b), 64u - i->width, 64);
      by = bv_op(m->b, BV_MUL, by, constant(m, i->imm));
      put(m, bv_op(m->b, BV_ADD, as(m, get(m, i->a), 64), by));
      break;
    }
    case OP_LOCAL: {
      Bv frame = object(m, m->t->frames.at[m->v->frame].memory, m->v->frame, UINT32_MAX);
      put(m, bv_op(m->b, BV_ADD, frame, constant(m, i->imm)));
      break;
    }
    case OP_ALLOCA:
      put(m, object(m, observed(m), m->v->at.step, m->v->at.pc));
      break;
    case OP_THREAD:
      map_put(m->thread_locals, observed(m) - i->imm, 1);
      put(m, constant(m, observed(m)));
      break;
    case OP_DADD:
      put(m, real_operation(m, ATOM_ADD, get(m, i->a), get(m, i->b)));
      break;
    case OP_DSUB:
      put(m, real_operation(m, ATOM_SUB, get(m, i->a), get(m, i->b)));
      break;
    case OP_DMUL:
      put(m, real_operation(m, ATOM_MUL, get(m, i->a), get(m, i->b)));
      break;
    case OP_DDIV:
      put(m, real_operation(m, ATOM_DIV, get(m, i->a), get(m, i->b)));
      break;
    case OP_DCMP:
      put(m, real_compare(m, i->more, get(m, i->a), get(m, i->b)));
      break;
    case OP_FLOAT:
      if (negates(m))
        put(m, real_operation(m, ATOM_SUB, constant(m, UINT64_C(1) << 63), get(m, i->a)));
      else
        rest(m, &o);
      break;
    case OP_CAST:
      if (i->imm > 64)
        rest(m, &o);
      else
        put(m, cast(m));
      break;
    case OP_INTRINSIC:
      if (o.gives.count == 1)
        put(m, intrinsic(m, &o));
      else if (!overflow(m))
        rest(m, &o);
      break;
    case OP_LOAD8:
    case OP_LOAD16:
    case OP_LOAD32:
    case OP_LOAD64:
    case OP_LOADN:
      load(m, bv_op(m->b, BV_ADD, as(m, get(m, i->a), 64), constant(m, i->imm)));
      break;
    case OP_GET8:
    case OP_GET16:
    case OP_GET32:
    case OP_GET64:
      load(m, BV_NONE);
      break;
    case OP_STORE8:
    case OP_STORE16:
    case OP_STORE32:
    case OP_STORE64:
    case OP_STOREN:
      store(m, bv_op(m->b, BV_ADD, as(m, get(m, i->a), 64), constant(m, i->imm)));
      break;
    case OP_PUT8:
    case OP_PUT16:
    case OP_PUT32:
    case OP_PUT64:
      store(m, BV_NONE);
      break;
    case OP_COPY:
      copy(m);
      break;
    case OP_FILL:
      pin_at(m, get(m, i->a), m->v->address), pin_at(m, get(m, i->c), m->v->size);
      if (m->v->why & BACKWALK_DATA)
        for (uint64_t n = 0; n < m->v->size; ++n) set_memory(m, m->v->address + n, 1, get(m, i->b));
      break;
    case OP_BEGIN:
      for (uint64_t n = 0; n < m->v->size; ++n)
        if (map_or(m->bytes, m->v->address + n, 0)) set_byte(m, m->v->address + n, 0, 0);
      break;
    case OP_RMW:
    case OP_CMPXCHG:
      exchange(m);
      break;
    case OP_BR:
      phis(m);
      break;
    case OP_CBR:
      branch(m), phis(m);
      break;
    case OP_SWITCH:
      choose(m), phis(m);
      break;
    case OP_RET:
      returns(m);
      break;
    case OP_CALL:
      pass_arguments(m, &m->c->calls.at[i->imm]), phis(m);
      break;
    case OP_ICALL:
      pin(m, get(m, i->a));
      pass_arguments(m, &m->c->calls.at[i->imm]), phis(m);
      break;
    case OP_SYNC:
      operation(m, &m->c->calls.at[i->imm]);
      pass_arguments(m, &m->c->calls.at[i->imm]), phis(m);
      break;
    case OP_HOST:
      host(m, &m->c->calls.at[i->imm]), phis(m);
      break;
    case OP_VASTART:
    case OP_VACOPY:
      effects(m, true);
      break;
    default:
      rest(m, &o);
  }
}

// The term of what an instance gave must be what it gave.
static void compare(Maker *m) {
  Operands o = operands_of(m->c, m->i);
  if (!m->value->known || o.gives.count != 1 || is_call(m)) return;
  uint64_t known = map_or(m->slots, slot_key(m->v->frame, o.gives.first), 0);
  if (known && known_value(m, (Bv)known - 1) != m->value->words[0]) {
    const Atom *a = sliced_atom(m->out, (Bv)known - 1);
    if (!a || a->kind != ATOM_OPAQUE) m->out->wrong = program_pc(m);
  }
}

static void begin(Maker *m) {
  const TraceFrame *f = &m->t->frames.at[0];
  assert(f->given && f->starts);
  m->v = &vec_last(&m->visits);
  uint64_t argc = m->t->schedule->argv.len;
  Bv x = atom(m, (Atom){.kind = ATOM_ARGC, .width = 32, .a = BV_NONE, .b = BV_NONE, .recorded = argc});
  set_slot(m, 0, 0, bv_resize(m->b, x, 64, true));
  set_slot(m, 0, 1, constant(m, bytecode_address(bytecode_function(m->c, "main"))));
}

static void make_terms(Maker *m) {
  begin(m);
  for (size_t n = m->visits.len; n-- > 0;) {
    m->v = &m->visits.at[n], m->value = &m->values[n];
    m->i = &m->c->insts.at[m->v->at.pc];
    make(m), compare(m);
  }
}

// A number of the input that the truths leave no choice is one from the beginning: what is computed of it is
// known then, and needs no term.
static bool pin_inputs(Maker *m) {
  size_t before = m->pins.len;
  for (vec_each(i, &m->out->truths)) {
    Bv truth = m->out->truths.at[i].truth;
    BvTerm e = bv_at(m->b, truth);
    uint64_t value;
    if (e.op != BV_EQ || !bv_is_const(m->b, e.b, &value)) continue;
    BvTerm left = bv_at(m->b, e.a);
    Bv var = left.op == BV_TRUNC ? left.a : e.a;
    const Atom *a = sliced_atom(m->out, var);
    bool low = left.op == BV_TRUNC;
    if (!a || a->kind == ATOM_OPAQUE || a->kind >= ATOM_ADD || map_or(m->pinned, var, 0)) continue;
    if (low && (a->wide || left.width != 32)) continue;
    Bv is = bv_const(m->b, a->width, (uint64_t)bv_signed(low ? 32 : a->width, value));
    map_put(m->pinned, var, (uint64_t)is + 1);
    vec_push(&m->pins, truth);
  }
  return m->pins.len > before;
}

static void forget(Maker *m) {
  map_free(m->slots), map_free(m->bytes), map_free(m->thread_locals);
  m->slots = map_new(), m->bytes = map_new(), m->thread_locals = map_new();
  m->shadow.len = m->texts.len = m->environment.len = m->out->truths.len = 0;
  for (uint32_t i = 0; i < m->t->schedule->threads; ++i) m->results[i] = BV_NONE;
}

static void make_until_pinned(Maker *m) {
  enum { ROUNDS = 4 };
  make_terms(m);
  for (int round = 0; round < ROUNDS && pin_inputs(m); ++round) forget(m), make_terms(m);
  for (vec_each(i, &m->pins)) {
    SlicedTruth x = {m->pins.at[i], m->visits.at[0].at.pc};
    vec_push(&m->out->truths, x);
  }
}

// --- the passes

static void walk(Maker *m) {
  Backwalk *w =
      backwalk_new(m->in->runner, m->t, BACKWALK_WITH_CONTROL | (m->in->past_ends ? BACKWALK_PAST_ENDS : 0));
  Decides *d = decides_new(m->in->runner, m->t, m->in->alias, m->in->past_ends);
  BackwalkVisit v;
  backwalk_judge(w, decides_judge, d);
  while (m->visits.len < MOST_KEPT && backwalk_next(w, &v)) vec_push(&m->visits, v);
  m->out->too_many = m->visits.len == MOST_KEPT;
  m->out->kept = m->visits.len, m->out->passed = backwalk_passed(w);
  decides_free(d);
  backwalk_free(w);
}

static bool take_values(Maker *m, RunTrace *trace, const RunResult *first, Diags *diags) {
  Vec(RunInstance) at = {0};
  RunResult again = {0};
  for (vec_each(i, &m->visits)) vec_push(&at, m->visits.at[i].at);
  m->values = mem_array(at.len + 1, sizeof *m->values);
  RunTrace *other = run_trace_new();
  RunOptions o = {.sigma = m->in->sigma,
                  .schedule = m->in->schedule,
                  .trace = other,
                  .watch = at.at,
                  .watch_count = at.len,
                  .values = m->values};
  bool ok = runner_run(m->in->runner, &o, &again, diags);
  ok = ok && again.end == first->end && other->steps.len == trace->steps.len;
  run_trace_free(other);
  run_result_free(&again);
  vec_free(&at);
  return ok;
}

static void group_events(Maker *m) {
  Pairs pairs = {0};
  for (vec_each(i, &m->t->events))
    pairs_add(&pairs, m->t->schedule->events.at[m->t->events.at[i].event].thread, (uint32_t)i);
  m->events = lists_new(m->t->schedule->threads, &pairs);
  vec_free(&pairs);
}

static bool make_all(Maker *m, RunTrace *trace, RunResult *result, Diags *diags) {
  m->t = trace;
  walk(m);
  if (!m->visits.len || m->out->too_many) return true;
  if (!take_values(m, trace, result, diags)) return false;
  m->atom_of = map_new(), m->pinned = map_new(), m->slots = map_new(), m->bytes = map_new(),
  m->thread_locals = map_new();
  m->results = mem_array((size_t)trace->schedule->threads + 1, sizeof *m->results);
  for (uint32_t i = 0; i < trace->schedule->threads; ++i) m->results[i] = BV_NONE;
  group_events(m);
  make_until_pinned(m);
  lists_free(&m->events);
  map_free(m->atom_of), map_free(m->pinned), map_free(m->slots), map_free(m->bytes),
      map_free(m->thread_locals);
  mem_free(m->results);
  return true;
}

bool sliced_make(const SlicedInput *in, Sliced *out, RunResult *result, Diags *diags) {
  *out = (Sliced){.t = bvs_new(), .wrong = TRACE_NONE, .races = TRACE_NONE};
  RunTrace *trace = run_trace_new();
  RunOptions o = {.sigma = in->sigma, .schedule = in->schedule, .trace = trace};
  Maker m = {.in = in, .c = runner_code(in->runner), .out = out, .b = out->t};
  bool ok = runner_run(in->runner, &o, result, diags) && result->end == RUN_EXITED;
  m.order = ok ? order_new(in->sigma, in->schedule, diags) : NULL;
  ok = m.order && make_all(&m, trace, result, diags);
  order_free(m.order);
  mem_free(m.values);
  vec_free(&m.visits), vec_free(&m.shadow), vec_free(&m.texts), vec_free(&m.environment), vec_free(&m.known),
      vec_free(&m.pins);
  run_trace_free(trace);
  return ok;
}

void sliced_free(Sliced *s) {
  for (vec_each(i, &s->atoms)) mem_free(s->atoms.at[i].name);
  vec_free(&s->atoms), vec_free(&s->truths);
  bvs_free(s->t);
}
