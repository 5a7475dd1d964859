#include "targets.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "alias/alias.h"
#include "assembly.h"

static bool exports(const char *arg) {
  static const char *const words[] = {"export-dynamic", "dynamic-list", "shared", "Bshareable"};
  const char *word = arg + strspn(arg, "-");
  if (!strcmp(arg, "-E")) return true;
  for (size_t i = 0; *arg == '-' && i < sizeof words / sizeof *words; ++i)
    if (!strncmp(word, words[i], strlen(words[i]))) return true;
  return false;
}

static bool is_linked_by_name(LLVMModuleRef m, const Recipe *r) {
  size_t len;
  LLVMGetModuleInlineAsm(m, &len);
  if (len || assembly_places(m)) return true;
  for (vec_each(i, &r->args)) {
    if (r->args.at[i].kind == LINK_STORED) return true;
    if (r->args.at[i].text && exports(r->args.at[i].text)) return true;
  }
  return false;
}

// Of what both define by the same text, as inline functions of C++, it does not matter whose is used: what
// that reaches has a name of its own.
static bool is_the_same(LLVMValueRef g) {
  LLVMLinkage l = LLVMGetLinkage(g);
  bool odr = l == LLVMLinkOnceODRLinkage || l == LLVMWeakODRLinkage;
  return odr && (LLVMIsAFunction(g) || LLVMIsGlobalConstant(g));
}

// The linker exports what the libraries refer to, and all if it is told so.
void targets_exported(LLVMModuleRef m, const App *app, AliasFunctions *out) {
  for (vec_each(i, &app->recipe.args))
    if (app->recipe.args.at[i].text && exports(app->recipe.args.at[i].text)) return;
  for (vec_each(i, &app->exported)) {
    LLVMValueRef f = LLVMGetNamedFunction(m, app->exported.at[i]);
    if (!f) f = LLVMGetNamedGlobal(m, app->exported.at[i]);
    if (f && !LLVMIsDeclaration(f) && !is_the_same(f) && !library_replaced(app->exported.at[i]))
      vec_push(out, f);
  }
}

bool targets_open(LLVMModuleRef m, const App *app) {
  AliasFunctions exported = {0};
  targets_exported(m, app, &exported);
  bool is = exported.len || is_linked_by_name(m, &app->recipe);
  vec_free(&exported);
  return is;
}

static bool is_indirect(const Callgraph *g, uint32_t site) {
  return !callgraph_direct(g, site) && callgraph_targets(g, site).len;
}

static bool matters(const Callgraph *g, const Maysync *sync) {
  for (uint32_t s = 0; s < sites_count(callgraph_sites(g)); ++s)
    if (is_indirect(g, s) && maysync_derived(sync, s)) return true;
  return false;
}

// Through a pointer that is not known a call enters what has escaped, of the functions of the module.
static void add_site(const Alias *a, const Callgraph *g, uint32_t site, Pairs *out) {
  AliasFunctions targets = {0};
  IdVec ids = {0};
  alias_targets(a, sites_call(callgraph_sites(g), site), &targets);
  for (vec_each(i, &targets)) vec_push(&ids, callgraph_id(g, targets.at[i]));
  ids_sort(ids.at, ids.len);
  for (vec_each(i, &ids)) {
    assert(ids.at[i] != CALLGRAPH_NONE);
    pairs_add(out, site, ids.at[i]);
  }
  vec_free(&ids);
  vec_free(&targets);
}

void targets_find(LLVMModuleRef m, const Recipe *recipe, const Callgraph *g, const Maysync *sync,
                  Pairs *out) {
  if (!matters(g, sync)) return;
  AliasOptions how = {.open = is_linked_by_name(m, recipe)};
  Alias *a = alias_new(m, &how, NULL);
  for (uint32_t s = 0; s < sites_count(callgraph_sites(g)); ++s)
    if (is_indirect(g, s)) add_site(a, g, s, out);
  alias_free(a);
}
