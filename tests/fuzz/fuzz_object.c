// Object files: sections, symbols, bitcode sections, renaming, adding.
#include <assert.h>
#include "ir/ir.h"
#include "fuzz.h"

static void add_sections(const Elf *e, Span file) {
  static const ElfRename tags[] = {{OBJECT_BITCODE_RAW, OBJECT_BITCODE}, {".text", ".tixt"}};
  ElfAdd add[] = {{APP_MODULE, OBJECT_BITCODE_RAW, file}, {".x", NULL, {0}}};
  Bytes out = {0};
  if (!elf_add(e, add, 2, &out)) {
    Elf again;
    assert(!elf_read(span_of(out.at, out.len), &again) && elf_section(&again, APP_MODULE));
    elf_free(&again);
  }
  vec_free(&out);
  unsigned char *copy = mem_copy(file.at, file.len);
  elf_retag(copy, e, tags, 2);
  mem_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Span file = span_of(data, size);
  Elf e;
  Spans code = {0};
  if (!elf_read(file, &e)) {
    const ElfSection *s = elf_section(&e, OBJECT_BITCODE);
    if (s) bitcode_split(elf_data(&e, s), &code);
    size_t sum = 0;
    for (size_t i = 0; i < elf_symbol_count(&e); ++i) sum += strlen(elf_symbol(&e, i).name);
    assert(sum <= size * (elf_symbol_count(&e) + 1));
    add_sections(&e, file);
  }
  vec_free(&code);
  elf_free(&e);
  return 0;
}
