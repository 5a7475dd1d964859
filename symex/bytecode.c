// A module and the models become one numbered list of functions. The models are a module of their own,
// compiled when the tools were built: linking them in would number the program's sites anew.
#include "bytecode.h"
#include <assert.h>
#include "host.h"

static bool is_setjmp(const char *name) {
  static const char *const names[] = {"setjmp", "_setjmp", "__setjmp", "sigsetjmp", "__sigsetjmp"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) return true;
  return false;
}
static bool is_longjmp(const char *name) {
  static const char *const names[] = {"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!strcmp(names[i], name)) return true;
  return false;
}

static void add_function(Bytecode *c, LLVMValueRef f, bool model, const CodeSync *s) {
  Function x = {.value = f, .model = model, .callee = CODE_NONE};
  x.kind = LLVMIsDeclaration(f) ? CODE_UNKNOWN : CODE_BODY;
  x.variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f));
  if (!model && x.kind == CODE_BODY && s->graph) {
    uint32_t id = callgraph_id(s->graph, f);
    bool main = id != CALLGRAPH_NONE && callgraph_entries(s->graph, id) & ENTRY_MAIN;
    x.enterable = id != CALLGRAPH_NONE && !main && maysync_enterable(s->sync, id) &&
                  !library_replaced(LLVMGetValueName(f));
  }
  map_put(c->function_of, map_key(f), c->functions.len);
  vec_push(&c->functions, x);
}

static uint32_t body_named(const Bytecode *c, int module, const char *name) {
  LLVMValueRef f = LLVMGetNamedFunction(c->modules[module], name);
  if (!f || LLVMIsDeclaration(f)) return CODE_NONE;
  return (uint32_t)map_or(c->function_of, map_key(f), CODE_NONE);
}

// A declaration of the program means, in this order: an operation of the table, what the interpreter does
// itself, a model; one of a model: what the interpreter does, or what the program has.
static void resolve(Bytecode *c, Function *f) {
  const char *name = LLVMGetValueName(f->value);
  if (f->kind == CODE_BODY) return;
  f->host = host_find(name, f->model);
  if (!f->model && (f->sync = sync_find(name))) {
    f->kind = CODE_SYNC;
  } else if (is_setjmp(name)) {
    f->kind = CODE_SETJMP;
  } else if (is_longjmp(name)) {
    f->kind = CODE_LONGJMP;
  } else if ((f->callee = body_named(c, f->model ? 0 : 1, name)) != CODE_NONE) {
    f->kind = CODE_BODY;
  } else if (f->host != CODE_NONE) {
    f->kind = CODE_HOST;
  }
}

// How many registers and bytes of the stack the arguments with a name take: what va_arg gives comes behind
// them.
static void count_named(Bytecode *c, Function *f) {
  for (unsigned i = 0; i < LLVMCountParams(f->value); ++i) {
    const Layout *l = layout_of(c, LLVMTypeOf(LLVMGetParam(f->value, i)));
    bool vector = LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(f->value, i))) == LLVMVectorTypeKind;
    if ((l->len != 1 && !vector) || l->refused) continue;
    if (vector || l->at->kind == SCALAR_FLOAT || l->at->kind == SCALAR_DOUBLE)
      ++f->named_floats;
    else if (l->at->kind == SCALAR_LONG_DOUBLE)
      f->named_bytes += 16;
    else
      f->named_ints += l->slots;
  }
}

Bytecode *bytecode_new(LLVMModuleRef m, LLVMModuleRef models, Sites *sites, const CodeSync *s, Diags *diags) {
  Bytecode *c = mem_alloc(sizeof *c);
  c->modules[0] = m, c->modules[1] = models;
  c->sites = sites;
  c->layout = LLVMGetModuleDataLayout(m);
  c->function_of = map_new(), c->layouts = map_new(), c->global_at = map_new();
  vec_reserve(&c->passes, 1), vec_reserve(&c->moves, 1),
      vec_reserve(&c->pool, 1);  // places in them are taken
  if (!memory_init(&c->start))
    return diag_error(diags, "no address space for interpreting"), bytecode_free(c), NULL;
  for (int i = 0; i < 2; ++i)
    for (all_functions(f, c->modules[i])) add_function(c, f, i, s);
  for (vec_each(i, &c->functions)) resolve(c, &c->functions.at[i]), count_named(c, &c->functions.at[i]);
  size_t errors = diags_errors(diags);
  globals_place(c, diags);
  if (globals_fill(c, diags)) memory_freeze(&c->start);
  for (uint32_t i = 0; i < c->functions.len; ++i)
    if (!LLVMIsDeclaration(c->functions.at[i].value)) compile_function(c, i, s);
  if (diags_errors(diags) > errors) return bytecode_free(c), NULL;
  CHECKED(bytecode_check(c));
  return c;
}

