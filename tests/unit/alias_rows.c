// Each row of ir/library.def that speaks of memory: what a call of its first function is seen to do.
// tests/alias/rows.txt says what it should be; UPDATE=1 rewrites that. A row without an effect of its own, or
// that nobody would miss, fails.
#undef NDEBUG
#include <stdlib.h>
#include "alias/alias.h"
#include "parse.h"

enum { ARGS = 6 };
static const struct {
  const char *words, *names;
} rows[] = {
#define ROW(words, names) {words, names},
#include "ir/library.def"
};

// Argument k may be an object ok, which holds the address of ik, or a function fk.
static LLVMModuleRef module_of(LLVMContextRef c, const char *name) {
  Bytes text = {0};
  char *line = mem_format("declare ptr @\"%s\"(ptr, ptr, ptr, ptr, ptr, ptr)\n", name);
  bytes_text(&text, line), mem_free(line);
  bytes_text(&text, "declare ptr @valloc(i64)\n");
  for (int k = 0; k < ARGS; ++k) {
    line = mem_format("define internal ptr @f%d(ptr %%a, ptr %%b, ptr %%c) {\n  ret ptr %%b\n}\n", k);
    bytes_text(&text, line), mem_free(line);
  }
  bytes_text(&text, "define i32 @main(i1 %which) {\n");
  for (int k = 0; k < ARGS; ++k) {
    line = mem_format(
        "  %%o%d = call ptr @valloc(i64 32)\n  %%i%d = call ptr @valloc(i64 32)\n  store ptr %%i%d, ptr "
        "%%o%d\n"
        "  %%p%d = select i1 %%which, ptr %%o%d, ptr @f%d\n",
        k, k, k, k, k, k, k);
    bytes_text(&text, line), mem_free(line);
  }
  line = mem_format(
      "  %%result = call ptr @\"%s\"(ptr %%p0, ptr %%p1, ptr %%p2, ptr %%p3, ptr %%p4, ptr %%p5)\n", name);
  bytes_text(&text, line), mem_free(line);
  for (int k = 0; k < ARGS; ++k) {
    line = mem_format("  %%held%d = load ptr, ptr %%o%d\n  %%deep%d = load ptr, ptr %%i%d\n", k, k, k, k);
    bytes_text(&text, line), mem_free(line);
  }
  bytes_text(&text, "  ret i32 0\n}\n");
  vec_push(&text, 0);
  LLVMModuleRef m = parse(c, (const char *)text.at);
  vec_free(&text);
  return m;
}

static char *object_name(const Alias *a, uint32_t o) {
  AliasObject x = alias_object(a, o);
  size_t len;
  if (x.kind == ALIAS_UNKNOWN) return mem_string("?");
  const char *made = x.kind == ALIAS_HEAP ? LLVMGetValueName2(x.value, &len) : NULL;
  if (made && !strcmp(made, "result")) return mem_string("new");
  if (x.kind == ALIAS_LIBRARY) return mem_string("library");
  return x.value ? mem_string(LLVMGetValueName2(x.value, &len)) : alias_name(a, o);
}

static int by_text(const void *x, const void *y) {
  return strcmp(*(char *const *)x, *(char *const *)y);
}

// In the order of names, for objects are numbered as they are met.
static void add_sorted(Bytes *out, const char *what, Strings *parts) {
  if (parts->len) {
    qsort(parts->at, parts->len, sizeof *parts->at, by_text);
    bytes_text(out, "  "), bytes_text(out, what), bytes_text(out, ":");
  }
  for (vec_each(i, parts)) {
    if (i && !strcmp(parts->at[i], parts->at[i - 1])) continue;
    bytes_text(out, " "), bytes_text(out, parts->at[i]);
  }
  if (parts->len) bytes_text(out, "\n");
  strings_free(parts);
  *parts = (Strings){0};
}

static char *place_name(const Alias *a, const AliasRange *r, bool bytes) {
  char *object = object_name(a, r->object), *more = mem_string("");
  if (r->object && (r->first || r->stride)) {
    mem_free(more);
    more = mem_format("+%lld%%%lld", (long long)r->first, (long long)r->stride);
  }
  char *size =
      bytes && r->object && r->bytes < ALIAS_REST ? mem_format(":%lld", (long long)r->bytes) : mem_string("");
  char *all = mem_format("%s%s%s", object, more, size);
  mem_free(object), mem_free(more), mem_free(size);
  return all;
}

static void add_set(Bytes *out, const Alias *a, const char *what, LLVMValueRef pointer, const char *usual) {
  AliasRanges r = {0};
  Strings parts = {0};
  alias_points_to(a, pointer, &r);
  for (vec_each(i, &r)) vec_push(&parts, place_name(a, &r.at[i], false));
  bool as_usual = parts.len == 1 && usual && !strcmp(parts.at[0], usual);
  if (as_usual)
    strings_free(&parts);
  else
    add_sorted(out, what, &parts);
  vec_free(&r);
}

