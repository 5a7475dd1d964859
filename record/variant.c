#include "variant.h"
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC_BYTES = 8, TAIL_BYTES = MAGIC_BYTES + HASH_BYTES };
static const char magic[MAGIC_BYTES + 1] = "spec-v1\n";

static void hash_variant(Span program, const char *name, uint8_t out[HASH_BYTES]) {
  Span parts[] = {span_of(name, strlen(name)), program};
  hash_bytes(parts, 2, out);
}

void variant_seal(Bytes *program, const char *name) {
  uint8_t hash[HASH_BYTES];
  hash_variant(span_of(program->at, program->len), name, hash);
  vec_append(program, magic, MAGIC_BYTES);
  vec_append(program, hash, HASH_BYTES);
}

bool variant_is_sealed(Span all, const char *name) {
  uint8_t hash[HASH_BYTES];
  if (all.len < TAIL_BYTES) return false;
  const unsigned char *tail = all.at + all.len - TAIL_BYTES;
  hash_variant(span_of(all.at, all.len - TAIL_BYTES), name, hash);
  return !memcmp(tail, magic, MAGIC_BYTES) && !memcmp(tail + MAGIC_BYTES, hash, HASH_BYTES);
}

bool variant_is_whole(const char *path, const char *name) {
  struct stat st;
  Bytes all = {0};
  bool ours = !lstat(path, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 022);
  bool whole = ours && !access(path, X_OK) && !file_read(path, &all) &&
               variant_is_sealed(span_of(all.at, all.len), name);
  vec_free(&all);
  return whole;
}
