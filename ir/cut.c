// Which symbols a unit reaches from those that it owns, through code and initial values, says what has to be
// seen from outside its unit. Constants without an address of their own are copied rather than shared.
#include "cut.h"
#include <assert.h>
#include <llvm-c/Comdat.h>
#include "attribute.h"
#include "call.h"
#include "each.h"
#include "llvm_gap.h"
#include "core/core.h"
#include "module.h"

// Unoptimized instructions of a function that is inlined elsewhere at most. LLVM inlines up to about 45
// optimized ones, which are three to five times as many before.
enum { GLOBALS_OPERAND = 6 };  // of a compile unit
enum { IMPORT_UNKNOWN, IMPORT_YES, IMPORT_NO };

typedef struct {
  LLVMModuleRef m;
  Vec(LLVMValueRef) symbols;
  Map *ids;
  uint32_t *unit, units;
  const bool *alone;
  uint8_t *import;
  uint64_t **reached;  // by unit, a bit for each symbol
  const char *why;
} Cut;

typedef struct {
  Cut *c;
  uint32_t unit;
  Map *seen;
  Vec(LLVMValueRef) work;
} Walk;

static bool is_local(LLVMValueRef g) {
  return LLVMGetLinkage(g) == LLVMInternalLinkage || LLVMGetLinkage(g) == LLVMPrivateLinkage;
}

static size_t id_of(const Cut *c, LLVMValueRef symbol) {
  uint64_t id = 0;
  bool known = map_get(c->ids, map_key(symbol), &id);
  assert(known);
  return id;
}

static bool reaches(const Cut *c, uint32_t unit, size_t i) {
  assert(unit < c->units);
  return c->reached[unit][i / 64] >> i % 64 & 1;
}

size_t cut_size(LLVMValueRef f) {
  size_t n = 0;
  for (all_blocks(b, f))
    for (all_insts(i, b)) ++n;
  return n;
}

static bool takes_label(LLVMValueRef f) {
  for (all_blocks(b, f))
    for (all_insts(i, b)) {
      if (LLVMIsAIndirectBrInst(i) || LLVMIsACallBrInst(i)) return true;
      for (int n = 0; n < LLVMGetNumOperands(i); ++n)
        if (LLVMIsABlockAddress(LLVMGetOperand(i, (unsigned)n))) return true;
    }
  return false;
}

static bool has_one_meaning(LLVMValueRef g) {
  LLVMLinkage l = LLVMGetLinkage(g);
  return l == LLVMExternalLinkage || l == LLVMLinkOnceODRLinkage || l == LLVMWeakODRLinkage || is_local(g);
}

static bool may_import(LLVMValueRef g) {
  static const char *const kept[] = {"noinline", "optnone", "naked", "noduplicate"};
  if (!has_one_meaning(g)) return false;
  if (LLVMIsAGlobalVariable(g))
    return LLVMGetInitializer(g) && LLVMIsGlobalConstant(g) && !LLVMIsThreadLocal(g);
  if (!LLVMIsAFunction(g) || LLVMIsDeclaration(g)) return false;
  for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i)
    if (attribute_has(g, kept[i])) return false;
  return cut_size(g) <= LIMIT_IMPORT && !takes_label(g);
}

static bool is_alone(const Cut *c, uint32_t unit) {
  return c->alone && c->alone[unit];
}

static bool is_inlined_always(LLVMValueRef g) {
  return LLVMIsAFunction(g) && attribute_has(g, "alwaysinline");
}

static bool is_imported(Cut *c, uint32_t unit, size_t i) {
  if (!unit || c->unit[i] == CUT_ANY || c->unit[i] == unit || is_alone(c, c->unit[i])) return false;
  if (is_alone(c, unit) && !is_inlined_always(c->symbols.at[i])) return false;
  if (!c->import[i]) c->import[i] = may_import(c->symbols.at[i]) ? IMPORT_YES : IMPORT_NO;
  return c->import[i] == IMPORT_YES;
}

static void see(Walk *w, LLVMValueRef v) {
  if (!v || !LLVMIsAConstant(v) || map_or(w->seen, map_key(v), 0)) return;
  map_put(w->seen, map_key(v), 1);
  vec_push(&w->work, v);
}

