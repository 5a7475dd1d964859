// core/split -- names of places in a module: FUNCTION, a mark, an ordinal (main#3, main%17).
#pragma once
#include <stddef.h>
#include <stdint.h>

// The length of FUNCTION; 0 if the text is no such name. The ordinal is decimal without needless zeros; the
// name of a function may itself contain the mark: the last one counts.
size_t place_split(const char *name, size_t len, char mark, uint32_t *ordinal);
