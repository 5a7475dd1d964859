#include "untold.h"
#include <assert.h>
#include <stdlib.h>
#include "frames.h"

typedef struct {
  LLVMValueRef example;
  uint64_t pairs;
} UntoldFunction;

struct Untold {
  Intern *names;
  Vec(UntoldFunction) by;  // name
  Map *by_inst;            // the number of its name, plus one
};

Untold *untold_new(void) {
  Untold *u = mem_alloc(sizeof *u);
  u->names = intern_new(), u->by_inst = map_new();
  return u;
}

void untold_free(Untold *u) {
  if (!u) return;
  intern_free(u->names), map_free(u->by_inst);
  vec_free(&u->by);
  mem_free(u);
}

// Of the source, where that is known: clones of a function are one.
static const char *name_of(LLVMValueRef inst, const OriginFrames *stack) {
  size_t len;
  if (stack->len) return stack->at[0].function;
  return LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst)), &len);
}

static uint32_t number_of(Untold *u, LLVMValueRef inst) {
  OriginFrames stack = {0};
  origin_stack(inst, &stack);
  const char *name = name_of(inst, &stack);
  uint32_t id = intern_id(u->names, name, strlen(name));
  if (id == u->by.len) vec_push(&u->by, ((UntoldFunction){inst, 0}));
  vec_free(&stack);
  return id;
}

void untold_add(Untold *u, const Access *writes, size_t pairs) {
  if (!pairs) return;
  uint64_t at = map_or(u->by_inst, map_key(writes->inst), 0);
  if (!at) {
    at = number_of(u, writes->inst) + 1;
    map_put(u->by_inst, map_key(writes->inst), at);
  }
  assert(at <= u->by.len);
  u->by.at[at - 1].pairs += pairs;
}

bool untold_any(const Untold *u) {
  return u->by.len > 0;
}

static int by_count(const void *a, const void *b) {
  const UntoldFunction *x = a, *y = b;
  return x->pairs < y->pairs ? 1 : x->pairs > y->pairs ? -1 : 0;
}

static void tell_function(const UntoldFunction *f, size_t limit, size_t share, Report *out) {
  OriginFrames stack = {0};
  origin_stack(f->example, &stack);
  char *name = where_name(name_of(f->example, &stack));
  FindingGap gap = {.text = report_print(out,
                                         "limit 'pairs' reached (%zu, %zu for one object): up to %llu more "
                                         "pairs with an access in `%s` were not compared",
                                         limit, share, (unsigned long long)f->pairs, name)};
  mem_free(name);
  if (stack.len) gap.file = frames_file(out, &stack.at[0]), gap.line = stack.at[0].line;
  vec_push(&out->incomplete, gap);
  vec_free(&stack);
}

void untold_tell(const Untold *u, size_t limit, size_t share, Report *out) {
  if (u->by.len) limit_reached(LIMIT_OF_PAIRS);
  Vec(UntoldFunction) all = {0};
  uint64_t others = 0;
  for (vec_each(i, &u->by)) vec_push(&all, u->by.at[i]);
  if (all.len) qsort(all.at, all.len, sizeof *all.at, by_count);
  for (vec_each(i, &all))
    if (i < LIMIT_PAIR_FUNCTIONS)
      tell_function(&all.at[i], limit, share, out);
    else
      others += all.at[i].pairs;
  if (others) {
    FindingGap gap = {.text =
                          report_print(out, "up to %llu more pairs in %zu other functions were not compared",
                                       (unsigned long long)others, all.len - LIMIT_PAIR_FUNCTIONS)};
    vec_push(&out->incomplete, gap);
  }
  vec_free(&all);
}
