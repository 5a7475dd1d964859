#include "doctor.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WIDTH = 100 };
static int troubles;

static void good(const char *what, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void good(const char *what, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  printf("  ok    %-10s %s\n", what, text);
  mem_free(text);
}

static void bad(const char *what, const char *advice, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void bad(const char *what, const char *advice, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  printf("  BAD   %-10s %s\n        %-10s %s\n", what, text, "", advice);
  mem_free(text);
  ++troubles;
}

// The first line that a program prints; NULL if it cannot be run or fails.
static char *first_line(const char *program, const char *option, const char *option2) {
  Args a = {0};
  Bytes out = {0};
  args_add(&a, program);
  args_add(&a, option);
  if (option2) args_add(&a, option2);
  int status = run_collect(args_done(&a), &out);
  args_free(&a);
  char *line = status == 0 ? mem_format("%.*s", (int)out.len, (char *)out.at) : NULL;
  if (line) line[strcspn(line, "\n")] = 0;
  vec_free(&out);
  return line;
}

static void check_clang(bool cxx) {
  const char *what = cxx ? "clang++" : "clang";
  char *clang = clang_path(cxx), *version = first_line(clang, "--version", NULL);
  if (!version)
    bad(what, "install clang-19 (apt install clang-19), or set SPECIALIZE_CLANG to a clang 19",
        "cannot run %s: %s", clang, strerror(errno));
  else if (!strstr(version, " version 19."))
    bad(what, "bitcode of another version may not be readable; use a clang 19", "%s is %s, not version 19",
        clang, version);
  else
    good(what, "%s: %s", clang, version);
  mem_free(clang), mem_free(version);
}

static void check_linker(void) {
  char *clang = clang_path(false), *dir = self_dir();
  char *ours = mem_format("%s/" SPECIALIZE_LD_PATH, dir);
  char *real = first_line(clang, "-print-prog-name=ld", NULL);
  if (access(ours, X_OK))
    bad("wrapper", "reinstall Specialize: specialize-cc needs this file to link", "%s: %s", ours,
        strerror(errno));
  else
    good("wrapper", "%s/specialize-cc", dir);
  char *version = real ? first_line(real, "--version", NULL) : NULL;
  if (version)
    good("linker", "%s: %s", real, version);
  else
    bad("linker", "install a linker (apt install binutils)", "cannot run %s", real ? real : "ld");
  mem_free(clang), mem_free(dir), mem_free(ours), mem_free(real), mem_free(version);
}

static void check_temp(void) {
  char *dir = file_temp_dir();
  if (!dir)
    bad("temporary", "set TMPDIR to a writable directory", "no temporary directory: %s", strerror(errno));
  else {
    good("temporary", "%s is writable", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    file_remove_tree(dir);
  }
  mem_free(dir);
}

// A program goes in, its bitcode comes out.
static const char *try_build(const char *dir) {
  static const char source[] =
      "int doctor_probe(int x) { return x + 1; }\n"
      "int main(int argc, char **argv) { (void)argv; return doctor_probe(argc) != 2; }\n";
  char *c = file_join(dir, "probe.c"), *out = file_join(dir, "probe"), *self = self_dir();
  Args a = {0};
  Diags *d = diags_new();
  App app;
  const char *wrong = NULL;
  args_addf(&a, "%s/specialize-cc", self);
  args_add(&a, c), args_add(&a, "-o"), args_add(&a, out);
  if (file_write(c, source, sizeof source - 1, 0)) wrong = "cannot write to the temporary directory";
  if (!wrong && run_wait(args_done(&a), -1)) wrong = "specialize-cc could not build it";
  if (!wrong && !app_read(out, &app, d))
    wrong = "it was built, but contains no bitcode";
  else if (!wrong)
    app_free(&app);
  char *run[] = {out, NULL};
  if (!wrong && run_wait(run, -1)) wrong = "it was built, but does not run";
  diags_free(d);
  args_free(&a);
  mem_free(c), mem_free(out), mem_free(self);
  return wrong;
}

static void check_build(void) {
  char *dir = file_temp_dir();
  const char *wrong = dir ? try_build(dir) : "no temporary directory";
  if (env_on("SPECIALIZE_PASSTHROUGH"))
    bad("capture", "unset SPECIALIZE_PASSTHROUGH", "turned off by SPECIALIZE_PASSTHROUGH");
  else if (wrong)
    bad("capture", "the messages above say why", "a small program: %s", wrong);
  else
    good("capture", "a small program was built, contains its bitcode, and runs");
  if (dir) file_remove_tree(dir);
  mem_free(dir);
}

size_t doctor_installation(void) {
  printf("specialize " SPECIALIZE_VERSION ", LLVM " SPECIALIZE_LLVM "\n");
  fflush(stdout);
  check_clang(false);
  check_clang(true);
  check_linker();
  check_temp();
  fflush(stdout);
  check_build();
  printf(troubles ? "\nFix the %d problem(s) above first.\n"
                  : "\nEverything is ready: build with CC=specialize-cc.\n",
         troubles);
  return (size_t)troubles;
}

static unsigned count_code(const char *name, const App *a, Diags *d) {
  unsigned defined = 0;
  LLVMContextRef c = module_context(d);
  LLVMModuleRef m = module_parse(c, span_of(a->module.at, a->module.len), name, d);
  for (LLVMValueRef f = m ? LLVMGetFirstFunction(m) : NULL; f; f = LLVMGetNextFunction(f))
    defined += !LLVMIsDeclaration(f);
  if (m) LLVMDisposeModule(m);
  LLVMContextDispose(c);
  return defined;
}

// A text that others may have written, in a line of ours.
static void show(const char *line, const char *text) {
  char *s = shown(text);
  const char *at = strstr(line, "%s");
  printf("%.*s%s%s", (int)(at - line), line, s, at + 2);
  mem_free(s);
}

// All that a stored link would do, before anybody does it.
static void show_recipe(const Recipe *r) {
  show("  linked in   %s\n", r->directory);
  show("  by          %s\n  link        ", r->linker);
  size_t column = 14;
  for (vec_each(i, &r->args)) {
    const LinkArg *a = &r->args.at[i];
    const char *behind = a->kind == LINK_PATH     ? a->path
                         : a->kind == LINK_STORED ? r->files.at[a->file].name
                         : a->kind == LINK_MODULE ? "the module"
                                                  : "";
    bool own = a->kind == LINK_STORED || a->kind == LINK_MODULE;
    char *text = mem_format(own ? "%s[%s]" : "%s%s", a->text, behind);
    bool wraps = column > 14 && column + strlen(text) > WIDTH;
    printf(wraps ? "\n              " : column > 14 ? " " : "");
    show("%s", text);
    column = (wraps ? 14 : column + 1) + strlen(text);
    mem_free(text);
  }
  printf("\n");
}

bool doctor_app(const char *name, bool *whole, Diags *d) {
  App a;
  if (!app_read(name, &a, d)) return false;
  unsigned all = 0, with = 0;
  size_t parts = a.recipe.parts.len, missing = 0;
  for (vec_each(i, &a.recipe.parts)) {
    const LinkPart *p = &a.recipe.parts.at[i];
    all += p->functions;
    with += p->why ? 0 : p->functions;
    missing += p->why != NULL;
  }
  unsigned defined = count_code(name, &a, d);
  show("%s\n", name);
  show_recipe(&a.recipe);
  printf("  objects     %zu of %zu have bitcode\n", parts - missing, parts);
  printf("  functions   %u of %u in the machine code of these objects (%.1f %%); %u in the module\n", with,
         all, all ? 100.0 * with / all : 100.0, defined);
  for (vec_each(i, &a.recipe.parts)) {
    const LinkPart *p = &a.recipe.parts.at[i];
    if (p->why) show("  without     %s: ", p->name), show("%s\n", p->why);
  }
  if (missing)
    printf("\nCompile these with specialize-cc too; otherwise the analyses cannot see their code.\n");
  app_free(&a);
  *whole = !missing;
  return true;
}
