// What the compiler wrapper calls once a program is linked. A process of its own because it loads LLVM.
#include <stdlib.h>
#include "alias/alias.h"
#include "built.h"
#include "capture/capture.h"
#include "forge/forge.h"
#include "verbs.h"

static bool is_program(const char *path) {
  Diags *quiet = diags_new();
  Program l = {0};
  LLVMValueRef main =
      program_open(path, targets_find, &l, quiet) ? LLVMGetNamedFunction(l.module, "main") : NULL;
  bool has_main = main && !LLVMIsDeclaration(main);
  program_free(&l);
  diags_free(quiet);
  return has_main;
}

// The program of the schedules under another name. Most that a build links are other programs.
static bool has_module(const char *program, const Sigma *s) {
  App app = {0};
  Diags *quiet = diags_new();
  uint8_t hash[HASH_BYTES];
  bool is =
      app_read(program, &app, quiet) && hash_module(span_of(app.module.at, app.module.len), hash, quiet);
  char *text = is ? hash_text(hash) : NULL;
  is = text && !strcmp(text, sigma_text(s, s->module));
  mem_free(text), app_free(&app);
  diags_free(quiet);
  return is;
}

// The programs that configure and CMake try a compiler with: some look whether it says anything.
static bool is_trial(const char *output) {
  const char *name = file_base(output);
  return !strncmp(name, "conftest", 8) || !strncmp(name, "cmTC_", 5) || !strcmp(name, "a.out");
}

// With SPECIALIZE_SIGMA, the program of that name becomes the one that keeps these schedules. If it cannot,
// the plain program stays, and that is said.
static void keep_schedules(const char *output, Diags *d) {
  const char *path = getenv("SPECIALIZE_SIGMA");
  if (!path || !*path || !is_program(output)) return;
  Diags *why = diags_new();
  Program l = {0};
  SpecializerOptions o = {.out = output};
  const char *leaves = getenv("SPECIALIZE_ON_DIVERGENCE");
  bool understood =
      !leaves || !*leaves || specializer_divergence(leaves, "SPECIALIZE_ON_DIVERGENCE", &o.free, why);
  Sigma *s = understood ? sigma_read(path, why) : NULL;
  bool mine = !s || !strcmp(sigma_text(s, s->program), file_base(output)) || has_module(output, s);
  if (s && !mine && !is_trial(output))
    diag_note(d, "%s: not specialized: SPECIALIZE_SIGMA=%s is for %s", output, path,
              sigma_text(s, s->program));
  SpecializerFigures figures;
  bool ok = s && mine && program_open(output, targets_find, &l, why) &&
            specializer_build(&l, output, s, &o, &figures, why);
  if (ok) built_tell(&o, &figures);
  for (size_t i = 0; i < diags_count(why); ++i) {
    const Diag *one = diags_at(why, i);
    DiagKind kind = one->kind == DIAG_ERROR ? DIAG_WARNING : one->kind;
    diag(d, kind, (Place){one->file, one->line, one->column}, "%s", one->text);
  }
  if (diags_errors(why))
    diag_warning(d, "%s: NOT SPECIALIZED: this is the ordinary program (SPECIALIZE_SIGMA=%s)", output, path);
  program_free(&l);
  sigma_free(s);
  diags_free(why);
}

int verb_capture_link(int argc, char **argv) {
  Diags *d = diags_new();
  env_check(d);
  char *output = argc == 2 ? capture_link(atoi(argv[1]), d) : NULL;
  if (!output) {
    fprintf(stderr, "specialize: capture-link is for specialize-cc only\n");
    return 2;
  }
  keep_schedules(output, d);
  diags_print(d, stderr, "specialize-cc");
  mem_free(output);
  diags_free(d);
  return 0;
}
