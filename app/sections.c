#include "sections.h"
#include <stdlib.h>
#include <sys/stat.h>
#include "elf.h"
#include "core/core.h"

static bool take(const Elf *e, const char *name, Bytes *out, const char **wrong) {
  const ElfSection *s = elf_section(e, name);
  if (!s) return false;
  *wrong = unpack(elf_data(e, s), out);
  return true;
}

static void explain_missing(const char *path, const Elf *e, Diags *diags) {
  diag_error(diags, "%s: contains no bitcode", path);
  if (e->type == ET_REL)
    diag_note(diags, "this is an object file; give the program or shared library that it was linked into");
  else if (!elf_section(e, ".symtab"))
    diag_note(diags,
              "the program is stripped: if specialize-cc built it, a tool other than GNU strip removed the "
              "sections %s and %s; use the unstripped program",
              APP_MODULE, APP_RECIPE);
  else
    diag_note(diags,
              "not linked by specialize-cc, or none of its objects was compiled by it; build it with "
              "CC=specialize-cc");
}

static bool read_sections(const char *path, const Elf *e, App *out, Diags *diags) {
  Bytes text = {0}, files = {0};
  const char *wrong = NULL, *part = "module";
  bool there = take(e, APP_MODULE, &out->module, &wrong);
  if (there && !wrong) part = "link recipe", there = take(e, APP_RECIPE, &text, &wrong);
  if (there && !wrong) part = "stored files", there = take(e, APP_FILES, &files, &wrong);
  if (there && !wrong) {
    part = "link recipe";
    wrong = recipe_read(span_of(text.at, text.len), span_of(files.at, files.len), &out->recipe);
  }
  vec_free(&text), vec_free(&files);
  if (!there && out->module.len)
    diag_error(diags, "%s: has a module but no %s; link the program again", path, part);
  else if (!there)
    explain_missing(path, e, diags);
  else if (wrong)
    diag_error(diags, "%s: the stored %s is unusable: %s; link the program again", path, part, wrong);
  return there && !wrong;
}

static void take_exported(const Elf *e, App *out) {
  for (size_t i = 0; i < elf_exported_count(e); ++i) {
    ElfSymbol s = elf_exported(e, i);
    if (s.defined && s.bind != STB_LOCAL && *s.name) vec_push(&out->exported, mem_string(s.name));
  }
}

bool app_parse(const char *path, Span file, App *out, Diags *diags) {
  *out = (App){0};
  Elf e;
  const char *wrong = elf_read(file, &e);
  if (wrong && file.len > 2 && !memcmp(file.at, "#!", 2))
    wrong = "this is a script, not a program (libtool keeps the program in .libs/)";
  if (wrong) diag_error(diags, "%s: %s", path, wrong);
  bool ok = !wrong && read_sections(path, &e, out, diags);
  if (ok) take_exported(&e, out);
  elf_free(&e);
  if (!ok) app_free(out);
  return ok;
}

bool app_read(const char *path, App *out, Diags *diags) {
  *out = (App){0};
  Bytes file = {0};
  int err = file_read(path, &file);
  if (err) diag_error(diags, "%s: %s", path, strerror(err));
  bool ok = !err && app_parse(path, span_of(file.at, file.len), out, diags);
  vec_free(&file);
  return ok;
}

void app_free(App *a) {
  vec_free(&a->module);
  recipe_free(&a->recipe);
  strings_free(&a->exported);
}

static void pack_all(Span module, const Recipe *recipe, Bytes packed[3]) {
  Bytes text = {0}, files = {0};
  recipe_write(recipe, &text, &files);
  pack(module, &packed[0]);
  pack(span_of(text.at, text.len), &packed[1]);
  pack(span_of(files.at, files.len), &packed[2]);
  vec_free(&text), vec_free(&files);
}

static const char *add_sections(const char *path, const Bytes packed[3]) {
  Bytes file = {0}, result = {0};
  int err = file_read(path, &file);
  if (err) return strerror(err);
  ElfAdd add[] = {{APP_MODULE, OBJECT_BITCODE_RAW, span_of(packed[0].at, packed[0].len)},
                  {APP_RECIPE, OBJECT_COMMAND_RAW, span_of(packed[1].at, packed[1].len)},
                  {APP_FILES, NULL, span_of(packed[2].at, packed[2].len)}};
  Elf e;
  const char *wrong = elf_read(span_of(file.at, file.len), &e);
  if (!wrong) wrong = elf_add(&e, add, 3, &result);
  if (!wrong && (err = file_write(path, result.at, result.len, 0))) wrong = strerror(err);
  elf_free(&e);
  vec_free(&file), vec_free(&result);
  return wrong;
}

bool app_write(const char *path, Span module, const Recipe *recipe, Diags *diags) {
  Bytes packed[3] = {{0}};
  pack_all(module, recipe, packed);
  const char *wrong = add_sections(path, packed);
  for (int i = 0; i < 3; ++i) vec_free(&packed[i]);
  if (wrong) diag_warning(diags, "%s: linked, but the bitcode could not be added: %s", path, wrong);
  return !wrong;
}
