// From LLVM's instructions to ours, one function at a time and in one pass: slots for all values first, then
// the code of the blocks, then the targets of edges. Vectors and aggregates are taken apart. What cannot be
// done stops the run only if it is come to, so it becomes an instruction too.
#include "compile.h"
#include <assert.h>

uint64_t mask_of(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

Inst *emit(Compiler *k, Op op) {
  Inst i = {.op = (uint16_t)op};
  vec_push(&k->c->insts, i);
  vec_push(&k->c->origins, k->at);
  vec_push(&k->c->block_of, (uint32_t)k->c->blocks.len - 1);
  return &vec_last(&k->c->insts);
}

void refuse(Compiler *k, const char *why) {
  if (!k->refused) k->refused = why;
}

uint32_t slots_new(Compiler *k, uint32_t count) {
  uint32_t first = k->slots;
  k->slots += count;
  return first;
}

// Constants stand behind all other slots, whose number is not known yet: until then they have the highest
// bit.
#define CONSTANT_BIT 0x80000000u

uint32_t slot_constant(Compiler *k, uint64_t word) {
  uint64_t known;
  if (map_get(k->constant_slot, word, &known)) return (uint32_t)known;
  uint32_t slot = CONSTANT_BIT | (uint32_t)k->constants.len;
  vec_push(&k->constants, word);
  map_put(k->constant_slot, word, slot);
  return slot;
}

const Layout *layout_of_value(Compiler *k, LLVMValueRef v) {
  const Layout *l = layout_of(k->c, LLVMTypeOf(v));
  if (l->refused) refuse(k, l->refused);
  return l;
}

static uint32_t constant_slots(Compiler *k, LLVMValueRef v) {
  const Layout *l = layout_of_value(k, v);
  const char *why = NULL;
  if (k->refused) return 0;
  uint64_t *words = mem_array(l->slots + 1, sizeof *words);
  uint32_t slot = 0;
  if (!constant_words(k->c, v, words, &why)) {
    refuse(k, why);
  } else if (l->slots == 1) {
    slot = slot_constant(k, words[0]);
  } else {
    slot = CONSTANT_BIT | (uint32_t)k->constants.len;
    for (uint32_t i = 0; i < l->slots; ++i) vec_push(&k->constants, words[i]);
    map_put(k->slot, map_key(v), slot);
  }
  mem_free(words);
  return slot;
}

static uint32_t thread_address(Compiler *k, LLVMValueRef v) {
  uint32_t slot = slots_new(k, 1);
  Inst *i = emit(k, OP_THREAD);
  i->to = slot;
  i->imm = map_or(k->c->global_at, map_key(v), 0);
  return slot;
}

uint32_t slot_of(Compiler *k, LLVMValueRef v) {
  uint64_t known;
  if (map_get(k->slot, map_key(v), &known)) return (uint32_t)known;
  if (LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v)) return thread_address(k, v);
  if (LLVMIsConstant(v)) return constant_slots(k, v);
  refuse(k, LLVMIsAInlineAsm(v) ? "inline assembly" : "an operand that the interpreter does not know");
  return 0;
}

bool local_offset(Compiler *k, LLVMValueRef v, uint64_t size, uint64_t *offset) {
  uint64_t known, add = 0;
  while (LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 2 &&
         LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    add += (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(v, 1)) * LLVMABISizeOfType(k->c->layout, t);
    v = LLVMGetOperand(v, 0);
  }
  if (LLVMIsAGetElementPtrInst(v) && LLVMGetNumOperands(v) == 3 && LLVMIsAConstantInt(LLVMGetOperand(v, 1)) &&
      LLVMIsAConstantInt(LLVMGetOperand(v, 2)) && LLVMConstIntGetZExtValue(LLVMGetOperand(v, 1)) == 0) {
    LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
    unsigned n = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(v, 2));
    add += LLVMGetTypeKind(t) == LLVMStructTypeKind
               ? LLVMOffsetOfElement(k->c->layout, t, n)
               : n * LLVMABISizeOfType(k->c->layout, LLVMGetElementType(t));
    v = LLVMGetOperand(v, 0);
  }
  if (!LLVMIsAAllocaInst(v) || !map_get(k->local, map_key(v), &known)) return false;
  uint64_t has = LLVMABISizeOfType(k->c->layout, LLVMGetAllocatedType(v));
  *offset = known - 1 + add;
  return add <= has && size <= has - add;
}