static void see_operands(Walk *w, LLVMValueRef v) {
  for (int n = 0, count = LLVMGetNumOperands(v); n < count; ++n) see(w, LLVMGetOperand(v, (unsigned)n));
}

static void see_body(Walk *w, LLVMValueRef f) {
  see_operands(w, f);  // the personality
  for (all_blocks(b, f))
    for (all_insts(i, b)) see_operands(w, i);
}

static void look_at_symbol(Walk *w, size_t i) {
  Cut *c = w->c;
  LLVMValueRef v = c->symbols.at[i];
  if (reaches(c, w->unit, i)) return;
  c->reached[w->unit][i / 64] |= (uint64_t)1 << i % 64;
  if (c->unit[i] != w->unit && c->unit[i] != CUT_ANY && !is_imported(c, w->unit, i)) return;
  if (LLVMIsAFunction(v))
    see_body(w, v);
  else
    see_operands(w, v);
}

static void look(Walk *w, LLVMValueRef v) {
  uint64_t id;
  if (map_get(w->c->ids, map_key(v), &id)) {
    look_at_symbol(w, id);
  } else if (LLVMIsABlockAddress(v)) {
    LLVMValueRef f = LLVMGetOperand(v, 0);
    if (w->c->unit[id_of(w->c, f)] != w->unit) w->c->why = "a label of one unit is used in another";
  } else {
    see_operands(w, v);
  }
}

static void walk(Cut *c, uint32_t unit) {
  Walk w = {.c = c, .unit = unit, .seen = map_new()};
  for (vec_each(i, &c->symbols))
    if (c->unit[i] == unit && !reaches(c, unit, i)) see(&w, c->symbols.at[i]);
  while (w.work.len) look(&w, vec_pop(&w.work));
  vec_free(&w.work);
  map_free(w.seen);
}

static bool is_copied(const Cut *c, size_t i) {
  return c->unit[i] == CUT_ANY;
}

static bool may_be_anywhere(LLVMValueRef g) {
  return LLVMIsAGlobalVariable(g) && is_local(g);
}

static uint32_t users_of(const Cut *c, size_t i, uint32_t *first) {
  uint32_t users = 0;
  for (uint32_t u = c->units; u-- > 0;)
    if (reaches(c, u, i)) ++users, *first = u;
  return users;
}

// What has several users and an address of its own, or no user, is in 0. What it names is then used there
// too.
static bool settle_in_first(Cut *c) {
  bool some = false;
  for (vec_each(i, &c->symbols)) {
    LLVMValueRef g = c->symbols.at[i];
    uint32_t user = 0;
    if (c->unit[i] != CUT_ANY) continue;
    assert(may_be_anywhere(g));
    uint32_t users = users_of(c, i, &user);
    bool copied = LLVMIsGlobalConstant(g) && LLVMGetUnnamedAddress(g) == LLVMGlobalUnnamedAddr;
    if (users == 1 || (users && copied)) continue;
    c->unit[i] = 0;
    some = true;
  }
  if (some) walk(c, 0);
  return some;
}

// A variable that may be anywhere: with its only user, or a copy for each, or in 0.
static void settle(Cut *c) {
  while (settle_in_first(c)) continue;
  for (vec_each(i, &c->symbols)) {
    uint32_t user = 0;
    if (c->unit[i] != CUT_ANY) continue;
    if (users_of(c, i, &user) == 1) c->unit[i] = user;
  }
}

static bool is_reached_outside(const Cut *c, size_t i) {
  for (uint32_t u = 0; u < c->units; ++u)
    if (u != c->unit[i] && reaches(c, u, i)) return true;
  return false;
}

static bool is_shared(const Cut *c, size_t i) {
  return !is_copied(c, i) && is_local(c->symbols.at[i]) && is_reached_outside(c, i);
}

// Assembler code may name them.
static void find_used(LLVMModuleRef m, Map *used) {
  static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};
  for (int i = 0; i < 2; ++i) {
    LLVMValueRef g = LLVMGetNamedGlobal(m, lists[i]), all = g ? LLVMGetInitializer(g) : NULL;
    for (int n = 0; all && n < LLVMGetNumOperands(all); ++n)
      map_put(used, map_key(LLVMGetOperand(all, (unsigned)n)), 1);
  }
}

