#include <llvm-c/Core.h>
#include <stdlib.h>
#include "capture/capture.h"
#include "options.h"
#include "app/app.h"
#include "verbs.h"

enum { OUT, BITCODE, LEVEL };
static const Option options[] = {
    {"-o", "OUT", "the program to write (required)", NULL},
    {"--bc", "FILE", "use this module instead of the stored one", NULL},
    {"-O", "LEVEL", "optimize at this level, 0 to 3 (default: as APP was compiled)", NULL}};
static const Usage usage = {
    "relink",
    "APP -o OUT [--bc FILE] [-O LEVEL]",
    "Compiles the module in APP and links it as APP was linked. Needs none of the objects and archives\n"
    "that APP was made from: code without bitcode is stored in APP too. Shared libraries and the\n"
    "system's own objects are taken from where they are. OUT holds the module and recipe again.",
    "  specialize relink app -o app2\n"
    "  specialize get-bc app -o app.bc && opt-19 -passes=… app.bc -o new.bc\n"
    "  specialize relink app --bc new.bc -o app2\n",
    options,
    sizeof options / sizeof *options,
    0};

static bool level_of(const char *text, int *level, Diags *d) {
  if (!text) return true;
  if (strlen(text) != 1 || *text < '0' || *text > '3')
    return diag_error(d, "-O must be 0, 1, 2 or 3, not '%s'", text), false;
  *level = *text - '0';
  return true;
}

static bool make_object(App *a, const char *name, const char *level, Bytes *object, Diags *d) {
  EmitOptions o = emit_options(&a->recipe, d);
  if (!level_of(level, &o.level, d)) return false;
  LLVMContextRef c = module_context(d);
  LLVMModuleRef m = module_parse(c, span_of(a->module.at, a->module.len), name, d);
  bool ok = m && module_verify(m, name, d);
  LLVMTargetMachineRef tm = ok ? emit_machine(m, &o, d) : NULL;
  ok = tm && emit_optimize(m, tm, &o, d) && emit_object(m, tm, object, d);
  if (tm) LLVMDisposeTargetMachine(tm);
  if (m) LLVMDisposeModule(m);
  LLVMContextDispose(c);
  return ok;
}

static bool other_module(const char *path, App *a, Diags *d) {
  if (!path) return true;
  vec_free(&a->module);
  int err = file_read(path, &a->module);
  if (err) diag_error(d, "%s: %s", path, strerror(err));
  return !err;
}

int verb_relink(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  const char *app = p.operands.at[0], *out = p.value[OUT];
  Diags *d = diags_new();
  App a;
  env_check(d);
  if (!out) diag_error(d, "-o FILE is required");
  if (out && app_read(app, &a, d)) {
    Bytes object = {0};
    const char *name = p.value[BITCODE] ? p.value[BITCODE] : app;
    if (other_module(p.value[BITCODE], &a, d) && make_object(&a, name, p.value[LEVEL], &object, d) &&
        link_again(&a.recipe, span_of(object.at, object.len), NULL, out, d))
      app_write(out, span_of(a.module.at, a.module.len), &a.recipe, d);
    vec_free(&object);
    app_free(&a);
  }
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
