// Walks the arguments once. An input that is captured vanishes, the first leaves the module's place; an
// object without bitcode is stored; an archive becomes those of its members that were taken and have no
// bitcode. What the system provides stays as it was named. Paths become absolute: the relink may run
// anywhere.
#include "relink_plan.h"
#include <stdio.h>

typedef struct {
  const LdArgs *args;
  const Trace *trace;
  const ObjectList *objects;
  const char *directory;
  Recipe *recipe;
  bool *placed;  // by object
  bool module_placed, is_static;
  Strings states;  // of is_static, for --push-state: "" or "s"; not owned
} Plan;

static void add(Plan *p, LinkKind kind, const char *text, const char *path, unsigned file) {
  LinkArg a = {kind, mem_string(text), path ? mem_string(path) : NULL, file};
  vec_push(&p->recipe->args, a);
}

static void add_path(Plan *p, const char *before, const char *path) {
  char *full = file_join(p->directory, path);
  add(p, LINK_PATH, before, full, 0);
  mem_free(full);
}

static void add_stored(Plan *p, const char *before, const char *name, Span data) {
  StoredFile f = {mem_string(name), {0}};
  vec_append(&f.data, data.at, data.len);
  vec_push(&p->recipe->files, f);
  add(p, LINK_STORED, before, NULL, (unsigned)p->recipe->files.len - 1);
}

static void place(Plan *p, size_t i) {
  const Object *o = &p->objects->at[i];
  if (p->placed[i]) return;
  p->placed[i] = true;
  if (!o->bitcode.len)
    add_stored(p, "", o->name, o->data);
  else if (!p->module_placed) {
    add(p, LINK_MODULE, "", NULL, 0);
    p->module_placed = true;
  }
}

typedef struct {
  bool any, captured, ambiguous, system;
} Taken;

static Taken taken_from(const Plan *p, FileId id) {
  Taken t = {0};
  for (vec_each(i, p->objects)) {
    const Object *o = &p->objects->at[i];
    if (!same_file(o->file, id)) continue;
    t.any = true;
    t.captured |= o->bitcode.len > 0;
    t.ambiguous |= o->ambiguous;
    t.system |= o->system;
  }
  return t;
}

static bool is_archive(const char *path) {
  unsigned char head[8];
  FILE *f = fopen(path, "rb");
  size_t n = f ? fread(head, 1, sizeof head, f) : 0;
  if (f) fclose(f);
  return ar_is(span_of(head, n));
}

static bool is_system_path(const char *path) {
  return !strncmp(path, "/usr/lib", 8) || !strncmp(path, "/lib", 4);
}

// True if the file is dealt with; false if it is to be named as before.
static bool place_file(Plan *p, const char *path) {
  FileId id;
  if (!file_id(path, &id)) return false;
  Taken t = taken_from(p, id);
  bool archive = is_archive(path);
  if (archive && (t.ambiguous || (!t.captured && is_system_path(path)))) return false;
  if (!archive && (!t.any || (t.system && !t.captured))) return false;
  for (vec_each(i, p->objects))
    if (same_file(p->objects->at[i].file, id)) place(p, i);
  return true;
}

static void input(Plan *p, const LdArg *a) {
  if (!place_file(p, a->value)) add_path(p, "", a->value);
}

// As the linker looks: each -L in order, in each the shared library first unless only static ones are wanted.
static char *find_library(const Plan *p, const char *name) {
  for (vec_each(i, p->args)) {
    const LdArg *a = &p->args->at[i];
    if (a->kind != LD_DIRECTORY || !a->value) continue;
    for (int shared = !p->is_static; shared >= 0; --shared) {
      char *path = name[0] == ':' ? file_join(a->value, name + 1)
                                  : mem_format("%s/lib%s.%s", a->value, name, shared ? "so" : "a");
      if (file_exists(path)) return path;
      mem_free(path);
    }
  }
  return NULL;
}

