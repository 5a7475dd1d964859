// report/json_in -- walks JSON that Jansson has read: the caller asks for what it expects, and anything else
// is an error that names the place, as races[2].a.line. After an error all answers are empty and all loops
// end.
#pragma once
#include <jansson.h>
#include "core/core.h"

// An object or array that the walk is in.
typedef struct {
  json_t *at;
  void *next;       // of an object: where the next name is
  size_t index;     // of an array: the next one
  const char *key;  // of an object: the name that was given last
} JsonLevel;

typedef struct {
  const char *file;
  Diags *diags;
  json_t *root, *value;  // value: what is to be taken next; NULL after an error
  Vec(JsonLevel) levels;
  bool wrong;
} JsonIn;

void in_begin(JsonIn *in, Span text);  // file and diags are set
void in_object(JsonIn *in);
const char *in_key(JsonIn *in);  // the next one; NULL at the end. Valid as long as `in`
void in_array(JsonIn *in);
bool in_item(JsonIn *in);  // is there another one? Not asked again after false
// Values. Texts are UTF-8, without NUL; NULL is null; valid as long as `in`.
const char *in_text(JsonIn *in);
uint64_t in_number(JsonIn *in, uint64_t most);
double in_share(JsonIn *in);  // from 0 to 1
bool in_bool(JsonIn *in);
bool in_null(JsonIn *in);  // takes it if it is there
void in_skip(JsonIn *in);  // any value
void in_wrong(JsonIn *in, const char *what);
void in_free(JsonIn *in);
