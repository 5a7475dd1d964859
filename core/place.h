// core/place -- FILE:LINE or FILE:LINE:COLUMN, as people give it: the file by its whole path, or by its end
// behind a slash.
#pragma once
#include <stdbool.h>
#include "diag.h"

typedef struct {
  const char *file;
  size_t len;
  unsigned line, column;  // column 0: any
} PlaceWanted;
bool place_parse(const char *text, PlaceWanted *out);  // which out points into; false: it is none
bool place_matches(const PlaceWanted *want, Place at);
