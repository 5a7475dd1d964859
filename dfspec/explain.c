#include "explain.h"
#include <assert.h>
#include "cfspec/cfspec.h"

static const char stage[] = "data flow";

// -- what decides a condition

// In the order of what is worth saying.
typedef enum {
  BY_NOTHING,
  BY_PARAMETER,
  BY_LOOP,
  BY_MEMORY,
  BY_CALL,
  BY_ALLOCATION,
  BY_VOLATILE,
  BY_FLOAT
} Kind;
typedef struct {
  Kind kind;
  LLVMValueRef leaf;
} Cause;

enum { DEPTH = 12 };

static Kind kind_of(LLVMValueRef x) {
  if (LLVMIsAArgument(x)) return BY_PARAMETER;
  if (!LLVMIsAInstruction(x)) return BY_NOTHING;
  LLVMValueRef f = call_is(x) ? call_function(x) : NULL;
  if (LLVMIsAFCmpInst(x)) return BY_FLOAT;
  if (LLVMIsALoadInst(x)) return LLVMGetVolatile(x) ? BY_VOLATILE : BY_MEMORY;
  if (LLVMIsAAtomicRMWInst(x) || LLVMIsAAtomicCmpXchgInst(x)) return BY_MEMORY;
  if (call_is(x)) {
    const Library *l = f ? library_find(LLVMGetValueName(f), false) : NULL;
    return l && l->memory && strstr(l->memory, "r=new") ? BY_ALLOCATION : BY_CALL;
  }
  return LLVMIsAPHINode(x) ? BY_LOOP : BY_NOTHING;
}

static void find_cause(LLVMValueRef x, unsigned depth, Cause *out) {
  Kind kind = kind_of(x);
  if (kind > out->kind) *out = (Cause){kind, x};
  bool stops = kind == BY_MEMORY || kind == BY_VOLATILE || (kind >= BY_CALL && kind != BY_FLOAT);
  if (!LLVMIsAInstruction(x) || stops || !depth) return;
  unsigned n = LLVMIsAPHINode(x) ? LLVMCountIncoming(x) : (unsigned)LLVMGetNumOperands(x);
  for (unsigned i = 0; i < n; ++i)
    find_cause(LLVMIsAPHINode(x) ? LLVMGetIncomingValue(x, i) : LLVMGetOperand(x, i), depth - 1, out);
}

static char *memory_text(LLVMValueRef load) {
  LLVMValueRef p = LLVMGetOperand(load, 0);
  while (LLVMIsAGetElementPtrInst(p) ||
         (LLVMIsAConstantExpr(p) && LLVMGetConstOpcode(p) == LLVMGetElementPtr))
    p = LLVMGetOperand(p, 0);
  if (!LLVMIsAGlobalVariable(p)) return mem_string("what memory holds decides, of an object without a name");
  char *name = where_name(LLVMGetValueName(p)), *text = mem_format("what %s holds decides", name);
  mem_free(name);
  return text;
}

static char *call_text(LLVMValueRef call) {
  LLVMValueRef f = call_function(call);
  char *name = f ? where_short(LLVMGetValueName(f)) : mem_string("an unknown function");
  char *text = mem_format("the result of %s decides", name);
  mem_free(name);
  return text;
}

static char *cause_text(LLVMValueRef condition) {
  Cause c = {BY_NOTHING, NULL};
  find_cause(condition, DEPTH, &c);
  switch (c.kind) {
    case BY_FLOAT:
      return mem_string("a floating-point number decides");
    case BY_VOLATILE:
      return mem_string("a volatile variable decides");
    case BY_ALLOCATION:
      return mem_string("an allocation may fail");
    case BY_CALL:
      return call_text(c.leaf);
    case BY_MEMORY:
      return memory_text(c.leaf);
    case BY_LOOP:
      return mem_string("the position in a loop decides");
    case BY_PARAMETER:
      return mem_string("a parameter decides");
    default:
      return mem_string("what decides is not known");
  }
}

// -- guards

static void tell(LLVMValueRef at, const char *what, const char *why) {
  decided(stage, where(at), what, why);
}

void explain_removed(const Facts *facts, const Facts *bare) {
  if (!decisions_wanted()) return;
  for (vec_each(i, facts)) {
    const Fact *f = &facts->at[i];
    if (!f->guard || f->what != FACT_IS) continue;
    bool same = bare && i < bare->len && bare->at[i].what == FACT_IS && bare->at[i].value == f->value;
    tell(f->inst, "a guard is removed",
         !same && bare ? "the constraint implies it"
         : f->solved   ? "earlier tests imply it"
                       : "the schedule makes its condition constant");
  }
}

