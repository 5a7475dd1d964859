// A region is found by a hash of its code without its holes, and compared. Which holes are one parameter is a
// partition that each member refines: two stay together if they were, and have the same value here too. All
// of this is linear in the code.
#include "family.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include "call.h"
#include "each.h"
#include "llvm_gap.h"
#include "rehome.h"

struct Families {
  Vec(Family) all;
  Map *by_hash;  // the last one with this hash, and one
  IdVec next;    // by family: the one before it with the same hash, and one; 0: none
  Map *frame;    // FrameUse of allocas, and one
};

enum { ID_BEFORE = 1, ID_FIRST };

// Blocks and instructions from ID_FIRST on.
static Map *number(const LoopRegion *r) {
  Map *ids = map_new();
  uint64_t n = ID_FIRST;
  map_put(ids, map_key(r->before), ID_BEFORE);
  for (vec_each(i, &r->blocks)) map_put(ids, map_key(r->blocks.at[i]), n++);
  for (vec_each(i, &r->exits)) map_put(ids, map_key(r->exits.at[i]), n++);
  for (vec_each(i, &r->instructions)) map_put(ids, map_key(r->instructions.at[i]), n++);
  return ids;
}

static bool is_plain_type(LLVMTypeRef t) {
  LLVMTypeKind k = LLVMGetTypeKind(t);
  return k == LLVMIntegerTypeKind || k == LLVMFloatTypeKind || k == LLVMDoubleTypeKind ||
         k == LLVMPointerTypeKind;
}

static bool call_takes(LLVMValueRef call, unsigned operand) {
  LLVMValueRef f = call_function(call);
  if (operand >= LLVMGetNumArgOperands(call) || call_is_asm(call)) return false;
  return !f || strncmp(LLVMGetValueName(f), "llvm.", 5) != 0;
}

// A variable may stand there instead of a constant, at about the same cost.
static bool may_vary(LLVMValueRef i, unsigned operand) {
  switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall:
    case LLVMInvoke:
      return call_takes(i, operand);
    case LLVMGetElementPtr:
      return !operand || LLVMGetNumOperands(i) == 2;
    case LLVMPHI:
    case LLVMStore:
    case LLVMLoad:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
      return true;
    default:
      return false;
  }
}

bool family_is_hole(const Map *ids, LLVMValueRef i, unsigned operand) {
  LLVMValueRef v = LLVMGetOperand(i, operand);
  if (LLVMValueIsBasicBlock(v) || LLVMIsAInlineAsm(v)) return false;
  if (LLVMIsAInstruction(v) || LLVMIsAArgument(v)) return !map_or(ids, map_key(v), 0);
  return !LLVMIsUndef(v) && is_plain_type(LLVMTypeOf(v)) && may_vary(i, operand);
}

static void fill(const LoopRegion *r, const Map *ids, ValueVec *holes) {
  for (vec_each(i, &r->instructions)) {
    LLVMValueRef at = r->instructions.at[i];
    for (unsigned n = 0, count = (unsigned)LLVMGetNumOperands(at); n < count; ++n)
      if (family_is_hole(ids, at, n)) vec_push(holes, LLVMGetOperand(at, n));
  }
}

void family_fill(const LoopRegion *r, ValueVec *holes) {
  Map *ids = number(r);
  fill(r, ids, holes);
  map_free(ids);
}

static void mix(uint64_t *h, uint64_t v) {
  *h = (*h ^ v) * 0x9e3779b97f4a7c15u;
  *h ^= *h >> 29;
}

