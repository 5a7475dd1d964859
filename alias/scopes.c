// !alias.scope and !noalias, a scope per object. LLVM takes two accesses to be apart if all scopes of the one
// stand in the !noalias of the other; so an access that may touch several objects has all their scopes, and
// one that may touch memory that is not known has none, but can still be told what it does not touch.
#include "internal.h"
#include <assert.h>

typedef struct {
  const Alias *a;
  LLVMContextRef context;
  LLVMMetadataRef domain;
  LLVMMetadataRef *scopes;  // by object
  unsigned scope_kind, noalias_kind;
  const bool *shared;  // by object: what other threads may write behind a call that synchronizes
} Scopes;

// What an instruction may touch, among the objects of its function.
typedef struct {
  LLVMValueRef inst;
  bool known;  // nothing but the objects
  Set objects;
} Use;
typedef Vec(Use) Uses;

static LLVMMetadataRef text_node(const Scopes *s, const char *text) {
  return LLVMMDStringInContext2(s->context, text, strlen(text));
}

static LLVMMetadataRef scope_of(Scopes *s, uint32_t object) {
  assert(object != OBJECT_UNKNOWN && object < alias_count(s->a));
  if (!s->scopes[object]) {
    char *name = mem_format("object %u", object);
    LLVMMetadataRef parts[] = {text_node(s, name), s->domain};
    s->scopes[object] = LLVMMDNodeInContext2(s->context, parts, 2);
    mem_free(name);
  }
  return s->scopes[object];
}

static bool is_plain(LLVMValueRef i) {
  if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
    return !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
  return false;
}

static void use_of_access(const Scopes *s, Use *u) {
  AliasAccesses all = {0};
  alias_accesses(s->a, u->inst, &all);
  u->known = all.len != 0;
  for (vec_each(i, &all)) {
    u->known &= all.at[i].ranges.len != 0;
    for (vec_each(k, &all.at[i].ranges)) {
      uint32_t o = all.at[i].ranges.at[k].object;
      if (o == OBJECT_UNKNOWN) u->known = false;
      set_add(&u->objects, o);
    }
  }
  alias_accesses_free(&all);
}

// Whether a call may touch an object, or another thread may write it before the call returns.
static bool call_touches(const Scopes *s, const Use *call, const AliasFunctions *targets, uint32_t object) {
  if (s->shared[object] || set_has(&call->objects, object)) return true;
  if (set_has(&call->objects, OBJECT_UNKNOWN) && alias_object(s->a, object).escaped) return true;
  for (vec_each(i, targets))
    if (!LLVMIsDeclaration(targets->at[i]) && alias_modref(s->a, targets->at[i], object)) return true;
  return false;
}

static bool calls_back(LLVMValueRef f) {
  const LibraryCall *rows;
  size_t len;
  const char *name = LLVMGetValueName2(f, &len);
  return LLVMIsDeclaration(f) && (library_calls(name, &rows) || library_trust(name) != LIBRARY_TABLED);
}

static void append(Scopes *s, LLVMValueRef inst, unsigned kind, LLVMMetadataRef *nodes, size_t count) {
  Vec(LLVMMetadataRef) all = {0};
  LLVMValueRef old = LLVMGetMetadata(inst, kind);
  if (old) {
    unsigned n = LLVMGetMDNodeNumOperands(old);
    LLVMValueRef *operands = mem_array(n, sizeof *operands);
    LLVMGetMDNodeOperands(old, operands);
    for (unsigned i = 0; i < n; ++i) vec_push(&all, LLVMValueAsMetadata(operands[i]));
    mem_free(operands);
  }
  vec_append(&all, nodes, count);
  LLVMSetMetadata(inst, kind,
                  LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, all.at, all.len)));
  vec_free(&all);
}

// Markers of lifetimes and the like say more of memory than that they touch it.
static bool is_marker(const Use *u) {
  LLVMValueRef f = call_is(u->inst) ? call_function(u->inst) : NULL;
  size_t len;
  return f && !u->known && !u->objects.len && !strncmp(LLVMGetValueName2(f, &len), "llvm.", 5);
}

static bool touches(const Scopes *s, const Use *u, const AliasFunctions *targets, uint32_t object) {
  if (call_is(u->inst)) return call_touches(s, u, targets, object);
  return set_has(&u->objects, object) ||
         (set_has(&u->objects, OBJECT_UNKNOWN) && alias_object(s->a, object).escaped);
}

