// One reserved range for the bytes and one for their flags, a byte for each, so that an access of up to eight
// bytes is checked with one load. The system gives pages when they are touched. Objects lie apart, so that
// what runs over the end of one does not land in the next.
#include "memory.h"
#include <assert.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GAP = 16, PAGE = 4096 };

static void *reserve(uint64_t size) {
  void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

// Where less may be reserved, less is there to be used.
bool memory_init(Memory *m) {
  *m = (Memory){0};
  for (uint64_t size = UINT64_C(1) << 38; size >= UINT64_C(1) << 28; size /= 2) {
    m->bytes = reserve(size + PAGE);
    m->flags = m->bytes ? reserve(size + PAGE) : NULL;
    m->limit = size;
    if (m->flags) return true;
    if (m->bytes) munmap(m->bytes, size + PAGE);
  }
  *m = (Memory){0};
  return false;
}

static int file_of(const unsigned char *from, uint64_t size) {
  int fd = memfd_create("memory", MFD_CLOEXEC);
  uint64_t done = 0;
  while (fd >= 0 && done < size) {
    uint64_t n = size - done < 1 << 20 ? size - done : 1 << 20;
    bool zero = !from[done] && !memcmp(from + done, from + done + 1, n - 1);
    if (!zero && pwrite(fd, from + done, n, (off_t)done) != (ssize_t)n) break;
    done += n;
  }
  if (fd >= 0 && (done < size || ftruncate(fd, (off_t)size))) close(fd), fd = -1;
  return fd;
}

static uint64_t whole_pages(uint64_t size) {
  return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

bool memory_freeze(Memory *m) {
  uint64_t size = whole_pages(m->used);
  if (!size) return false;
  m->bytes_file = file_of(m->bytes, size) + 1;
  m->flags_file = m->bytes_file ? file_of(m->flags, size) + 1 : 0;
  return m->flags_file != 0;
}

static bool share(unsigned char *at, int file, uint64_t size) {
  return mmap(at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file - 1, 0) == at;
}

bool memory_init_from(Memory *m, const Memory *from) {
  if (!memory_init(m)) return false;
  uint64_t size = whole_pages(from->used);
  bool shared =
      from->flags_file && share(m->bytes, from->bytes_file, size) && share(m->flags, from->flags_file, size);
  if (!shared) memcpy(m->bytes, from->bytes, from->used), memcpy(m->flags, from->flags, from->used);
  m->used = from->used;
  vec_append(&m->objects, from->objects.at, from->objects.len);
  return true;
}

void memory_free(Memory *m) {
  if (m->bytes_file) close(m->bytes_file - 1);
  if (m->flags_file) close(m->flags_file - 1);
  if (m->bytes) munmap(m->bytes, m->limit + PAGE), munmap(m->flags, m->limit + PAGE);
  vec_free(&m->objects);
  *m = (Memory){0};
}

static uint64_t advance(Memory *m, uint64_t size, uint64_t align) {
  assert(align && !(align & (align - 1)));
  uint64_t at = (m->used + GAP + align - 1) & ~(align - 1);
  if (at < m->used || at > m->limit || size > m->limit - at) return 0;
  m->used = at + size;
  return MEMORY_BASE + at;
}

uint64_t memory_add(Memory *m, MemoryKind kind, uint64_t size, uint64_t align, uint64_t made) {
  if (size > UINT64_C(1000000) * LIMIT_INTERPRET_MEMORY) return 0;
  uint64_t at = advance(m, size, align < 16 ? 16 : align);
  if (!at) return 0;
  MemoryObject o = {at, size, made, (uint8_t)kind, false};
  vec_push(&m->objects, o);
  memory_flag(m, at, size, MEMORY_EXISTS);
  return at;
}

uint64_t memory_reserve(Memory *m, uint64_t size) {
  return advance(m, size, PAGE);
}

static size_t object_index(const Memory *m, uint64_t address) {
  size_t low = 0, high = m->objects.len;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (m->objects.at[middle].at <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const MemoryObject *memory_object(const Memory *m, uint64_t address) {
  size_t i = object_index(m, address);
  const MemoryObject *o = i ? &m->objects.at[i - 1] : NULL;
  return o && address - o->at < (o->size ? o->size : 1) ? o : NULL;
}

MemoryObject *memory_at(Memory *m, uint64_t address) {
  size_t i = object_index(m, address);
  MemoryObject *o = i ? &m->objects.at[i - 1] : NULL;
  return o && o->at == address ? o : NULL;
}

// Whole pages of a large object go back to the system.
bool memory_drop(Memory *m, MemoryObject *o) {
  assert(!o->freed);
  o->freed = true;
  memory_flag(m, o->at, o->size, 0);
  uint64_t from = (o->at - MEMORY_BASE + PAGE - 1) & ~(uint64_t)(PAGE - 1);
  uint64_t to = (o->at - MEMORY_BASE + o->size) & ~(uint64_t)(PAGE - 1);
  if (to <= from || to - from < 16 * PAGE) return false;
  madvise(m->bytes + from, to - from, MADV_DONTNEED);
  madvise(m->flags + from, to - from, MADV_DONTNEED);
  return true;
}

void memory_flag(Memory *m, uint64_t at, uint64_t size, uint8_t flags) {
  assert(memory_inside(m, at, size));
  memset(memory_flags(m, at), flags, size);
}

static bool all_are(const Memory *m, uint64_t at, uint64_t size, uint8_t mask, uint8_t are) {
  if (!memory_inside(m, at, size)) return false;
  const unsigned char *f = memory_flags(m, at);
  for (uint64_t i = 0; i < size; ++i)
    if ((f[i] & mask) != are) return false;
  return true;
}

bool memory_readable(const Memory *m, uint64_t at, uint64_t size) {
  return all_are(m, at, size, MEMORY_EXISTS, MEMORY_EXISTS);
}
bool memory_writable(const Memory *m, uint64_t at, uint64_t size) {
  return all_are(m, at, size, MEMORY_EXISTS | MEMORY_CONSTANT, MEMORY_EXISTS);
}

bool memory_text(const Memory *m, uint64_t at, const char **text, size_t *len) {
  for (uint64_t n = 0; memory_readable(m, at + n, 1); ++n)
    if (!*memory_bytes(m, at + n)) return *text = (const char *)memory_bytes(m, at), *len = n, true;
  return false;
}

void memory_check(const Memory *m) {
  for (size_t i = 1; i < m->objects.len; ++i)
    assert(m->objects.at[i - 1].at + m->objects.at[i - 1].size < m->objects.at[i].at);
  assert(m->used <= m->limit);
}
