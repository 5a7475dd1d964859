// symex/host -- inside symex/: the functions that the interpreter has itself. CODE_NONE: it has none of this
// name.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// model: the call stands in a model; others may call only functions on plain values.
uint32_t host_find(const char *name, bool model);
