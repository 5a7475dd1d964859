#include "symbols.h"
#include <assert.h>
#include <stdlib.h>

typedef struct {
  uint64_t address, size;
  const char *name;
} Symbol;

struct Symbols {
  Bytes file;
  Vec(Symbol) all;  // by address
  uint64_t base;
};

static int by_address(const void *a, const void *b) {
  const Symbol *p = a, *q = b;
  if (p->address != q->address) return p->address < q->address ? -1 : 1;
  return (p->size < q->size) - (p->size > q->size);  // the larger first: the smaller is found inside it
}

Symbols *symbols_new(const char *binary, uint64_t anchor) {
  Symbols *s = mem_alloc(sizeof *s);
  Elf e = {0};
  bool based = false;
  if (!file_read(binary, &s->file) && !elf_read(span_of(s->file.at, s->file.len), &e)) {
    for (size_t i = 0; i < elf_symbol_count(&e); ++i) {
      ElfSymbol y = elf_symbol(&e, i);
      if (!y.defined || !*y.name || !y.value || y.type == STT_TLS || y.type == STT_SECTION ||
          y.type == STT_FILE)
        continue;
      vec_push(&s->all, ((Symbol){y.value, y.size, y.name}));
      if (!strcmp(y.name, "rt_program")) s->base = anchor - y.value, based = true;
    }
    qsort(s->all.at, s->all.len, sizeof *s->all.at, by_address);
  }
  if (!based) s->all.len = 0;
  elf_free(&e);
  CHECKED(symbols_check(s));
  return s;
}

void symbols_free(Symbols *s) {
  if (!s) return;
  vec_free(&s->all);
  vec_free(&s->file);
  mem_free(s);
}

uint64_t symbols_in_file(const Symbols *s, uint64_t address) {
  return address - s->base;
}

const char *symbols_name(const Symbols *s, uint64_t address, uint64_t *offset) {
  uint64_t at = address - s->base;
  size_t low = 0, high = s->all.len;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (s->all.at[mid].address <= at)
      low = mid + 1;
    else
      high = mid;
  }
  for (size_t i = low, tries = 0; i-- && tries < 8; ++tries) {
    const Symbol *y = &s->all.at[i];
    if (at - y->address >= (y->size ? y->size : 1)) continue;
    *offset = at - y->address;
    return y->name;
  }
  return NULL;
}

// Names are parts of the file, and searching by halves works.
void symbols_check(const Symbols *s) {
  const char *from = (const char *)s->file.at, *to = s->file.len ? from + s->file.len : from;
  for (vec_each(i, &s->all)) {
    const Symbol *y = &s->all.at[i];
    assert(y->address && from <= y->name && y->name < to && *y->name);
    assert(memchr(y->name, 0, (size_t)(to - y->name)));
    assert(!i || by_address(&s->all.at[i - 1], y) <= 0);
  }
}