static void reserve_local(Compiler *k, LLVMValueRef i) {
  LLVMTypeRef t = LLVMGetAllocatedType(i);
  LLVMValueRef n = LLVMGetOperand(i, 0);
  if (!LLVMIsAConstantInt(n) || LLVMConstIntGetZExtValue(n) != 1) return;
  uint64_t align = LLVMGetAlignment(i), size = LLVMABISizeOfType(k->c->layout, t);
  if (!align || align & (align - 1)) align = 16;
  k->frame = (k->frame + align - 1) & ~(align - 1);
  map_put(k->local, map_key(i), k->frame + 1);
  // Others do not begin where it ends, so that what runs over its end is seen.
  k->frame += size + (LLVMGetTypeKind(t) == LLVMArrayTypeKind ? 16 : 0) + !size;
}

static void take_slots(Compiler *k, LLVMValueRef v) {
  const Layout *l = layout_of(k->c, LLVMTypeOf(v));
  map_put(k->slot, map_key(v), slots_new(k, l->slots));
}

// Arguments first, as callers put them there.
static void number_values(Compiler *k) {
  for (unsigned i = 0; i < LLVMCountParams(k->function); ++i) take_slots(k, LLVMGetParam(k->function, i));
  k->c->functions.at[k->id].params = k->slots;
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(k->function);
  for (all_blocks(b, k->function))
    for (all_insts(i, b)) {
      if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind) take_slots(k, i);
      if (b == entry && LLVMIsAAllocaInst(i)) reserve_local(k, i);
    }
}

uint32_t edge_to(Compiler *k, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  Edge e = {.block = (uint32_t)map_or(k->block, map_key(to), 0), .first = (uint32_t)k->c->moves.len};
  for (all_insts(phi, to)) {
    if (!LLVMIsAPHINode(phi)) break;
    const Layout *l = layout_of_value(k, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
      if (LLVMGetIncomingBlock(phi, i) != from) continue;
      uint32_t value = slot_of(k, LLVMGetIncomingValue(phi, i)), slot = slot_of(k, phi);
      for (uint32_t n = 0; n < l->slots; ++n) {
        Move m = {value + n, slot + n};
        vec_push(&k->c->moves, m);
      }
      break;
    }
  }
  e.count = (uint32_t)k->c->moves.len - e.first;
  vec_push(&k->c->edges, e);
  return (uint32_t)k->c->edges.len - 1;
}

static void compile_inst(Compiler *k, LLVMValueRef i) {
  k->at = i;
  k->refused = NULL;
  size_t before = k->c->insts.len;
  if (LLVMIsAPHINode(i)) return;
  layout_of_value(k, i);
  if (!k->refused) {
    switch (LLVMGetInstructionOpcode(i)) {
      case LLVMAlloca:
      case LLVMLoad:
      case LLVMStore:
      case LLVMGetElementPtr:
      case LLVMAtomicRMW:
      case LLVMAtomicCmpXchg:
      case LLVMFence:
        compile_memory(k, i);
        break;
      case LLVMCall:
      case LLVMInvoke:
      case LLVMCallBr:
        compile_call(k, i);
        break;
      case LLVMRet:
      case LLVMBr:
      case LLVMSwitch:
      case LLVMIndirectBr:
      case LLVMUnreachable:
      case LLVMResume:
      case LLVMLandingPad:
        compile_flow(k, i);
        break;
      default:
        compile_arithmetic(k, i);
    }
  }
  if (!k->refused) return;
  assert(k->c->insts.len >= before);
  k->c->insts.len = k->c->origins.len = k->c->block_of.len = before;
  emit(k, OP_REFUSED)->imm = k->c->reasons.len;
  vec_push(&k->c->reasons, mem_string(k->refused));
}

