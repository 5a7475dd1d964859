#include "effects.h"
#include "assembly.h"
#include "contexts.h"
#include <assert.h>
#include <stdlib.h>

static void index_calls(Alias *a) {
  a->targets = lists_new((uint32_t)a->sys->calls.len, &a->sol->targets);
  a->calls = map_new();
  for (vec_each(i, &a->sys->calls)) {
    const Call *c = &a->sys->calls.at[i];
    if (c->type != NODE_NONE) map_put(a->calls, map_key(c->call), i + 1);
  }
}

// Variables of the program, and what code makes that runs at most once.
static void find_single(Alias *a, const Once *once) {
  a->single = mem_array(a->sol->objects, sizeof *a->single);
  for (uint32_t i = 0; i < a->sol->objects; ++i) {
    const Object *x = &a->sys->objects.at[i];
    bool made = x->kind == KIND_STACK || (x->kind == KIND_HEAP && !LLVMIsAFunction(x->value));
    a->single[i] = x->kind == KIND_GLOBAL || (made && once_executes(once, x->value));
  }
}

static void check_calls(const Alias *a) {
  size_t typed = 0;
  for (vec_each(i, &a->sys->calls)) {
    const Call *c = &a->sys->calls.at[i];
    typed += c->type != NODE_NONE;
    assert(c->type == NODE_NONE || map_or(a->calls, map_key(c->call), 0) == i + 1);
  }
  assert(map_count(a->calls) == typed);
  assert(a->targets.first[a->sys->calls.len] == a->sol->targets.len);
}

void alias_check(const Alias *a) {
  check_calls(a);
  assert(a->build.sys == a->sys && a->build.summaries == a->summaries);
  for (uint32_t o = 0; o < a->sol->objects; ++o) {
    const Object *x = &a->sys->objects.at[o];
    assert(!a->single[o] || x->kind == KIND_GLOBAL || x->kind == KIND_STACK || x->kind == KIND_HEAP);
    assert(!a->single[o] || x->kind != KIND_HEAP || !LLVMIsAFunction(x->value));
  }
  for (vec_each(i, &a->layers)) assert(a->layers.at[i].name && a->layers.at[i].query);
}

Alias *alias_new(LLVMModuleRef m, const AliasOptions *options, Diags *diags) {
  assert(m);
  Alias *a = mem_alloc(sizeof *a);
  const char *why;
  a->summaries = summaries_new();
  for (const char *const *row = options ? options->summaries : NULL; row && *row; row += 2) {
    if (summaries_add(a->summaries, row[0], row[1], &why)) continue;
    if (diags) diag_error(diags, "\"%s\": not a valid description of what a function does", why);
    alias_free(a);
    return NULL;
  }
  CHECKED(summaries_check(a->summaries));
  a->sys = system_new();
  a->build = (Build){.module = m, .layout = LLVMGetModuleDataLayout(m), .sys = a->sys};
  a->build.summaries = a->summaries;
  a->build.diags = diags;
  a->build.owner = options ? options->owner : NULL;
  a->build.guess = options ? options->guess : NULL;
  a->build.open = (options && options->open) || !LLVMGetNamedFunction(m, "main");
  build_system(&a->build);
  a->sol = solve(a->sys);
  if (options && options->contexts) contexts_refine(a, options->contexts, diags);
  index_calls(a);
  Once *once = once_new(a);
  find_single(a, once);
  a->effects = effects_new(a, once);
  CHECKED(once_check(once));
  once_free(once);
  CHECKED(alias_check(a));
  return a;
}

void alias_free(Alias *a) {
  if (!a) return;
  if (a->sys) {
    build_free(&a->build);
    solution_free(a->sol);
    lists_free(&a->targets);
    map_free(a->calls);
    mem_free(a->single);
    effects_free(a->effects);
  }
  system_free(a->sys);
  summaries_free(a->summaries);
  vec_free(&a->layers);
  mem_free(a);
}

// -- objects

uint32_t alias_count(const Alias *a) {
  return a->sol->objects;
}

