// ir/hash -- what a schedule belongs to: the code of a module, without debug information and paths.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "core/core.h"

enum { HASH_BYTES = 32, HASH_SHOWN = 32 };  // shown: hexadecimal digits, half of the bytes

// Compiling with or without -g, in another directory or from another file name, gives the same hash; other
// code, another order of functions or another compiler another one. False after an error, if it is no module.
bool hash_module(Span bitcode, uint8_t out[HASH_BYTES], Diags *diags);
void hash_bytes(const Span *parts, size_t count, uint8_t out[HASH_BYTES]);  // one after the other
char *hash_text(const uint8_t hash[HASH_BYTES]);                            // the caller's to free