static void add_accesses(Bytes *out, const Alias *a, LLVMValueRef call) {
  static const char *const words[] = {"reads", "writes", "frees"};
  AliasAccesses all = {0};
  alias_accesses(a, call, &all);
  for (int bit = 0; bit < 3; ++bit) {
    Strings parts = {0};
    for (vec_each(i, &all))
      for (size_t k = 0; all.at[i].kind & 1u << bit && k < all.at[i].ranges.len; ++k)
        if (alias_object(a, all.at[i].ranges.at[k].object).kind != ALIAS_FUNCTION)
          vec_push(&parts, place_name(a, &all.at[i].ranges.at[k], true));
    add_sorted(out, words[bit], &parts);
  }
  alias_accesses_free(&all);
}

static void add_escaped(Bytes *out, const Alias *a) {
  Strings parts = {0};
  for (uint32_t o = 1; o < alias_count(a); ++o) {
    AliasObject x = alias_object(a, o);
    size_t len;
    bool asked =
        x.kind == ALIAS_HEAP || (x.kind == ALIAS_FUNCTION && LLVMGetValueName2(x.value, &len)[0] == 'f' &&
                                 !LLVMIsDeclaration(x.value));
    if (x.escaped && asked) vec_push(&parts, object_name(a, o));
  }
  add_sorted(out, "escape", &parts);
}

static void observe(Bytes *out, const char *name) {
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = module_of(c, name);
  Alias *a = alias_new(m, NULL, NULL);
  LLVMValueRef call = local_of(m, "main", "result");
  add_accesses(out, a, call);
  add_set(out, a, "returns", call, NULL);
  for (int k = 0; k < ARGS; ++k) {
    char held[16], deep[16], inner[16];
    snprintf(held, sizeof held, "held%d", k), snprintf(deep, sizeof deep, "deep%d", k);
    snprintf(inner, sizeof inner, "i%d", k);
    add_set(out, a, held, local_of(m, "main", held), inner);
    add_set(out, a, deep, local_of(m, "main", deep), NULL);
    char function[16];
    snprintf(function, sizeof function, "f%d", k);
    for (unsigned p = 0; p < 3; ++p) {
      char *what = mem_format("%s gets %u", function, p);
      add_set(out, a, what, LLVMGetParam(LLVMGetNamedFunction(m, function), p), NULL);
      mem_free(what);
    }
  }
  for (uint32_t t = 1; t < alias_threads(a); ++t)
    if (alias_thread(a, t).start) bytes_text(out, "  starts a thread\n");
  add_escaped(out, a);
  alias_free(a);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
}

// Of a pattern, something that it stands for.
static char *first_name(const char *names) {
  const char *at = names + strspn(names, " ");
  size_t n = strcspn(at, " ");
  char *name = mem_format("%.*s", (int)n, at);
  const char *f = name;
  for (size_t i = 0; name[n - 1] == '*' && !strncmp(name, "_Z", 2) && (f = libstdcxx_function(i)); ++i) {
    if (!library_matches(name, f) || library_find(f, true) != library_find(name, false)) continue;
    mem_free(name);
    return mem_string(f);
  }
  assert(f);
  if (name[n - 1] == '*') name[n - 1] = '_';
  return name;
}

int main(void) {
  Bytes all = {0}, unknown = {0}, wanted = {0};
  const char *path = SPEC_SOURCE "/tests/alias/rows.txt";
  unsigned bad = 0;
  observe(&unknown, "nobody_knows_it");
  for (size_t row = 0; row < sizeof rows / sizeof *rows; ++row) {
    if (strstr(rows[row].words, "mem?")) continue;
    char *name = first_name(rows[row].names);
    Bytes one = {0};
    observe(&one, name);
    bool same = one.len == unknown.len && !memcmp(one.at, unknown.at, one.len);
    if (same) fprintf(stderr, "%s: as if there were no row\n", name);
    bad += same;
    bytes_text(&all, name), bytes_text(&all, "\n");
    vec_append(&all, one.at, one.len);
    vec_free(&one);
    mem_free(name);
  }
  const char *update = getenv("UPDATE");
  if (update && *update == '1') return file_write(path, all.at, all.len, 0666) != 0;
  if (file_read(path, &wanted) || wanted.len != all.len || memcmp(wanted.at, all.at, all.len)) {
    fprintf(stderr, "not what %s says; UPDATE=1 writes it anew\n", path);
    bad++;
  }
  vec_free(&all), vec_free(&unknown), vec_free(&wanted);
  return bad != 0;
}
