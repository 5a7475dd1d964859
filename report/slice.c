#include "slice.h"
#include <assert.h>
#include <stdarg.h>

SliceReport *slice_report_new(void) {
  SliceReport *r = mem_alloc(sizeof *r);
  r->texts = intern_new();
  return r;
}

void slice_report_free(SliceReport *r) {
  if (!r) return;
  for (vec_each(i, &r->lines)) mem_free(r->lines.at[i].threads);
  vec_free(&r->targets), vec_free(&r->lines), vec_free(&r->steps), vec_free(&r->hidden),
      vec_free(&r->incomplete);
  intern_free(r->texts);
  mem_free(r);
}

const char *slice_text_of(SliceReport *r, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  const char *kept = intern_text(r->texts, intern_id(r->texts, text, strlen(text)));
  mem_free(text);
  return kept;
}

static int compare(const SliceLine *l, const char *file, uint32_t line) {
  int by_file = strcmp(l->file, file);
  return by_file ? by_file : l->line < line ? -1 : l->line > line;
}

const SliceLine *slice_report_line(const SliceReport *r, const char *file, uint32_t line) {
  size_t low = 0, high = r->lines.len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int way = compare(&r->lines.at[middle], file, line);
    if (!way) return &r->lines.at[middle];
    if (way < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const char *slice_step_word(SliceStepKind k) {
  static const char *const words[] = {"target", "lost",  "unordered", "late", "value",
                                      "branch", "order", "call",      "input"};
  assert(k <= SLICE_STEP_INPUT);
  return words[k];
}

void slice_report_check(const SliceReport *r) {
  for (vec_each(i, &r->steps)) assert(r->steps.at[i].because <= i && r->steps.at[i].text);
  for (vec_each(i, &r->lines)) {
    assert(!i || compare(&r->lines.at[i - 1], r->lines.at[i].file, r->lines.at[i].line) < 0);
    assert(r->lines.at[i].kept <= r->lines.at[i].executed);
    assert(!r->lines.at[i].kept == !r->lines.at[i].why);
  }
  assert(r->kept <= r->executed);
}
