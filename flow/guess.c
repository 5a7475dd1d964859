#include "guess.h"
#include <assert.h>

// How a call stands: it reaches nothing; one function; whatever points-to says.
typedef struct {
  LLVMValueRef call, only;
  bool open;
} Reach;

struct Guess {
  Vec(Reach) calls;
  Map *call;                // -> index, plus one
  Vec(LLVMValueRef) steps;  // geps
  Map *stays;               // 1: supposed
  Map *skipped, *executed;  // functions
  AliasGuess given;
  bool given_up;
};

static bool skips(void *self, LLVMValueRef function) {
  const Guess *g = self;
  return map_or(g->skipped, map_key(function), 0) != 0;
}

static bool is_limited(void *self, LLVMValueRef call, LLVMValueRef *only) {
  const Guess *g = self;
  uint64_t at = map_or(g->call, map_key(call), 0);
  if (!at || g->calls.at[at - 1].open) return false;
  *only = g->calls.at[at - 1].only;
  return true;
}

static bool stays(void *self, LLVMValueRef gep) {
  const Guess *g = self;
  return map_or(g->stays, map_key(gep), 0) != 0;
}

// The step of a pointer to a member: a number of 64 bits, from memory, in bytes.
static bool is_member_step(LLVMValueRef i) {
  if (!LLVMIsAGetElementPtrInst(i) || LLVMGetNumOperands(i) != 2) return false;
  LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
  LLVMValueRef index = LLVMGetOperand(i, 1);
  bool bytes = LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 8;
  return bytes && LLVMIsALoadInst(index) && LLVMGetIntTypeWidth(LLVMTypeOf(index)) == 64;
}

static bool is_open_call(LLVMValueRef i) {
  return call_is(i) && !call_function(i) && !call_is_asm(i);
}

static void add_function(Guess *g, LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      if (is_open_call(i)) {
        vec_push(&g->calls, ((Reach){i, NULL, false}));
        map_put(g->call, map_key(i), g->calls.len);
      }
      if (!is_member_step(i)) continue;
      vec_push(&g->steps, i);
      map_put(g->stays, map_key(i), 1);
    }
}

Guess *guess_new(LLVMModuleRef m) {
  Guess *g = mem_alloc(sizeof *g);
  g->call = map_new(), g->stays = map_new(), g->skipped = map_new(), g->executed = map_new();
  g->given = (AliasGuess){g, skips, is_limited, stays};
  for (all_functions(f, m))
    if (!LLVMIsDeclaration(f)) add_function(g, f);
  return g;
}

void guess_free(Guess *g) {
  if (!g) return;
  vec_free(&g->calls), vec_free(&g->steps);
  map_free(g->call), map_free(g->stays), map_free(g->skipped), map_free(g->executed);
  mem_free(g);
}

void guess_give_up(Guess *g) {
  for (vec_each(i, &g->calls)) g->calls.at[i].open = true;
  for (vec_each(i, &g->steps)) map_put(g->stays, map_key(g->steps.at[i]), 0);
  map_free(g->skipped);
  g->skipped = map_new();
  g->given_up = true;
}

const AliasGuess *guess_given(const Guess *g) {
  return &g->given;
}

static const CodeFunction *function_of(const Code *c, LLVMValueRef inst) {
  return code_of(c, LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)));
}

// Of a value in a root, the function that it surely is; NULL: not known.
static LLVMValueRef target_of(Known *v, const CodeFunction *f, LLVMValueRef call) {
  Bv x = f->root ? known_value(v, LLVMGetCalledValue(call), call, 1) : BV_NONE;
  LLVMValueRef to = x == BV_NONE ? NULL : known_object(v, x);
  return to && LLVMIsAFunction(to) ? to : NULL;
}

static bool prove_call(Reach *r, const Code *c, const Alias *a, Known *v) {
  AliasFunctions callees = {0};
  const CodeFunction *f = function_of(c, r->call);
  if (r->open || !code_is_executed(f)) return true;
  bool unknown = alias_callees(a, r->call, &callees), none = !unknown && !callees.len;
  vec_free(&callees);
  LLVMValueRef to = none ? NULL : target_of(v, f, r->call);
  if (none || (to && to == r->only) || (!to && f->root && known_dead(v, r->call))) return true;
  r->open = !to || r->only;  // another one than before is one too many
  r->only = r->open ? NULL : to;
  return false;
}

static bool prove_step(Guess *g, LLVMValueRef step, const Code *c, Known *v) {
  const CodeFunction *f = function_of(c, step);
  if (!map_or(g->stays, map_key(step), 0) || !code_is_executed(f)) return true;
  Bv x = f->root ? known_value(v, LLVMGetOperand(step, 1), step, 1) : BV_NONE;
  if (x != BV_NONE && bv_is(known_terms(v), x, 0)) return true;
  if (f->root && known_dead(v, step)) return true;
  map_put(g->stays, map_key(step), 0);
  return false;
}

// Once executed, a function is looked at for good.
static bool prove_function(Guess *g, const CodeFunction *f) {
  uint64_t key = map_key(f->function);
  bool skipped = map_or(g->skipped, key, 0), executed = code_is_executed(f);
  if (executed) map_put(g->executed, key, 1);
  if (executed == !skipped || (!executed && map_or(g->executed, key, 0))) return true;
  map_put(g->skipped, key, !executed);
  return false;
}

bool guess_prove(Guess *g, const Code *c, const Alias *a, Known *v) {
  bool all = true;
  if (g->given_up) return true;
  for (size_t i = 0; i < code_count(c); ++i) all &= prove_function(g, code_at(c, i));
  for (vec_each(i, &g->calls)) all &= prove_call(&g->calls.at[i], c, a, v);
  for (vec_each(i, &g->steps)) all &= prove_step(g, g->steps.at[i], c, v);
  return all;
}
