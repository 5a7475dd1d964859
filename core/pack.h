// core/pack -- zstd, with a bound on what hostile data can make us allocate.
#pragma once
#include "vec.h"

#define PACK_MAX ((size_t)2 << 30)

void pack(Span data, Bytes *out);
void pack_seal(Bytes *out, size_t start);  // only the checksum of what is there from start on, behind it
// NULL, or what is wrong.
const char *unpack(Span packed, Bytes *out);