AliasObject alias_object(const Alias *a, uint32_t o) {
  assert(o < a->sol->objects);
  const Object *from = &a->sys->objects.at[o];
  AliasObject out = {ALIAS_HIDDEN, from->value, a->sys->sizes.at[o], a->sol->escaped[o], a->single[o]};
  static const AliasKind kinds[] = {[KIND_UNKNOWN] = ALIAS_UNKNOWN,
                                    [KIND_GLOBAL] = ALIAS_GLOBAL,
                                    [KIND_THREAD_LOCAL] = ALIAS_THREAD_LOCAL,
                                    [KIND_FUNCTION] = ALIAS_FUNCTION,
                                    [KIND_STACK] = ALIAS_STACK,
                                    [KIND_HEAP] = ALIAS_HEAP,
                                    [KIND_ARGUMENT] = ALIAS_ARGUMENT,
                                    [KIND_VARARGS] = ALIAS_VARARGS,
                                    [KIND_LIBRARY] = ALIAS_LIBRARY,
                                    [KIND_OWN] = ALIAS_LIBRARY,
                                    [KIND_HIDDEN] = ALIAS_HIDDEN,
                                    [KIND_MOVE] = ALIAS_HIDDEN};
  out.kind = kinds[from->kind];
  return out;
}

static LLVMValueRef function_around(LLVMValueRef inst) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}

static char *name_in_function(LLVMValueRef inst, const char *what) {
  Place p = where(inst);
  const char *name = LLVMGetValueName(inst), *before = *name ? " " : "";
  char *f = where_name(LLVMGetValueName(function_around(inst)));
  char *text = p.line ? mem_format("%s%s%s in %s at line %u", what, before, name, f, p.line)
                      : mem_format("%s%s%s in %s", what, before, name, f);
  mem_free(f);
  return text;
}

static char *name_with(const Object *from, const char *name) {
  switch (from->kind) {
    case KIND_HEAP:
      return mem_format("memory reached by indirect calls in %s", name);
    case KIND_VARARGS:
      return mem_format("variable arguments of %s", name);
    case KIND_LIBRARY:
    case KIND_OWN:
      return mem_format("library memory returned by %s", name);
    case KIND_HIDDEN:
      return mem_format("(%s)", name);
    default:
      return mem_string(name);
  }
}

static char *name_of_argument(LLVMValueRef argument) {
  char *f = where_name(LLVMGetValueName(LLVMGetParamParent(argument)));
  char *text = mem_format("argument %s of %s", LLVMGetValueName(argument), f);
  mem_free(f);
  return text;
}

char *alias_name(const Alias *a, uint32_t o) {
  assert(o < a->sol->objects);
  const Object *from = &a->sys->objects.at[o];
  if (from->kind == KIND_UNKNOWN) return mem_string("unknown memory");
  if (from->kind == KIND_MOVE) return mem_string("(memory in transit)");
  if (from->kind == KIND_STACK) return name_in_function(from->value, "variable");
  if (from->kind == KIND_HEAP && !LLVMIsAFunction(from->value))
    return name_in_function(from->value, "memory allocated");
  if (from->kind == KIND_ARGUMENT) return name_of_argument(from->value);
  char *name = where_name(from->value ? LLVMGetValueName(from->value) : from->name);
  char *text = name_with(from, name);
  mem_free(name);
  return text;
}

// -- where pointers point

static AliasRange range_of(const Alias *a, uint32_t spot, int64_t bytes) {
  Spot s = spots_at(a->sys->spots, spot);
  return (AliasRange){s.object, s.first, s.stride, s.end, bytes};
}

void alias_ranges_of(const Alias *a, uint32_t node, int64_t bytes, AliasRanges *out) {
  for (set_each(at, solution_set(a->sol, node))) {
    AliasRange r = range_of(a, at.id, bytes);
    vec_push(out, r);
  }
}

