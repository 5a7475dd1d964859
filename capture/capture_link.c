#include "capture_link.h"
#include <llvm-c/Core.h>
#include <stdlib.h>
#include "merge.h"
#include "objects.h"
#include "relink_plan.h"
#include "ir/ir.h"

enum { NAMES_SHOWN = 20 };

typedef struct {
  char *directory, *linker, *output;
  Args args;
  Trace trace;
} Taken;

static bool read_taken(int fd, Taken *t) {
  Bytes text = {0};
  if (file_read_fd(fd, &text)) return vec_free(&text), false;
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

static void free_taken(Taken *t) {
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

// What cannot be linked again is better said now.
static const char *role_of(const Taken *t, Diags *d) {
  const char *role = linker_role(t->linker);
  if (role) return role;
  diag_warning(d, "%s: %s is no linker that can be named in it; to link it again, ld is used", t->output,
               t->linker);
  return "ld";
}

static void tell_refused(const Recipe *r, const char *output, Diags *d) {
  Strings all = {0};
  for (vec_each(i, &r->args)) {
    const LinkArg *a = &r->args.at[i];
    vec_push(&all, mem_format("%s%s", a->text,
                              a->kind == LINK_PATH     ? a->path
                              : a->kind == LINK_STORED ? r->files.at[a->file].name
                                                       : ""));
  }
  char *why = linker_refuses(&all);
  if (why) diag_warning(d, "%s: cannot be linked again: %s", output, why);
  mem_free(why);
  strings_free(&all);
}

static void store(const Taken *t, Objects *objects, Diags *d) {
  Recipe recipe = {mem_string(role_of(t, d)), mem_string(t->directory), mem_string(t->output), {0}, {0}, {0}};
  LdArgs args = {0};
  LLVMContextRef context = NULL;
  ld_args_read(&t->args, &args);
  ObjectList *list = objects_list(objects);
  LLVMModuleRef m = merge_objects(list, &args, t->output, &recipe, &context);
  relink_plan(&args, &t->trace, list, t->directory, &recipe);
  warn_missing(&recipe, t->output, d);
  tell_refused(&recipe, t->output, d);
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

char *capture_link(int taken, Diags *d) {
  Taken t = {0};
  char *output = NULL;
  if (read_taken(taken, &t)) {
    Objects *objects = objects_open(&t.trace);
    store(&t, objects, d);
    objects_free(objects);
    output = mem_string(t.output);
  }
  free_taken(&t);
  return output;
}
