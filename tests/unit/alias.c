// Points-to sets: each file of tests/alias says what its pointers point to.
#undef NDEBUG
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include <llvm-c/BitReader.h>
#include "parse.h"
#include "alias/alias.h"

static LLVMModuleRef compile(LLVMContextRef c, const char *path) {
  char out[] = P_tmpdir "/aliasXXXXXX";
  int fd = mkstemp(out);
  assert(fd >= 0);
  bool cxx = strstr(path, ".cc") != NULL;
  char *command = mem_format(
      "%s -x %s -w -g -O1 -fno-discard-value-names -Xclang -disable-llvm-passes -c -emit-llvm "
      "-I%s/tests/alias '%s' -o %s",
      CLANG, cxx ? "c++" : "c", SPEC_SOURCE, path, out);
  int status = system(command);
  Bytes b = {0};
  Diags *d = diags_new();
  if (status || file_read(out, &b)) fprintf(stderr, "%s: cannot be compiled\n", path), exit(1);
  LLVMModuleRef m = module_parse(c, span_of(b.at, b.len), path, d);
  assert(m && close(fd) == 0 && unlink(out) == 0);
  vec_free(&b);
  diags_free(d);
  mem_free(command);
  return m;
}

static char *object_name(const Alias *a, uint32_t o) {
  AliasObject x = alias_object(a, o);
  size_t len;
  if (x.kind == ALIAS_UNKNOWN) return mem_string("?");
  if (x.kind == ALIAS_HIDDEN) return alias_name(a, o);
  const char *name = LLVMGetValueName2(x.value, &len);
  if (x.kind == ALIAS_LIBRARY) return mem_format("lib:%s", name);
  if (x.kind == ALIAS_VARARGS) return mem_format("more:%s", name);
  if (x.kind == ALIAS_HEAP && LLVMIsAFunction(x.value)) return mem_format("new:%s", name);
  if (x.kind == ALIAS_HEAP) return mem_format("new:%u:%u", where(x.value).line, where(x.value).column);
  return mem_string(name);
}

static int by_text(const void *x, const void *y) {
  return strcmp(*(char *const *)x, *(char *const *)y);
}

static char *describe(const Alias *a, LLVMValueRef pointer) {
  AliasRanges r = {0};
  Strings parts = {0};
  Bytes out = {0};
  alias_points_to(a, pointer, &r);
  for (vec_each(i, &r)) {
    char *name = object_name(a, r.at[i].object), *more;
    long long first = r.at[i].first, stride = r.at[i].stride, end = r.at[i].end;
    if (stride && r.at[i].end != INT64_MAX)
      more = mem_format("%s+%lld%%%lld<%lld", name, first, stride, end);
    else if (stride)
      more = mem_format("%s+%lld%%%lld", name, first, stride);
    else
      more = first ? mem_format("%s+%lld", name, first) : mem_string(name);
    mem_free(name);
    vec_push(&parts, more);
  }
  if (parts.len) qsort(parts.at, parts.len, sizeof *parts.at, by_text);
  for (vec_each(i, &parts)) {
    if (i) bytes_text(&out, " ");
    bytes_text(&out, parts.at[i]);
  }
  vec_push(&out, 0);
  strings_free(&parts);
  vec_free(&r);
  return (char *)out.at;
}

static const char *text_of(LLVMValueRef v) {
  size_t len;
  v = LLVMIsAGlobalVariable(v);
  assert(v);
  LLVMValueRef text = LLVMGetInitializer(v);
  return LLVMGetValueKind(text) == LLVMConstantDataArrayValueKind ? LLVMGetAsString(text, &len) : "";
}

static unsigned check_call(const Alias *a, LLVMValueRef call, const char *name, const char *path) {
  LLVMValueRef p = LLVMGetOperand(call, 0);
  bool bad = false;
  if (!strcmp(name, "expect")) {
    char *is = describe(a, p);
    const char *should = text_of(LLVMGetOperand(call, 1));
    bad = strcmp(is, should) != 0;
    if (bad) fprintf(stderr, "%s:%u: points to \"%s\", not \"%s\"\n", path, where(call).line, is, should);
    mem_free(is);
  } else {
    AliasRanges r = {0};
    alias_points_to(a, p, &r);
    assert(r.len == 1);
    bad = alias_object(a, r.at[0].object).escaped != !strcmp(name, "expect_escaped");
    if (bad) fprintf(stderr, "%s:%u: not as expected: %s\n", path, where(call).line, name);
    vec_free(&r);
  }
  return bad;
}

static unsigned checks;

static unsigned check(const char *path) {
  static const char *const rows[] = {"", "expect expect_escaped expect_private", NULL};
  AliasOptions options = {.summaries = rows};
  LLVMContextRef c = LLVMContextCreate();
  LLVMModuleRef m = compile(c, path);
  Alias *a = alias_new(m, &options, NULL);
  unsigned bad = 0, before = checks;
  for (all_functions(f, m))
    for (all_blocks(b, f))
      for (all_insts(i, b)) {
        LLVMValueRef callee = call_is(i) ? call_function(i) : NULL;
        size_t len;
        const char *name = callee ? LLVMGetValueName2(callee, &len) : "";
        if (strncmp(name, "expect", 6)) continue;
        checks++;
        bad += check_call(a, i, name, path);
      }
  assert(checks > before);
  alias_free(a);
  LLVMDisposeModule(m);
  LLVMContextDispose(c);
  return bad;
}

int main(int argc, char **argv) {
  const char *dir = SPEC_SOURCE "/tests/alias";
  unsigned bad = 0, files = 0;
  for (int i = 1; i < argc; ++i) bad += check(argv[i]);
  if (argc > 1) return bad != 0;
  struct dirent **list;
  int n = scandir(dir, &list, NULL, alphasort);
  assert(n > 0);
  for (int i = 0; i < n; ++i) {
    const char *name = list[i]->d_name, *end = strrchr(name, '.');
    char *path = mem_format("%s/%s", dir, name);
    if (end && (!strcmp(end, ".c") || !strcmp(end, ".cc"))) bad += check(path), files++;
    mem_free(path);
    free(list[i]);
  }
  free(list);
  printf("%u files, %u pointers, %u wrong\n", files, checks, bad);
  assert(files >= 60);
  return bad != 0;
}
