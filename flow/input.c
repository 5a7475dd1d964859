// A number that main reads from an argument or a variable of the environment by atoi or strtol, or the number
// of arguments, is the value that the constraint speaks of, if nothing in the program may write to the vector
// of arguments or their text. Conjuncts that are not understood are left out.
#include "input.h"
#include <assert.h>
#include "occasion.h"
#include "scan.h"
#include "when.h"
#include <errno.h>
#include <stdlib.h>

typedef struct {
  Known *v;
  Bvs *t;
  const Terms *terms;
  LLVMValueRef main;
  bool environment;  // is what the dispatcher saw
  InputNumbers numbers;
} Inputs;

// -- the calls

static bool reads_number(LLVMValueRef call, bool *of_int) {
  static const char *const names[] = {"atol",    "atoll",           "strtol",
                                      "strtoll", "__isoc23_strtol", "__isoc23_strtoll"};
  LLVMValueRef f = call_is(call) ? call_function(call) : NULL;
  size_t len;
  const char *name = f && LLVMIsDeclaration(f) ? LLVMGetValueName2(f, &len) : "";
  *of_int = !strcmp(name, "atoi");
  if (*of_int) return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (strcmp(name, names[i])) continue;
    if (i < 2) return true;
    LLVMValueRef base = LLVMGetOperand(call, 2);
    return LLVMIsAConstantInt(base) && LLVMConstIntGetZExtValue(base) == 10;
  }
  return false;
}

// What an instruction reads: by anything in the program.
static bool is_written(const Accesses *accesses, LLVMValueRef inst) {
  size_t first = 0, n = accesses_by(accesses, inst, &first);
  IdVec writers = {0};
  for (size_t i = 0; i < n; ++i) accesses_writers(accesses, accesses_at(accesses, first + i), &writers);
  bool is = !n || writers.len;
  vec_free(&writers);
  return is;
}

// argv[i]: which i.
static bool is_argument(const Inputs *in, const Accesses *accesses, LLVMValueRef x, uint32_t *index) {
  LLVMValueRef load = LLVMIsALoadInst(x), from = load ? LLVMGetOperand(load, 0) : NULL;
  *index = 0;
  if (!load || is_written(accesses, load) || LLVMCountParams(in->main) < 2) return false;
  if (from != LLVMGetParam(in->main, 1)) {
    if (!LLVMIsAGetElementPtrInst(from) || LLVMGetNumOperands(from) != 2) return false;
    LLVMValueRef i = LLVMGetOperand(from, 1);
    if (LLVMGetOperand(from, 0) != LLVMGetParam(in->main, 1) || !LLVMIsAConstantInt(i)) return false;
    if (LLVMGetTypeKind(LLVMGetGEPSourceElementType(from)) != LLVMPointerTypeKind) return false;
    *index = (uint32_t)LLVMConstIntGetZExtValue(i);
  }
  return true;
}

// getenv("NAME"), of a program that never changes its environment: the name, as the module has it.
static const char *variable(const Inputs *in, LLVMValueRef x) {
  static const char *const changers[] = {"setenv",  "unsetenv",  "putenv",   "clearenv",
                                         "environ", "__environ", "_environ", "dlsym"};
  LLVMValueRef f = call_is(x) ? call_function(x) : NULL, name = f ? LLVMGetOperand(x, 0) : NULL;
  size_t len;
  if (!f || !LLVMIsDeclaration(f) || strcmp(LLVMGetValueName2(f, &len), "getenv") || !in->environment)
    return NULL;
  for (size_t i = 0; i < sizeof changers / sizeof *changers; ++i)
    if (LLVMGetNamedFunction(LLVMGetGlobalParent(f), changers[i]) ||
        LLVMGetNamedGlobal(LLVMGetGlobalParent(f), changers[i]))
      return NULL;
  LLVMValueRef text =
      LLVMIsAGlobalVariable(name) && LLVMIsGlobalConstant(name) ? LLVMGetInitializer(name) : NULL;
  const char *at = text && LLVMIsConstantString(text) ? LLVMGetAsString(text, &len) : NULL;
  return at && len && strlen(at) == len - 1 ? at : NULL;
}

// Nobody gets at the environment but by its functions, which are the program's own to call.
static bool environment_is_kept(LLVMModuleRef m, LLVMValueRef main) {
  AliasFunctions before = {0};
  bool kept = LLVMCountParams(main) < 3 || !LLVMGetFirstUse(LLVMGetParam(main, 2));
  occasion_constructors(m, &before);
  for (vec_each(i, &before)) kept &= !LLVMCountParams(before.at[i]);
  for (all_functions(f, m)) {
    size_t len;
    const char *name = LLVMGetValueName2(f, &len);
    bool ours = !strncmp(name, "rt_", 3) || !strncmp(name, "llvm.", 5);
    if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !ours && !library_find(name, true) && !sync_find(name))
      kept = false;
  }
  vec_free(&before);
  return kept;
}

static bool same_source(const InputNumber *a, uint32_t index, const char *name) {
  return name ? a->name && !strcmp(a->name, name) : !a->name && a->index == index;
}

static bool is_source(const Inputs *in, const Accesses *accesses, InputNumber *n) {
  LLVMValueRef x = LLVMGetOperand(n->call, 0);
  n->name = variable(in, x);
  n->where = n->name ? x : NULL;
  return n->name || is_argument(in, accesses, x, &n->index);
}

