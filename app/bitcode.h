// app/bitcode -- the outside of LLVM bitcode: where one module ends. Needs no LLVM; input may be hostile.
#pragma once
#include <stdbool.h>
#include "core/core.h"

typedef Vec(Span) Spans;

bool bitcode_is(Span s);
// `ld -r` joins sections end to end: the modules in there, one span each. NULL, or what is wrong (out is then
// empty).
const char *bitcode_split(Span joined, Spans *out);
