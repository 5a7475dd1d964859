// forge/cache -- what was made once, kept by the hash of what it was made from, in the user's cache
// (core/cache_path).
#pragma once
#include "ir/ir.h"

// Entries are whole or not there, whatever happens to the machine or another build meanwhile.
bool cache_get(const uint8_t key[HASH_BYTES], Bytes *out);
// 0 or an errno value: nothing depends on it.
int cache_put(const uint8_t key[HASH_BYTES], Span data);
// What stands in an entry, and the data of one: false if it is no whole entry of this key.
void cache_wrap(const uint8_t key[HASH_BYTES], Span data, Bytes *out);
bool cache_unwrap(const uint8_t key[HASH_BYTES], Span entry, Span *data);
// Those not used for the longest time go, until the rest takes $SPECIALIZE_CACHE megabytes at most, 512 if it
// is not set. With 0 nothing is kept or looked at.
void cache_trim(void);
void cache_check(Diags *d);  // a warning if that is no number