static void find_numbers(Inputs *in, const CodeFunction *f, const Accesses *accesses) {
  for (all_blocks(b, f->function))
    for (all_insts(i, b)) {
      bool of_int;
      InputNumber n = {.call = i};
      if (!reads_number(i, &of_int)) continue;
      if (in->numbers.len == LIMIT_INPUT_NUMBERS) {
        limit_reached(LIMIT_OF_INPUT_NUMBERS);
        return;
      }
      if (loops_of(f->loops, cfg_id(f->cfg, b)) != LOOP_NONE) continue;
      if (!is_source(in, accesses, &n) || is_written(accesses, i)) continue;
      n.of_int = of_int;
      n.value = bv_var(in->t, 64, known_fresh(in->v));
      for (vec_each(k, &in->numbers))  // the same text is the same number
        if (same_source(&in->numbers.at[k], n.index, n.name)) n.value = in->numbers.at[k].value;
      vec_push(&in->numbers, n);
    }
}

// -- terms of the constraint

// What of the input a term is: an argument or a variable.
typedef struct {
  uint32_t index;
  const char *name;
} Source;

static bool source_of(const Inputs *in, Term t, Source *out) {
  TermNode n = term_at(in->terms, t);
  *out =
      (Source){n.op == TERM_ARGV ? (uint32_t)n.as.i : 0, n.op == TERM_ENV ? term_text(in->terms, t) : NULL};
  return n.op == TERM_ARGV || n.op == TERM_ENV;
}

// -- what they say

static void is_constant(Inputs *in, const Source *of, bool of_int, int64_t value) {
  Bv low = bv_const(in->t, 64, of_int ? (uint64_t)value & UINT32_MAX : (uint64_t)value);
  for (vec_each(i, &in->numbers)) {
    InputNumber *n = &in->numbers.at[i];
    Bv high = bv_op(in->t, BV_MUL, n->value, bv_const(in->t, 64, (uint64_t)1 << 32));
    if (same_source(n, of->index, of->name)) n->value = of_int ? bv_op(in->t, BV_ADD, high, low) : low;
  }
}

static bool equals_constant(const Inputs *in, Term a, Term b, Source *of, bool *of_int, int64_t *value) {
  TermNode x = term_at(in->terms, a), y = term_at(in->terms, b);
  if (source_of(in, a, of) && y.op == TERM_STRING) {
    char *end;
    const char *text = term_text(in->terms, b);
    errno = 0;
    *of_int = false, *value = strtoll(text, &end, 10);
    return errno == 0;
  }
  if ((x.op != TERM_ATOI && x.op != TERM_ATOL) || y.op != TERM_INT || x.count != 1) return false;
  *of_int = x.op == TERM_ATOI, *value = y.as.i;
  return source_of(in, term_operand(in->terms, a, 0), of);
}

static bool is_count(const Inputs *in, Term a, Term b) {
  TermNode x = term_at(in->terms, a), y = term_at(in->terms, b);
  LLVMValueRef argc = LLVMCountParams(in->main) ? LLVMGetParam(in->main, 0) : NULL;
  if (x.op != TERM_ARGC || y.op != TERM_INT || !argc || y.as.i != (int32_t)y.as.i) return false;
  if (LLVMTypeOf(argc) != LLVMInt32TypeInContext(LLVMGetModuleContext(LLVMGetGlobalParent(in->main))))
    return false;
  known_define(in->v, argc, bv_const(in->t, 32, (uint64_t)y.as.i));
  return true;
}

static void constants(Inputs *in, Term t) {
  TermNode n = term_at(in->terms, t);
  Source of;
  bool of_int;
  int64_t value;
  for (uint32_t i = 0; n.op == TERM_AND && i < n.count; ++i) constants(in, term_operand(in->terms, t, i));
  if (n.op != TERM_EQ || n.count != 2) return;
  Term a = term_operand(in->terms, t, 0), b = term_operand(in->terms, t, 1);
  if (is_count(in, a, b) || is_count(in, b, a)) return;
  if (equals_constant(in, a, b, &of, &of_int, &value) || equals_constant(in, b, a, &of, &of_int, &value))
    is_constant(in, &of, of_int, value);
}

void input_facts(Known *v, const Code *c, const Accesses *accesses, bool constraint, InputNumbers *out) {
  const CodeFunction *f = code_root(c, 0);
  const Sigma *s = order_sigma(code_order(c));
  const Schedule *x = order_schedule(code_order(c));
  if (!f || (constraint && x->status == SIGMA_FALSE) || x->at_file != SIGMA_NONE) return;
  assert(f->thread == 0);
  Inputs in = {.v = v, .t = known_terms(v), .terms = s->terms, .main = f->function};
  in.environment = environment_is_kept(LLVMGetGlobalParent(f->function), f->function);
  find_numbers(&in, f, accesses);
  if (constraint) constants(&in, x->when);
  if (constraint) when_facts(&(WhenInput){v, s->terms, f->function, &in.numbers}, x->when);
  for (vec_each(i, &in.numbers)) {
    const InputNumber *n = &in.numbers.at[i];
    known_define(v, n->call, n->of_int ? bv_resize(in.t, n->value, 32, true) : n->value);
  }
  vec_append(out, in.numbers.at, in.numbers.len);
  scan_numbers(v, c, out);
  vec_free(&in.numbers);
}
