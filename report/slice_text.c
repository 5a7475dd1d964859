// The chain as numbered lines: what happened, and on the right the thread, function and line of it. With the
// source: for each line why it is kept, how often, and by which threads.
#include <assert.h>
#include <inttypes.h>
#include "findings.h"
#include "slice.h"

enum { WIDTH = 74, NUMBER = 4, GAP_LINES = 2 };

static void put_at(const SliceReport *r, uint32_t thread, const char *function, const char *file,
                   uint32_t line, Bytes *out) {
  size_t from = out->len;
  (void)r;
  putf(out, "T%" PRIu32 " ", thread);
  put_shown(out, function ? function : "");
  pad(out, from, 14);
  if (file) put_shown(out, file_base(file)), putf(out, ":%" PRIu32, line);
}

// Breaks a text between words, so that the places stay in one column.
static void put_wrapped(const char *text, size_t indent, size_t width, Bytes *out, const Bytes *place) {
  Bytes all = {0};
  put_shown(&all, text);
  size_t at = 0;
  for (bool first = true; at < all.len || first; first = false) {
    size_t end = all.len - at <= width ? all.len : at + width;
    while (end < all.len && end > at && all.at[end] != ' ') --end;
    if (end == at) end = all.len;
    size_t from = out->len;
    if (!first)
      for (size_t i = 0; i < indent; ++i) vec_push(out, ' ');
    if (!first) from = out->len;
    vec_append(out, all.at + at, end - at);
    if (first) {
      pad(out, from, width);
      vec_append(out, place->at, place->len);
    }
    while (out->len && vec_last(out) == ' ') --out->len;
    put(out, "\n");
    at = end;
    while (at < all.len && all.at[at] == ' ') ++at;
  }
  vec_free(&all);
}

static void put_steps(const SliceReport *r, Bytes *out) {
  Bytes place = {0};
  for (vec_each(i, &r->steps)) {
    const SliceStep *s = &r->steps.at[i];
    place.len = 0;
    put_at(r, s->thread, s->function, s->file, s->line, &place);
    if (i) putf(out, "%2zu  ", i);
    put_wrapped(s->text, i ? NUMBER : 0, i ? WIDTH : WIDTH + NUMBER, out, &place);
  }
  vec_free(&place);
}

static void put_figures(const SliceReport *r, Bytes *out) {
  size_t executed = 0, kept = 0;
  for (vec_each(i, &r->lines)) executed += r->lines.at[i].executed > 0, kept += r->lines.at[i].kept > 0;
  put(out, "    not shown: ");
  for (vec_each(i, &r->hidden)) put_shown(out, r->hidden.at[i]), put(out, "; ");
  putf(out, "%zu of %zu executed lines are in the slice: --full\n", kept, executed);
  if (r->checked && r->same)
    putf(out,
         "    checked: %" PRIu64 " values and %" PRIu64 " branches are the same from these lines alone\n",
         r->check_values, r->check_branches);
}

static void put_incomplete(const SliceReport *r, Bytes *out) {
  for (vec_each(i, &r->incomplete)) {
    const FindingGap *g = &r->incomplete.at[i];
    put(out, "    incomplete: ");
    if (g->file) put_shown(out, g->file), putf(out, ":%" PRIu32 ": ", g->line);
    put_shown(out, g->text);
    put(out, "\n");
  }
}

static void put_threads(const SliceLine *l, Bytes *out) {
  size_t from = out->len;
  for (size_t i = 0; i < l->thread_count && i < 3; ++i)
    putf(out, i ? ",T%" PRIu32 : "T%" PRIu32, l->threads[i]);
  if (l->thread_count > 3) put(out, ",…");
  pad(out, from, 8);
}

static void put_line_head(const SliceLine *l, Bytes *out) {
  char letters[] = {l->why & SLICE_WHY_DATA ? 'D' : ' ',
                    l->why & SLICE_WHY_CONTROL ? 'C'
                    : l->why & SLICE_WHY_PATH  ? 'P'
                                               : ' ',
                    l->why & SLICE_WHY_ORDER ? 'O' : ' ', 0};
  putf(out, "%s ", l->kept ? letters : l->check ? " + " : " . ");
  size_t from = out->len;
  putf(out, "%" PRIu64 "/%" PRIu64, l->kept, l->executed);
  pad(out, from, 10);
  put_threads(l, out);
}

static bool is_near(const SliceReport *r, const char *file, uint32_t line) {
  for (uint32_t n = line > GAP_LINES ? line - GAP_LINES : 1; n <= line + GAP_LINES; ++n)
    if (slice_report_line(r, file, n)) return true;
  return false;
}

static void put_file(const SliceReport *r, const char *file, Sources *sources, Bytes *out) {
  uint32_t count = sources ? sources_count(sources, file) : 0, last = 0;
  put(out, "\n"), put_shown(out, file);
  put(out, "\nwhy kept/executed threads\n");
  for (vec_each(i, &r->lines))
    if (!strcmp(r->lines.at[i].file, file) && r->lines.at[i].line > count) count = r->lines.at[i].line;
  for (uint32_t n = 1; n <= count; ++n) {
    if (!is_near(r, file, n)) continue;
    const SliceLine *l = slice_report_line(r, file, n);
    Span text = sources ? sources_line(sources, file, n) : (Span){0};
    if (last && n > last + 1) put(out, "    ...\n");
    last = n;
    if (l)
      put_line_head(l, out);
    else
      putf(out, "%26s", "");
    putf(out, "%5" PRIu32 "  ", n);
    put_shown_span(out, text);
    while (vec_last(out) == ' ') --out->len;
    put(out, "\n");
  }
}

static void put_source(const SliceReport *r, Sources *sources, Bytes *out) {
  for (vec_each(i, &r->lines))
    if (finding_is_own_file(r->lines.at[i].file) &&
        (!i || strcmp(r->lines.at[i - 1].file, r->lines.at[i].file) != 0))
      put_file(r, r->lines.at[i].file, sources, out);
  put(out,
      "\nD: by data, C: by control, O: by order, P: its other way might matter, +: a check that passed, .: "
      "executed, not in the slice\n");
}

void slice_text(const SliceReport *r, Bytes *out, const SliceFormat *f) {
  put_steps(r, out);
  if (r->absent) put(out, "    "), put_shown(out, r->absent), put(out, "\n");
  put_figures(r, out);
  put_incomplete(r, out);
  if (f->full) put_source(r, f->sources, out);
}
