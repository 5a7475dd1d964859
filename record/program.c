#include "program.h"
#include <assert.h>
#include <sys/stat.h>

static void forget_calls(Program *l) {
  maysync_free(l->sync);
  callgraph_free(l->graph);
  l->sync = NULL, l->graph = NULL;
}

static void judge_calls(Program *l, const Pairs *targets) {
  l->graph = callgraph_new_with(l->module, l->sites, targets);
  l->sync = maysync_new(l->graph);
}

enum { SCRIPT_MOST = 1 << 16 };

// A script of the linker is a text among its inputs.
static void follow_script(LLVMModuleRef m, Span s) {
  if (s.len <= SCRIPT_MOST && !memchr(s.at, 0, s.len)) linked_text(m, (const char *)s.at, s.len);
}

// Symbols that options of the linker define, its scripts, and assembly.
void program_follow_linker(LLVMModuleRef m, const Recipe *r) {
  linked_assembly(m);
  for (vec_each(i, &r->files)) follow_script(m, span_of(r->files.at[i].data.at, r->files.at[i].data.len));
  for (vec_each(i, &r->args)) {
    Bytes text = {0};
    struct stat st;
    bool small = r->args.at[i].kind == LINK_PATH && !stat(r->args.at[i].path, &st) && S_ISREG(st.st_mode) &&
                 st.st_size <= SCRIPT_MOST;
    if (small && !file_read(r->args.at[i].path, &text)) follow_script(m, span_of(text.at, text.len));
    vec_free(&text);
  }
  for (vec_each(i, &r->args)) {
    const char *text = r->args.at[i].text, *word = text ? text + strspn(text, "-") : "";
    const char *next = i + 1 < r->args.len ? r->args.at[i + 1].text : NULL;
    const char *what = !strncmp(word, "defsym=", 7) ? word + 7 : !strcmp(word, "defsym") ? next : NULL;
    const char *equals = what && *text == '-' ? strchr(what, '=') : NULL;
    if (!equals) continue;
    char *symbol = mem_format("%.*s", (int)(equals - what), what);
    linked_define(m, symbol, equals + 1);
    mem_free(symbol);
  }
}

static void number_calls(Program *l) {
  l->sites = sites_new(l->module);
  judge_calls(l, NULL);
  if (l->find) l->find(l->module, &l->app.recipe, l->graph, l->sync, &l->targets);
  if (l->targets.len) {
    forget_calls(l);
    judge_calls(l, &l->targets);
  }
  CHECKED(program_check(l));
}

bool program_open(const char *path, ProgramTargets *find, Program *out, Diags *diags) {
  *out = (Program){0};
  if (!app_read(path, &out->app, diags)) return false;
  Span code = span_of(out->app.module.at, out->app.module.len);
  out->context = module_context(diags);
  out->module = module_parse(out->context, code, path, diags);
  if (!out->module || !module_verify(out->module, path, diags) || !hash_module(code, out->hash, diags))
    return false;
  out->hash_text = hash_text(out->hash);
  program_follow_linker(out->module, &out->app.recipe);
  text_mark(out->module);
  out->find = find;
  number_calls(out);
  return true;
}

bool program_take_atomics(Program *l, const char *const *objects, size_t count, Diags *diags) {
  assert(!l->atomics.len && !l->by_type);
  if (!count) return true;
  if (!atomics_lower(l->module, objects, count, diags)) return false;
  for (size_t i = 0; i < count; ++i) vec_push(&l->atomics, mem_string(objects[i]));
  forget_calls(l);
  sites_free(l->sites);
  l->targets.len = 0;
  number_calls(l);
  return true;
}

static bool holds_more(const Program *l, const Sigma *s, const Maysync *by_type) {
  for (vec_each(i, &s->sites)) {
    const char *name = sigma_text(s, s->sites.at[i].name);
    uint32_t site = s->sites.at[i].derived ? sites_find(l->sites, name, strlen(name)) : SITE_NONE;
    if (site != SITE_NONE && maysync_derived(by_type, site) && !maysync_derived(l->sync, site)) return true;
  }
  return false;
}

static void suit_atomics(Program *l, const Sigma *s) {
  if (l->atomics.len || !s->atomics.len) return;
  const char **names = mem_array(s->atomics.len, sizeof *names);
  Diags *quiet = diags_new();
  for (vec_each(i, &s->atomics)) names[i] = sigma_text(s, s->atomics.at[i]);
  program_take_atomics(l, names, s->atomics.len, quiet);
  diags_free(quiet);
  mem_free(names);
}

void program_suit(Program *l, const Sigma *s) {
  suit_atomics(l, s);
  if (!l->targets.len || l->by_type) return;
  Callgraph *graph = callgraph_new(l->module, l->sites);
  Maysync *sync = maysync_new(graph);
  l->by_type = holds_more(l, s, sync);
  decided("calls", (Place){0},
          l->by_type ? "calls through pointers go to functions of their type"
                     : "calls through pointers go where points-to says",
          l->by_type ? "the schedules were recorded so: points-to would leave out a call that they have"
                     : "it knows all of the program that these pointers come from");
  if (l->by_type) {
    forget_calls(l);
    l->targets.len = 0;
    l->graph = graph, l->sync = sync;
    CHECKED(program_check(l));
    return;
  }
  maysync_free(sync);
  callgraph_free(graph);
}

bool program_again(const char *path, Program *out, Diags *diags) {
  if (!app_read(path, &out->app, diags)) return false;
  out->context = module_context(diags);
  out->module = module_parse(out->context, span_of(out->app.module.at, out->app.module.len), path, diags);
  if (out->module) program_follow_linker(out->module, &out->app.recipe);
  return out->module;
}

void program_free(Program *l) {
  forget_calls(l);
  if (l->sites) sites_free(l->sites);
  if (l->module) LLVMDisposeModule(l->module);
  if (l->context) LLVMContextDispose(l->context);
  vec_free(&l->targets);
  strings_free(&l->atomics);
  mem_free(l->hash_text);
  app_free(&l->app);
}

// By site, then by function, each once, of those that there are.
static void check_targets(const Program *l) {
  assert(!l->by_type || !l->targets.len);
  for (vec_each(i, &l->targets)) {
    Pair p = l->targets.at[i], before = i ? l->targets.at[i - 1] : (Pair){0};
    assert(p.owner < sites_count(l->sites) && p.item < callgraph_count(l->graph));
    assert(!i || before.owner < p.owner || (before.owner == p.owner && before.item < p.item));
    assert(!callgraph_direct(l->graph, p.owner) || callgraph_targets(l->graph, p.owner).at[0] == p.item);
  }
}

void program_check(const Program *l) {
  assert(l->module && LLVMGetModuleContext(l->module) == l->context);
  assert(l->sites && l->graph && l->sync && callgraph_sites(l->graph) == l->sites);
  char *text = hash_text(l->hash);
  assert(!strcmp(text, l->hash_text));
  mem_free(text);
  for (uint32_t s = 0; s < sites_count(l->sites); ++s) {
    assert(LLVMGetGlobalParent(sites_function(l->sites, s)) == l->module);
    assert(sites_id(l->sites, sites_call(l->sites, s)) == s);
    assert(callgraph_id(l->graph, sites_function(l->sites, s)) < callgraph_count(l->graph));
    assert(!maysync_event(l->sync, s) || maysync_operation(l->sync, s));
  }
  check_targets(l);
}
