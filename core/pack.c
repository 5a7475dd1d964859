#include "pack.h"
#include <assert.h>
#include <stdbool.h>
#include <zstd.h>

enum { PACK_LEVEL = 3, SUM_BYTES = 8 };

// Of the compressed bytes, behind them: whatever is damaged is seen, also what zstd would not care for.
// FNV-1a; it says nothing of who wrote them.
static uint64_t sum_of(const unsigned char *at, size_t len) {
  uint64_t h = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < len; ++i) h = (h ^ at[i]) * UINT64_C(1099511628211);
  return h;
}

void pack_seal(Bytes *out, size_t start) {
  assert(out->len > start);
  uint64_t sum = sum_of(out->at + start, out->len - start);
  for (int i = 0; i < SUM_BYTES; ++i) vec_push(out, (unsigned char)(sum >> 8 * i));
}

void pack(Span data, Bytes *out) {
  size_t start = out->len, bound = ZSTD_compressBound(data.len);
  vec_reserve(out, bound);
  size_t n = ZSTD_compress(out->at + out->len, bound, data.at, data.len, PACK_LEVEL);
  assert(!ZSTD_isError(n));  // the room is enough, and one-shot compression has no other failure but memory
  out->len += n;
  pack_seal(out, start);
}

static bool is_whole(Span packed) {
  size_t len = packed.len - SUM_BYTES;
  uint64_t sum = 0;
  if (packed.len < SUM_BYTES) return false;
  for (int i = 0; i < SUM_BYTES; ++i) sum |= (uint64_t)packed.at[len + (size_t)i] << 8 * i;
  return sum == sum_of(packed.at, len);
}

const char *unpack(Span packed, Bytes *out) {
  assert(!out->len);
  if (!is_whole(packed)) return "damaged (wrong checksum)";
  packed.len -= SUM_BYTES;
  unsigned long long size = ZSTD_getFrameContentSize(packed.at, packed.len);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN) return "broken compressed data";
  // No zstd frame expands by more than this: a block of 128 KiB takes at least 4 bytes.
  if (size > PACK_MAX || size / 32768 > packed.len) return "compressed data claims an impossible size";
  vec_reserve(out, size);
  size_t n = ZSTD_decompress(out->at, size, packed.at, packed.len);
  if (ZSTD_isError(n) || n != size) {
    vec_free(out);
    return "broken compressed data";
  }
  out->len = n;
  return NULL;
}
