// ir/lines -- source lines of addresses in a linked program, from its debug information.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "core/core.h"

// Innermost first: of inlined functions there are several at one address. Texts live until the next question.
typedef struct {
  const char *function;
  Place place;  // without a file if it is not known
} LineFrame;

typedef struct Lines Lines;
Lines *lines_new(const char *program);  // whether it can be read shows in the answers
void lines_free(Lines *l);
size_t lines_at(Lines *l,
                uint64_t address);  // as in the file, not as loaded. How many frames; 0: nothing known
LineFrame lines_frame(const Lines *l, size_t i);