static uint64_t hash(const LoopRegion *r, const Map *ids) {
  uint64_t h = r->blocks.len;
  mix(&h, r->exits.len);
  for (vec_each(i, &r->instructions)) {
    LLVMValueRef at = r->instructions.at[i];
    mix(&h, LLVMGetInstructionOpcode(at));
    mix(&h, map_key(LLVMTypeOf(at)));
    for (unsigned n = 0, count = (unsigned)LLVMGetNumOperands(at); n < count; ++n) {
      LLVMValueRef v = LLVMGetOperand(at, n);
      uint64_t key = LLVMValueIsBasicBlock(v) ? map_key(LLVMValueAsBasicBlock(v)) : map_key(v);
      mix(&h, family_is_hole(ids, at, n) ? map_key(LLVMTypeOf(v)) : map_or(ids, key, key));
    }
  }
  return h;
}

// What names a region says about aliases in it: the same if its scopes can be renamed into the other's.
typedef struct {
  const Map *a_ids, *b_ids;
  Map *scope, *back;
  unsigned place, loop, scopes, noalias;
  bool renamed;
} Compare;

static bool rename_scope(Compare *c, LLVMValueRef a, LLVMValueRef b) {
  uint64_t to = map_or(c->scope, map_key(a), map_key(b)), from = map_or(c->back, map_key(b), map_key(a));
  map_put(c->scope, map_key(a), map_key(b)), map_put(c->back, map_key(b), map_key(a));
  return to == map_key(b) && from == map_key(a);
}

static LLVMValueRef *operands_of(LLVMValueRef node, unsigned *n) {
  *n = LLVMGetMDNodeNumOperands(node);
  LLVMValueRef *all = mem_array(*n + 1, sizeof *all);
  LLVMGetMDNodeOperands(node, all);
  return all;
}

// The domain is the second part of a scope.
static bool same_scopes(Compare *c, LLVMValueRef a, LLVMValueRef b) {
  unsigned n, m, parts;
  LLVMValueRef *x = operands_of(a, &n), *y = operands_of(b, &m);
  bool same = n == m;
  for (unsigned i = 0; same && i < n; ++i) {
    LLVMValueRef *s = operands_of(x[i], &parts), *t = operands_of(y[i], &parts);
    same = parts > 1 && rename_scope(c, x[i], y[i]) && rename_scope(c, s[1], t[1]);
    mem_free(s), mem_free(t);
  }
  mem_free(x), mem_free(y);
  return same;
}

static bool is_place(LLVMValueRef part) {
  return part && LLVMGetMetadataKind(LLVMValueAsMetadata(part)) == LLVMDILocationMetadataKind;
}

static bool same_loop(LLVMValueRef a, LLVMValueRef b) {
  unsigned n, m;
  LLVMValueRef *x = operands_of(a, &n), *y = operands_of(b, &m);
  bool same = n == m;
  for (unsigned i = 1; same && i < n; ++i) same = x[i] == y[i] || (is_place(x[i]) && is_place(y[i]));
  mem_free(x), mem_free(y);
  return same;
}

static bool same_entry(Compare *c, unsigned kind, LLVMValueRef a, LLVMValueRef b) {
  if (kind == c->place) return true;  // LLVM-C lists the place too, whatever its name says
  if (kind == c->scopes || kind == c->noalias) {
    if (!same_scopes(c, a, b)) c->renamed = false;
    return true;
  }
  return a == b || (kind == c->loop && same_loop(a, b));
}

static bool same_metadata(Compare *c, LLVMValueRef a, LLVMValueRef b) {
  if (!LLVMHasMetadata(a) && !LLVMHasMetadata(b)) return true;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a));
  size_t n, m;
  LLVMValueMetadataEntry *x = LLVMInstructionGetAllMetadataOtherThanDebugLoc(a, &n),
                         *y = LLVMInstructionGetAllMetadataOtherThanDebugLoc(b, &m);
  bool same = n == m;
  for (unsigned i = 0; same && i < n; ++i) {
    unsigned kind = LLVMValueMetadataEntriesGetKind(x, i);
    same = kind == LLVMValueMetadataEntriesGetKind(y, i) &&
           same_entry(c, kind, LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(x, i)),
                      LLVMMetadataAsValue(context, LLVMValueMetadataEntriesGetMetadata(y, i)));
  }
  LLVMDisposeValueMetadataEntries(x), LLVMDisposeValueMetadataEntries(y);
  return same;
}