static void free_layouts(Bytecode *c, LLVMTypeRef t) {
  uint64_t known;
  if (!map_get(c->layouts, map_key(t), &known) || !known) return;
  Layout *l = (Layout *)(uintptr_t)known;
  mem_free(l->at), mem_free(l);
  map_put(c->layouts, map_key(t), 0);
}

void bytecode_free(Bytecode *c) {
  if (!c) return;
  for (vec_each(i, &c->layout_types)) free_layouts(c, c->layout_types.at[i]);
  vec_free(&c->layout_types);
  vec_free(&c->insts), vec_free(&c->origins), vec_free(&c->block_of), vec_free(&c->blocks),
      vec_free(&c->edges);
  vec_free(&c->moves), vec_free(&c->calls), vec_free(&c->passes), vec_free(&c->pool), vec_free(&c->functions);
  for (vec_each(i, &c->reasons)) mem_free(c->reasons.at[i]);
  vec_free(&c->reasons);
  vec_free(&c->thread_locals), vec_free(&c->thread_local_at);
  map_free(c->function_of), map_free(c->layouts), map_free(c->global_at);
  memory_free(&c->start);
  mem_free(c);
}

void bytecode_check(const Bytecode *c) {
  assert(c->insts.len == c->origins.len && c->insts.len == c->block_of.len);
  for (vec_each(i, &c->edges)) {
    const Edge *e = &c->edges.at[i];
    assert(e->block < c->blocks.len && e->pc == c->blocks.at[e->block].first);
    assert(e->first + e->count <= c->moves.len);
  }
  for (vec_each(i, &c->blocks)) assert(c->blocks.at[i].first < c->blocks.at[i].end);
  for (vec_each(i, &c->functions)) {
    const Function *f = &c->functions.at[i];
    if (f->callee != CODE_NONE) assert(c->functions.at[f->callee].callee == CODE_NONE);
    assert(f->constants + f->constant_count <= c->pool.len);
  }
}

uint32_t bytecode_function(const Bytecode *c, const char *name) {
  uint32_t own = body_named(c, 0, name);
  return own != CODE_NONE ? own : body_named(c, 1, name);
}

uint64_t bytecode_address(uint32_t function) {
  return FUNCTION_BASE + (uint64_t)function * FUNCTION_STEP;
}

uint32_t bytecode_function_at(const Bytecode *c, uint64_t address) {
  uint64_t n = (address - FUNCTION_BASE) / FUNCTION_STEP;
  if (address < FUNCTION_BASE || n >= c->functions.len || (address - FUNCTION_BASE) % FUNCTION_STEP)
    return CODE_NONE;
  uint32_t callee = c->functions.at[n].callee;
  return callee == CODE_NONE ? (uint32_t)n : callee;
}

const char *bytecode_name(const Bytecode *c, uint32_t function) {
  return LLVMGetValueName(c->functions.at[function].value);
}

const char *bytecode_global_name(const Bytecode *c, uint64_t address) {
  for (int m = 0; m < 2; ++m)
    for (all_globals(g, c->modules[m]))
      if (!LLVMIsThreadLocal(g) && map_or(c->global_at, map_key(g), 0) == address) return LLVMGetValueName(g);
  return NULL;
}

bool bytecode_of_model(const Bytecode *c, uint64_t address) {
  return address >= MEMORY_BASE && address - MEMORY_BASE < c->models_end;
}

LLVMValueRef bytecode_origin(const Bytecode *c, uint32_t pc) {
  assert(pc < c->origins.len);
  return c->origins.at[pc];
}
