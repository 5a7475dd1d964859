// core/utf8 -- which bytes are UTF-8.
#pragma once
#include "vec.h"

// The length of the character at s, 0 if there is none: not overlong, no surrogate, at most U+10FFFF.
size_t utf8_length(Span s);
