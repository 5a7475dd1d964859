// An entry is a file named by its key: a word, the hash of the data, the data. It is written beside and
// renamed, so readers and writers need no lock; what a crash of the machine left damaged does not have its
// hash, and is removed. The time of a file is that of its last use.
#include "cache.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAGIC_BYTES = 8, HEAD_BYTES = MAGIC_BYTES + HASH_BYTES, BEING_WRITTEN = 3600 };
static const char magic[MAGIC_BYTES + 1] = "spec-o2\n";
static const char *const folder = "objects";

static bool is_bound(const char *said) {
  size_t len = strlen(said);
  return len < 10 && strspn(said, "0123456789") == len;
}

void cache_check(Diags *d) {
  const char *said = getenv("SPECIALIZE_CACHE");
  if (said && !is_bound(said))
    diag_warning(d, "SPECIALIZE_CACHE=%s ignored: not a number of megabytes", said);
}

// 0: there is none, or none that can be trusted.
static uint64_t most_bytes(void) {
  if (!cache_is_private(NULL)) return 0;
  const char *said = getenv("SPECIALIZE_CACHE");
  bool taken = said && *said && is_bound(said);
  return (uint64_t)(taken ? strtoull(said, NULL, 10) : LIMIT_CACHE) << 20;
}

static char *entry_path(const uint8_t key[HASH_BYTES]) {
  char *text = hash_text(key), *name = mem_format("%s/%s", folder, text), *path = cache_path(name);
  mem_free(text), mem_free(name);
  return path;
}

// Of the key too: what was put there under another name is not used.
static void hash_entry(const uint8_t key[HASH_BYTES], Span data, uint8_t out[HASH_BYTES]) {
  Span parts[] = {span_of(key, HASH_BYTES), data};
  hash_bytes(parts, 2, out);
}

void cache_wrap(const uint8_t key[HASH_BYTES], Span data, Bytes *out) {
  uint8_t hash[HASH_BYTES];
  hash_entry(key, data, hash);
  vec_append(out, (const unsigned char *)magic, MAGIC_BYTES);
  vec_append(out, hash, HASH_BYTES);
  vec_append(out, data.at, data.len);
}

bool cache_unwrap(const uint8_t key[HASH_BYTES], Span entry, Span *data) {
  uint8_t hash[HASH_BYTES];
  if (entry.len < HEAD_BYTES || memcmp(entry.at, magic, MAGIC_BYTES)) return false;
  *data = span_of(entry.at + HEAD_BYTES, entry.len - HEAD_BYTES);
  hash_entry(key, *data, hash);
  return !memcmp(hash, entry.at + MAGIC_BYTES, HASH_BYTES);
}

bool cache_get(const uint8_t key[HASH_BYTES], Bytes *out) {
  if (!most_bytes()) return false;
  char *path = entry_path(key);
  Bytes all = {0};
  Span data;
  bool there = !file_read(path, &all), ok = there && cache_unwrap(key, span_of(all.at, all.len), &data);
  if (ok) {
    vec_append(out, data.at, data.len);
    utimensat(AT_FDCWD, path, NULL, 0);
  } else if (there) {
    unlink(path);
  }
  vec_free(&all);
  mem_free(path);
  return ok;
}

int cache_put(const uint8_t key[HASH_BYTES], Span data) {
  if (data.len > most_bytes() || !most_bytes()) return 0;
  char *path = entry_path(key);
  Bytes all = {0};
  cache_wrap(key, data, &all);
  // A mode of its own: to ask for the umask changes it for a moment, and there are other threads.
  int err = cache_make_directories(path) ? file_write(path, all.at, all.len, 0600) : errno;
  vec_free(&all);
  mem_free(path);
  return err;
}

typedef struct {
  char *path;
  struct timespec used;
  uint64_t bytes;
} Entry;
typedef Vec(Entry) Entries;

static int by_use(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->used.tv_sec != y->used.tv_sec) return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
  if (x->used.tv_nsec != y->used.tv_nsec) return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
  return strcmp(x->path, y->path);
}

// A name with a dot is a file that is being written, or was when its writer was killed.
static void list(const char *dir, Entries *all) {
  DIR *d = opendir(dir);
  time_t now = time(NULL);
  for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
    struct stat st;
    Entry one = {.path = mem_format("%s/%s", dir, e->d_name)};
    bool ours = !lstat(one.path, &st) && S_ISREG(st.st_mode);
    if (ours && strchr(e->d_name, '.')) ours = st.st_mtim.tv_sec + BEING_WRITTEN < now;
    one.used = st.st_mtim, one.bytes = (uint64_t)st.st_size;
    if (ours)
      vec_push(all, one);
    else
      mem_free(one.path);
  }
  if (d) closedir(d);
}

void cache_trim(void) {
  char *dir = cache_path(folder);
  Entries all = {0};
  uint64_t sum = 0, most = most_bytes();
  if (dir) list(dir, &all);
  for (vec_each(i, &all)) sum += all.at[i].bytes;
  if (all.len && sum > most) qsort(all.at, all.len, sizeof *all.at, by_use);
  for (size_t i = 0; i < all.len && sum > most; ++i) {
    unlink(all.at[i].path);
    sum -= all.at[i].bytes;
  }
  for (vec_each(i, &all)) mem_free(all.at[i].path);
  vec_free(&all);
  mem_free(dir);
}
