// LLVM's linker does the joining. Around it: (1) a part whose bitcode does not stand for its object any more
// is kept out, (2) what the real linker decided differently from LLVM's (repeated definitions, --wrap) is
// applied first. A part that fails spoils the module it was being linked into, so we begin again without it;
// failures are rare.
#include "merge.h"
#include <llvm-c/Comdat.h>
#include "app/app.h"
#include "core/core.h"
#include "ir/ir.h"

typedef struct {
  Intern *names;
  Vec(SymbolKind) kinds;  // by id
  Bytes assembly;
} Defined;

static void defined_free(Defined *d) {
  intern_free(d->names);
  vec_free(&d->kinds);
  vec_free(&d->assembly);
}

static void defined_add(Defined *d, LLVMModuleRef m) {
  for (all_symbols(g, m)) {
    SymbolKind kind = module_symbol_kind(g);
    if (kind == SYMBOL_NONE) continue;
    size_t len;
    const char *name = module_symbol_name(g, &len);
    uint32_t id = intern_id(d->names, name, len);
    if (id == d->kinds.len)
      vec_push(&d->kinds, kind);
    else if (kind > d->kinds.at[id])
      d->kinds.at[id] = kind;
  }
  size_t len;
  const char *text = LLVMGetModuleInlineAsm(m, &len);
  vec_append(&d->assembly, (const unsigned char *)text, len);
  vec_push(&d->assembly, '\n');
}

// What the compiler adds behind the IR that we hold: not anybody's code.
static const char *const made_by_compiler[] = {"DW.ref.",  "__llvm_",  "__prof",   "__odr_asan",
                                               "__asan_",  "___asan_", "__tsan",   "__msan",
                                               "__sancov", "__emutls", "__start_", "__stop_"};

static bool is_made(const char *name) {
  for (size_t i = 0; i < sizeof made_by_compiler / sizeof *made_by_compiler; ++i)
    if (!strncmp(name, made_by_compiler[i], strlen(made_by_compiler[i]))) return true;
  return false;
}

static bool is_explained(const Defined *d, const char *name) {
  size_t len = strcspn(name, "@");  // a version from .symver
  return intern_find(d->names, name, strlen(name)) != INTERN_NONE || is_made(name) ||
         memmem(d->assembly.at, d->assembly.len, name, len);
}

// The global symbols of the object and of its bitcode must be the same, or the object is not what was
// compiled.
static char *compare_symbols(const Defined *d, const Elf *e) {
  Intern *in_object = intern_new();
  char *why = NULL;
  for (size_t i = 0, n = elf_symbol_count(e); i < n && !why; ++i) {
    ElfSymbol s = elf_symbol(e, i);
    if (!s.defined || s.bind == STB_LOCAL || s.type == STT_SECTION || !*s.name) continue;
    intern_id(in_object, s.name, strcspn(s.name, "@"));
    intern_id(in_object, s.name, strlen(s.name));
    if (!is_explained(d, s.name)) why = mem_format("part of the object has no bitcode (%s)", s.name);
  }
  for (vec_each(k, &d->kinds)) {
    const char *name = intern_text(d->names, (uint32_t)k);
    if (why || d->kinds.at[k] != SYMBOL_STRONG) continue;
    if (intern_find(in_object, name, strlen(name)) == INTERN_NONE)
      why = mem_format("the object was changed after compiling (%s is missing)", name);
  }
  intern_free(in_object);
  return why;
}

static unsigned count_functions(const Elf *e) {
  unsigned count = 0;
  for (size_t i = 0, n = elf_symbol_count(e); i < n; ++i) {
    ElfSymbol s = elf_symbol(e, i);
    bool label = s.type == STT_NOTYPE && s.bind != STB_LOCAL && s.code;  // assembler code without .type
    count += s.defined && (s.type == STT_FUNC || s.type == STT_GNU_IFUNC || label);
  }
  return count;
}

static void replace_declaration(LLVMModuleRef m, const char *from, const char *to) {
  LLVMValueRef f = LLVMGetNamedFunction(m, from);
  if (!f) f = LLVMGetNamedGlobal(m, from);
  if (!f || !LLVMIsDeclaration(f)) return;
  LLVMValueRef other = LLVMGetNamedFunction(m, to);
  if (!other) other = LLVMGetNamedGlobal(m, to);
  if (other)
    LLVMReplaceAllUsesWith(f, other);
  else
    LLVMSetValueName2(f, to, strlen(to));
}

// --wrap=S: an undefined S means __wrap_S. It concerns references between objects, so it must be done before
// they become one.
static void apply_wraps(LLVMModuleRef m, const Strings *wraps) {
  for (vec_each(i, wraps)) {
    char *wrapped = mem_format("__wrap_%s", wraps->at[i]);
    replace_declaration(m, wraps->at[i], wrapped);
    mem_free(wrapped);
  }
}

