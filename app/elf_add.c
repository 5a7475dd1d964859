// Adding sections to a finished program. All that is loaded, and the program headers, stay where they are;
// the sections behind it that are not loaded (.comment, .symtab …) are laid out again, then come ours, the
// names and the section headers. So adding twice does not make the file grow, and a section that we replace
// leaves no gap.
#include "elf.h"

typedef struct {
  const Elf *e;
  Bytes *out;
  Vec(Elf64_Shdr) heads;
  Bytes names;
} Layout;

static uint64_t loaded_end(const Elf *e) {
  Elf64_Ehdr h;
  memcpy(&h, e->file.at, sizeof h);
  uint64_t end = sizeof h + (uint64_t)h.e_phnum * h.e_phentsize;
  if (h.e_phoff > sizeof h) end = h.e_phoff + (uint64_t)h.e_phnum * h.e_phentsize;
  for (unsigned i = 0; i < h.e_phnum; ++i) {
    Elf64_Phdr p;
    uint64_t at = h.e_phoff + (uint64_t)i * sizeof p;
    if (at > e->file.len || sizeof p > e->file.len - at) return UINT64_MAX;
    memcpy(&p, e->file.at + at, sizeof p);
    if (p.p_filesz > UINT64_MAX - p.p_offset) return UINT64_MAX;
    if (p.p_offset + p.p_filesz > end) end = p.p_offset + p.p_filesz;
  }
  for (vec_each(i, &e->sections)) {
    const ElfSection *s = &e->sections.at[i];
    if ((s->flags & SHF_ALLOC) && s->type != SHT_NOBITS && s->offset + s->size > end)
      end = s->offset + s->size;
  }
  return end;
}

static void align_to(Bytes *b, uint64_t align) {
  if (align < 1 || align > 4096) align = 1;
  while (b->len % align) vec_push(b, 0);
}

static uint64_t place(Layout *l, Span data, uint64_t align) {
  align_to(l->out, align);
  uint64_t at = l->out->len;
  vec_append(l->out, data.at, data.len);
  return at;
}

static uint32_t add_name(Layout *l, const char *name) {
  uint32_t at = (uint32_t)l->names.len;
  vec_append(&l->names, name, strlen(name) + 1);
  return at;
}

static const ElfAdd *replaced(const ElfSection *s, const ElfAdd *add, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (!strcmp(s->name, add[i].name) || (add[i].old && !strcmp(s->name, add[i].old))) return &add[i];
  return NULL;
}

static Elf64_Shdr new_head(Layout *l, const ElfAdd *a) {
  return (Elf64_Shdr){.sh_name = add_name(l, a->name),
                      .sh_type = SHT_PROGBITS,
                      .sh_offset = place(l, a->data, 8),
                      .sh_size = a->data.len,
                      .sh_addralign = 8};
}

// Sections keep their index, so symbols and links need no change.
static void move_old(Layout *l, uint64_t end, uint64_t names_index, const ElfAdd *add, size_t count,
                     bool *used) {
  Elf64_Ehdr h;
  memcpy(&h, l->e->file.at, sizeof h);
  for (vec_each(i, &l->e->sections)) {
    const ElfSection *s = &l->e->sections.at[i];
    Elf64_Shdr head;
    memcpy(&head, l->e->file.at + h.e_shoff + i * sizeof head, sizeof head);
    const ElfAdd *a = i && i != names_index ? replaced(s, add, count) : NULL;
    if (a && !used[a - add]) {
      head = new_head(l, a);
      used[a - add] = true;
    } else if (i && i != names_index) {  // the names are made anew
      head.sh_name = add_name(l, s->name);
      if (s->type != SHT_NOBITS && s->type != SHT_NULL && s->offset + s->size > end)
        head.sh_offset = place(l, elf_data(l->e, s), s->align);
    }
    vec_push(&l->heads, head);
  }
}

static void finish(Layout *l, uint64_t names_index) {
  Elf64_Shdr *names = &l->heads.at[names_index];
  uint32_t name = add_name(l, ".shstrtab");
  *names = (Elf64_Shdr){.sh_name = name, .sh_type = SHT_STRTAB, .sh_addralign = 1, .sh_size = l->names.len};
  names->sh_offset = place(l, span_of(l->names.at, l->names.len), 1);
  Span table = span_of((unsigned char *)l->heads.at, l->heads.len * sizeof(Elf64_Shdr));
  Elf64_Ehdr h;
  memcpy(&h, l->e->file.at, sizeof h);
  h.e_shoff = place(l, table, 8);
  h.e_shnum = (uint16_t)l->heads.len;
  h.e_shstrndx = (uint16_t)names_index;
  h.e_shentsize = sizeof(Elf64_Shdr);
  memcpy(l->out->at, &h, sizeof h);
}

const char *elf_add(const Elf *e, const ElfAdd *add, size_t count, Bytes *out) {
  Elf64_Ehdr h;
  memcpy(&h, e->file.at, sizeof h);
  uint64_t end = loaded_end(e);
  if (end > e->file.len) return "a loaded segment lies beyond the end of the file";
  if (e->sections.len + count + 2 >= SHN_LORESERVE || (h.e_shoff && !h.e_shnum)) return "too many sections";
  Layout l = {.e = e, .out = out};
  bool *used = mem_array(count + 1, sizeof *used);
  uint64_t names_index = h.e_shstrndx < e->sections.len ? h.e_shstrndx : 0;
  vec_push(&l.names, 0);
  vec_append(out, e->file.at, end);
  move_old(&l, end, names_index, add, count, used);
  if (!l.heads.len) vec_push(&l.heads, (Elf64_Shdr){0});
  for (size_t i = 0; i < count; ++i)
    if (!used[i]) vec_push(&l.heads, new_head(&l, &add[i]));
  if (!names_index) {
    names_index = l.heads.len;
    vec_push(&l.heads, (Elf64_Shdr){0});
  }
  finish(&l, names_index);
  mem_free(used);
  vec_free(&l.heads);
  vec_free(&l.names);
  return NULL;
}
