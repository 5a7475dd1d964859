// cfspec/clone: what cloner_check notices.
#undef NDEBUG
#include "cfspec/clone.c"
#include "cfspec_sample.h"
#include "dies.h"

static void check(void *c) {
  cloner_check(c);
}

static LLVMBasicBlockRef block_in(LLVMValueRef f) {
  return LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(f)), f, "");
}

// The segment of helper that leads to its lock.
static void set_up(Cloner *c, const Sample *x) {
  c->original = LLVMGetNamedFunction(x->c.module, "helper");
  c->clone = LLVMAddFunction(x->c.module, "clone", LLVMGlobalGetValueType(c->original));
  c->entry = block_in(c->clone);
  c->pieces = pieces_new(c->original, x->c.sites, x->c.may, NULL);
  c->set = pieces_between(c->pieces, 0, calls_site(&x->c, "helper#0"));
  c->generic_of = map_new();
  c->blocks = mem_array(c->pieces->pieces.len, sizeof *c->blocks);
  for (uint32_t i = 0; i < c->pieces->pieces.len; ++i)
    if (pieces_in(c->set, i)) c->blocks[i] = block_in(c->clone);
}

static void test_damage(Cloner *c) {
  LLVMBasicBlockRef kept = c->blocks[0], *of_none = &vec_last(&c->generic);
  cloner_check(c);
  c->blocks[0] = NULL;
  dies_in("cloner_check", check, c);
  c->blocks[0] = LLVMGetEntryBasicBlock(c->original);
  dies_in("cloner_check", check, c);
  c->blocks[0] = kept, *of_none = kept;  // generic code is listed by the block of the original
  dies_in("cloner_check", check, c);
  *of_none = LLVMGetEntryBasicBlock(c->original);
  c->generic.len--;
  dies_in("cloner_check", check, c);
  c->generic.len++, c->quiet = true;  // with events
  dies_in("cloner_check", check, c);
  c->quiet = false;
  cloner_check(c);
}

int main(void) {
  Sample x = sample_new();
  Module k = {.m = x.c.module, .c = x.c.context, .graph = x.c.graph, .sites = x.c.sites};
  Spec s = {.k = &k};
  Activation a = {.function = calls_function(&x.c, "helper")};
  Cloner c = {.s = &s, .k = &k, .a = &a};
  vec_push(&a.steps, (Step){0});
  set_up(&c, &x);
  vec_push(&c.generic, LLVMGetEntryBasicBlock(c.original));
  map_put(c.generic_of, map_key(c.generic.at[0]), map_key(block_in(c.clone)));
  test_damage(&c);
  vec_free(&a.steps), vec_free(&c.generic);
  map_free(c.generic_of);
  pieces_free(c.pieces);
  mem_free(c.blocks);
  sample_free(&x);
  return 0;
}