// NODE_NONE: it points nowhere. False: it is not known.
static bool node_of(const Alias *a, LLVMValueRef v, uint32_t *node) {
  uint64_t known;
  if (map_get(a->build.nodes, map_key(v), &known)) {
    *node = (uint32_t)known;
    return true;
  }
  LLVMValueRef stripped = LLVMIsAConstant(v) ? call_strip(v) : v;
  if (stripped != v) return node_of(a, stripped, node);
  *node = NODE_NONE;
  return LLVMIsAConstantPointerNull(v) || LLVMIsAUndefValue(v);
}

// A global's address may stand nowhere in the code and yet be asked for.
static bool object_of(const Alias *a, LLVMValueRef v, AliasRange *out) {
  uint64_t object;
  if (!LLVMIsAConstant(v)) return false;
  v = call_strip(v);
  bool known = map_get(a->build.objects, map_key(v), &object);
  if (known) *out = (AliasRange){(uint32_t)object, 0, 0, 0, 1};
  return known;
}

static void ranges(const Alias *a, LLVMValueRef pointer, int64_t bytes, AliasRanges *out) {
  uint32_t node;
  AliasRange r = {0, 0, 0, 0, bytes};
  if (node_of(a, pointer, &node)) {
    if (node != NODE_NONE) alias_ranges_of(a, node, bytes, out);
    return;
  }
  if (object_of(a, pointer, &r)) r.bytes = bytes;
  vec_push(out, r);
}

static int by_object(const void *x, const void *y) {
  const AliasRange *a = x, *b = y;
  if (a->object != b->object) return a->object < b->object ? -1 : 1;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  if (a->stride != b->stride) return a->stride < b->stride ? -1 : 1;
  return (a->end > b->end) - (a->end < b->end);
}

void alias_points_to(const Alias *a, LLVMValueRef pointer, AliasRanges *out) {
  size_t from = out->len;
  ranges(a, pointer, 1, out);
  if (out->len > from) qsort(out->at + from, out->len - from, sizeof *out->at, by_object);
}

// -- accesses

// The operand of an instruction that has this node.
static LLVMValueRef pointer_of(const Alias *a, LLVMValueRef inst, uint32_t node) {
  unsigned n = call_is(inst) ? LLVMGetNumArgOperands(inst) : (unsigned)LLVMGetNumOperands(inst);
  uint32_t other;
  for (unsigned i = n; i-- > 0;) {  // a store's value comes before its pointer
    LLVMValueRef v = LLVMGetOperand(inst, i);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
    if (pointer && node_of(a, v, &other) && other == node) return v;
  }
  return NULL;
}

// Only what an allocator made can be freed: no variables, no code.
static bool can_be_freed(const Alias *a, uint32_t object) {
  const Object *o = &a->sys->objects.at[object];
  switch (o->kind) {
    case KIND_STACK:
    case KIND_THREAD_LOCAL:
    case KIND_FUNCTION:
    case KIND_ARGUMENT:
    case KIND_VARARGS:
      return false;
    case KIND_GLOBAL:
      return LLVMIsDeclaration(o->value);
    default:
      return true;
  }
}

static void keep_freed(const Alias *a, AliasRanges *ranges) {
  size_t kept = 0;
  for (vec_each(i, ranges))
    if (can_be_freed(a, ranges->at[i].object)) ranges->at[kept++] = ranges->at[i];
  ranges->len = kept;
}

static void add_touches(const Alias *a, LLVMValueRef inst, LLVMValueRef key, AliasAccesses *out) {
  size_t from = out->len;
  for (uint64_t i = map_or(a->build.touched, map_key(key), 0); i;) {
    const Touch *t = &a->build.touches.at[i - 1];
    AliasAccess one = {(unsigned)t->kind, pointer_of(a, inst, t->node), {0}, t->locked};
    alias_ranges_of(a, t->node, t->bytes, &one.ranges);
    if (t->kind == TOUCH_FREE) keep_freed(a, &one.ranges);
    vec_push(out, one);
    i = t->before;
  }
  for (size_t i = from, k = out->len; i + 1 < k; ++i) {  // in the order they were found
    AliasAccess one = out->at[i];
    out->at[i] = out->at[--k];
    out->at[k] = one;
  }
}

