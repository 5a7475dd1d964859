// Of all instructions that the line has in main, the point is the one that comes before the others whichever
// way control takes. What can run before it is what the entry reaches and what reaches it.
#include "point.h"
#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <stdarg.h>

typedef struct {
  const Sigma *s;
  const Schedule *c;
  uint32_t schedule;
  const Callgraph *graph;
  const Maysync *sync;
  LLVMValueRef main;
  Cfg *cfg;
  Dom *dom;
  Diags *diags;
} Search;

__attribute__((format(printf, 2, 3))) static LLVMValueRef refuse(const Search *k, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *why = mem_vformat(fmt, args);
  va_end(args);
  Place w = {k->c->line ? k->s->file : NULL, k->c->line, 0};
  diag(k->diags, DIAG_ERROR, w, "schedule %u cannot begin at main:%s:%u: %s", k->schedule,
       sigma_text(k->s, k->c->at_file), k->c->at_line, why);
  mem_free(why);
  return NULL;
}

static bool is_file(const char *path, const char *file) {
  size_t n = strlen(path), len = strlen(file);
  return n >= len && !strcmp(path + n - len, file) && (n == len || path[n - len - 1] == '/');
}

// What says something of variables only, or has to stand where it is.
static bool is_bound(LLVMValueRef i) {
  LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
  bool lifetime = f && !strncmp(LLVMGetValueName(f), "llvm.lifetime.", 14);
  return lifetime || (call_is(i) && call_is_debug(i)) || LLVMIsAPHINode(i) || LLVMIsAAllocaInst(i) ||
         LLVMIsALandingPadInst(i);
}

// 0: it stands in no line of the file.
static uint32_t line_of(const Search *k, LLVMValueRef i) {
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i);
  if (!at || LLVMDILocationGetInlinedAt(at) || is_bound(i)) return 0;
  Place w = where(i);
  return w.file && is_file(w.file, sigma_text(k->s, k->c->at_file)) ? w.line : 0;
}

typedef Vec(LLVMValueRef) Values;

// *next: the first line behind that has code; 0: none.
static void find_line(const Search *k, Values *found, uint32_t *next) {
  *next = 0;
  Ids order = cfg_order(k->cfg);
  for (vec_each(b, &order))
    for (all_insts(i, cfg_block(k->cfg, order.at[b]))) {
      uint32_t line = line_of(k, i);
      if (line && line == k->c->at_line) vec_push(found, i);
      if (line > k->c->at_line && (!*next || line < *next)) *next = line;
    }
}

// NULL: none of them comes before all others.
static LLVMValueRef first_of(const Search *k, const Values *all) {
  assert(all->len);
  LLVMValueRef first = all->at[0];
  for (vec_each(i, all))
    if (dom_inst(k->dom, all->at[i], first)) first = all->at[i];
  for (vec_each(i, all))
    if (all->at[i] != first && !dom_inst(k->dom, first, all->at[i])) return NULL;
  return first;
}

static bool comes_again(const Search *k, LLVMValueRef at) {
  uint32_t b = cfg_of(k->cfg, at);
  bool *mark = mem_array(cfg_count(k->cfg), sizeof *mark);
  Ids next = cfg_succs(k->cfg, b);
  for (vec_each(i, &next)) cfg_mark_from(k->cfg, next.at[i], mark);
  bool again = mark[b];
  mem_free(mark);
  return again;
}

static const char *obstacle(const Search *k, LLVMValueRef i) {
  uint32_t site = call_is(i) ? sites_id(callgraph_sites(k->graph), i) : SITE_NONE;
  if (site == SITE_NONE) return NULL;
  const Sync *s = maysync_operation(k->sync, site);
  if (maysync_event(k->sync, site) || (s && s->kind == SYNC_UNMODELLED))
    return "this call before it synchronizes";
  if (maysync_derived(k->sync, site)) return "this call before it may synchronize";
  return call_returns_twice(i) ? "this call before it may return twice" : NULL;
}

// The first thing that may happen before the point and must not.
static LLVMValueRef find_obstacle(const Search *k, LLVMValueRef at, const char **what) {
  bool *mark = mem_array(cfg_count(k->cfg), sizeof *mark);
  LLVMValueRef found = NULL;
  cfg_mark_to(k->cfg, cfg_of(k->cfg, at), mark);
  Ids order = cfg_order(k->cfg);
  for (size_t b = 0; !found && b < order.len; ++b) {
    if (!mark[order.at[b]]) continue;
    for (all_insts(i, cfg_block(k->cfg, order.at[b]))) {
      if (i == at) break;
      if (!found && (*what = obstacle(k, i))) found = i;
    }
  }
  mem_free(mark);
  return found;
}

static LLVMValueRef checked(const Search *k, LLVMValueRef at) {
  const char *what;
  if (comes_again(k, at)) return refuse(k, "the line is in a loop");
  LLVMValueRef before = find_obstacle(k, at, &what);
  if (!before) return at;
  refuse(k, "events before this point are not in the schedule");
  diag_at(k->diags, DIAG_NOTE, before, "%s", what);
  return NULL;
}

static LLVMValueRef search(const Search *k) {
  Values all = {0};
  uint32_t next;
  find_line(k, &all, &next);
  LLVMValueRef first = all.len ? first_of(k, &all) : NULL;
  if (!all.len && next)
    refuse(k, "main has no code there; the next line with code is %u", next);
  else if (!all.len)
    refuse(k, "main has no code there");
  else if (!first)
    refuse(k, "the line has code in several places, and none of them comes before the others");
  vec_free(&all);
  return first ? checked(k, first) : NULL;
}

static bool is_called(const Search *k) {
  uint32_t id = callgraph_id(k->graph, k->main);
  IdVec sites = {0};
  callgraph_callers(k->graph, id, &sites);
  bool called = sites.len || callgraph_taken(k->graph, id);
  vec_free(&sites);
  return called;
}

LLVMValueRef sigma_point(const Sigma *s, uint32_t schedule, const Callgraph *graph, const Maysync *sync,
                         Diags *diags) {
  assert(schedule < s->schedules.len && s->schedules.at[schedule]->at_file != SIGMA_NONE);
  Search k = {.s = s, .c = s->schedules.at[schedule], .schedule = schedule, .graph = graph, .sync = sync};
  k.diags = diags;
  k.main = LLVMGetNamedFunction(LLVMGetGlobalParent(callgraph_function(graph, 0)), "main");
  if (!k.main || LLVMIsDeclaration(k.main)) return refuse(&k, "the module has no main");
  if (!LLVMGetSubprogram(k.main)) return refuse(&k, "main has no debug information (compile it with -g)");
  if (is_called(&k)) return refuse(&k, "main is called by the program itself");
  k.cfg = cfg_new(k.main);
  k.dom = dom_new(k.cfg);
  LLVMValueRef at = search(&k);
  assert(!at || (LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)) == k.main && !is_bound(at)));
  dom_free(k.dom);
  cfg_free(k.cfg);
  return at;
}
