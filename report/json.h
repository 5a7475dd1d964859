// report/json -- writes JSON. Names may hold any bytes: what is not UTF-8 becomes the text
// \xHH. A < is written \u003c, so that the text may stand in a page.
#pragma once
#include "core/core.h"

typedef struct {
  Bytes *out;
  bool comma, lines;  // before the next value; a new line before each value
} Json;

void json_open(Json *j, char bracket);
void json_close(Json *j, char bracket);
void json_key(Json *j, const char *name);
void json_text(Json *j, const char *s);  // NULL is null
void json_bytes(Json *j, const Bytes *b);
void json_number(Json *j, uint64_t n);
void json_share(Json *j, double share);
void json_bool(Json *j, bool b);
