#include "objects.h"
#include "ir/ir.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <llvm-c/Core.h>

struct Objects {
  ObjectList list;
  Vec(Bytes) files;
  Intern *paths;      // index into files
  Intern *taken;      // archive and member …
  Vec(size_t) times;  // … and how often the linker names them
  Strings made;       // bitcode taken out of LTO modules
};

bool file_id(const char *path, FileId *id) {
  struct stat st;
  if (stat(path, &st)) return false;
  *id = (FileId){st.st_dev, st.st_ino};
  return true;
}

static Span open_file(Objects *o, const char *path) {
  uint32_t id = intern_id(o->paths, path, strlen(path));
  if (id == o->files.len) {
    vec_push(&o->files, (Bytes){0});
    file_read(path, &o->files.at[id]);  // unreadable now: empty, and so without bitcode
  }
  return span_of(o->files.at[id].at, o->files.at[id].len);
}

// Where the compiler and the system keep their own objects.
static bool is_system(const char *path) {
  static const char *const roots[] = {"/usr/lib/",   "/lib/",   "/lib64/",
                                      "/usr/lib64/", "/lib32/", "/usr/libx32/"};
  char *real = realpath(path, NULL);
  bool yes = false;
  for (size_t i = 0; real && i < sizeof roots / sizeof *roots; ++i)
    yes |= !strncmp(real, roots[i], strlen(roots[i]));
  free(real);
  return yes;
}

// The words of a command section: "-cc1\0-triple\0…", one list per object that `ld -r` joined.
static const char *next_word(Span command, size_t *at) {
  if (*at >= command.len || !memchr(command.at + *at, 0, command.len - *at)) return NULL;
  const char *word = (const char *)command.at + *at;
  *at += strlen(word) + 1;
  return word;
}

static const char *word_after(Span command, const char *option) {
  size_t at = 0;
  for (const char *word; (word = next_word(command, &at));)
    if (!strcmp(word, option)) return next_word(command, &at);
  return NULL;
}

// Those words that matter for compiling the module again.
static char *kept_flags(Span command) {
  static const char *const kept[] = {
      "-O",        "-ffunction-sections", "-fdata-sections", "-fsanitize=", "-fprofile-instrument",
      "-mcmodel=", "-pic-is-pie"};
  Bytes out = {0};
  size_t at = 0;
  for (const char *word; (word = next_word(command, &at));) {
    const char *model = strcmp(word, "-mrelocation-model") ? NULL : next_word(command, &at);
    bool keep = model != NULL;
    for (size_t k = 0; k < sizeof kept / sizeof *kept; ++k) keep |= !strncmp(word, kept[k], strlen(kept[k]));
    if (!keep) continue;
    if (out.len) vec_push(&out, ' ');
    bytes_text(&out, word);
    if (model) vec_push(&out, '='), bytes_text(&out, model);
  }
  vec_push(&out, 0);
  return (char *)out.at;
}

// Compiling and linking in one step goes through a temporary object, /tmp/app-1a2b3c.o for app.c. The source,
// or what is known of it, is the better name, and the same in each build.
static void name_temporary(Object *o, const char *source) {
  const char *base = file_base(o->name), *dash = strrchr(base, '-');
  if (o->member || o->name[0] != '/' || !dash || strlen(dash) != 9 || strcmp(dash + 7, ".o") ||
      strspn(dash + 1, "0123456789abcdef") != 6)
    return;
  char *stem = mem_format("%.*s", (int)(dash - base), base);
  if (!source || !strncmp(source, stem, strlen(stem))) {
    mem_free(o->name);
    o->name = mem_string(source ? source : stem);
  }
  mem_free(stem);
}

static void take_command(Object *o, Span command) {
  o->flags = kept_flags(command);
  name_temporary(o, word_after(command, "-main-file-name"));
}