static uint32_t accesses(const Bytecode *c, const Block *b) {
  uint32_t n = 0;
  for (uint32_t pc = b->first; pc < b->end; ++pc) {
    Op op = (Op)c->insts.at[pc].op;
    n += (op >= OP_LOAD8 && op <= OP_STOREN) || op == OP_RMW || op == OP_CMPXCHG ? 1
         : op >= OP_ALLOCA                                                       ? 4
                                                                                 : 0;
  }
  return n;
}

static void compile_block(Compiler *k, LLVMBasicBlockRef b, bool entered) {
  Bytecode *c = k->c;
  Block block = {k->id, (uint32_t)c->insts.len, 0, 0, b};
  vec_push(&c->blocks, block);
  bool waiting = entered;
  uint32_t cost = 0;
  for (all_insts(i, b)) {
    if (call_is(i) && call_is_debug(i)) continue;
    if (waiting && !LLVMIsAAllocaInst(i)) k->at = i, emit(k, OP_ENTERED), waiting = false;
    compile_inst(k, i);
    ++cost;
  }
  Block *done = &vec_last(&c->blocks);
  done->end = (uint32_t)c->insts.len;
  done->cost = cost;
  uint32_t n = accesses(c, done);
  if (n > c->most_accesses) c->most_accesses = n;
}

static void settle_slot(uint32_t *slot, uint32_t behind) {
  if (*slot != SLOT_NONE && *slot & CONSTANT_BIT) *slot = behind + (*slot & ~CONSTANT_BIT);
}

// Slots of constants and targets of edges, once both are known.
static void settle(Compiler *k, size_t inst, size_t edge, size_t move, size_t call, size_t pass) {
  Bytecode *c = k->c;
  for (size_t i = inst; i < c->insts.len; ++i) {
    settle_slot(&c->insts.at[i].a, k->slots);
    settle_slot(&c->insts.at[i].b, k->slots);
    settle_slot(&c->insts.at[i].c, k->slots);
  }
  for (size_t i = move; i < c->moves.len; ++i) settle_slot(&c->moves.at[i].from, k->slots);
  for (size_t i = pass; i < c->passes.len; ++i) settle_slot(&c->passes.at[i].slot, k->slots);
  (void)call;
  for (size_t i = edge; i < c->edges.len; ++i) {
    Edge *e = &c->edges.at[i];
    const Block *b = &c->blocks.at[c->functions.at[k->id].first_block + e->block];
    e->block = c->functions.at[k->id].first_block + e->block;
    e->pc = b->first;
    e->cost = b->cost;
  }
}

static void finish(Compiler *k) {
  Bytecode *c = k->c;
  Function *f = &c->functions.at[k->id];
  f->constants = (uint32_t)c->pool.len;
  f->constant_count = (uint32_t)k->constants.len;
  vec_append(&c->pool, k->constants.at, k->constants.len);
  f->slots = k->slots + f->constant_count;
  f->frame = (k->frame + 15) & ~(uint64_t)15;
  Edge e = {.block = f->first_block,
            .pc = c->blocks.at[f->first_block].first,
            .cost = c->blocks.at[f->first_block].cost};
  f->entry = (uint32_t)c->edges.len;
  vec_push(&c->edges, e);
}

void compile_function(Bytecode *c, uint32_t f, const CodeSync *s) {
  Compiler k = {.c = c,
                .s = s,
                .function = c->functions.at[f].value,
                .id = f,
                .slot = map_new(),
                .local = map_new(),
                .block = map_new(),
                .constant_slot = map_new()};
  size_t inst = c->insts.len, edge = c->edges.len, move = c->moves.len, call = c->calls.len,
         pass = c->passes.len;
  uint32_t n = 0;
  number_values(&k);
  for (all_blocks(b, k.function)) map_put(k.block, map_key(b), n++);
  c->functions.at[f].first_block = (uint32_t)c->blocks.len;
  c->functions.at[f].block_count = n;
  bool entered = c->functions.at[f].enterable;
  for (all_blocks(b, k.function)) compile_block(&k, b, entered), entered = false;
  settle(&k, inst, edge, move, call, pass);
  finish(&k);
  map_free(k.slot), map_free(k.local), map_free(k.block), map_free(k.constant_slot);
  vec_free(&k.constants);
  vec_free(&k.edges);
}
