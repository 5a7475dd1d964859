#include "atomic_waits.h"
#include <assert.h>
#include <string.h>
#include "call.h"
#include "each.h"
#include "loop.h"

typedef struct {
  const Cfg *cfg;
  const Loops *loops;
  uint32_t loop;
  LLVMValueRef operation;
} Candidate;

static bool is_harmless_call(LLVMValueRef call) {
  static const char *const names[] = {"sched_yield", "thrd_yield", "pthread_yield", "usleep",
                                      "nanosleep",   "sleep",      "thrd_sleep",    "clock_nanosleep"};
  static const char *const prefixes[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.x86.sse2.pause"};
  size_t len;
  LLVMValueRef f = LLVMIsACallInst(call) ? call_function(call) : NULL;
  if (LLVMIsACallInst(call) && call_is_asm(call)) {
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
    return len == 5 ? !memcmp(text, "pause", 5) : len == 8 && !memcmp(text, "rep; nop", 8);
  }
  if (!f || !LLVMIsDeclaration(f)) return false;
  const char *name = LLVMGetValueName2(f, &len);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(name, names[i])) return true;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  return false;
}

static bool is_local(LLVMValueRef pointer) {
  if (!LLVMIsAAllocaInst(pointer)) return false;
  for (all_uses(u, pointer)) {
    LLVMValueRef user = LLVMGetUser(u);
    bool stores =
        LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer && LLVMGetOperand(user, 0) != pointer;
    if (!LLVMIsALoadInst(user) && !stores && !(call_is(user) && is_harmless_call(user))) return false;
  }
  return true;
}

static bool is_inside(const Candidate *c, LLVMValueRef v) {
  return LLVMIsAInstruction(v) && loop_has(c->loops, c->loop, cfg_id(c->cfg, LLVMGetInstructionParent(v)));
}

// Where values go from one round to the next: what this local holds, or what comes to a phi.
static bool depends_on(const Candidate *c, LLVMValueRef v, LLVMValueRef carrier, unsigned deep) {
  enum { DEEPEST = 24 };
  if (v == carrier) return true;
  if (!is_inside(c, v) || v == c->operation) return false;
  if (deep > DEEPEST) return true;
  if (LLVMIsALoadInst(v)) return LLVMGetOperand(v, 0) == carrier;
  for (int i = 0; i < LLVMGetNumOperands(v); ++i)
    if (depends_on(c, LLVMGetOperand(v, (unsigned)i), carrier, deep + 1)) return true;
  return false;
}

// One more or less.
static bool counts(LLVMValueRef v, LLVMValueRef carrier) {
  if (!LLVMIsABinaryOperator(v)) return false;
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  LLVMValueRef a = LLVMGetOperand(v, 0);
  bool from = a == carrier || (LLVMIsALoadInst(a) && LLVMGetOperand(a, 0) == carrier);
  return (op == LLVMAdd || op == LLVMSub || op == LLVMShl || op == LLVMMul) && from &&
         LLVMIsAConstant(LLVMGetOperand(v, 1));
}

static bool carries_counter(const Candidate *c, LLVMValueRef v, LLVMValueRef carrier) {
  return !depends_on(c, v, carrier, 0) || counts(v, carrier);
}

static bool phi_is_quiet(const Candidate *c, LLVMValueRef phi) {
  LLVMBasicBlockRef header = cfg_block(c->cfg, loop_header(c->loops, c->loop));
  if (LLVMGetInstructionParent(phi) != header) return true;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); ++i) {
    LLVMValueRef v = LLVMGetIncomingValue(phi, i);
    if (is_inside(c, v) && !carries_counter(c, v, phi)) return false;
  }
  return true;
}

static bool is_quiet(const Candidate *c, LLVMValueRef i) {
  if (i == c->operation) return true;
  if (LLVMIsAPHINode(i)) return phi_is_quiet(c, i);
  if (call_is(i)) return is_harmless_call(i);
  if (LLVMIsATerminatorInst(i)) return LLVMIsABranchInst(i) || LLVMIsASwitchInst(i);
  if (LLVMIsALoadInst(i))
    return LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic && !LLVMGetVolatile(i) &&
           is_local(LLVMGetOperand(i, 0));
  if (LLVMIsAStoreInst(i))
    return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic &&
           is_local(LLVMGetOperand(i, 1)) && carries_counter(c, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
  return !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) && !LLVMIsAFenceInst(i) &&
         !LLVMIsAAllocaInst(i) && !LLVMIsAVAArgInst(i) && !LLVMIsAFreezeInst(i);
}

// Behind an exit the operation is one more instruction: no phi may tell from where control came.
static bool find_exits(const Candidate *c, AtomicWait *out) {
  Pairs exits = {0};
  bool fine = true;
  loop_exits(c->loops, c->loop, &exits);
  for (vec_each(i, &exits)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(c->cfg, exits.at[i].owner));
    LLVMBasicBlockRef to = cfg_block(c->cfg, exits.at[i].item);
    fine &= !LLVMIsAPHINode(LLVMGetFirstInstruction(to));
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); ++s) {
      bool known = LLVMGetSuccessor(end, s) != to;
      for (vec_each(k, &out->exits))
        known |= out->exits.at[k].branch == end && out->exits.at[k].successor == s;
      if (!known) vec_push(&out->exits, ((AtomicExit){end, s}));
    }
  }
  vec_free(&exits);
  return fine && out->exits.len;
}

static bool waits(const Candidate *c, AtomicWait *out) {
  uint32_t preheader = loop_preheader(c->loops, c->loop);
  if (preheader == CFG_NONE) return false;
  Ids blocks = loop_blocks(c->loops, c->loop);
  for (vec_each(b, &blocks))
    for (all_insts(i, cfg_block(c->cfg, blocks.at[b])))
      if (!is_quiet(c, i)) return false;
  out->operation = c->operation;
  out->before = LLVMGetBasicBlockTerminator(cfg_block(c->cfg, preheader));
  return find_exits(c, out);
}

static bool may_wait(LLVMValueRef i) {
  if (LLVMIsALoadInst(i)) return true;
  return LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg &&
         LLVMIsAConstant(LLVMGetOperand(i, 1));
}

void atomic_waits_find(LLVMValueRef function, const LLVMValueRef *all, size_t count, AtomicWaits *out) {
  Cfg *cfg = cfg_new(function);
  Dom *dom = dom_new(cfg);
  Loops *loops = loops_new(cfg, dom);
  for (size_t i = 0; i < count; ++i) {
    uint32_t loop = loops_of(loops, cfg_of(cfg, all[i]));
    Candidate c = {cfg, loops, loop, all[i]};
    AtomicWait w = {0};
    if (loop == LOOP_NONE || !may_wait(all[i]) || !waits(&c, &w))
      vec_free(&w.exits);
    else
      vec_push(out, w);
  }
  loops_free(loops);
  dom_free(dom);
  cfg_free(cfg);
}

void atomic_waits_free(AtomicWaits *w) {
  for (vec_each(i, w)) vec_free(&w->at[i].exits);
  vec_free(w);
}
