// The second half of a link with the wrapper: what the linker took is known (cc_link.c wrote it down); join
// the bitcode, note the recipe, put both into the program. A process of its own because it loads LLVM.
#include <llvm-c/Core.h>
#include <stdlib.h>
#include "relink_plan.h"
#include "specializer.h"
#include "verbs.h"

enum { NAMES_SHOWN = 20 };

typedef struct {
  char *directory, *linker, *output;
  Args args;
  Trace trace;
} Taken;

static bool taken_read(const char *path, Taken *t) {
  Bytes text = {0};
  if (file_read(path, &text)) return false;
  Fields f = fields_open(span_of(text.at, text.len));
  while (fields_next(&f)) {
    char *value = f.value;
    f.value = NULL;
    if (!strcmp(f.key, "directory"))
      t->directory = value;
    else if (!strcmp(f.key, "linker"))
      t->linker = value;
    else if (!strcmp(f.key, "output"))
      t->output = value;
    else if (!strcmp(f.key, "arg"))
      vec_push(&t->args, value);
    else if (!strcmp(f.key, "took"))
      vec_push(&t->trace, ((Traced){value, NULL}));
    else if (!strcmp(f.key, "member") && t->trace.len)
      vec_last(&t->trace).member = value;
  }
  bool good = !f.wrong && t->directory && t->linker && t->output;
  fields_close(&f);
  vec_free(&text);
  return good;
}

static void taken_free(Taken *t) {
  mem_free(t->directory), mem_free(t->linker), mem_free(t->output);
  args_free(&t->args);
  trace_free(&t->trace);
}

static LLVMModuleRef merge_objects(ObjectList *objects, const LdArgs *args, const char *output,
                                   Recipe *recipe, LLVMContextRef *context) {
  MergePart *parts = mem_array(objects->len + 1, sizeof *parts);
  Strings wraps = {0};
  for (vec_each(i, args))
    if (args->at[i].kind == LD_WRAP && args->at[i].value) vec_push(&wraps, args->at[i].value);
  for (vec_each(i, objects)) {
    Object *o = &objects->at[i];
    parts[i] = (MergePart){.name = o->name, .bitcode = o->bitcode, .why = o->why};
    if (elf_is(o->data)) parts[i].object = o->data;
  }
  LLVMModuleRef m = merge_parts(parts, objects->len, &wraps, file_base(output), context);
  for (vec_each(i, objects)) {
    Object *o = &objects->at[i];
    o->why = parts[i].why;
    if (o->why) vec_free(&o->bitcode);
    if (o->system && o->why) continue;
    LinkPart part = {mem_string(o->name), o->why ? mem_string(o->why) : NULL,
                     o->flags && *o->flags ? mem_string(o->flags) : NULL, parts[i].functions};
    vec_push(&recipe->parts, part);
  }
  mem_free(parts);
  vec_free(&wraps);
  return m;
}

static void warn_missing(const Recipe *r, const char *output, Diags *d) {
  size_t missing = 0, shown = 0;
  for (vec_each(i, &r->parts)) missing += r->parts.at[i].why != NULL;
  if (!missing) return;
  if (missing == r->parts.len)
    diag_warning(d, "%s: nothing captured: no usable bitcode in any of its %zu objects", output, missing);
  else
    diag_warning(d, "%s: captured only in part: no usable bitcode in %zu of its %zu objects", output, missing,
                 r->parts.len);
  for (vec_each(i, &r->parts)) {
    const LinkPart *p = &r->parts.at[i];
    if (p->why && shown++ < NAMES_SHOWN) diag_note(d, "%s: %s", p->name, p->why);
  }
  if (missing > NAMES_SHOWN)
    diag_note(d, "and %zu more; `specialize doctor %s` lists them all", missing - NAMES_SHOWN, output);
}

static void store(const Taken *t, Objects *objects, Diags *d) {
  Recipe recipe = {mem_string(t->linker), mem_string(t->directory), mem_string(t->output), {0}, {0}, {0}};
  LdArgs args = {0};
  LLVMContextRef context = NULL;
  ld_args_read(&t->args, &args);
  ObjectList *list = objects_list(objects);
  LLVMModuleRef m = merge_objects(list, &args, t->output, &recipe, &context);
  relink_plan(&args, &t->trace, list, t->directory, &recipe);
  warn_missing(&recipe, t->output, d);
  if (m) {
    Bytes code = {0};
    module_bitcode(m, &code);
    app_write(t->output, span_of(code.at, code.len), &recipe, d);
    vec_free(&code);
    LLVMDisposeModule(m);
    LLVMContextDispose(context);
  }
  ld_args_free(&args);
  recipe_free(&recipe);
}

static bool is_program(const char *path) {
  Diags *quiet = diags_new();
  Loaded l = {0};
  LLVMValueRef main = loaded_open(path, &l, quiet) ? LLVMGetNamedFunction(l.module, "main") : NULL;
  bool has_main = main && !LLVMIsDeclaration(main);
  loaded_free(&l);
  diags_free(quiet);
  return has_main;
}

// With SPECIALIZE_SIGMA, the program of that name becomes the one that keeps these schedules. If it cannot,
// the plain program stays, and that is said.
static void keep_schedules(const char *output, Diags *d) {
  const char *path = getenv("SPECIALIZE_SIGMA");
  if (!path || !*path || !is_program(output)) return;
  Diags *why = diags_new();
  Loaded l = {0};
  SpecializerOptions o = {.out = output};
  const char *leaves = getenv("SPECIALIZE_ON_DIVERGENCE");
  bool understood =
      !leaves || !*leaves || specializer_divergence(leaves, "SPECIALIZE_ON_DIVERGENCE", &o.free, why);
  Sigma *s = understood ? sigma_read(path, why) : NULL;
  bool mine = !s || !strcmp(sigma_text(s, s->program), file_base(output));
  if (s && mine && loaded_open(output, &l, why)) specializer_build(&l, output, s, &o, why);
  for (size_t i = 0; i < diags_count(why); ++i) {
    const Diag *one = diags_at(why, i);
    DiagKind kind = one->kind == DIAG_ERROR ? DIAG_WARNING : one->kind;
    diag(d, kind, (Place){one->file, one->line, one->column}, "%s", one->text);
  }
  if (diags_errors(why))
    diag_warning(d, "%s: NOT SPECIALIZED: this is the plain program (SPECIALIZE_SIGMA=%s)", output, path);
  loaded_free(&l);
  sigma_free(s);
  diags_free(why);
}

int verb_capture_link(int argc, char **argv) {
  Taken t = {0};
  Diags *d = diags_new();
  env_check(d);
  if (argc != 2 || !taken_read(argv[1], &t)) {
    fprintf(stderr, "specialize: capture-link is called by specialize-cc only\n");
    return 2;
  }
  Objects *objects = objects_open(&t.trace);
  store(&t, objects, d);
  keep_schedules(t.output, d);
  diags_print(d, stderr, "specialize-cc");
  objects_free(objects);
  taken_free(&t);
  diags_free(d);
  return 0;
}
