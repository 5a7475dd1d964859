// Entries of the cache: what was put under a key is given back for that key, and nothing else is.
#undef NDEBUG
#include <assert.h>
#include "forge/forge.h"
#include "fuzz.h"
#include "record/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t key[HASH_BYTES] = {0};
  Bytes entry = {0};
  Span found;
  for (size_t i = 0; i < size && i < HASH_BYTES; ++i) key[i] = data[i];
  assert(!cache_unwrap(key, span_of(data, size), &found));  // nobody finds the hash by chance
  cache_wrap(key, span_of(data, size), &entry);
  assert(cache_unwrap(key, span_of(entry.at, entry.len), &found) && found.len == size &&
         !memcmp(found.at, data, size));
  if (size) entry.at[size % entry.len] ^= 1 << data[0] % 8;
  assert(!size || !cache_unwrap(key, span_of(entry.at, entry.len), &found));
  entry.len = 0;
  vec_append(&entry, data, size);
  assert(!variant_is_sealed(span_of(entry.at, entry.len), "fuzz"));
  variant_seal(&entry, "fuzz");
  assert(variant_is_sealed(span_of(entry.at, entry.len), "fuzz"));
  assert(!variant_is_sealed(span_of(entry.at, entry.len), "other"));
  vec_free(&entry);
  return 0;
}