static bool mark(Scopes *s, const Use *u, const IdVec *objects) {
  assert(objects->len <= LIMIT_ALIAS_SCOPES);
  LLVMMetadataRef in[LIMIT_ALIAS_SCOPES], out[LIMIT_ALIAS_SCOPES];
  size_t ins = 0, outs = 0;
  AliasFunctions targets = {0};
  bool all = u->known, call = call_is(u->inst), skip = call && alias_targets(s->a, u->inst, &targets);
  for (vec_each(i, &targets)) skip |= calls_back(targets.at[i]);
  for (vec_each(i, objects)) {
    uint32_t o = objects->at[i];
    if (touches(s, u, &targets, o))
      in[ins++] = scope_of(s, o);
    else
      out[outs++] = scope_of(s, o);
  }
  vec_free(&targets);
  if (skip || !outs) return false;
  // An object beyond the limit has no scope: then the others do not say all that is touched.
  for (set_each(at, &u->objects)) {
    bool there = false;
    for (vec_each(i, objects)) there |= objects->at[i] == at.id;
    all &= there;
  }
  if (all && ins && !call) append(s, u->inst, s->scope_kind, in, ins);
  append(s, u->inst, s->noalias_kind, out, outs);
  return true;
}

static void add_objects(const Use *u, IdVec *objects) {
  for (set_each(at, &u->objects)) {
    bool there = at.id == OBJECT_UNKNOWN;
    for (vec_each(i, objects)) there |= objects->at[i] == at.id;
    if (!there && objects->len < LIMIT_ALIAS_SCOPES) vec_push(objects, at.id);
  }
}

static size_t mark_function(Scopes *s, LLVMValueRef f) {
  Uses uses = {0};
  IdVec objects = {0};
  size_t marked = 0;
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      Use u = {i, false, {0}};
      if (!is_plain(i) && !(call_is(i) && !call_is_asm(i) && !call_is_debug(i))) continue;
      use_of_access(s, &u);
      if (is_marker(&u)) continue;
      if (is_plain(i)) add_objects(&u, &objects);
      vec_push(&uses, u);
    }
  for (vec_each(i, &uses)) {
    marked += mark(s, &uses.at[i], &objects);
    set_free(&uses.at[i].objects);
  }
  vec_free(&uses);
  vec_free(&objects);
  return marked;
}

// Creation gets none: what it does with its arguments is in its summary.
static bool synchronizes(const Alias *a, LLVMValueRef call) {
  AliasFunctions targets = {0};
  bool found = alias_targets(a, call, &targets);
  for (vec_each(i, &targets)) {
    size_t len;
    const Sync *s =
        LLVMIsDeclaration(targets.at[i]) ? sync_find(LLVMGetValueName2(targets.at[i], &len)) : NULL;
    found |= s && s->kind != SYNC_CREATE;
  }
  vec_free(&targets);
  return found;
}

// What a library does to its synchronization objects is in no summary: an object that it is given as one may
// be touched by any call of it, in any thread.
static void share_what_syncs_touch(const Alias *a, LLVMValueRef call, bool *shared) {
  AliasRanges all = {0};
  for (unsigned k = 0; k < LLVMGetNumArgOperands(call); ++k)
    if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, k))) == LLVMPointerTypeKind)
      alias_points_to(a, LLVMGetArgOperand(call, k), &all);
  for (vec_each(i, &all)) {
    shared[all.at[i].object] = true;
    for (uint32_t o = 0; all.at[i].object == OBJECT_UNKNOWN && o < alias_count(a); ++o)
      shared[o] |= alias_object(a, o).escaped;
  }
  vec_free(&all);
}

static bool *find_shared(const Alias *a) {
  bool *shared = mem_array(alias_count(a), sizeof *shared);
  for (uint32_t o = 0; o < alias_count(a); ++o) shared[o] = alias_shared(a, o);
  for (all_functions(f, a->build.module))
    for (all_blocks(b, f))
      for (all_insts(i, b))
        if (call_is(i) && !call_is_asm(i) && !call_is_debug(i) && synchronizes(a, i))
          share_what_syncs_touch(a, i, shared);
  return shared;
}

size_t alias_emit_scopes(const Alias *a, const LLVMValueRef *functions, size_t count, const char *domain) {
  assert(domain);
  Scopes s = {.a = a, .context = LLVMGetModuleContext(a->build.module)};
  size_t marked = 0;
  bool *shared = find_shared(a);
  s.shared = shared;
  s.scope_kind = LLVMGetMDKindIDInContext(s.context, "alias.scope", 11);
  s.noalias_kind = LLVMGetMDKindIDInContext(s.context, "noalias", 7);
  LLVMMetadataRef name = text_node(&s, domain);
  s.domain = LLVMMDNodeInContext2(s.context, &name, 1);
  s.scopes = mem_array(alias_count(a), sizeof *s.scopes);
  for (size_t i = 0; i < count; ++i)
    if (!LLVMIsDeclaration(functions[i])) marked += mark_function(&s, functions[i]);
  mem_free(s.scopes);
  mem_free(shared);
  return marked;
}