static void library(Plan *p, const LdArg *a) {
  char *path = a->value ? find_library(p, a->value) : NULL;
  if (!path || !is_archive(path) || !place_file(p, path)) {
    if (a->apart) add(p, LINK_TEXT, a->before, NULL, 0);
    char *text = mem_format("%s%s", a->apart ? "" : a->before, a->value);
    add(p, LINK_TEXT, text, NULL, 0);
    mem_free(text);
  }
  mem_free(path);
}

static void file_option(Plan *p, const LdArg *a) {
  Bytes data = {0};
  const char *before = a->before;
  if (a->apart) {
    add(p, LINK_TEXT, a->before, NULL, 0);
    before = "";
  }
  if (!a->value)
    add(p, LINK_TEXT, a->before, NULL, 0);
  else if (file_read(a->value, &data))
    add(p, LINK_TEXT, a->value, NULL, 0);  // found through -L, like a script given by name
  else
    add_stored(p, before, file_base(a->value), span_of(data.at, data.len));
  vec_free(&data);
}

static void directory(Plan *p, const LdArg *a) {
  if (!a->value || a->value[0] == '=' || !strncmp(a->value, "$SYSROOT", 8)) {
    if (a->value) add(p, LINK_TEXT, "-L", NULL, 0), add(p, LINK_TEXT, a->value, NULL, 0);
  } else {
    add_path(p, "-L", a->value);
  }
}

static void verbatim(Plan *p, const LdArg *a) {
  Args words = {0};
  ld_arg_add(a, &words);
  for (vec_each(i, &words)) add(p, LINK_TEXT, words.at[i], NULL, 0);
  args_free(&words);
}

static void state(Plan *p, const LdArg *a) {
  const char *name = a->before + 1 + (a->before[1] == '-');
  if (!strcmp(name, "push-state")) {
    vec_push(&p->states, p->is_static ? "s" : "");
  } else if (!strcmp(name, "pop-state")) {
    if (p->states.len) p->is_static = *vec_pop(&p->states) == 's';
  } else {
    p->is_static = !strcmp(name, "Bstatic") || !strcmp(name, "dn") || !strcmp(name, "non_shared") ||
                   !strcmp(name, "static");
  }
  verbatim(p, a);
}

static void argument(Plan *p, const LdArg *a) {
  switch (a->kind) {
    case LD_INPUT:
      input(p, a);
      break;
    case LD_LIBRARY:
      library(p, a);
      break;
    case LD_DIRECTORY:
      directory(p, a);
      break;
    case LD_FILE:
      file_option(p, a);
      break;
    case LD_STATE:
      state(p, a);
      break;
    case LD_OTHER:
    case LD_WRAP:
      verbatim(p, a);
      break;
    case LD_OUTPUT:
    case LD_SIDE_OUTPUT:
    case LD_PLUGIN:
    case LD_QUERY:
    case LD_RELOCATABLE:
      break;
  }
}

// What no argument names: members of thin archives, inputs of linker scripts. They go in front of the module.
static void place_rest(Plan *p) {
  size_t from = p->recipe->args.len;
  for (vec_each(i, p->objects))
    if (!p->placed[i] && !p->objects->at[i].system && !p->objects->at[i].ambiguous) place(p, i);
  size_t added = p->recipe->args.len - from, at = 0;
  if (!added) return;
  LinkArg *all = p->recipe->args.at;
  while (at < from && all[at].kind != LINK_MODULE && all[at].kind != LINK_STORED) ++at;
  LinkArg *moved = mem_copy(all + from, added * sizeof *all);
  memmove(all + at + added, all + at, (from - at) * sizeof *all);
  memcpy(all + at, moved, added * sizeof *all);
  mem_free(moved);
}

void relink_plan(const LdArgs *args, const Trace *trace, const ObjectList *objects, const char *dir,
                 Recipe *recipe) {
  Plan p = {.args = args, .trace = trace, .objects = objects, .directory = dir, .recipe = recipe};
  p.placed = mem_array(objects->len + 1, sizeof *p.placed);
  for (vec_each(i, args)) argument(&p, &args->at[i]);
  place_rest(&p);
  mem_free(p.placed);
  vec_free(&p.states);
}