static const char *obstacle(const Cut *c) {
  size_t len;
  LLVMGetModuleInlineAsm(c->m, &len);
  if (c->why || len) return c->why ? c->why : "the module has assembler code of its own";
  const char *why = NULL;
  Map *used = map_new();
  find_used(c->m, used);
  for (vec_each(i, &c->symbols)) {
    LLVMValueRef g = c->symbols.at[i];
    // Elsewhere it would be a variable of its own, and LLVM takes two of them for two places.
    if (LLVMIsAGlobalAlias(g) && !LLVMIsAFunction(call_strip(g)) && is_reached_outside(c, i))
      why = "a variable with two names is used by several units";
    if (!is_shared(c, i)) continue;
    if (map_or(used, map_key(g), 0)) why = "a local symbol that assembler code may name is shared";
    if (!LLVMIsAGlobalAlias(g) && !LLVMIsAGlobalIFunc(g) && LLVMGetComdat(g))
      why = "a local symbol that is linked once is shared";
  }
  map_free(used);
  return why;
}

// A name of a unit's own is as it was: no name of C has a dot.
static void share(const Cut *c, size_t i, unsigned *nameless) {
  size_t len;
  LLVMValueRef g = c->symbols.at[i];
  const char *old = LLVMGetValueName2(g, &len);
  char *name = len ? mem_format("%s%s", old, c->unit[i] ? "" : ".specialize")
                   : mem_format("specialize.shared.%u.%u", c->unit[i], (*nameless)++);
  LLVMSetLinkage(g, LLVMExternalLinkage);
  LLVMSetVisibility(g, LLVMHiddenVisibility);
  LLVMSetValueName2(g, name, strlen(name));
  mem_free(name);
}

// What a unit defines only for its own use would be gone once it is inlined there.
static void keep_defined(const Cut *c, size_t i) {
  LLVMValueRef g = c->symbols.at[i];
  bool used = is_reached_outside(c, i);
  if (used && LLVMGetLinkage(g) == LLVMLinkOnceODRLinkage) LLVMSetLinkage(g, LLVMWeakODRLinkage);
  if (used && LLVMGetLinkage(g) == LLVMLinkOnceAnyLinkage) LLVMSetLinkage(g, LLVMWeakAnyLinkage);
}

static void share_all(const Cut *c) {
  unsigned nameless = 0;
  for (vec_each(i, &c->symbols)) {
    if (is_shared(c, i)) share(c, i, &nameless);
    keep_defined(c, i);
  }
}

typedef struct {
  Cut *c;
  uint32_t unit;
} Extract;

static bool is_kept(void *data, LLVMValueRef g) {
  const Extract *x = data;
  size_t i = id_of(x->c, g);
  if (x->c->unit[i] == x->unit) return true;
  return reaches(x->c, x->unit, i) && (is_copied(x->c, i) || is_imported(x->c, x->unit, i));
}

// The copies of functions and variables come in the order of the module, what aliases become behind them.
static void mark_imports(Extract *x, LLVMModuleRef m) {
  LLVMValueRef copy[2] = {LLVMGetFirstFunction(m), LLVMGetFirstGlobal(m)};
  for (vec_each(i, &x->c->symbols)) {
    LLVMValueRef g = x->c->symbols.at[i];
    if (!LLVMIsAFunction(g) && !LLVMIsAGlobalVariable(g)) continue;
    bool variable = LLVMIsAGlobalVariable(g) != NULL;
    LLVMValueRef mine = copy[variable];
    assert(mine);
    copy[variable] = variable ? LLVMGetNextGlobal(mine) : LLVMGetNextFunction(mine);
    if (LLVMIsDeclaration(mine)) {
      LLVMSetComdat(mine, NULL);
      if (variable) LLVMGlobalClearMetadata(mine);
    } else if (x->c->unit[i] != x->unit && !is_copied(x->c, i)) {
      LLVMSetLinkage(mine, LLVMAvailableExternallyLinkage);
      LLVMSetComdat(mine, NULL);
    }
  }
  // Two functions differ for LLVM, but not from a weak one: an alias may be equal to what it names.
  for (LLVMValueRef f = copy[0]; f; f = LLVMGetNextFunction(f)) LLVMSetLinkage(f, LLVMExternalWeakLinkage);
}

