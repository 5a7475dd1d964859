// The page of findings: findings.html with base.css, the data of the JSON, and the lines of source around all
// that the findings name. Of a long interleaving the end is kept: there are the accesses.
#include <inttypes.h>
#include "embed.h"
#include "findings.h"

EMBED(report_findings_html, "findings.html");
EMBED(report_findings_css, "findings.css");
EMBED(report_findings_js, "findings.js");

enum { AROUND = 8, AROUND_FRAME = 3, WIDEST = 400 };

// The lines wanted of a file, as bytes that are 0 or 1.
typedef struct {
  const char *name;
  Bytes lines;
} Wanted;
typedef struct {
  Sources *sources;
  Intern *names;
  Vec(Wanted) files;
} Excerpts;

static void want(Excerpts *e, const FindingFrame *f, uint32_t around) {
  if (!f->file || !f->line) return;
  uint32_t lines = sources_count(e->sources, f->file), id = intern_id(e->names, f->file, strlen(f->file));
  if (id == e->files.len) {
    Wanted w = {.name = f->file};
    vec_reserve(&w.lines, lines + 1);
    memset(w.lines.at, 0, lines + 1);
    w.lines.len = lines + 1;
    vec_push(&e->files, w);
  }
  if (f->line > lines) return;
  uint32_t from = f->line > around ? f->line - around : 1,
           to = lines - f->line > around ? f->line + around : lines;
  memset(e->files.at[id].lines.at + from, 1, to - from + 1);
}

static void want_frames(Excerpts *e, const FindingFrames *frames) {
  for (vec_each(i, frames)) want(e, &frames->at[i], AROUND_FRAME);
}

static void want_access(Excerpts *e, const FindingAccess *a) {
  want(e, &a->at, AROUND);
  want_frames(e, &a->stack);
  want_frames(e, &a->created);
  for (vec_each(i, &a->locks)) want(e, &a->locks.at[i].created, AROUND_FRAME);
}

static size_t first_step(const Finding *f) {
  return f->steps.len > LIMIT_HTML_STEPS ? f->steps.len - LIMIT_HTML_STEPS : 0;
}

static void want_finding(Excerpts *e, const Finding *f) {
  want_access(e, &f->a);
  want_access(e, &f->b);
  want_frames(e, &f->object.where);
  for (size_t i = first_step(f); i < f->steps.len; ++i) want(e, &f->steps.at[i].at, AROUND_FRAME);
}

static void put_source_line(Span line, Json *j) {
  Bytes text = {0};
  vec_append(&text, line.at, line.len < WIDEST ? line.len : WIDEST);
  while (line.len > WIDEST && text.len && (line.at[text.len] & 0xc0) == 0x80) --text.len;
  json_bytes(j, &text);
  vec_free(&text);
}

// Pieces: the number of the first line, and the lines.
static void put_pieces(Excerpts *e, const Wanted *w, Json *j) {
  json_open(j, '[');
  for (uint32_t i = 1; i < w->lines.len; ++i) {
    if (!w->lines.at[i]) continue;
    json_open(j, '[');
    json_number(j, i);
    for (; i < w->lines.len && w->lines.at[i]; ++i) put_source_line(sources_line(e->sources, w->name, i), j);
    json_close(j, ']');
  }
  json_close(j, ']');
}

static void put_sources(const Report *r, Sources *sources, Json *j) {
  Excerpts e = {.sources = sources, .names = intern_new()};
  json_key(j, "sources"), json_open(j, '{');
  for (size_t i = 0; sources && i < r->findings.len; ++i) want_finding(&e, &r->findings.at[i]);
  for (vec_each(i, &e.files)) {
    json_key(j, e.files.at[i].name);
    put_pieces(&e, &e.files.at[i], j);
    vec_free(&e.files.at[i].lines);
  }
  json_close(j, '}');
  vec_free(&e.files);
  intern_free(e.names);
}

static void put_finding(const Finding *f, uint64_t print, Json *j) {
  char *id = mem_format("%016" PRIx64, print);
  j->lines = true;
  json_open(j, '{');
  j->lines = false;
  json_key(j, "id"), json_text(j, id);
  put_finding_fields(f, j);
  json_key(j, "suppressed"), json_text(j, f->suppressed);
  json_key(j, "earlier"), json_number(j, first_step(f));
  put_interleaving(f, first_step(f), j);
  json_close(j, '}');
  mem_free(id);
}

static void put_data(const Report *r, Sources *sources, Bytes *out) {
  Json j = {.out = out};
  Bytes clean = {0};
  uint64_t *prints = fingerprints(r);
  json_open(&j, '{');
  put_report_fields(r, &j);
  put_clean(r, &clean);
  json_key(&j, "clean"), json_bytes(&j, &clean);
  json_key(&j, "baseline"), json_bool(&j, r->has_baseline);
  json_key(&j, "deadlocks"), json_bool(&j, r->deadlocks);
  json_key(&j, "races"), json_open(&j, '[');
  for (vec_each(i, &r->findings)) put_finding(&r->findings.at[i], prints[i], &j);
  json_close(&j, ']');
  put_report_end(r, &j);
  put_sources(r, sources, &j);
  json_close(&j, '}');
  mem_free(prints);
  vec_free(&clean);
}

void finding_html(const Report *r, Bytes *out, const FindingOptions *o) {
  const char *const scripts[] = {report_findings_js, NULL};
  const char *rest =
      page_begin(r->deadlocks ? "Deadlocks" : "Races", report_findings_css, report_findings_html, out);
  put_data(r, o ? o->sources : NULL, out);
  page_end(rest, scripts, out);
}
