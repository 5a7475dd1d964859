// Between a branch and the block that post-dominates it lies all that depends on which way it goes. Stores to
// variables by name say where they go; others may go anywhere. A function that writes only its own variables
// writes nothing.
#include "otherway.h"
#include <assert.h>

typedef enum { WRITES_UNKNOWN, WRITES_ASKED, WRITES_NOT, WRITES_SOMETHING } Writes;

struct OtherWays {
  const Bytecode *c;
  Map *known;  // of a pc: way + 1
  Vec(OtherWay) ways;
  uint8_t *writes;  // by function: Writes
  Map *posts;       // of a function: place in cfgs, + 1
  Vec(Cfg *) cfgs;
  Vec(Dom *) doms;
};

OtherWays *otherways_new(const Bytecode *c) {
  OtherWays *o = mem_alloc(sizeof *o);
  o->c = c, o->known = map_new(), o->posts = map_new();
  o->writes = mem_array(c->functions.len + 1, sizeof *o->writes);
  return o;
}

void otherways_free(OtherWays *o) {
  if (!o) return;
  for (vec_each(i, &o->ways)) vec_free(&o->ways.at[i].writes);
  for (vec_each(i, &o->cfgs)) dom_free(o->doms.at[i]), cfg_free(o->cfgs.at[i]);
  vec_free(&o->ways), vec_free(&o->cfgs), vec_free(&o->doms);
  map_free(o->known), map_free(o->posts);
  mem_free(o->writes);
  mem_free(o);
}

static size_t post_of(OtherWays *o, uint32_t function) {
  uint64_t known = map_or(o->posts, function, 0);
  if (known) return known - 1;
  Cfg *cfg = cfg_new(o->c->functions.at[function].value);
  vec_push(&o->cfgs, cfg);
  vec_push(&o->doms, dom_new_post(cfg));
  map_put(o->posts, function, o->cfgs.len);
  return o->cfgs.len - 1;
}

static bool is_store(Op op) {
  return (op >= OP_STORE8 && op <= OP_STOREN) || op == OP_RMW || op == OP_CMPXCHG || op == OP_COPY ||
         op == OP_FILL || op == OP_VASTART || op == OP_VACOPY;
}

// What a store names: through addresses of fields and elements.
static LLVMValueRef base_of(LLVMValueRef inst) {
  LLVMValueRef v = LLVMIsAStoreInst(inst) ? LLVMGetOperand(inst, 1) : NULL;
  while (v && (LLVMIsAGetElementPtrInst(v) ||
               (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr)))
    v = LLVMGetOperand(v, 0);
  return v;
}

static bool function_writes(OtherWays *o, uint32_t function) {
  const Function *f = &o->c->functions.at[function];
  if (o->writes[function]) return o->writes[function] == WRITES_SOMETHING;
  if (f->kind != CODE_BODY) return o->writes[function] = WRITES_SOMETHING, true;
  o->writes[function] = WRITES_ASKED;
  bool writes = false;
  for (uint32_t b = f->first_block; b < f->first_block + f->block_count && !writes; ++b)
    for (uint32_t pc = o->c->blocks.at[b].first; pc < o->c->blocks.at[b].end && !writes; ++pc) {
      const Inst *i = &o->c->insts.at[pc];
      LLVMValueRef base = is_store((Op)i->op) ? base_of(bytecode_origin(o->c, pc)) : NULL;
      writes |= is_store((Op)i->op) && (!base || !LLVMIsAAllocaInst(base));
      writes |= i->op == OP_ICALL || i->op == OP_SYNC || (i->op == OP_HOST && f->model);
      if (i->op == OP_CALL) writes |= function_writes(o, i->a);
    }
  o->writes[function] = writes ? WRITES_SOMETHING : WRITES_NOT;
  return writes;
}

static void look_at_inst(OtherWays *o, OtherWay *w, uint32_t pc) {
  const Inst *i = &o->c->insts.at[pc];
  Op op = (Op)i->op;
  OtherWrite one = {false, i->imm, i->bytes};
  if (op >= OP_PUT8 && op <= OP_PUT64) {
    vec_push(&w->writes, one);
  } else if (is_store(op)) {
    LLVMValueRef base = base_of(bytecode_origin(o->c, pc));
    uint64_t at = base && LLVMIsAGlobalVariable(base) ? map_or(o->c->global_at, map_key(base), 0) : 0;
    if (at && !LLVMIsThreadLocal(base)) {
      one = (OtherWrite){true, at, LLVMABISizeOfType(o->c->layout, LLVMGlobalGetValueType(base))};
      vec_push(&w->writes, one);
    } else if (base && LLVMIsAAllocaInst(base)) {
      w->frame = true;
    } else {
      w->unknown = true;
    }
  } else if (op == OP_CALL) {
    w->unknown |= function_writes(o, i->a);
  } else if (op == OP_ICALL || op == OP_SYNC) {
    w->unknown = true;
  } else if (op == OP_UNREACHABLE) {
    w->misses = true;
  }
}

const OtherWay *otherway_of(OtherWays *o, uint32_t pc) {
  uint64_t known = map_or(o->known, pc, 0);
  if (known) return &o->ways.at[known - 1];
  uint32_t block = o->c->block_of.at[pc], function = o->c->blocks.at[block].function;
  const Function *f = &o->c->functions.at[function];
  size_t post = post_of(o, function);
  const Cfg *cfg = o->cfgs.at[post];
  uint32_t here = block - f->first_block, join = dom_parent(o->doms.at[post], here);
  bool *mark = mem_array(cfg_count(cfg) + 1, sizeof *mark);
  OtherWay w = {0};
  // The block where the ways meet is marked before anything is gone through, so nothing behind it is reached.
  if (join != DOM_NONE) mark[join] = true;
  Ids succs = cfg_succs(cfg, here);
  for (vec_each(i, &succs)) cfg_mark_from(cfg, succs.at[i], mark);
  for (uint32_t b = 0; b < cfg_count(cfg); ++b) {
    const Block *x = &o->c->blocks.at[f->first_block + b];
    for (uint32_t n = x->first; mark[b] && b != join && n < x->end; ++n) look_at_inst(o, &w, n);
  }
  mem_free(mark);
  vec_push(&o->ways, w);
  map_put(o->known, pc, o->ways.len);
  return &vec_last(&o->ways);
}
