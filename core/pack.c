#include "pack.h"
#include <assert.h>
#include <zstd.h>

enum { PACK_LEVEL = 3 };

void pack(Span data, Bytes *out) {
  size_t bound = ZSTD_compressBound(data.len);
  vec_reserve(out, bound);
  size_t n = ZSTD_compress(out->at + out->len, bound, data.at, data.len, PACK_LEVEL);
  assert(!ZSTD_isError(n));  // the room is enough, and one-shot compression has no other failure but memory
  out->len += n;
}

const char *unpack(Span packed, Bytes *out) {
  assert(!out->len);
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