static bool same_block(const Compare *c, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
  return map_or(c->a_ids, map_key(a), 0) == map_or(c->b_ids, map_key(b), 0);
}

static bool same_incoming(const Compare *c, LLVMValueRef a, LLVMValueRef b) {
  for (unsigned n = 0, count = LLVMCountIncoming(a); n < count; ++n)
    if (!same_block(c, LLVMGetIncomingBlock(a, n), LLVMGetIncomingBlock(b, n))) return false;
  return true;
}

static bool same_operand(const Compare *c, LLVMValueRef a, LLVMValueRef b, unsigned n) {
  LLVMValueRef x = LLVMGetOperand(a, n), y = LLVMGetOperand(b, n);
  if (LLVMValueIsBasicBlock(x))
    return LLVMValueIsBasicBlock(y) && same_block(c, LLVMValueAsBasicBlock(x), LLVMValueAsBasicBlock(y));
  bool hole = family_is_hole(c->a_ids, a, n);
  if (hole != family_is_hole(c->b_ids, b, n)) return false;
  uint64_t id = map_or(c->a_ids, map_key(x), 0);
  return hole || (id ? id == map_or(c->b_ids, map_key(y), 0) : x == y);
}

static bool same_instruction(Compare *c, LLVMValueRef a, LLVMValueRef b) {
  if (!gap_same_operation(a, b) || !same_metadata(c, a, b)) return false;
  if (!rehome_same(LLVMInstructionGetDebugLoc(a), LLVMInstructionGetDebugLoc(b))) return false;
  if (LLVMIsAPHINode(a) && !same_incoming(c, a, b)) return false;
  for (unsigned n = 0, count = (unsigned)LLVMGetNumOperands(a); n < count; ++n)
    if (!same_operand(c, a, b, n)) return false;
  return true;
}

static unsigned kind_of(LLVMContextRef c, const char *name) {
  return LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
}

static bool same_code(Family *f, const LoopRegion *b, const Map *b_ids) {
  const LoopRegion *a = &f->members.at[0];
  if (a->instructions.len != b->instructions.len || a->blocks.len != b->blocks.len ||
      a->exits.len != b->exits.len)
    return false;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a->instructions.at[0]));
  Compare c = {.a_ids = f->ids, .b_ids = b_ids, .renamed = true};
  c.scope = map_new(), c.back = map_new();
  c.place = kind_of(context, "dbg"), c.loop = kind_of(context, "llvm.loop");
  c.scopes = kind_of(context, "alias.scope"), c.noalias = kind_of(context, "noalias");
  bool same = true;
  for (size_t i = 0; same && i < a->instructions.len; ++i)
    same = same_instruction(&c, a->instructions.at[i], b->instructions.at[i]);
  if (same && !c.renamed) f->unscoped = true;
  for (size_t i = 0; same && !f->unlike && i < a->instructions.len; ++i)
    f->unlike = !gap_same_records(a->instructions.at[i], b->instructions.at[i]);
  map_free(c.scope), map_free(c.back);
  return same;
}

// -- what the frame knows of a variable

static bool is_marker(LLVMValueRef user) {
  LLVMValueRef f = LLVMIsACallInst(user) ? call_function(user) : NULL;
  return f && !strncmp(LLVMGetValueName(f), "llvm.lifetime.", 14);
}

