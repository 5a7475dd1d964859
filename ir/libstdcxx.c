// The library's file is read once, when the first name is asked for. A vtable is what the dynamic linker will
// make of it: words with a relocation are addresses, the others the numbers that stand in the file.
#include "libstdcxx.h"
#include <assert.h>
#include <pthread.h>
#include "app/app.h"
#include "attribute.h"
#include "each.h"
#include "signature.h"

typedef struct {
  uint64_t value, size;
  bool function;
} Exported;

typedef struct {
  Bytes file;
  Elf elf;
  Intern *names;
  Vec(Exported) all;  // by name
  Map *at;            // of an address, the name there, plus one
  ElfPointers pointers;
  Map *pointer;  // of an address, plus one
} Library;
static Library lib;

// -- reading

static const char *const places[] = {SPECIALIZE_LIBSTDCXX, "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                                     "/usr/lib64/libstdc++.so.6", "/usr/lib/libstdc++.so.6"};

static void read_names(void) {
  for (size_t i = 1; i < elf_exported_count(&lib.elf); ++i) {
    ElfSymbol y = elf_exported(&lib.elf, i);
    size_t version = strcspn(y.name, "@");
    bool function = y.type == STT_FUNC || y.type == STT_GNU_IFUNC;
    bool wanted = y.defined && version && (function || y.type == STT_OBJECT || y.type == STT_TLS);
    if (!wanted || intern_find(lib.names, y.name, version) != INTERN_NONE) continue;
    intern_id(lib.names, y.name, version);
    vec_push(&lib.all, ((Exported){y.value, y.size, function}));
    map_put(lib.at, y.value, lib.all.len);
  }
}

static void read_library(void) {
  lib.names = intern_new(), lib.at = map_new(), lib.pointer = map_new();
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i) {
    if (file_read(places[i], &lib.file)) continue;
    if (!elf_read(span_of(lib.file.at, lib.file.len), &lib.elf)) break;
    elf_free(&lib.elf);
    lib.file.len = 0;
  }
  if (!lib.file.len) return;
  read_names();
  elf_pointers(&lib.elf, &lib.pointers);
  for (vec_each(i, &lib.pointers)) map_put(lib.pointer, lib.pointers.at[i].address, i + 1);
}

static void need(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_library);
}

static const Exported *find(const char *name) {
  need();
  uint32_t id = intern_find(lib.names, name, strlen(name));
  return id == INTERN_NONE ? NULL : &lib.all.at[id];
}

bool libstdcxx_exports(const char *name) {
  return find(name) != NULL;
}

const char *libstdcxx_function(size_t i) {
  need();
  for (vec_each(k, &lib.all))
    if (lib.all.at[k].function && !i--) return intern_text(lib.names, (uint32_t)k);
  return NULL;
}

bool libstdcxx_is_stream(const char *name) {
  static const char *const all[] = {"_ZSt4cout",  "_ZSt3cin",  "_ZSt4cerr",  "_ZSt4clog",
                                    "_ZSt5wcout", "_ZSt4wcin", "_ZSt5wcerr", "_ZSt5wclog"};
  bool is = false;
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) is |= !strcmp(name, all[i]);
  return is;
}

void libstdcxx_check(void) {
  need();
  assert(lib.all.len == intern_count(lib.names));
  for (vec_each(i, &lib.pointers)) {
    const ElfPointer *p = &lib.pointers.at[i];
    assert(p->symbol < elf_exported_count(&lib.elf) || !p->symbol);
  }
}

// -- vtables

typedef struct {
  LLVMModuleRef m;
  LLVMContextRef c;
  LLVMTypeRef ptr, word, byte;
} Fill;

static bool is_table(const char *name) {
  return !strncmp(name, "_ZTV", 4) || !strncmp(name, "_ZTT", 4) || !strncmp(name, "_ZTC", 4);
}

// Of a constructor. _ZN X C1 E... -> _ZTV X, or _ZTVN X E; NULL: the library has no such vtable.
static char *vtable_name(const char *member) {
  if (strncmp(member, "_ZN", 3)) return NULL;
  size_t end = strlen(member);
  for (size_t i = 4; i + 2 < end; ++i) {
    if (member[i] != 'C' || member[i + 1] < '1' || member[i + 1] > '2' || member[i + 2] != 'E') continue;
    int len = (int)i - 3;
    for (int nested = 0; nested < 2; ++nested) {
      char *name = mem_format(nested ? "_ZTVN%.*sE" : "_ZTV%.*s", len, member + 3);
      if (find(name)) return name;
      mem_free(name);
    }
  }
  return NULL;
}

// Its type is not known, and fits every call.
static LLVMValueRef function(Fill *f, const char *name) {
  LLVMValueRef v = LLVMGetNamedFunction(f->m, name);
  if (v) return v;
  v = LLVMAddFunction(f->m, name, LLVMFunctionType(f->ptr, NULL, 0, 1));
  attribute_note(v, SIGNATURE_ANY, "");
  return v;
}

static LLVMValueRef table(Fill *f, const char *name, uint64_t size) {
  LLVMValueRef v = LLVMGetNamedGlobal(f->m, name);
  return v ? v : LLVMAddGlobal(f->m, LLVMArrayType2(f->ptr, size / 8), name);
}

static void fill(Fill *f, LLVMValueRef global);

