// report/json_in -- reads JSON in one pass, without a tree: the caller asks for what it expects, and anything
// else is an error with file and line. After an error all answers are empty and all loops end.
#pragma once
#include "core/core.h"

typedef struct {
  const char *file;
  Span text;
  size_t at;
  uint32_t line;
  bool wrong, first;
  Diags *diags;
  Bytes word;
} JsonIn;

void in_object(JsonIn *in);
const char *in_key(JsonIn *in);  // the next one; NULL at the end. Valid until the next call
void in_array(JsonIn *in);
bool in_item(JsonIn *in);  // is there another one?
// Values. Texts are UTF-8, without NUL; NULL is null; valid until the next call.
const char *in_text(JsonIn *in);
uint64_t in_number(JsonIn *in, uint64_t most);
double in_share(JsonIn *in);  // from 0 to 1
bool in_bool(JsonIn *in);
bool in_null(JsonIn *in);  // takes it if it is there
void in_skip(JsonIn *in);  // any value
void in_end(JsonIn *in);   // nothing but white space is left
void in_wrong(JsonIn *in, const char *what);
void in_free(JsonIn *in);