// LLVM copies all of them, and wants their resolvers defined: elsewhere they are functions like others.
static void declare_ifuncs(const Extract *x, LLVMModuleRef m) {
  LLVMValueRef mine = LLVMGetFirstGlobalIFunc(m), next;
  for (vec_each(i, &x->c->symbols)) {
    if (!LLVMIsAGlobalIFunc(x->c->symbols.at[i])) continue;
    assert(mine);
    next = LLVMGetNextGlobalIFunc(mine);
    if (x->c->unit[i] != x->unit) {
      LLVMValueRef f = LLVMAddFunction(m, "", LLVMGlobalGetValueType(mine));
      LLVMSetVisibility(f, LLVMGetVisibility(mine));
      LLVMReplaceAllUsesWith(mine, f);
      size_t len;
      char *name = mem_string(LLVMGetValueName2(mine, &len));
      LLVMEraseGlobalIFunc(mine);
      LLVMSetValueName2(f, name, len);
      mem_free(name);
    }
    mine = next;
  }
}

static void drop_unused(LLVMModuleRef m) {
  LLVMValueRef next;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = next) {
    next = LLVMGetNextFunction(f);
    if (LLVMIsDeclaration(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (LLVMIsDeclaration(g) && !LLVMGetFirstUse(g)) LLVMDeleteGlobal(g);
  }
}

// Debuggers find the program's variables in unit 0.
static void forget_variables(LLVMModuleRef m) {
  unsigned n = LLVMGetNamedMetadataNumOperands(m, "llvm.dbg.cu");
  LLVMValueRef *all = mem_array(n + 1, sizeof *all);
  LLVMGetNamedMetadataOperands(m, "llvm.dbg.cu", all);
  for (unsigned i = 0; i < n; ++i) LLVMReplaceMDNodeOperandWith(all[i], GLOBALS_OPERAND, NULL);
  mem_free(all);
}

static void extract(Cut *c, uint32_t unit, CutUnits *out) {
  Extract x = {c, unit};
  Bytes code = {0};
  LLVMModuleRef m = gap_extract(c->m, is_kept, &x);
  mark_imports(&x, m);
  declare_ifuncs(&x, m);
  drop_unused(m);
  if (unit) forget_variables(m);
  module_bitcode(m, &code);
  LLVMDisposeModule(m);
  vec_push(out, code);
}

// Once it is known what each unit reaches, and where what may be anywhere is.
static void check_cut(const Cut *c) {
  assert(map_count(c->ids) == c->symbols.len);
  for (vec_each(i, &c->symbols)) {
    assert(id_of(c, c->symbols.at[i]) == i);
    assert(is_copied(c, i) ? may_be_anywhere(c->symbols.at[i]) && LLVMIsGlobalConstant(c->symbols.at[i])
                           : c->unit[i] < c->units);
    assert(is_copied(c, i) || !c->unit[i] || reaches(c, c->unit[i], i));
  }
}

const char *cut_module(const CutInput *in, CutUnits *out) {
  Cut c = {.m = in->module, .units = in->units, .alone = in->alone, .ids = map_new()};
  for (all_symbols(g, in->module)) {
    map_put(c.ids, map_key(g), c.symbols.len);
    vec_push(&c.symbols, g);
  }
  size_t n = c.symbols.len;
  assert(in->units && (in->unit || !n));
  c.unit = mem_array(n + 1, sizeof *c.unit);
  c.import = mem_array(n + 1, sizeof *c.import);
  c.reached = mem_array(in->units, sizeof *c.reached);
  if (n) memcpy(c.unit, in->unit, n * sizeof *c.unit);
  for (uint32_t u = 0; u < in->units; ++u) {
    c.reached[u] = mem_array(n / 64 + 1, sizeof **c.reached);
    walk(&c, u);
  }
  settle(&c);
  check_cut(&c);
  const char *why = obstacle(&c);
  if (!why) share_all(&c);
  for (uint32_t u = 0; !why && u < in->units; ++u) extract(&c, u, out);
  for (uint32_t u = 0; u < in->units; ++u) mem_free(c.reached[u]);
  mem_free(c.unit), mem_free(c.import), mem_free(c.reached);
  vec_free(&c.symbols);
  map_free(c.ids);
  return why;
}

void cut_free(CutUnits *u) {
  for (vec_each(i, u)) vec_free(&u->at[i]);
  vec_free(u);
}