// Somewhere in what stands at this address.
static LLVMValueRef address_of(Fill *f, const char *name, const Exported *x, int64_t offset) {
  if (x->function) return function(f, name);
  LLVMValueRef base = is_table(name) ? table(f, name, x->size) : LLVMGetNamedGlobal(f->m, name);
  if (!base) {
    base = LLVMAddGlobal(f->m, f->byte, name);
    LLVMSetGlobalConstant(base, 1);  // it describes a type
  }
  if (is_table(name)) fill(f, base);
  LLVMValueRef by = LLVMConstInt(f->word, (uint64_t)offset, 1);
  return offset ? LLVMConstGEP2(f->byte, base, &by, 1) : base;
}

static LLVMValueRef pointer(Fill *f, const ElfPointer *p) {
  uint32_t id = INTERN_NONE;
  int64_t offset = p->addend;
  if (p->symbol) {
    const char *name = elf_exported(&lib.elf, p->symbol).name;
    id = intern_find(lib.names, name, strcspn(name, "@"));
    if (id == INTERN_NONE) return *name ? function(f, name) : function(f, LIBSTDCXX_LOCAL);
  } else {
    uint64_t at = map_or(lib.at, (uint64_t)p->addend, 0);
    if (!at) return function(f, LIBSTDCXX_LOCAL);
    id = (uint32_t)at - 1, offset = 0;
  }
  return address_of(f, intern_text(lib.names, id), &lib.all.at[id], offset);
}

static LLVMValueRef word_at(Fill *f, uint64_t address) {
  uint64_t at = map_or(lib.pointer, address, 0);
  if (at) return pointer(f, &lib.pointers.at[at - 1]);
  Span data = elf_at(&lib.elf, address, 8);
  uint64_t number = 0;
  if (data.len) memcpy(&number, data.at, 8);
  return number ? LLVMConstIntToPtr(LLVMConstInt(f->word, number, 0), f->ptr) : LLVMConstNull(f->ptr);
}

// NULL: it holds something that is no word, or more than there is.
static LLVMValueRef contents(Fill *f, LLVMTypeRef type, uint64_t *at, uint64_t end) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (kind == LLVMPointerTypeKind) {
    if (end - *at < 8) return NULL;
    *at += 8;
    return word_at(f, *at - 8);
  }
  bool array = kind == LLVMArrayTypeKind;
  if (!array && kind != LLVMStructTypeKind) return NULL;
  uint64_t n = array ? LLVMGetArrayLength2(type) : LLVMCountStructElementTypes(type);
  if (n > (end - *at) / 8) return NULL;
  LLVMValueRef *parts = mem_array(n + 1, sizeof *parts), made = NULL;
  uint64_t done = 0;
  for (; done < n; ++done) {
    LLVMTypeRef part = array ? LLVMGetElementType(type) : LLVMStructGetTypeAtIndex(type, (unsigned)done);
    parts[done] = contents(f, part, at, end);
    if (!parts[done]) break;
  }
  if (done == n && n)
    made = array ? LLVMConstArray2(LLVMGetElementType(type), parts, n)
                 : LLVMConstStructInContext(f->c, parts, (unsigned)n, 0);
  mem_free(parts);
  return made && LLVMTypeOf(made) == type ? made : NULL;
}

static void fill(Fill *f, LLVMValueRef global) {
  size_t len;
  const Exported *x = find(LLVMGetValueName2(global, &len));
  if (LLVMGetInitializer(global) || !x || x->function) return;
  LLVMSetGlobalConstant(global, 1);
  uint64_t at = x->value;
  LLVMSetInitializer(global, LLVMConstNull(LLVMGlobalGetValueType(global)));  // one may name itself
  LLVMValueRef made = contents(f, LLVMGlobalGetValueType(global), &at, x->value + x->size);
  LLVMSetInitializer(global, made);
  if (!made) return;
  LLVMSetLinkage(global, LLVMInternalLinkage);
}

static Fill fill_begin(LLVMModuleRef m) {
  LLVMContextRef c = LLVMGetModuleContext(m);
  return (Fill){m, c, LLVMPointerTypeInContext(c, 0), LLVMInt64TypeInContext(c), LLVMInt8TypeInContext(c)};
}

void libstdcxx_fill(LLVMModuleRef m) {
  Fill f = fill_begin(m);
  Vec(LLVMValueRef) declared = {0};
  for (all_globals(g, m)) {
    size_t len;
    if (LLVMIsDeclaration(g) && is_table(LLVMGetValueName2(g, &len))) vec_push(&declared, g);
  }
  for (vec_each(i, &declared)) fill(&f, declared.at[i]);
  for (all_functions(g, m)) {
    size_t len;
    char *name = LLVMIsDeclaration(g) ? vtable_name(LLVMGetValueName2(g, &len)) : NULL;
    if (name) fill(&f, table(&f, name, find(name)->size));
    mem_free(name);
  }
  vec_free(&declared);
}

LLVMValueRef libstdcxx_vtable(LLVMModuleRef m, const char *constructor, bool *several) {
  char *name = vtable_name(constructor);
  LLVMValueRef v = name ? LLVMGetNamedGlobal(m, name) : NULL;
  if (name) name[3] = 'T';  // classes that have it have virtual bases
  *several = name && find(name);
  mem_free(name);
  return v && LLVMGetInitializer(v) ? v : NULL;
}