void alias_accesses(const Alias *a, LLVMValueRef inst, AliasAccesses *out) {
  assert(LLVMIsAInstruction(inst) && out);
  add_touches(a, inst, inst, out);
  if (!call_is(inst) || call_function(inst)) return;
  AliasFunctions targets = {0};
  bool unknown = alias_targets(a, inst, &targets);
  for (vec_each(i, &targets))
    if (LLVMIsDeclaration(targets.at[i])) add_touches(a, inst, targets.at[i], out);
  if (unknown && !call_is_asm(inst)) {
    AliasAccess one = {ALIAS_READS | ALIAS_WRITES, NULL, {0}, false};
    AliasRange all = {OBJECT_UNKNOWN, 0, 0, 0, ALIAS_REST};
    vec_push(&one.ranges, all);
    vec_push(out, one);
  }
  vec_free(&targets);
}

void alias_accesses_of(const Alias *a, LLVMValueRef function, AliasAccesses *out) {
  assert(LLVMIsAFunction(function) && LLVMIsDeclaration(function));
  for (uint64_t i = map_or(a->build.touched, map_key(function), 0); i;) {
    const Touch *t = &a->build.touches.at[i - 1];
    AliasAccess one = {(unsigned)t->kind, NULL, {0}, t->locked};
    alias_ranges_of(a, t->node, t->bytes, &one.ranges);
    if (t->kind == TOUCH_FREE) keep_freed(a, &one.ranges);
    vec_push(out, one);
    i = t->before;
  }
}

void alias_accesses_free(AliasAccesses *v) {
  for (vec_each(i, v)) vec_free(&v->at[i].ranges);
  vec_free(v);
}

static void add_assembly_targets(const Alias *a, LLVMValueRef call, AliasFunctions *out) {
  AsmSymbols named = {0};
  assembly_symbols(a->build.module, call, &named);
  for (vec_each(i, &named))
    if (LLVMIsAFunction(named.at[i])) vec_push(out, named.at[i]);
  vec_free(&named);
}

void alias_named_by(LLVMModuleRef m, LLVMValueRef assembly, AliasFunctions *out) {
  AsmSymbols named = {0};
  assembly_symbols(m, assembly, &named);
  vec_append(out, named.at, named.len);
  vec_free(&named);
}

bool alias_targets(const Alias *a, LLVMValueRef call, AliasFunctions *out) {
  uint64_t index = map_or(a->calls, map_key(call), 0);
  const Call *c = index ? &a->sys->calls.at[index - 1] : NULL;
  if (!c || !c->limited) return alias_callees(a, call, out);
  if (c->only) vec_push(out, c->only);
  return false;
}

static void add_callees(const Alias *a, const Call *c, AliasFunctions *out) {
  const char *type = intern_text(a->sys->types, c->type);
  for (set_each(at, solution_set(a->sol, c->callee))) {
    uint32_t object = spots_at(a->sys->spots, at.id).object, id = a->sys->routine_of[object];
    if (id == NODE_NONE) continue;
    const Routine *r = &a->sys->routines.at[id];
    if (signature_fits(type, intern_text(a->sys->types, r->type))) vec_push(out, r->function);
  }
}

bool alias_callees(const Alias *a, LLVMValueRef call, AliasFunctions *out) {
  assert(call_is(call) && out);
  LLVMValueRef f = call_function(call);
  uint64_t index = map_or(a->calls, map_key(call), 0);
  if (f) vec_push(out, f);
  if (!f && call_is_asm(call)) add_assembly_targets(a, call, out);
  if (f || !index) return !f;
  if (a->sys->calls.at[index - 1].limited) {
    add_callees(a, &a->sys->calls.at[index - 1], out);
    return set_has(solution_set(a->sol, a->sys->calls.at[index - 1].callee), SPOT_UNKNOWN);
  }
  Ids routines = lists_of(&a->targets, (uint32_t)index - 1);
  bool unknown = set_has(solution_set(a->sol, a->sys->calls.at[index - 1].callee), SPOT_UNKNOWN);
  size_t from = out->len;
  for (vec_each(i, &routines)) {
    LLVMValueRef r = a->sys->routines.at[routines.at[i]].function;
    bool there = false;
    for (size_t k = from; k < out->len; ++k) there |= out->at[k] == r;
    if (!there) vec_push(out, r);
  }
  if (!unknown) return false;
  for (vec_each(i, &a->sys->routines)) {  // whatever has escaped may be called
    const Routine *r = &a->sys->routines.at[i];
    bool there = !a->sol->escaped[r->object];
    for (size_t k = from; k < out->len; ++k) there |= out->at[k] == r->function;
    const char *type = intern_text(a->sys->types, a->sys->calls.at[index - 1].type);
    if (!there && signature_fits(type, intern_text(a->sys->types, r->type))) vec_push(out, r->function);
  }
  return true;
}

