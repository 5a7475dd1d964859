#include "elf.h"
#include <assert.h>

bool elf_is(Span f) {
  return f.len >= SELFMAG && !memcmp(f.at, ELFMAG, SELFMAG);
}

static bool inside(Span f, uint64_t offset, uint64_t size) {
  return offset <= f.len && size <= f.len - offset;
}

static Elf64_Shdr header_at(const Elf *e, uint64_t at) {
  Elf64_Shdr h;
  memcpy(&h, e->file.at + at, sizeof h);
  return h;
}

static const char *read_ident(Span f, Elf64_Ehdr *h) {
  if (!elf_is(f)) return "not an ELF file";
  if (f.len < sizeof *h) return "truncated ELF header";
  memcpy(h, f.at, sizeof *h);
  if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
    return "not a 64-bit little-endian ELF file";
  if (h->e_shoff && h->e_shentsize != sizeof(Elf64_Shdr)) return "section headers have an unknown size";
  return NULL;
}

static const char *name_in(Span strings, uint64_t at) {
  if (at >= strings.len || !memchr(strings.at + at, 0, strings.len - at)) return NULL;
  return (const char *)strings.at + at;
}

static const char *read_sections(Elf *e, const Elf64_Ehdr *h) {
  if (!h->e_shoff) return NULL;
  if (!inside(e->file, h->e_shoff, sizeof(Elf64_Shdr)))
    return "section headers lie beyond the end of the file";
  Elf64_Shdr zero = header_at(e, h->e_shoff);  // holds the counts that do not fit
  uint64_t count = h->e_shnum ? h->e_shnum : zero.sh_size;
  uint64_t strndx = h->e_shstrndx == SHN_XINDEX ? zero.sh_link : h->e_shstrndx;
  if (count > e->file.len / sizeof(Elf64_Shdr) || !inside(e->file, h->e_shoff, count * sizeof(Elf64_Shdr)))
    return "section headers lie beyond the end of the file";
  Span names = {0};
  if (strndx && strndx < count) {
    Elf64_Shdr s = header_at(e, h->e_shoff + strndx * sizeof s);
    if (s.sh_type == SHT_STRTAB && inside(e->file, s.sh_offset, s.sh_size))
      names = span_of(e->file.at + s.sh_offset, s.sh_size);
  }
  for (uint64_t i = 0; i < count; ++i) {
    Elf64_Shdr s = header_at(e, h->e_shoff + i * sizeof s);
    if (s.sh_type != SHT_NOBITS && s.sh_type != SHT_NULL && !inside(e->file, s.sh_offset, s.sh_size))
      return "a section lies beyond the end of the file";
    const char *name = name_in(names, s.sh_name);
    ElfSection one = {name ? name : "", s.sh_type,
                      s.sh_link,        s.sh_flags,
                      s.sh_addr,        s.sh_offset,
                      s.sh_size,        s.sh_addralign,
                      s.sh_entsize,     name ? (uint64_t)((const unsigned char *)name - e->file.at) : 0};
    vec_push(&e->sections, one);
  }
  return NULL;
}

const char *elf_read(Span file, Elf *out) {
  *out = (Elf){.file = file};
  Elf64_Ehdr h;
  const char *wrong = read_ident(file, &h);
  if (wrong) return wrong;
  out->type = h.e_type;
  out->machine = h.e_machine;
  return read_sections(out, &h);
}

void elf_free(Elf *e) {
  vec_free(&e->sections);
}

const ElfSection *elf_section(const Elf *e, const char *name) {
  for (vec_each(i, &e->sections))
    if (!strcmp(e->sections.at[i].name, name)) return &e->sections.at[i];
  return NULL;
}

Span elf_data(const Elf *e, const ElfSection *s) {
  if (s->type == SHT_NOBITS || s->type == SHT_NULL) return span_of(e->file.at, 0);
  return span_of(e->file.at + s->offset, s->size);
}

static const ElfSection *symbols(const Elf *e, uint32_t type) {
  for (vec_each(i, &e->sections))
    if (e->sections.at[i].type == type) return &e->sections.at[i];
  return NULL;
}

