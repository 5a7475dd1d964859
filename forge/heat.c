#include "heat.h"
#include <assert.h>
#include <llvm-c/Analysis.h>
#include "cfspec/cfspec.h"

// What functions carry, as an attribute.
static const char note[] = "specialize-heat", cold[] = "once", loop[] = "loop";

static bool has_note(LLVMValueRef f, const char *what) {
  unsigned len;
  const char *text = attribute_noted(f, note, &len);
  return text && len == strlen(what) && !memcmp(text, what, len);
}

bool heat_is_cold(LLVMValueRef f) {
  return has_note(f, cold);
}

bool heat_is_loop(LLVMValueRef f, size_t *name_len) {
  if (!has_note(f, loop)) return false;
  const char *name = LLVMGetValueName2(f, name_len);
  while (*name_len && strncmp(name + *name_len, ".loop.", 6) != 0) --*name_len;
  return true;
}

typedef struct {
  Families *families;
  Map *has_loop;  // of functions that are always inlined: 1 no, 2 yes
  HeatFigures *figures;
} Heat;

// Others stand for several calls.
static bool runs_once(LLVMValueRef f) {
  uint32_t thread, activation;
  size_t name_len;
  return !LLVMIsDeclaration(f) && cfspec_clone_of(f, &thread, &activation, &name_len) &&
         activation != UINT32_MAX;
}

static bool may_come_back(LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (call_is(i) && call_returns_twice(i)) return true;
  return false;
}

static bool has_loop(LLVMValueRef f) {
  Cfg *c = cfg_new(f);
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  bool has = loops_count(l) || loops_irreducible_count(l);
  loops_free(l), dom_free(d), cfg_free(c);
  return has;
}

static bool brings_loop(Heat *h, LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  if (!f || LLVMIsDeclaration(f) || !attribute_has(f, "alwaysinline")) return false;
  uint64_t known = map_or(h->has_loop, map_key(f), 0);
  if (!known) map_put(h->has_loop, map_key(f), known = has_loop(f) ? 2 : 1);
  return known == 2;
}

static bool brings_loops(Heat *h, LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b))
      if (call_is(i) && brings_loop(h, i)) return true;
  return false;
}

// Only a run that has left its schedule comes there.
static bool is_generic(LLVMBasicBlockRef b) {
  return !strncmp(LLVMGetBasicBlockName(b), CFSPEC_GENERIC, sizeof CFSPEC_GENERIC - 1);
}

static bool has_other_cycles(const Loops *l) {
  for (uint32_t b = 0; loops_irreducible_count(l) && b < cfg_count(loops_cfg(l)); ++b)
    if (loops_irreducible(l, b) != LOOP_NONE && !is_generic(cfg_block(loops_cfg(l), b))) return true;
  return false;
}

// Their places in the frame are used longer than they say, by functions that are called in between.
static void drop_markers(LLVMValueRef f) {
  for (all_blocks(b, f))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
      next = LLVMGetNextInstruction(i);
      LLVMValueRef callee = LLVMIsACallInst(i) ? call_function(i) : NULL;
      if (callee && !strncmp(LLVMGetValueName(callee), "llvm.lifetime.", 14))
        LLVMInstructionEraseFromParent(i);
    }
}

// All outermost loops that can; why others are left, or NULL: none is. Each that is made ready changes the
// code around it, so they are compared only once all are.
static const char *take_loops(Heat *h, const Loops *l) {
  const char *why = has_other_cycles(l) ? "it has a cycle with several entries" : NULL;
  Vec(LoopRegion) taken = {0};
  for (uint32_t n = 0; n < loops_count(l); n = loop_last(l, n) + 1) {
    ++h->figures->loops;
    if (region_can_move(l, n))
      vec_push(&taken, region_make(l, n));
    else if (!is_generic(cfg_block(loops_cfg(l), loop_header(l, n))))
      why = "a loop allocates in the frame, looks at it, or is left by an exception";
  }
  for (vec_each(i, &taken)) families_add(h->families, taken.at[i]);
  vec_free(&taken);
  return why;
}

// Why it is not code that runs once; NULL: it is.
static const char *split(Heat *h, LLVMValueRef f) {
  if (may_come_back(f)) return "it calls setjmp, or the like";
  drop_markers(f);
  Cfg *c = cfg_new(f);
  Dom *d = dom_new(c);
  Loops *l = loops_new(c, d);
  const char *why = take_loops(h, l);
  loops_free(l), dom_free(d), cfg_free(c);
  if (!why && brings_loops(h, f)) why = "a function that is always inlined brings a loop";
  return why;
}

static void tell_hot(LLVMValueRef f, const char *why) {
  char *what = mem_format("%s is optimized as a whole", LLVMGetValueName(f));
  decided("loops", (Place){0}, what, why);
  mem_free(what);
}

static void tell_loops(const HeatFigures *f) {
  char *what = mem_format("%zu loops in clones became %zu functions", f->loops, f->functions);
  char *why =
      mem_format("%zu clones have none: their code runs once, and gets few passes", f->cold);
  decided("loops", (Place){0}, what, why);
  mem_free(what), mem_free(why);
}

static char *name_of(const Family *f, Map *numbers, Intern *names) {
  LLVMValueRef clone = LLVMGetBasicBlockParent(f->members.at[0].before);
  uint32_t thread, activation;
  size_t len;
  bool is = cfspec_clone_of(clone, &thread, &activation, &len);
  assert(is);
  uint32_t id = intern_id(names, LLVMGetValueName(clone), len);
  uint64_t n = map_or(numbers, id, 0);
  map_put(numbers, id, n + 1);
  return mem_format("%s.loop.%u", intern_text(names, id), (unsigned)n);
}

static void write_functions(Heat *h, LLVMModuleRef m, LLVMValueRef *functions) {
  LLVMDIBuilderRef debug = LLVMCreateDIBuilder(m);
  Map *numbers = map_new();
  Intern *names = intern_new();
  for (size_t i = 0; i < families_count(h->families); ++i) {
    const Family *f = families_at(h->families, i);
    char *name = name_of(f, numbers, names);
    functions[i] = outline_write(f, name, debug);
    attribute_note(functions[i], note, loop);
    mem_free(name);
  }
  map_free(numbers), intern_free(names);
  LLVMDIBuilderFinalize(debug);
  LLVMDisposeDIBuilder(debug);
}

static void exchange(Heat *h, LLVMModuleRef m) {
  size_t count = families_count(h->families);
  LLVMValueRef *functions = mem_array(count + 1, sizeof *functions);
  families_settle(h->families);
  write_functions(h, m, functions);
  for (size_t i = 0; i < count; ++i) outline_calls(families_at(h->families, i), functions[i]);
  h->figures->functions = count;
  mem_free(functions);
}

static inline void check(LLVMModuleRef m) {
  assert(!LLVMVerifyModule(m, LLVMPrintMessageAction, NULL));
}

void heat_split(LLVMModuleRef m, HeatFigures *out) {
  Heat h = {families_new(), map_new(), out};
  *out = (HeatFigures){0};
  for (all_functions(f, m)) {
    if (!runs_once(f)) continue;
    const char *why = split(&h, f);
    ++*(why ? &out->hot : &out->cold);
    if (!why)
      attribute_note(f, note, cold);
    else if (decisions_wanted())
      tell_hot(f, why);
  }
  exchange(&h, m);
  if (decisions_wanted()) tell_loops(out);
  CHECKED(check(m));
  families_free(h.families);
  map_free(h.has_loop);
}
