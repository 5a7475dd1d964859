// A region is found by a hash of its code without its holes, and compared. Which holes are one parameter is a
// partition that each member refines: two stay together if they were, and have the same value here too. All
// of this is linear in the code.
#include "family.h"
#include <assert.h>
#include "alike.h"
#include "call.h"
#include "each.h"
#include "llvm_gap.h"

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

static bool same_code(Family *f, const LoopRegion *b, const Map *b_ids) {
  const LoopRegion *a = &f->members.at[0];
  if (a->instructions.len != b->instructions.len || a->blocks.len != b->blocks.len ||
      a->exits.len != b->exits.len)
    return false;
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(a->instructions.at[0]));
  Alike c = alike_begin(context, f->ids, b_ids);
  bool same = true;
  for (size_t i = 0; same && i < a->instructions.len; ++i)
    same = alike_instructions(&c, a->instructions.at[i], b->instructions.at[i]);
  if (same && !c.renamed) f->unscoped = true;
  for (size_t i = 0; same && !f->unlike && i < a->instructions.len; ++i)
    f->unlike = !gap_same_records(a->instructions.at[i], b->instructions.at[i]);
  alike_end(&c);
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