// -- the question

bool alias_ranges_meet(const Alias *a, const AliasRange *x, const AliasRange *y) {
  assert(x->object < a->sol->objects && y->object < a->sol->objects);
  if (x->object == OBJECT_UNKNOWN) return y->object == OBJECT_UNKNOWN || a->sol->escaped[y->object];
  if (y->object == OBJECT_UNKNOWN) return a->sol->escaped[x->object];
  Spot p = {x->object, x->first, x->stride, x->end}, q = {y->object, y->first, y->stride, y->end};
  int64_t size = a->sys->sizes.at[x->object];
  if (x->object != y->object || spot_outside(p, x->bytes, size) || spot_outside(q, y->bytes, size))
    return false;
  return spot_overlaps(p, x->bytes, q, y->bytes);
}

static bool another_thread(const Context *x, const Context *y) {
  return x && y && x->segment.thread != y->segment.thread;
}

// A variable that is thread-local is another one in another thread, unless its address was passed on.
static bool apart(const Alias *a, LLVMValueRef x, LLVMValueRef y, const AliasRange *p, const AliasRange *q) {
  if (p->object != q->object || a->sys->objects.at[p->object].kind != KIND_THREAD_LOCAL) return false;
  LLVMValueRef variable = a->sys->objects.at[p->object].value;
  return call_strip(x) == variable && call_strip(y) == variable;
}

static AliasAnswer ask(const Alias *a, LLVMValueRef x, int64_t bytes_x, const Context *cx, LLVMValueRef y,
                       int64_t bytes_y, const Context *cy) {
  AliasRanges p = {0}, q = {0};
  AliasAnswer answer = ALIAS_NO;
  ranges(a, x, bytes_x, &p);
  ranges(a, y, bytes_y, &q);
  for (size_t i = 0; i < p.len && answer == ALIAS_NO; ++i)
    for (size_t k = 0; k < q.len && answer == ALIAS_NO; ++k) {
      if (!alias_ranges_meet(a, &p.at[i], &q.at[k])) continue;
      if (another_thread(cx, cy) && apart(a, x, y, &p.at[i], &q.at[k])) continue;
      answer = ALIAS_MAY;
    }
  if (answer == ALIAS_MAY && p.len == 1 && q.len == 1 && p.at[0].object == q.at[0].object &&
      !p.at[0].stride && !q.at[0].stride && p.at[0].first == q.at[0].first && a->single[p.at[0].object])
    answer = ALIAS_MUST;
  vec_free(&p);
  vec_free(&q);
  return answer;
}

AliasAnswer alias_query(const Alias *a, LLVMValueRef x, int64_t bytes_x, const Context *cx, LLVMValueRef y,
                        int64_t bytes_y, const Context *cy) {
  assert(x && y);
  AliasAnswer answer = ask(a, x, bytes_x, cx, y, bytes_y, cy);
  for (size_t i = 0; i < a->layers.len && answer == ALIAS_MAY; ++i) {
    const AliasLayer *l = &a->layers.at[i];
    answer = l->query(l->self, x, bytes_x, cx, y, bytes_y, cy);
  }
  return answer;
}

void alias_add_layer(Alias *a, AliasLayer layer) {
  assert(layer.name && layer.query);
  vec_push(&a->layers, layer);
}