static bool is_plain_access(LLVMValueRef i) {
  return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static FrameUse use_of(LLVMValueRef address, LLVMTypeRef type) {
  FrameUse use = FRAME_VALUE;
  for (all_uses(u, address)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool load = LLVMIsALoadInst(user), store = LLVMIsAStoreInst(user);
    FrameUse is = FRAME_NONE;
    if (is_marker(user)) is = FRAME_VALUE;
    if (LLVMIsAGetElementPtrInst(user) && use_of(user, NULL) != FRAME_NONE) is = FRAME_OWN;
    if (load || (store && LLVMGetOperand(user, 0) != address)) {
      LLVMTypeRef is_type = load ? LLVMTypeOf(user) : LLVMTypeOf(LLVMGetOperand(user, 0));
      is = is_type == type && is_plain_access(user) ? FRAME_VALUE : FRAME_OWN;
    }
    if (is < use) use = is;
    if (use == FRAME_NONE) break;
  }
  return use;
}

static FrameUse frame_use(Families *f, LLVMValueRef v) {
  if (!LLVMIsAAllocaInst(v) || !LLVMIsAConstantInt(LLVMGetOperand(v, 0))) return FRAME_NONE;
  uint64_t known = map_or(f->frame, map_key(v), 0);
  if (known) return (FrameUse)(known - 1);
  LLVMTypeRef type = LLVMGetAllocatedType(v);
  bool one = LLVMConstIntGetZExtValue(LLVMGetOperand(v, 0)) == 1;
  FrameUse use = use_of(v, one && is_plain_type(type) ? type : NULL);
  map_put(f->frame, map_key(v), 1 + (uint64_t)use);
  return use;
}

// -- members

static void see_outs(Family *f, const LoopRegion *r, const Map *ids) {
  for (vec_each(i, &r->instructions)) {
    bool out = f->out[i];
    for (LLVMUseRef u = LLVMGetFirstUse(r->instructions.at[i]); u && !out; u = LLVMGetNextUse(u))
      out = !map_or(ids, map_key(LLVMGetUser(u)), 0);
    f->out[i] = out;
  }
}

static uint32_t id_in(Map *known, uint64_t key, uint32_t *count) {
  uint64_t id = map_or(known, key, *count);
  if (id == *count) map_put(known, key, (*count)++);
  return (uint32_t)id;
}

// The parts of the partition are named by parameter, until families_settle.
static void refine(Holes *h, const ValueVec *mine) {
  Map *values = map_new(), *pairs = map_new();
  uint32_t value_count = 0, parts = 0;
  assert(mine->len == h->parameter.len);
  for (vec_each(i, mine)) {
    uint64_t value = id_in(values, map_key(mine->at[i]), &value_count);
    h->parameter.at[i] = id_in(pairs, (uint64_t)h->parameter.at[i] << 32 | value, &parts);
  }
  map_free(values), map_free(pairs);
}

static void begin(Families *fs, Family *f) {
  Holes *h = &f->holes;
  const LoopRegion *r = &f->members.at[0];
  f->out = mem_array(r->instructions.len + 1, sizeof *f->out);
  fill(r, f->ids, &h->first);
  for (vec_each(i, &h->first)) {
    vec_push(&h->parameter, 0);
    vec_push(&h->frame, frame_use(fs, h->first.at[i]));
    vec_push(&f->varies, !LLVMIsAConstant(h->first.at[i]));
  }
  refine(h, &h->first);
}

static void join(Families *fs, Family *f, const LoopRegion *r, const Map *ids) {
  Holes *h = &f->holes;
  ValueVec mine = {0};
  fill(r, ids, &mine);
  refine(h, &mine);
  for (vec_each(i, &mine)) {
    LLVMValueRef first = h->first.at[i];
    FrameUse use = frame_use(fs, mine.at[i]);
    bool slots = use == FRAME_VALUE && h->frame.at[i] == FRAME_VALUE;
    if (slots && LLVMGetAllocatedType(mine.at[i]) != LLVMGetAllocatedType(first)) use = FRAME_OWN;
    if (use < h->frame.at[i]) h->frame.at[i] = use;
    if (mine.at[i] != first) f->varies.at[i] = true;
  }
  vec_free(&mine);
}

static void take_in(Families *fs, Family *f, LoopRegion *r, Map *ids) {
  bool first = !f->members.len;
  vec_push(&f->members, *r);
  if (first) f->ids = ids;
  if (first)
    begin(fs, f);
  else
    join(fs, f, r, ids);
  see_outs(f, r, ids);
  if (!first) map_free(ids);
}

void families_add(Families *fs, LoopRegion r) {
  Map *ids = number(&r);
  uint64_t key = hash(&r, ids), last = map_or(fs->by_hash, key, 0);
  assert(r.instructions.len);
  for (uint64_t at = last; at; at = fs->next.at[at - 1])
    if (same_code(&fs->all.at[at - 1], &r, ids)) {
      take_in(fs, &fs->all.at[at - 1], &r, ids);
      return;
    }
  vec_push(&fs->all, ((Family){0}));
  vec_push(&fs->next, (uint32_t)last);
  map_put(fs->by_hash, key, fs->all.len);
  take_in(fs, &vec_last(&fs->all), &r, ids);
}

static void number_parameters(Family *f) {
  Holes *h = &f->holes;
  Map *known = map_new();
  FrameUses frame = {0};
  for (vec_each(i, &h->first)) {
    uint64_t part = h->parameter.at[i];
    h->parameter.at[i] = FAMILY_CONSTANT;
    if (!f->varies.at[i]) continue;
    h->parameter.at[i] = (uint32_t)map_or(known, part, h->hole.len);
    if (h->parameter.at[i] < h->hole.len) continue;
    map_put(known, part, h->hole.len);
    vec_push(&h->hole, (uint32_t)i);
    vec_push(&frame, h->frame.at[i]);
  }
  vec_free(&h->frame);
  h->frame = frame;
  map_free(known);
}

static LLVMValueRef base_of(LLVMValueRef v) {
  while (LLVMIsAGetElementPtrInst(v)) v = LLVMGetOperand(v, 0);
  return v;
}

// Two parameters may be addresses of one variable of the frame.
static void find_overlaps(Family *f) {
  Holes *h = &f->holes;
  for (vec_each(m, &f->members)) {
    ValueVec mine = {0};
    Map *taken = map_new();
    family_fill(&f->members.at[m], &mine);
    for (vec_each(p, &h->hole)) {
      LLVMValueRef base = base_of(mine.at[h->hole.at[p]]);
      if (!LLVMIsAAllocaInst(base)) continue;
      uint64_t other = map_or(taken, map_key(base), p);
      map_put(taken, map_key(base), p);
      if (other != p) h->frame.at[p] = h->frame.at[other] = FRAME_NONE;
    }
    map_free(taken);
    vec_free(&mine);
  }
}

void families_settle(Families *fs) {
  for (vec_each(i, &fs->all)) {
    number_parameters(&fs->all.at[i]);
    find_overlaps(&fs->all.at[i]);
  }
}

size_t families_count(const Families *f) {
  return f->all.len;
}

Family *families_at(const Families *f, size_t i) {
  assert(i < f->all.len);
  return &f->all.at[i];
}

static void family_free(Family *f) {
  for (vec_each(i, &f->members)) region_free(&f->members.at[i]);
  vec_free(&f->members), vec_free(&f->varies);
  vec_free(&f->holes.first), vec_free(&f->holes.parameter);
  vec_free(&f->holes.hole), vec_free(&f->holes.frame);
  map_free(f->ids);
  mem_free(f->out);
}

Families *families_new(void) {
  Families *f = mem_alloc(sizeof *f);
  f->by_hash = map_new(), f->frame = map_new();
  return f;
}

void families_free(Families *f) {
  for (vec_each(i, &f->all)) family_free(&f->all.at[i]);
  vec_free(&f->all), vec_free(&f->next);
  map_free(f->by_hash), map_free(f->frame);
  mem_free(f);
}