// … and __real_S means S where S is defined; where it is not, the linker still has to see to it.
static void apply_reals(LLVMModuleRef m, const Strings *wraps) {
  for (vec_each(i, wraps)) {
    LLVMValueRef s = LLVMGetNamedFunction(m, wraps->at[i]);
    if (!s || LLVMIsDeclaration(s)) continue;
    char *real = mem_format("__real_%s", wraps->at[i]);
    replace_declaration(m, real, wraps->at[i]);
    mem_free(real);
  }
}

static LLVMValueRef same_symbol(LLVMModuleRef m, LLVMValueRef g) {
  size_t len;
  const char *name = LLVMGetValueName2(g, &len);
  LLVMValueRef found = LLVMGetNamedFunction(m, name);
  return found ? found : LLVMGetNamedGlobal(m, name);
}

// The real link accepted a second definition (-z muldefs) and took the first.
static void drop_repeated(LLVMModuleRef whole, LLVMModuleRef m) {
  for (all_symbols(g, m)) {
    if (module_symbol_kind(g) != SYMBOL_STRONG || LLVMIsAGlobalAlias(g) || LLVMIsAGlobalIFunc(g)) continue;
    LLVMValueRef first = same_symbol(whole, g);
    if (first && module_symbol_kind(first) == SYMBOL_STRONG) module_undefine(g);
  }
}

typedef struct {
  LLVMModuleRef module;
  Linker *linker;
  const Strings *wraps;
  Diags *diags;
  bool spoiled;  // a part failed half-way
} Whole;

static char *first_error(const Diags *d, size_t from) {
  for (size_t i = from; i < diags_count(d); ++i)
    if (diags_at(d, i)->kind == DIAG_ERROR) return mem_string(diags_at(d, i)->text);
  return mem_string("the bitcode cannot be linked");
}

static bool parse_part(LLVMContextRef c, MergePart *p, LLVMModuleRef *modules, Defined *defined, Diags *d) {
  for (vec_each(i, &p->bitcode)) {
    modules[i] = module_parse(c, p->bitcode.at[i], p->name, d);
    if (!modules[i]) return false;
    defined_add(defined, modules[i]);
  }
  return true;
}

static char *check_part(const MergePart *p, const Defined *defined) {
  if (!p->object.len) return NULL;
  Elf e;
  const char *wrong = elf_read(p->object, &e);
  char *why = wrong ? mem_string(wrong) : compare_symbols(defined, &e);
  elf_free(&e);
  return why;
}

// clang leaves the list of symbols that must stay, `llvm.compiler.used`, out of the bitcode that it embeds.
// It emits no local symbol that nothing refers to, but for those; and what is put into a section with a name
// of C is found by that.
static bool must_stay(LLVMValueRef g) {
  const char *section = LLVMGetSection(g);
  LLVMLinkage l = LLVMGetLinkage(g);
  size_t len;
  if (LLVMIsDeclaration(g) || !strncmp(LLVMGetValueName2(g, &len), "llvm.", 5)) return false;
  if (section && *section != '.' && strncmp(section, "llvm.", 5)) return true;
  return l == LLVMInternalLinkage && !LLVMGetFirstUse(g);
}

static void keep_used(LLVMModuleRef m) {
  static const char name[] = "llvm.compiler.used";
  LLVMTypeRef ptr = LLVMPointerTypeInContext(LLVMGetModuleContext(m), 0);
  Vec(LLVMValueRef) kept = {0};
  for (all_functions(f, m))
    if (must_stay(f)) vec_push(&kept, f);
  for (all_globals(g, m))
    if (must_stay(g)) vec_push(&kept, g);
  if (kept.len && !LLVMGetNamedGlobal(m, name)) {
    LLVMValueRef list = LLVMAddGlobal(m, LLVMArrayType2(ptr, kept.len), name);
    LLVMSetInitializer(list, LLVMConstArray2(ptr, kept.at, kept.len));
    LLVMSetLinkage(list, LLVMAppendingLinkage);
    LLVMSetSection(list, "llvm.metadata");
  }
  vec_free(&kept);
}

// A body that the optimizer may use, while the real one is in a library: whether a run goes through it must
// not depend on who compiles the module. Of inline functions and templates of C++ it is the same code, so
// ours is taken; another one may differ, and goes.
static void settle_copies(LLVMModuleRef m) {
  size_t len;
  for (all_functions(f, m)) {
    if (LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage) continue;
    const char *name = LLVMGetValueName2(f, &len);
    if (strncmp(name, "_Z", 2)) {
      LLVMGlobalClearMetadata(f);  // a declaration has no lines
      module_undefine(f);
      continue;
    }
    LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    LLVMComdatRef c = LLVMGetOrInsertComdat(m, name);
    LLVMSetComdatSelectionKind(c, LLVMAnyComdatSelectionKind);
    LLVMSetComdat(f, c);
  }
}

