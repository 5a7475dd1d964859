#include "targets.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "alias/alias.h"

static bool exports(const char *arg) {
  static const char *const words[] = {"export-dynamic", "dynamic-list", "shared", "Bshareable"};
  const char *word = arg + strspn(arg, "-");
  if (!strcmp(arg, "-E")) return true;
  for (size_t i = 0; *arg == '-' && i < sizeof words / sizeof *words; ++i)
    if (!strncmp(word, words[i], strlen(words[i]))) return true;
  return false;
}

bool targets_open(LLVMModuleRef m, const Recipe *r) {
  size_t len;
  LLVMGetModuleInlineAsm(m, &len);
  if (len) return true;
  for (vec_each(i, &r->args)) {
    if (r->args.at[i].kind == LINK_STORED) return true;
    if (r->args.at[i].text && exports(r->args.at[i].text)) return true;
  }
  return false;
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
  AliasOptions how = {.open = targets_open(m, recipe)};
  Alias *a = alias_new(m, &how, NULL);
  for (uint32_t s = 0; s < sites_count(callgraph_sites(g)); ++s)
    if (is_indirect(g, s)) add_site(a, g, s, out);
  alias_free(a);
}