static char *who_made(const Elf *e) {
  const ElfSection *comment = elf_section(e, ".comment");
  for (vec_each(i, &e->sections))
    if (!strncmp(e->sections.at[i].name, ".gnu.lto_", 9)) return mem_string("compiled by GCC for LTO");
  if (!comment || comment->size < 2) return mem_string("no compiler identification: assembly code?");
  Span s = elf_data(e, comment);
  size_t at = 0;
  while (at < s.len && !s.at[at]) ++at;
  int len = (int)strnlen((const char *)s.at + at, s.len - at);
  return mem_format("compiled by %.*s, not by specialize-cc", len, (const char *)s.at + at);
}

static void take_sections(Object *o, const Elf *e) {
  const ElfSection *code = elf_section(e, OBJECT_BITCODE), *command = elf_section(e, OBJECT_COMMAND);
  if (!code) code = elf_section(e, OBJECT_BITCODE_RAW);
  if (!command) command = elf_section(e, OBJECT_COMMAND_RAW);
  if (command) take_command(o, elf_data(e, command));
  const char *wrong = code ? bitcode_split(elf_data(e, code), &o->bitcode) : NULL;
  if (wrong)
    o->why = mem_format("section %s is damaged: %s", code->name, wrong);
  else if (!code)
    o->why = who_made(e);
  if (!command) name_temporary(o, NULL);
}

static void read_elf(Object *o) {
  Elf e;
  const char *wrong = elf_read(o->data, &e);
  if (wrong)
    o->why = mem_string(wrong);
  else if (e.machine != EM_X86_64)
    o->why = mem_string("not an x86-64 object");
  else
    take_sections(o, &e);
  elf_free(&e);
}

static LLVMValueRef embedded(LLVMModuleRef m, const char *section) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
    const char *s = LLVMGetSection(g);
    if (s && !strcmp(s, section) && LLVMGetInitializer(g) &&
        LLVMIsAConstantDataSequential(LLVMGetInitializer(g)))
      return LLVMGetInitializer(g);
  }
  return NULL;
}

// An LTO object is itself bitcode, already optimized; the module from before that is a constant in it.
static void read_lto(Objects *all, Object *o) {
  Diags *d = diags_new();
  LLVMContextRef c = module_context(d);
  LLVMModuleRef m = module_parse(c, o->data, o->name, d);
  LLVMValueRef code = m ? embedded(m, OBJECT_BITCODE_RAW) : NULL,
               command = m ? embedded(m, OBJECT_COMMAND_RAW) : NULL;
  if (code) {
    size_t len;
    const char *bytes = LLVMGetAsString(code, &len);
    char *copy = mem_copy(bytes, len);
    vec_push(&all->made, copy);
    if (bitcode_split(span_of((unsigned char *)copy, len), &o->bitcode)) code = NULL;
  }
  if (command) {
    size_t len;
    const char *text = LLVMGetAsString(command, &len);
    take_command(o, span_of((const unsigned char *)text, len));
  }
  if (!code)
    o->why = mem_string(m ? "an LTO object not compiled by specialize-cc"
                          : "an LTO object of another LLVM version");
  if (m) LLVMDisposeModule(m);
  LLVMContextDispose(c);
  diags_free(d);
}

static void add_object(Objects *all, Object o) {
  if (elf_is(o.data))
    read_elf(&o);
  else
    read_lto(all, &o);
  vec_push(&all->list, o);
}

static bool is_object(Span data) {
  Elf e;
  if (bitcode_is(data)) return true;
  bool yes = elf_is(data) && (elf_read(data, &e) != NULL || e.type == ET_REL);
  if (elf_is(data)) elf_free(&e);
  return yes;
}

static void add_file(Objects *all, const char *path) {
  Object o = {.data = open_file(all, path)};
  if (!is_object(o.data) || !file_id(path, &o.file)) return;  // a shared library, an archive, a script
  o.name = mem_string(path);
  o.system = is_system(path);
  add_object(all, o);
}

// Counts an archive's member; true at its first sight.
static bool count_member(Objects *o, const Traced *x) {
  char *key = mem_format("%s\n%s", x->path, x->member);
  uint32_t id = intern_id(o->taken, key, strlen(key));
  mem_free(key);
  bool first = id == o->times.len;
  if (first) vec_push(&o->times, 0);
  ++o->times.at[id];
  return first;
}

