#include <llvm-c/Core.h>
#include <unistd.h>
#include "ir/ir.h"
#include "options.h"
#include "app/app.h"
#include "verbs.h"

enum { OUT, TEXT, RECIPE };
static const Option options[] = {
    {"-o", "FILE", "output file; - is standard output (default: APP.bc)", NULL},
    {"--text", NULL, "write LLVM IR as text (default file: APP.ll)", NULL},
    {"--recipe", NULL, "print how APP was linked, and from which objects", NULL}};
static const Usage usage = {
    "get-bc",
    "APP [-o FILE] [--text | --recipe]",
    "Writes the module that specialize-cc stored in APP: the bitcode of the whole program or shared\n"
    "library, from before optimization, joined from exactly the objects that its link took.",
    "  specialize get-bc app -o app.bc\n"
    "  specialize get-bc app --text -o - | less\n",
    options,
    sizeof options / sizeof *options,
    0};

static void to_text(const char *app, Bytes *code, Diags *d) {
  LLVMContextRef c = module_context(d);
  LLVMModuleRef m = module_parse(c, span_of(code->at, code->len), app, d);
  if (m) {
    char *text = LLVMPrintModuleToString(m);
    code->len = 0;
    bytes_text(code, text);
    LLVMDisposeMessage(text);
    LLVMDisposeModule(m);
  }
  LLVMContextDispose(c);
}

static void write_bitcode(const char *name, const Bytes *b, Diags *d) {
  if (!strcmp(name, "-") && isatty(1))
    diag_error(d, "not writing bitcode to a terminal; give a file with -o, or use --text");
  else
    write_out(name, b, d);
}

int verb_get_bc(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  const char *app = p.operands.at[0];
  Diags *d = diags_new();
  App a;
  env_check(d);
  if (app_read(app, &a, d)) {
    Bytes text = {0}, files = {0};
    if (p.value[RECIPE]) {
      recipe_write(&a.recipe, &text, &files);
      write_out(p.value[OUT] ? p.value[OUT] : "-", &text, d);
    } else {
      char *name =
          p.value[OUT] ? mem_string(p.value[OUT]) : mem_format("%s.%s", app, p.value[TEXT] ? "ll" : "bc");
      if (p.value[TEXT]) to_text(app, &a.module, d);
      if (!diags_errors(d)) (p.value[TEXT] ? write_out : write_bitcode)(name, &a.module, d);
      mem_free(name);
    }
    vec_free(&text), vec_free(&files);
    app_free(&a);
  }
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
