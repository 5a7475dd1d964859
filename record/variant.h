// record/variant -- programs that record or replay, as the cache keeps them. Behind the
// program stands the hash of its name in the cache and of itself; what is damaged, or was put there under
// another name, is made anew.
#pragma once
#include "ir/ir.h"

void variant_seal(Bytes *program, const char *name);
bool variant_is_sealed(Span all, const char *name);
bool variant_is_whole(const char *path, const char *name);