static size_t times_taken(const Objects *o, const Traced *x) {
  char *key = mem_format("%s\n%s", x->path, x->member);
  size_t n = o->times.at[intern_find(o->taken, key, strlen(key))];
  mem_free(key);
  return n;
}

// GNU ld shows a backslash in a member's name as a slash.
static bool named(const ArMember *m, const char *name) {
  if (m->name.len != strlen(name)) return false;
  for (size_t i = 0; i < m->name.len; ++i)
    if (m->name.at[i] != (unsigned char)name[i] && !(m->name.at[i] == '\\' && name[i] == '/')) return false;
  return true;
}

static void add_thin(Objects *all, const char *archive, const char *name) {
  const char *slash = strrchr(archive, '/');
  char *dir = slash ? mem_format("%.*s", (int)(slash - archive), archive) : mem_string(".");
  char *path = file_join(dir, name);
  add_file(all, path);
  mem_free(dir), mem_free(path);
}

// The linker took something that we do not find: it is named, and its archive stays in the recipe.
static void add_unknown(Objects *all, const Traced *x, const char *wrong) {
  Object o = {.name = mem_format("%s(%s)", x->path, x->member), .member = true, .ambiguous = true};
  file_id(x->path, &o.file);
  o.system = is_system(x->path);
  o.why = mem_string(wrong ? wrong : "the archive has no such member");
  vec_push(&all->list, o);
}

// Members may share a name, and the trace gives names only: if the linker took fewer than there are, we
// cannot tell which, and say so.
static void add_members(Objects *all, const Traced *x) {
  Span file = open_file(all, x->path);
  ArMember m;
  size_t there = 0, taken = times_taken(all, x);
  Ar ar = ar_open(file);
  if (ar.thin) {
    add_thin(all, x->path, x->member);
    return;
  }
  while (ar_next(&ar, &m)) there += named(&m, x->member);
  if (!there) {
    add_unknown(all, x, ar.wrong);
    return;
  }
  bool ambiguous = taken < there;
  ar = ar_open(file);
  for (size_t n = 0; ar_next(&ar, &m) && n < (ambiguous ? 1 : there);) {
    if (!named(&m, x->member)) continue;
    ++n;
    Object o = {.name = mem_format("%s(%s)", x->path, x->member), .member = true, .data = m.data};
    file_id(x->path, &o.file);
    o.system = is_system(x->path);
    o.ambiguous = ambiguous;
    add_object(all, o);
    Object *added = &vec_last(&all->list);
    if (!ambiguous || added->why) continue;
    added->why = mem_format("the archive has %zu members with this name, and the linker used %zu of them",
                            there, taken);
    vec_free(&added->bitcode);
  }
}

Objects *objects_open(const Trace *t) {
  Objects *o = mem_alloc(sizeof *o);
  Vec(size_t) first = {0};
  o->paths = intern_new(), o->taken = intern_new();
  for (vec_each(i, t))
    if (!t->at[i].member || count_member(o, &t->at[i])) vec_push(&first, i);
  for (vec_each(i, &first)) {
    const Traced *x = &t->at[first.at[i]];
    if (x->member)
      add_members(o, x);
    else
      add_file(o, x->path);
  }
  vec_free(&first);
  return o;
}

ObjectList *objects_list(Objects *o) {
  return &o->list;
}

void objects_free(Objects *o) {
  for (vec_each(i, &o->list)) {
    Object *x = &o->list.at[i];
    mem_free(x->name), mem_free(x->why), mem_free(x->flags);
    vec_free(&x->bitcode);
  }
  vec_free(&o->list);
  for (vec_each(i, &o->files)) vec_free(&o->files.at[i]);
  vec_free(&o->files), vec_free(&o->times);
  intern_free(o->paths), intern_free(o->taken);
  strings_free(&o->made);
  mem_free(o);
}
