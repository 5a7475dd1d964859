#include "lines.h"
#include <stdlib.h>
#include "ir/ir.h"

typedef struct {
  const char *file;
  uint32_t line, pc;
} LineOf;

static int by_place(const void *a, const void *b) {
  const LineOf *x = a, *y = b;
  int file = strcmp(x->file, y->file);
  if (file) return file;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static unsigned why_of_line(unsigned why) {
  return (why & (SLICE_DATA | SLICE_TARGET) ? (unsigned)SLICE_WHY_DATA : 0) |
         (why & (SLICE_CONTROL | SLICE_CALL) ? (unsigned)SLICE_WHY_CONTROL : 0) |
         (why & SLICE_ORDER ? (unsigned)SLICE_WHY_ORDER : 0) |
         (why & SLICE_OTHER_WAY ? (unsigned)SLICE_WHY_PATH : 0);
}

static void add_threads(const Slice *s, const Lists *threads, const IdVec *pcs, SliceLine *l) {
  IdVec all = {0};
  for (vec_each(i, pcs)) {
    Ids some = lists_of(threads, pcs->at[i]);
    vec_append(&all, some.at, some.len);
  }
  (void)s;
  ids_sort(all.at, all.len);
  size_t n = 0;
  for (vec_each(i, &all))
    if (!i || all.at[i] != all.at[i - 1]) all.at[n++] = all.at[i];
  l->threads = all.at, l->thread_count = n;
}

// A branch one way of which ends the process, so that all behind it rests on its having passed.
static bool is_guard(LLVMValueRef inst) {
  if (!LLVMIsABranchInst(inst) || !LLVMIsConditional(inst)) return false;
  for (unsigned i = 0; i < 2; ++i)
    if (LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(LLVMGetSuccessor(inst, i)))) return true;
  return false;
}

static bool has_guard(LLVMValueRef function) {
  for (all_blocks(b, function))
    if (is_guard(LLVMGetBasicBlockTerminator(b))) return true;
  return false;
}

static bool checks(LLVMValueRef inst) {
  LLVMValueRef callee = call_is(inst) ? call_function(inst) : NULL;
  return is_guard(inst) || (callee && !LLVMIsDeclaration(callee) && has_guard(callee));
}

static void tell_checks(SliceReport *out) {
  enum { MOST = 8 };
  Bytes text = {0};
  size_t n = 0;
  for (vec_each(i, &out->lines)) {
    const SliceLine *l = &out->lines.at[i];
    if (!l->check || l->kept || !finding_is_own_file(l->file) || n++ >= MOST) continue;
    char *line = mem_format("%s%u", text.len ? ", " : "", l->line);
    bytes_text(&text, line);
    mem_free(line);
  }
  if (n) {
    const char *told = slice_text_of(out, "checks that passed at line%s %.*s%s", n > 1 ? "s" : "",
                                     (int)text.len, (const char *)text.at, n > MOST ? " and more" : "");
    vec_push(&out->hidden, told);
  }
  vec_free(&text);
}

void lines_tell(const Slice *s, SliceReport *out) {
  const Runner *r = s->of->runner;
  Vec(LineOf) of = {0};
  Lists threads = lists_new(runner_pcs(r), &s->threads);
  for (uint32_t pc = 0; pc < runner_pcs(r); ++pc) {
    LLVMValueRef inst = runner_inst(r, pc);
    if (!s->executed_at[pc] || !inst || runner_model(r, runner_function_of(r, pc))) continue;
    Place at = where(inst);
    LineOf one = {at.file, at.line, pc};
    if (at.file && at.line) vec_push(&of, one);
  }
  if (of.len) qsort(of.at, of.len, sizeof *of.at, by_place);
  for (size_t i = 0, end; i < of.len; i = end) {
    SliceLine l = {.file = slice_text_of(out, "%s", of.at[i].file), .line = of.at[i].line};
    IdVec pcs = {0};
    for (end = i; end < of.len && of.at[end].line == l.line && !strcmp(of.at[end].file, l.file); ++end) {
      uint32_t pc = of.at[end].pc;
      l.executed += s->executed_at[pc], l.kept += s->kept_at[pc];
      l.why |= why_of_line(s->why[pc]);
      l.check |= checks(runner_inst(r, pc));
      vec_push(&pcs, pc);
    }
    add_threads(s, &threads, &pcs, &l);
    vec_free(&pcs);
    vec_push(&out->lines, l);
  }
  lists_free(&threads);
  vec_free(&of);
  tell_checks(out);
  out->executed = s->executed, out->kept = s->kept_count;
}
