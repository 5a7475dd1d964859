#include "recipe.h"
#include <stdio.h>
#include <stdlib.h>
#include "ar.h"
#include "linker.h"
#include "core/core.h"

static const char version[] = "2";

void recipe_free(Recipe *r) {
  mem_free(r->linker), mem_free(r->directory), mem_free(r->output);
  for (vec_each(i, &r->args)) mem_free(r->args.at[i].text), mem_free(r->args.at[i].path);
  for (vec_each(i, &r->parts))
    mem_free(r->parts.at[i].name), mem_free(r->parts.at[i].why), mem_free(r->parts.at[i].flags);
  for (vec_each(i, &r->files)) {
    mem_free(r->files.at[i].name);
    vec_free(&r->files.at[i].data);
  }
  vec_free(&r->args), vec_free(&r->parts), vec_free(&r->files);
  *r = (Recipe){0};
}

static void write_arg(const LinkArg *a, Bytes *text) {
  static const char *const keys[] = {"arg", "path", "stored", "module"};
  if (a->kind == LINK_STORED)
    fields_putf(text, keys[a->kind], "%u %s", a->file, a->text);
  else
    fields_put(text, keys[a->kind], a->kind == LINK_MODULE ? "" : a->text);
  if (a->kind == LINK_PATH) fields_put(text, "to", a->path);
}

static void write_files(const Recipe *r, Bytes *out) {
  bytes_text(out, "!<arch>\n");
  for (vec_each(i, &r->files)) {
    char head[61];
    const Bytes *b = &r->files.at[i].data;
    snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8o%-10zu`\n", "f/", 0, 0, 0, 0644u, b->len);
    vec_append(out, head, 60);
    vec_append(out, b->at, b->len);
    if (b->len & 1) vec_push(out, '\n');
  }
}

void recipe_write(const Recipe *r, Bytes *text, Bytes *files) {
  fields_put(text, "recipe", version);
  fields_put(text, "linker", r->linker);
  fields_put(text, "directory", r->directory);
  fields_put(text, "output", r->output);
  for (vec_each(i, &r->args)) write_arg(&r->args.at[i], text);
  for (vec_each(i, &r->parts)) {
    const LinkPart *p = &r->parts.at[i];
    fields_putf(text, "part", "%u %s", p->functions, p->name);
    if (p->why) fields_put(text, "without", p->why);
    if (p->flags) fields_put(text, "flags", p->flags);
  }
  for (vec_each(i, &r->files)) fields_put(text, "file", r->files.at[i].name);
  fields_putf(text, "end", "%zu", r->files.len);
  write_files(r, files);
}

// "12 rest": the number, and rest as a copy; NULL if there is none.
static char *numbered(const char *value, unsigned *n) {
  char *rest;
  unsigned long v = strtoul(value, &rest, 10);
  if (rest == value || *rest != ' ' || v > UINT32_MAX) return NULL;
  *n = (unsigned)v;
  return mem_string(rest + 1);
}

static void set(char **field, const char *value) {
  mem_free(*field);
  *field = mem_string(value);
}

static bool read_arg(Recipe *r, const char *key, const char *value) {
  LinkArg a = {0};
  if (!strcmp(key, "arg"))
    a = (LinkArg){LINK_TEXT, mem_string(value), NULL, 0};
  else if (!strcmp(key, "path"))
    a = (LinkArg){LINK_PATH, mem_string(value), NULL, 0};
  else if (!strcmp(key, "module"))
    a = (LinkArg){LINK_MODULE, mem_string(""), NULL, 0};
  else if (!strcmp(key, "stored"))
    a.kind = LINK_STORED, a.text = numbered(value, &a.file);
  else
    return false;
  if (!a.text) return false;
  vec_push(&r->args, a);
  return true;
}

static bool read_field(Recipe *r, const char *key, const char *value) {
  LinkPart *part = r->parts.len ? &vec_last(&r->parts) : NULL;
  if (!strcmp(key, "linker")) return set(&r->linker, value), true;
  if (!strcmp(key, "directory")) return set(&r->directory, value), true;
  if (!strcmp(key, "output")) return set(&r->output, value), true;
  if (!strcmp(key, "without") && part) return set(&part->why, value), true;
  if (!strcmp(key, "flags") && part) return set(&part->flags, value), true;
  if (!strcmp(key, "to") && r->args.len && vec_last(&r->args).kind == LINK_PATH)
    return set(&vec_last(&r->args).path, value), true;
  if (!strcmp(key, "file")) {
    StoredFile f = {mem_string(value), {0}};
    vec_push(&r->files, f);
    return true;
  }
  if (!strcmp(key, "part")) {
    LinkPart p = {0};
    p.name = numbered(value, &p.functions);
    if (p.name) vec_push(&r->parts, p);
    return p.name != NULL;
  }
  return read_arg(r, key, value);
}

static const char *read_text(Span text, Recipe *r) {
  Fields f = fields_open(text);
  const char *wrong = NULL;
  bool ended = false;
  while (!wrong && !ended && fields_next(&f)) {
    if (f.line == 1)
      wrong = strcmp(f.key, "recipe")    ? "broken link recipe"
              : strcmp(f.value, version) ? "the link recipe has another version"
                                         : NULL;
    else if (!strcmp(f.key, "end"))
      ended = true;
    else if (!read_field(r, f.key, f.value))
      wrong = "broken link recipe";
  }
  if (!wrong && (!ended || f.at != text.len)) wrong = "broken link recipe";
  fields_close(&f);
  return wrong;
}

static const char *check(const Recipe *r) {
  if (!r->linker || !r->directory || !r->output) return "broken link recipe";
  if (!linker_known(r->linker)) return "the link recipe names a linker that is not known";
  for (vec_each(i, &r->args)) {
    const LinkArg *a = &r->args.at[i];
    if (a->kind == LINK_STORED && a->file >= r->files.len) return "broken link recipe";
    if (a->kind == LINK_PATH && (!a->path || *a->path != '/')) return "broken link recipe";
  }
  return NULL;
}

static const char *read_files(Span files, Recipe *r) {
  Ar ar = ar_open(files);
  ArMember m;
  size_t n = 0;
  while (ar_next(&ar, &m)) {
    if (n >= r->files.len) return "broken stored files";
    vec_append(&r->files.at[n].data, m.data.at, m.data.len);
    ++n;
  }
  return ar.wrong || n != r->files.len ? "broken stored files" : NULL;
}

const char *recipe_read(Span text, Span files, Recipe *out) {
  *out = (Recipe){0};
  const char *wrong = read_text(text, out);
  if (!wrong) wrong = check(out);
  if (!wrong) wrong = read_files(files, out);
  if (wrong) recipe_free(out);
  return wrong;
}

bool recipe_has_flag(const Recipe *r, const char *flag) {
  size_t len = strlen(flag);
  for (vec_each(i, &r->parts)) {
    const char *p = r->parts.at[i].flags;
    for (; p && (p = strstr(p, flag)); p += len)
      if ((p == r->parts.at[i].flags || p[-1] == ' ') && (!p[len] || p[len] == ' ')) return true;
  }
  return false;
}

int recipe_level(const Recipe *r) {
  if (recipe_has_flag(r, "-O3")) return 3;
  if (recipe_has_flag(r, "-O2") || recipe_has_flag(r, "-Os") || recipe_has_flag(r, "-Oz")) return 2;
  return recipe_has_flag(r, "-O1");
}
