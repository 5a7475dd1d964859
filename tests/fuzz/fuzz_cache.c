// Entries of the cache: what is given back for a key is what was put under it, and nothing else is. (A fuzzer
// that sees what is compared finds the right hash.)
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
  if (cache_unwrap(key, span_of(data, size), &found)) {
    cache_wrap(key, found, &entry);
    assert(entry.len == size && !memcmp(entry.at, data, size));
    entry.len = 0;
  }
  cache_wrap(key, span_of(data, size), &entry);
  assert(cache_unwrap(key, span_of(entry.at, entry.len), &found) && found.len == size &&
         !memcmp(found.at, data, size));
  if (size) entry.at[size % entry.len] ^= 1 << data[0] % 8;
  assert(!size || !cache_unwrap(key, span_of(entry.at, entry.len), &found));
  entry.len = 0;
  vec_append(&entry, data, size);
  variant_seal(&entry, "fuzz");
  assert(variant_is_sealed(span_of(entry.at, entry.len), "fuzz"));
  assert(!variant_is_sealed(span_of(entry.at, entry.len), "other"));
  vec_free(&entry);
  return 0;
}
