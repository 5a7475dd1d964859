#include "vtable.h"
#include "cfspec/cfspec.h"

typedef struct {
  LLVMValueRef vtable;
  IdVec objects;
  bool known;
} Vtable;

struct Vtables {
  LLVMModuleRef m;
  const Alias *alias;
  Vec(Vtable) all;
};

static bool is_vtable(LLVMValueRef v) {
  size_t len;
  return LLVMIsAGlobalVariable(v) && LLVMGetInitializer(v) && !strncmp(LLVMGetValueName2(v, &len), "_ZTV", 4);
}

static bool is_constant_part(LLVMValueRef v) {
  return LLVMIsAConstant(v) && !LLVMIsAGlobalValue(v);
}

// -- who holds a vtable

static LLVMValueRef base_of(LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return pointer;
}

// Of an object that has it, or one derived of it, already.
static bool is_in_destructor(LLVMValueRef store) {
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(store));
  size_t len;
  const char *name = LLVMGetValueName2(f, &len);
  return len > 4 && name[len - 4] == 'D' && strchr("012", name[len - 3]) && !strcmp(name + len - 2, "Ev") &&
         base_of(LLVMGetOperand(store, 1)) == LLVMGetParam(f, 0);
}

static void see_store(const Vtables *v, Vtable *t, LLVMValueRef store, LLVMValueRef value) {
  AliasRanges to = {0};
  if (LLVMGetOperand(store, 0) != value) t->known = false;
  if (!t->known || is_in_destructor(store)) return;
  alias_points_to(v->alias, LLVMGetOperand(store, 1), &to);
  for (vec_each(i, &to)) vec_push(&t->objects, to.at[i].object);
  vec_free(&to);
}

// Only where it is stored can it come into an object.
static void see_uses(const Vtables *v, Vtable *t, LLVMValueRef value) {
  for (all_uses(u, value)) {
    LLVMValueRef user = LLVMGetUser(u);
    if (is_constant_part(user))
      see_uses(v, t, user);
    else if (LLVMIsAStoreInst(user))
      see_store(v, t, user, value);
    else if (!LLVMIsAICmpInst(user))
      t->known = false;
  }
}

Vtables *vtables_new(LLVMModuleRef m, const Alias *a) {
  Vtables *v = mem_alloc(sizeof *v);
  v->m = m, v->alias = a;
  for (all_globals(g, m)) {
    Vtable t = {.vtable = g, .known = true};
    if (!is_vtable(g)) continue;
    see_uses(v, &t, g);
    vec_push(&v->all, t);
  }
  return v;
}

void vtables_free(Vtables *v) {
  for (vec_each(i, &v->all)) vec_free(&v->all.at[i].objects);
  vec_free(&v->all);
  mem_free(v);
}

// -- which vtables hold a function

static bool add_vtables(const Vtables *v, LLVMValueRef value, IdVec *out) {
  for (all_uses(u, value)) {
    LLVMValueRef user = LLVMGetUser(u);
    uint32_t at = 0;
    if (call_is(user) && call_function(user) == value) continue;
    if (is_constant_part(user)) {
      if (!add_vtables(v, user, out)) return false;
      continue;
    }
    while (at < v->all.len && v->all.at[at].vtable != user) ++at;
    if (at == v->all.len) return false;
    vec_push(out, at);
  }
  return true;
}

static bool is_argument(LLVMValueRef call, LLVMValueRef f) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); ++i)
    if (LLVMGetOperand(call, i) == f) return true;
  return false;
}

static bool is_passed_on(LLVMValueRef f) {
  for (all_uses(u, f))
    if (call_is(LLVMGetUser(u)) && is_argument(LLVMGetUser(u), f)) return true;
  return false;
}

bool vtables_this(const Vtables *v, LLVMValueRef f, IdVec *out) {
  uint32_t thread, activation;
  size_t len;
  if (cfspec_clone_of(f, &thread, &activation, &len)) {
    char *name = mem_format("%.*s", (int)len, LLVMGetValueName2(f, &(size_t){0}));
    f = LLVMGetNamedFunction(v->m, name);
    mem_free(name);
  }
  IdVec in = {0};
  bool known = f && !is_passed_on(f) && add_vtables(v, f, &in) && in.len;
  for (size_t i = 0; i < in.len && known; ++i) {
    const Vtable *t = &v->all.at[in.at[i]];
    known = t->known;
    vec_append(out, t->objects.at, t->objects.len);
  }
  vec_free(&in);
  return known;
}