static void link_modules(Whole *w, LLVMModuleRef *modules, size_t count) {
  for (size_t i = 0; i < count && !w->spoiled; ++i) {
    keep_used(modules[i]);
    settle_copies(modules[i]);
    apply_wraps(modules[i], w->wraps);
    drop_repeated(w->module, modules[i]);
    w->spoiled = linker_add(w->linker, modules[i]);
    modules[i] = NULL;
  }
}

// Why the part could not be added, or NULL.
static char *add_part(Whole *w, MergePart *p) {
  LLVMModuleRef *modules = mem_array(p->bitcode.len + 1, sizeof *modules);
  Defined defined = {.names = intern_new()};
  size_t from = diags_count(w->diags);
  bool parsed = parse_part(LLVMGetModuleContext(w->module), p, modules, &defined, w->diags);
  char *why = parsed ? check_part(p, &defined) : first_error(w->diags, from);
  if (!why) link_modules(w, modules, p->bitcode.len);
  if (w->spoiled) why = first_error(w->diags, from);
  for (size_t i = 0; i < p->bitcode.len; ++i)
    if (modules[i]) LLVMDisposeModule(modules[i]);
  mem_free(modules);
  defined_free(&defined);
  return why;
}

// Those that mean the same everywhere stay.
static bool gives_way(LLVMValueRef g) {
  LLVMLinkage l = LLVMGetLinkage(g);
  bool weak = l == LLVMLinkOnceAnyLinkage || l == LLVMWeakAnyLinkage || l == LLVMCommonLinkage;
  return weak && module_symbol_kind(g) != SYMBOL_NONE && !LLVMIsAGlobalAlias(g) && !LLVMIsAGlobalIFunc(g);
}

// What an object without bitcode defines replaces what is weak here, as it did in the real link.
static void yield_to(LLVMModuleRef m, const MergePart *p) {
  Elf e;
  const char *wrong = elf_read(p->object, &e);
  for (size_t i = 0, n = wrong || e.type != ET_REL ? 0 : elf_symbol_count(&e); i < n; ++i) {
    ElfSymbol s = elf_symbol(&e, i);
    if (!s.defined || s.bind != STB_GLOBAL || !*s.name) continue;
    LLVMValueRef g = LLVMGetNamedFunction(m, s.name);
    if (!g) g = LLVMGetNamedGlobal(m, s.name);
    if (!g || !gives_way(g)) continue;
    LLVMSetComdat(g, NULL);
    LLVMGlobalClearMetadata(g);  // a declaration has no lines
    module_undefine(g);
  }
  elf_free(&e);
}

static void count_part(MergePart *p) {
  Elf e;
  if (p->object.len && !elf_read(p->object, &e)) {
    p->functions = count_functions(&e);
    elf_free(&e);
  }
}

// False if a part spoiled the module (it is marked, and the next attempt goes without it).
static bool add_all(Whole *w, MergePart *parts, size_t count) {
  for (size_t i = 0; i < count && !w->spoiled; ++i)
    if (!parts[i].why) parts[i].why = add_part(w, &parts[i]);
  for (size_t i = 0; i < count && !w->spoiled; ++i)
    if (parts[i].why && parts[i].object.len) yield_to(w->module, &parts[i]);
  if (!w->spoiled) apply_reals(w->module, w->wraps);
  return !w->spoiled;
}

// An invalid whole has no culprit: all parts are left out.
static bool any_merged(Whole *w, MergePart *parts, size_t count, const char *name) {
  size_t merged = 0, from = diags_count(w->diags);
  bool valid = module_verify(w->module, name, w->diags);
  for (size_t i = 0; i < count; ++i) {
    if (!valid && !parts[i].why) parts[i].why = first_error(w->diags, from);
    merged += !parts[i].why;
  }
  return merged;
}

LLVMModuleRef merge_parts(MergePart *parts, size_t count, const Strings *wraps, const char *name,
                          LLVMContextRef *context) {
  for (size_t i = 0; i < count; ++i) count_part(&parts[i]);
  for (;;) {
    Whole w = {.wraps = wraps, .diags = diags_new()};
    *context = module_context(w.diags);
    w.module = LLVMModuleCreateWithNameInContext(name, *context);
    w.linker = linker_new(w.module);
    bool done = add_all(&w, parts, count);
    bool good = done && any_merged(&w, parts, count, name);
    linker_free(w.linker);
    LLVMContextSetDiagnosticHandler(*context, NULL, NULL);
    diags_free(w.diags);
    if (good) return w.module;
    LLVMDisposeModule(w.module);
    LLVMContextDispose(*context);
    *context = NULL;
    if (done) return NULL;
  }
}
