#include "stored.h"
#include "ir/ir.h"
#include <assert.h>
#include <errno.h>
#include <unistd.h>
#include <llvm-c/blake3.h>

struct Stored {
  llvm_blake3_hasher hash;
  uint64_t size;
  Bytes copy;  // of the first bytes
};

Stored *stored_new(void) {
  Stored *x = mem_alloc(sizeof *x);
  llvm_blake3_hasher_init(&x->hash);
  return x;
}

void stored_free(Stored *x) {
  if (!x) return;
  vec_free(&x->copy);
  mem_free(x);
}

void stored_add(Stored *x, const void *at, size_t size) {
  assert(x->copy.len <= LIMIT_INPUT_COPY);
  size_t room = LIMIT_INPUT_COPY - x->copy.len;
  vec_append(&x->copy, (const unsigned char *)at, size < room ? size : room);
  llvm_blake3_hasher_update(&x->hash, at, size);
  x->size += size;
  CHECKED(stored_check(x));
}

uint64_t stored_size(const Stored *x) {
  return x->size;
}

SigmaInput stored_input(const Stored *x, Sigma *s, const char *name) {
  SigmaInput in = {.lost = !x, .name = sigma_intern(s, name), .hash = SIGMA_NONE};
  if (!x) return in;
  in.size = x->size;
  if (x->size <= LIMIT_INPUT_COPY) {
    vec_append(&in.copy, x->copy.at, x->copy.len);
    return in;
  }
  uint8_t hash[HASH_BYTES];
  llvm_blake3_hasher_finalize(&x->hash, hash, HASH_BYTES);
  char *text = hash_text(hash);
  in.hash = sigma_intern(s, text);
  mem_free(text);
  return in;
}

Stored *stored_from(int fd, uint64_t from) {
  Stored *x = stored_new();
  unsigned char some[1 << 14];
  ssize_t n;
  while ((n = pread(fd, some, sizeof some, (off_t)from)) > 0 || (n < 0 && errno == EINTR)) {
    if (n < 0) continue;
    stored_add(x, some, (size_t)n);
    from += (uint64_t)n;
  }
  if (!n) return x;
  stored_free(x);
  return NULL;
}

void stored_check(const Stored *x) {
  assert(x->copy.len == (x->size < LIMIT_INPUT_COPY ? x->size : LIMIT_INPUT_COPY));
}
