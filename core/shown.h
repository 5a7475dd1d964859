// core/shown -- names and texts of others as they may be shown: no byte of them may command a terminal,
// change the direction of what stands beside it, or end a line.
#pragma once
#include "vec.h"

// The length of the character at s; 0 if there is none that may be shown as it is.
size_t shown_length(Span s);
void put_shown(Bytes *out, const char *s);
void put_shown_span(Bytes *out, Span s);
char *shown(const char *s);  // the caller's
