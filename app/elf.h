// app/elf -- ELF files as they are in memory: objects to take bitcode from, programs to add sections to.
// Input may be hostile: nothing outside the span is ever read, and offsets are checked once, in elf_read.
#pragma once
#include <elf.h>
#include <stdbool.h>
#include "core/core.h"

typedef struct {
  const char *name;  // inside the file
  uint32_t type, link;
  uint64_t flags, address, offset, size, align, entsize;
  uint64_t name_at;  // where in the file the name stands
} ElfSection;

typedef struct {
  Span file;
  uint16_t type, machine;
  Vec(ElfSection) sections;
} Elf;

typedef struct {
  const char *name;
  uint64_t value, size;
  uint8_t type, bind;
  bool defined, code;  // code: in a section of instructions
} ElfSymbol;

bool elf_is(Span file);
// NULL, or what is wrong with the file. Only 64-bit little-endian files are read. Free with elf_free either
// way.
const char *elf_read(Span file, Elf *out);
void elf_free(Elf *e);
const ElfSection *elf_section(const Elf *e, const char *name);  // NULL if there is none
Span elf_data(const Elf *e, const ElfSection *s);               // empty for SHT_NOBITS
// The symbols of .symtab; a broken entry has the name "".
size_t elf_symbol_count(const Elf *e);
ElfSymbol elf_symbol(const Elf *e, size_t i);
// Those of .dynsym, which other modules of a process see.
size_t elf_exported_count(const Elf *e);
ElfSymbol elf_exported(const Elf *e, size_t i);
// What the dynamic linker puts where: of the relocations with an addend, those of whole addresses.
typedef struct {
  uint64_t address;
  size_t symbol;  // of elf_exported; 0: the addend is an address of this file
  int64_t addend;
} ElfPointer;
typedef Vec(ElfPointer) ElfPointers;
void elf_pointers(const Elf *e, ElfPointers *out);
Span elf_at(const Elf *e, uint64_t address, uint64_t size);  // empty: not in the file

// Renames sections in place and marks them as not for the final program (SHF_EXCLUDE): each name is replaced
// by one of the same length. Returns how many it found. The file must have passed elf_read.
typedef struct {
  const char *from, *to;
} ElfRename;
size_t elf_retag(unsigned char *file, const Elf *e, const ElfRename *names, size_t count);

// The same program with sections added that are not loaded. What is loaded keeps its place and its bytes. A
// section that has one of the new names, or an alias of it (given as NAME and OLD), is replaced. NULL, or
// what stands in the way.
typedef struct {
  const char *name, *old;
  Span data;
} ElfAdd;
const char *elf_add(const Elf *e, const ElfAdd *add, size_t count, Bytes *out);
