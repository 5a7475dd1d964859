// core/fields -- the line format of small internal files: `key value`, a line each. A value may hold any
// bytes but NUL; those that would break a line stand as \n, \\ or \xNN.
#pragma once
#include <stdbool.h>
#include "vec.h"

void fields_put(Bytes *out, const char *key, const char *value);
void fields_putf(Bytes *out, const char *key, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

// Value and key live until the next call or fields_close. After the end, `wrong` says whether all lines were
// sound.
typedef struct {
  Span text;
  size_t at;
  unsigned line;
  char *key, *value;
  bool wrong;
} Fields;
Fields fields_open(Span text);
bool fields_next(Fields *f);
void fields_close(Fields *f);
void fields_check(const Fields *f);  // asserts that it is whole
