// core/diag -- what is to be told to the person, collected. Libraries add; only verbs print and exit.
#pragma once
#include <stddef.h>
#include <stdio.h>

typedef enum { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagKind;
// file may be NULL, line and column 0: then the place is left out of the line.
typedef struct {
  const char *file;
  unsigned line, column;
} Place;
typedef struct {
  DiagKind kind;
  char *file, *text;
  unsigned line, column;
} Diag;

// A note belongs to the diagnostic before it.
typedef struct Diags Diags;
Diags *diags_new(void);
void diags_free(Diags *d);
void diag(Diags *d, DiagKind kind, Place where, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
void diag_error(Diags *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));    // without a place
void diag_warning(Diags *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));  // without a place
void diag_note(Diags *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));     // without a place
// The same text of the same kind at the same place is kept once, with a count (rule: say so once).
void diags_append(Diags *to, const Diags *from);
size_t diags_count(const Diags *d);
const Diag *diags_at(const Diags *d, size_t i);
size_t diags_errors(const Diags *d);
// `file:line:col: kind: text`, or `tool: kind: text` without a place. Control bytes in texts are shown
// escaped.
void diags_print(const Diags *d, FILE *out, const char *tool);
void diags_check(const Diags *d);  // asserts that it is whole
