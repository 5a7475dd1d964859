// symex/memory -- the memory of an interpreted run. An address belongs to one object for the whole run: what
// is freed is never handed out again. Only stacks use theirs again, as frames come and go.
//
// Addresses are numbers of their own, the same in every run, not those of this process. Next to each byte
// stands what may be done with it.
#pragma once
#include <string.h>
#include "core/core.h"

#define MEMORY_BASE UINT64_C(0x100000000000)

enum {
  MEMORY_EXISTS = 1,
  MEMORY_WRITTEN = 2,  // else nobody has given it a value
  MEMORY_CONSTANT = 4  // may not be written
};
#define MEMORY_ALL(flag) (UINT64_C(0x0101010101010101) * (flag))

typedef enum { MEMORY_GLOBAL, MEMORY_HEAP, MEMORY_STACK, MEMORY_THREAD_LOCAL, MEMORY_INPUT } MemoryKind;
typedef struct {
  uint64_t at, size;
  uint64_t made;  // by: a pc, or the index of a global variable; UINT64_MAX: the run itself
  uint8_t kind;   // MemoryKind
  bool freed;
} MemoryObject;

typedef struct {
  unsigned char *bytes, *flags;  // reserved; limit of each may be used
  uint64_t limit, used;
  int bytes_file, flags_file;  // of one that is frozen, + 1; 0: it is not
  Vec(MemoryObject) objects;   // by address
} Memory;

// False: the system gives no room for it.
bool memory_init(Memory *m);
void memory_free(Memory *m);
// What m holds from now on is the beginning of others, which share its pages until they write to them.
// False: the system does not do that; they are copies then.
bool memory_freeze(Memory *m);
bool memory_init_from(Memory *m, const Memory *frozen);
// 0: the run has used up all addresses. Bytes are MEMORY_EXISTS and 0.
uint64_t memory_add(Memory *m, MemoryKind kind, uint64_t size, uint64_t align, uint64_t made);
uint64_t memory_reserve(Memory *m, uint64_t size);                     // addresses of no object, for a stack
bool memory_drop(Memory *m, MemoryObject *o);                          // true: it went back to the system
const MemoryObject *memory_object(const Memory *m, uint64_t address);  // NULL: in none
MemoryObject *memory_at(Memory *m, uint64_t address);                  // that begins there
void memory_flag(Memory *m, uint64_t at, uint64_t size, uint8_t flags);
// Whether all bytes may be read (written); both also say no to what is outside all memory.
bool memory_readable(const Memory *m, uint64_t at, uint64_t size);
bool memory_writable(const Memory *m, uint64_t at, uint64_t size);
// The text at an address with its NUL; false: it has no end.
bool memory_text(const Memory *m, uint64_t at, const char **text, size_t *len);
void memory_check(const Memory *m);  // asserts that it is whole

// Inside: bytes of a range that is known to be there.
static inline unsigned char *memory_bytes(const Memory *m, uint64_t at) {
  return m->bytes + (at - MEMORY_BASE);
}
static inline unsigned char *memory_flags(const Memory *m, uint64_t at) {
  return m->flags + (at - MEMORY_BASE);
}
static inline bool memory_inside(const Memory *m, uint64_t at, uint64_t size) {
  return at >= MEMORY_BASE && at - MEMORY_BASE <= m->limit && size <= m->limit - (at - MEMORY_BASE);
}
