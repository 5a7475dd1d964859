// An answer must hold in every copy of a probe, also in one from which all ways leave the schedule: a guard
// that goes because "this copy leaves anyway" would be the one that made it leave.
#include "ask.h"
#include <assert.h>
#include "cfspec/cfspec.h"
#include "flow/flow.h"

typedef struct {
  LLVMValueRef base;
  uint64_t value;
  bool solved;
} Seen;

// The variable of the module that this one of the view is. NULL: the module has none like it.
static LLVMValueRef same_variable(LLVMModuleRef m, LLVMValueRef of_view) {
  size_t len;
  const char *name = LLVMGetValueName2(of_view, &len);
  if (!LLVMIsAGlobalVariable(of_view) || LLVMIsThreadLocal(of_view) || !len) return NULL;
  LLVMValueRef g = LLVMGetNamedGlobal(m, name);
  bool same = g && !LLVMIsThreadLocal(g) && LLVMGlobalGetValueType(g) == LLVMGlobalGetValueType(of_view);
  return same && LLVMIsDeclaration(g) == LLVMIsDeclaration(of_view) ? g : NULL;
}

static bool address_seen(Flow *f, LLVMModuleRef m, LLVMValueRef x, LLVMValueRef at, Seen *out) {
  Bv v = flow_term(f, x, at, 1, NULL);
  Linear sum;
  if (v == BV_NONE || !linear_of(flow_terms(f), v, &sum)) return false;
  out->value = sum.constant;
  if (!sum.count) return !sum.constant;  // null; another number is no address to rely on
  if (sum.count != 1 || sum.part[0].factor != 1) return false;
  LLVMValueRef object = flow_object(f, sum.part[0].atom);
  out->base = object ? same_variable(m, object) : NULL;
  return out->base != NULL;
}

static bool number_seen(Flow *f, LLVMValueRef x, LLVMValueRef at, Seen *out) {
  if (LLVMIsAConstantInt(x)) return out->value = LLVMConstIntGetZExtValue(x), true;
  Bv v = flow_term(f, x, at, 1, NULL);
  return v != BV_NONE && bv_is_const(flow_terms(f), v, &out->value);
}

static bool truth_seen(Flow *f, const Fact *fact, LLVMValueRef x, LLVMValueRef at, Seen *out) {
  out->value = fact->stays, out->solved = true;
  return flow_always(f, x, fact->stays, at, NULL);
}

static bool is_bit(LLVMValueRef x) {
  return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 1;
}

static bool see(const DfspecInput *in, Flow *f, const Fact *fact, LLVMValueRef x, LLVMValueRef at,
                Seen *out) {
  if (LLVMIsUndef(x) || LLVMIsPoison(x)) return false;
  if (LLVMIsAConstantPointerNull(x)) return true;
  if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind) return address_seen(f, in->module, x, at, out);
  if (number_seen(f, x, at, out)) return true;
  return fact->solve && is_bit(x) && truth_seen(f, fact, x, at, out);
}

static void meet(Fact *fact, bool known, const Seen *s) {
  bool same = fact->what == FACT_UNSEEN || (fact->value == s->value && fact->base == s->base);
  fact->what = known && same ? FACT_IS : FACT_VARIES;
  fact->value = s->value, fact->base = s->base, fact->solved |= s->solved;
}

// Only what runs once has values: a function that is no root may be entered by others.
static void read_probe(const DfspecInput *in, Flow *f, const CodeFunction *c, LLVMValueRef call,
                       Facts *facts) {
  size_t number;
  LLVMValueRef x;
  Seen s = {0};
  if (!probe_of(call, &number, &x)) return;
  assert(number < facts->len);
  Fact *fact = &facts->at[number];
  if (fact->what == FACT_VARIES || (c->root && flow_reached(f, call, NULL) == FLOW_NO)) return;
  bool known = c->root && see(in, f, fact, x, call, &s);
  meet(fact, known, &s);
}

static void read_probes(const DfspecInput *in, Flow *f, Facts *facts) {
  const Code *code = flow_code(f);
  for (size_t n = 0; n < code_count(code); ++n) {
    const CodeFunction *c = code_at(code, n);
    if (!code_is_executed(c)) continue;
    for (all_blocks(b, c->function))
      for (all_insts(i, b)) read_probe(in, f, c, i, facts);
  }
}

static bool has_generic(LLVMModuleRef m) {
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (check_leaves(i)) return true;
  return false;
}

// The view cuts off generic code, and takes blocks to share no values but through memory, as cfspec/ leaves
// them; passes have run since.
static bool restore_blocks(LLVMModuleRef copy, Diags *d) {
  return !has_generic(copy) || emit_passes(copy, NULL, "function(reg2mem)", d);
}

bool facts_ask(const DfspecInput *in, LLVMModuleRef copy, Facts *facts, Diags *d) {
  AliasOptions how = {.open = in->open, .summaries = cfspec_view_summaries};
  Order *order = order_new(in->sigma, in->schedule, d);
  bool ok = order && restore_blocks(copy, d) && cfspec_view(copy, in->schedule, in->open, d);
  FlowInput want = {.view = copy, .order = order, .alias = &how, .no_constraint = in->ignore_constraint};
  Flow *f = ok ? flow_new(&want, d) : NULL;
  if (f) read_probes(in, f, facts);
  flow_free(f);
  order_free(order);
  return f != NULL;
}