static size_t count_symbols(const Elf *e, uint32_t type) {
  const ElfSection *s = symbols(e, type);
  return s ? s->size / sizeof(Elf64_Sym) : 0;
}

static ElfSymbol symbol_at(const Elf *e, uint32_t type, size_t i) {
  const ElfSection *s = symbols(e, type);
  assert(s && i < s->size / sizeof(Elf64_Sym));
  Elf64_Sym y;
  memcpy(&y, e->file.at + s->offset + i * sizeof y, sizeof y);
  const char *name = NULL;
  if (s->link < e->sections.len) name = name_in(elf_data(e, &e->sections.at[s->link]), y.st_name);
  bool code = y.st_shndx < e->sections.len && (e->sections.at[y.st_shndx].flags & SHF_EXECINSTR);
  return (ElfSymbol){.name = name ? name : "",
                     .value = y.st_value,
                     .size = y.st_size,
                     .type = ELF64_ST_TYPE(y.st_info),
                     .bind = ELF64_ST_BIND(y.st_info),
                     .defined = y.st_shndx != SHN_UNDEF,
                     .code = code};
}

size_t elf_symbol_count(const Elf *e) {
  return count_symbols(e, SHT_SYMTAB);
}

ElfSymbol elf_symbol(const Elf *e, size_t i) {
  return symbol_at(e, SHT_SYMTAB, i);
}

size_t elf_exported_count(const Elf *e) {
  return count_symbols(e, SHT_DYNSYM);
}

ElfSymbol elf_exported(const Elf *e, size_t i) {
  return symbol_at(e, SHT_DYNSYM, i);
}

static void add_pointers(const Elf *e, const ElfSection *s, ElfPointers *out) {
  Span data = elf_data(e, s);
  for (uint64_t i = 0; i + sizeof(Elf64_Rela) <= data.len; i += sizeof(Elf64_Rela)) {
    Elf64_Rela r;
    memcpy(&r, data.at + i, sizeof r);
    uint64_t type = ELF64_R_TYPE(r.r_info);
    if (e->machine != EM_X86_64 || (type != R_X86_64_64 && type != R_X86_64_RELATIVE)) continue;
    ElfPointer p = {r.r_offset, type == R_X86_64_64 ? ELF64_R_SYM(r.r_info) : 0, r.r_addend};
    if (p.symbol < elf_exported_count(e) || !p.symbol) vec_push(out, p);
  }
}

void elf_pointers(const Elf *e, ElfPointers *out) {
  for (vec_each(i, &e->sections))
    if (e->sections.at[i].type == SHT_RELA && e->sections.at[i].flags & SHF_ALLOC)
      add_pointers(e, &e->sections.at[i], out);
}

Span elf_at(const Elf *e, uint64_t address, uint64_t size) {
  for (vec_each(i, &e->sections)) {
    const ElfSection *s = &e->sections.at[i];
    bool in = s->flags & SHF_ALLOC && s->type != SHT_NOBITS && address >= s->address;
    if (in && address - s->address <= s->size && size <= s->size - (address - s->address))
      return span_of(e->file.at + s->offset + (address - s->address), size);
  }
  return (Span){0};
}

size_t elf_retag(unsigned char *file, const Elf *e, const ElfRename *names, size_t count) {
  Elf64_Ehdr h;
  memcpy(&h, file, sizeof h);
  size_t done = 0;
  for (vec_each(i, &e->sections)) {
    for (size_t k = 0; k < count; ++k) {
      const ElfSection *s = &e->sections.at[i];
      if (strcmp(s->name, names[k].from) || (s->flags & SHF_ALLOC)) continue;
      uint64_t flags = s->flags | SHF_EXCLUDE;
      memcpy(file + h.e_shoff + i * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, sh_flags), &flags,
             sizeof flags);
      memcpy(file + s->name_at, names[k].to, strlen(names[k].to));
      ++done;
      break;
    }
  }
  return done;
}
