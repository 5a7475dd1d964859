#include "differ.h"
#include <stdlib.h>
#include "alias/alias.h"
#include "cfspec/cfspec.h"
#include "forge/forge.h"

// Which lines of a file have code in a function, as bytes that are 0 or 1.
typedef Bytes CodeLines;

static void mark(CodeLines *l, uint32_t line) {
  while (l->len <= line) vec_push(l, 0);
  l->at[line] = 1;
}

static bool has(const CodeLines *l, uint32_t line) {
  return line < l->len && l->at[line];
}

// What the runtime does at a guard is none of the program's.
static bool is_guard(LLVMBasicBlockRef b) {
  for (all_insts(i, b)) {
    LLVMValueRef f = call_is(i) ? call_function(i) : NULL;
    if (f && !strncmp(LLVMGetValueName(f), "rt_enf_stop", 11)) return true;
  }
  return false;
}

static void lines_of(LLVMValueRef f, const char *file, CodeLines *out) {
  Cfg *cfg = cfg_new(f);
  for (all_blocks(b, f)) {
    if (cfg_place(cfg, cfg_id(cfg, b)) == CFG_NONE || is_guard(b)) continue;
    for (all_insts(i, b)) {
      Place at = where(i);
      if (at.file && at.line && !strcmp(at.file, file)) mark(out, at.line);
    }
  }
  cfg_free(cfg);
}

static char *facts_at(const DfspecNotes *notes, const char *clone, uint32_t line) {
  char *all = NULL;
  for (vec_each(i, notes)) {
    const DfspecNote *n = &notes->at[i];
    if (n->line != line || strcmp(n->clone, clone)) continue;
    if (all && strstr(all, n->text)) continue;
    char *more = all ? mem_format("%s, %s", all, n->text) : mem_string(n->text);
    mem_free(all);
    all = more;
  }
  return all;
}

static char *print(LLVMValueRef f) {
  char *text = LLVMPrintValueToString(f), *copy = mem_string(text);
  LLVMDisposeMessage(text);
  return copy;
}

static void compare(const DifferWish *w, LLVMValueRef original, LLVMValueRef clone, const DfspecNotes *notes,
                    Differences *out) {
  uint32_t thread = 0, activation = 0;
  size_t len;
  CodeLines before = {0}, after = {0};
  Place at = where(original);
  cfspec_clone_of(clone, &thread, &activation, &len);
  Difference d = {.function = where_name(LLVMGetValueName(original)), .file = mem_string(at.file)};
  d.clone = mem_format("thread t%u, call %u", thread, activation);
  lines_of(original, at.file, &before), lines_of(clone, at.file, &after);
  mark(&before, at.line), mark(&after, at.line);
  for (uint32_t n = at.line; n < before.len; ++n) {
    DifferenceLine l = {n, has(&before, n), has(&after, n), facts_at(notes, LLVMGetValueName(clone), n)};
    vec_push(&d.lines, l);
  }
  if (w->ir) d.before = print(original), d.after = print(clone);
  vec_push(out, d);
  vec_free(&before), vec_free(&after);
}

static bool is_wanted(const DifferWish *w, const char *name, size_t len) {
  if (!w->function) return true;
  char *symbol = mem_format("%.*s", (int)len, name), *source = where_name(symbol),
       *brief = where_short(symbol);
  bool is = !strcmp(symbol, w->function) || !strcmp(source, w->function) || !strcmp(brief, w->function);
  mem_free(symbol), mem_free(source), mem_free(brief);
  return is;
}

static void compare_all(const DifferWish *w, LLVMModuleRef before, LLVMModuleRef after,
                        const DfspecNotes *notes, Differences *out) {
  uint32_t of, thread, activation;
  for (all_functions(f, after)) {
    size_t len;
    if (LLVMIsDeclaration(f) || !cfspec_belongs(f, &of, &thread) || of != w->schedule) continue;
    if (!cfspec_clone_of(f, &thread, &activation, &len) || activation == UINT32_MAX) continue;
    if (!is_wanted(w, LLVMGetValueName(f), len)) continue;
    char *name = mem_format("%.*s", (int)len, LLVMGetValueName(f));
    LLVMValueRef original = LLVMGetNamedFunction(before, name);
    mem_free(name);
    if (original && where(original).file) compare(w, original, f, notes, out);
  }
}

bool differ_find(const DifferWish *w, Differences *out, Diags *d) {
  Program before = {0}, after = {0};
  DfspecNotes notes = {0};
  Sigma *s = sigma_read(w->sigma, d);
  bool ok = s && program_open(w->app, targets_find, &before, d) &&
            program_open(w->app, targets_find, &after, d) &&
            specializer_clones(&after, w->app, s, w->schedule, &notes, d);
  if (ok) program_suit(&before, s);
  if (ok) compare_all(w, before.module, after.module, &notes, out);
  if (ok && !out->len && w->function)
    diag_error(d, "schedule %u has no clone of a function %s", w->schedule, w->function);
  else if (ok && !out->len)
    diag_error(d, "the clones of schedule %u have no source lines: compile with -g", w->schedule);
  dfspec_notes_free(&notes);
  program_free(&before), program_free(&after);
  sigma_free(s);
  return ok && !diags_errors(d);
}