static void tell_kept(LLVMValueRef guard) {
  LLVMBasicBlockRef b = LLVMGetInstructionParent(guard);
  bool told = false;
  for (all_uses(u, LLVMBasicBlockAsValue(b))) {
    LLVMValueRef end = LLVMGetUser(u), condition = LLVMIsATerminatorInst(end) ? probe_condition(end) : NULL;
    if (LLVMIsAInvokeInst(end)) {
      tell(end, "a guard is kept", "a call may throw");
    } else if (condition) {
      char *why = cause_text(condition);
      tell(end, "a guard is kept", why);
      mem_free(why);
    }
    told |= condition || LLVMIsAInvokeInst(end);
  }
  if (!told) tell(guard, "a guard is kept", "every way from here leaves the schedule");
}

void explain_kept(LLVMModuleRef m, uint32_t schedule) {
  uint32_t of, thread;
  if (!decisions_wanted()) return;
  for (all_functions(f, m)) {
    if (LLVMIsDeclaration(f) || !cfspec_belongs(f, &of, &thread) || of != schedule) continue;
    for (all_blocks(b, f)) {
      LLVMValueRef guard = guard_in(b);
      if (guard) tell_kept(guard);
    }
  }
}

// -- notes

static char *number_text(const Fact *f, LLVMTypeRef type) {
  if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
    if (!f->base) return mem_string("null");
    char *name = where_name(LLVMGetValueName(f->base)), *text;
    text = f->value ? mem_format("&%s + %lld", name, (long long)f->value) : mem_format("&%s", name);
    mem_free(name);
    return text;
  }
  unsigned width = LLVMGetIntTypeWidth(type);
  uint64_t sign = (uint64_t)1 << (width - 1);
  return mem_format("%lld", (long long)(width < 2 ? (int64_t)f->value : (int64_t)((f->value ^ sign) - sign)));
}

// Only what has a name that people know.
static char *name_of(LLVMValueRef x) {
  LLVMValueRef p = LLVMIsALoadInst(x) ? LLVMGetOperand(x, 0) : NULL, f = call_is(x) ? call_function(x) : NULL;
  uint32_t thread, activation;
  size_t len;
  if (p && LLVMIsAGlobalVariable(p)) return where_name(LLVMGetValueName(p));
  if (!f || cfspec_clone_of(f, &thread, &activation, &len) || !strncmp(LLVMGetValueName(f), "rt_enf_", 7))
    return NULL;
  char *name = where_short(LLVMGetValueName(f)), *text = mem_format("%s()", name);
  mem_free(name);
  return text;
}

void explain_notes(const Facts *facts, DfspecNotes *out) {
  for (size_t i = 0; out && i < facts->len; ++i) {
    const Fact *f = &facts->at[i];
    if (f->what != FACT_IS || LLVMIsAFunction(f->inst) || LLVMIsATerminatorInst(f->inst)) continue;
    char *name = name_of(f->inst);
    if (!name) continue;
    char *number = number_text(f, LLVMTypeOf(f->inst));
    LLVMValueRef clone = LLVMGetBasicBlockParent(LLVMGetInstructionParent(f->inst));
    vec_push(out, ((DfspecNote){mem_string(LLVMGetValueName(clone)), mem_format("%s = %s", name, number),
                                where(f->inst).line}));
    mem_free(number), mem_free(name);
  }
}

void dfspec_notes_free(DfspecNotes *n) {
  for (vec_each(i, n)) mem_free(n->at[i].clone), mem_free(n->at[i].text);
  vec_free(n);
}

void explain_sum(uint32_t schedule, const DfspecFigures *f) {
  if (!decisions_wanted()) return;
  assert(f->left <= f->guards);
  char *what = mem_format("schedule %u: %zu of %zu guards removed, %zu kept", schedule, f->guards - f->left,
                          f->guards, f->left);
  char *why = mem_format(
      "%zu values and %zu addresses became constant (%zu loads), %zu of %zu loops are gone, "
      "%zu instructions became %zu, in %zu rounds",
      f->values, f->addresses, f->loads, f->loops - f->loops_left, f->loops, f->before, f->after, f->rounds);
  decided(stage, (Place){0}, what, why);
  mem_free(what), mem_free(why);
}
