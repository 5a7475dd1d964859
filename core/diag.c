#include "diag.h"
#include <assert.h>
#include <string.h>
#include "checked.h"
#include "intern.h"
#include "mem.h"
#include "shown.h"
#include "vec.h"

struct Diags {
  Vec(Diag) all;
  size_t errors;
  Intern *seen;
  int dropping;  // the last one was a repetition: its notes go with it
};

Diags *diags_new(void) {
  Diags *d = mem_alloc(sizeof *d);
  d->seen = intern_new();
  return d;
}

void diags_free(Diags *d) {
  if (!d) return;
  CHECKED(diags_check(d));
  for (vec_each(i, &d->all)) {
    mem_free(d->all.at[i].file);
    mem_free(d->all.at[i].text);
  }
  vec_free(&d->all);
  intern_free(d->seen);
  mem_free(d);
}

static int repeated(Diags *d, DiagKind kind, Place w, const char *text) {
  if (kind == DIAG_NOTE) return d->dropping;
  char *key = mem_format("%d %s:%u:%u %s", (int)kind, w.file ? w.file : "", w.line, w.column, text);
  uint32_t before = intern_count(d->seen);
  intern_id(d->seen, key, strlen(key));
  mem_free(key);
  return d->dropping = intern_count(d->seen) == before;
}

static void add(Diags *d, DiagKind kind, Place w, const char *fmt, va_list args) {
  assert(kind <= DIAG_ERROR);
  char *text = mem_vformat(fmt, args);
  if (repeated(d, kind, w, text)) {
    mem_free(text);
    return;
  }
  Diag one = {kind, w.file ? mem_string(w.file) : NULL, text, w.line, w.column};
  d->errors += kind == DIAG_ERROR;
  vec_push(&d->all, one);
}

#define ADD(kind, place)              \
  va_list args;                       \
  va_start(args, fmt);                \
  add(d, (kind), (place), fmt, args); \
  va_end(args)

void diag(Diags *d, DiagKind kind, Place where, const char *fmt, ...) {
  ADD(kind, where);
}
void diag_error(Diags *d, const char *fmt, ...) {
  ADD(DIAG_ERROR, (Place){0});
}
void diag_warning(Diags *d, const char *fmt, ...) {
  ADD(DIAG_WARNING, (Place){0});
}
void diag_note(Diags *d, const char *fmt, ...) {
  ADD(DIAG_NOTE, (Place){0});
}

void diags_append(Diags *to, const Diags *from) {
  for (size_t i = 0; i < diags_count(from); ++i) {
    const Diag *x = diags_at(from, i);
    diag(to, x->kind, (Place){x->file, x->line, x->column}, "%s", x->text);
  }
}

size_t diags_count(const Diags *d) {
  return d->all.len;
}
const Diag *diags_at(const Diags *d, size_t i) {
  assert(i < d->all.len);
  return &d->all.at[i];
}
size_t diags_errors(const Diags *d) {
  return d->errors;
}

static void print_shown(FILE *out, const char *text) {
  char *s = shown(text);
  fputs(s, out);
  mem_free(s);
}

void diags_print(const Diags *d, FILE *out, const char *tool) {
  CHECKED(diags_check(d));
  static const char *const names[] = {"note", "warning", "error"};
  for (vec_each(i, &d->all)) {
    const Diag *g = &d->all.at[i];
    print_shown(out, g->file ? g->file : tool);
    if (g->file && g->line) fprintf(out, ":%u", g->line);
    if (g->file && g->line && g->column) fprintf(out, ":%u", g->column);
    fprintf(out, ": %s: ", names[g->kind]);
    print_shown(out, g->text);
    fputc('\n', out);
  }
}

void diags_check(const Diags *d) {
  size_t errors = 0, notes = 0;
  for (vec_each(i, &d->all)) {
    assert(d->all.at[i].kind <= DIAG_ERROR);
    assert(d->all.at[i].text);
    errors += d->all.at[i].kind == DIAG_ERROR;
    notes += d->all.at[i].kind == DIAG_NOTE;
  }
  assert(errors == d->errors);
  assert(intern_count(d->seen) == d->all.len - notes);  // none is there twice
}
