// core/pack -- zstd, with a bound on what hostile data can make us allocate.
#pragma once
#include "vec.h"

#define PACK_MAX ((size_t)2 << 30)

void pack(Span data, Bytes *out);
// NULL, or what is wrong.
const char *unpack(Span packed, Bytes *out);
