#include "linker.h"
#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>
#include "ld_args.h"

static const char *const roles[] = {"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold"};

bool linker_known(const char *role) {
  for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i)
    if (!strcmp(roles[i], role)) return true;
  return false;
}

// "/usr/bin/x86_64-linux-gnu-ld.bfd" and "ld.lld-19" too.
const char *linker_role(const char *path) {
  const char *name = file_base(path), *target = strstr(name, "-ld");
  if (target) name = target + 1;
  size_t len = strlen(name);
  while (len && (isdigit((unsigned char)name[len - 1]) || strchr("-.", name[len - 1]))) --len;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i) {
    const char *role = roles[i];
    bool is_short = !strncmp(role, "ld.", 3) && strlen(role + 3) == len && !strncmp(role + 3, name, len);
    if (is_short || (strlen(role) == len && !strncmp(role, name, len))) return role;
  }
  return NULL;
}

char *linker_ask(const char *clang, const Args *finders, const char *program) {
  Args a = {0};
  Bytes out = {0};
  args_add(&a, clang);
  for (size_t i = 0; finders && i < finders->len; ++i) args_add(&a, finders->at[i]);
  args_addf(&a, "-print-prog-name=%s", program);
  int status = run_collect(args_done(&a), &out);
  args_free(&a);
  while (out.len && out.at[out.len - 1] == '\n') --out.len;
  vec_push(&out, 0);
  if (status == 0 && out.at[0] == '/') return (char *)out.at;
  vec_free(&out);
  return NULL;
}

char *linker_find(const char *role) {
  char *clang = clang_path(false), *path = linker_known(role) ? linker_ask(clang, NULL, role) : NULL;
  mem_free(clang);
  return path;
}

static bool is_allowed(const char *option) {
  const char *name = option + strspn(option, "-");
  if (*name && strchr("()", *name)) return !name[1];
  return ld_word(option);
}

// -zKEY, -LDIR, -O2: a letter, and its value behind it or in the next argument.
static bool is_allowed_letter(const LdArg *a) {
  const char *option = a->before;
  if (option[0] != '-' || option[1] == '-' || !option[1]) return false;
  if (option[1] == 'O' && !a->value) return option[2 + strspn(option + 2, "0123456789")] == 0;
  return !option[2] && a->value && strchr("LlTRmzeuhI", option[1]);
}

// One linker takes a value where another sees an option of its own.
static const char *wrong_value(const LdArg *a) {
  if (!a->value || a->kind == LD_INPUT) return NULL;
  bool apart = a->apart || a->before[strlen(a->before) - 1] != '=';  // it is given in an argument of its own
  return apart && (!*a->value || strchr("-@", *a->value)) ? "has a value that is an option" : NULL;
}

// gold runs OPTION("...") of a script like a word of its command line; a pipe would be waited for.
static const char *wrong_file(const char *path) {
  enum { SCRIPT_MOST = 1 << 20 };
  struct stat st;
  Bytes text = {0};
  if (stat(path, &st)) return NULL;  // the linker says so
  if (!S_ISREG(st.st_mode)) return "is no regular file";
  bool options = st.st_size <= SCRIPT_MOST && !file_read(path, &text) && text.len &&
                 !memchr(text.at, 0, text.len) && memmem(text.at, text.len, "OPTION", 6);
  vec_free(&text);
  return options ? "is a script that gives options to the linker" : NULL;
}

static const char *wrong_with(const LdArg *a) {
  switch (a->kind) {
    case LD_INPUT:
      return a->value[0] == '@' ? "reads more arguments from a file" : wrong_file(a->value);
    case LD_PLUGIN:
      return "can load code into the linker";
    case LD_OUTPUT:
    case LD_SIDE_OUTPUT:
      return "writes a file of its choice";
    case LD_QUERY:
    case LD_RELOCATABLE:
      return "links no program";
    case LD_FILE:
      if (a->value && wrong_file(a->value)) return wrong_file(a->value);
      break;
    case LD_OTHER:
    case LD_LIBRARY:
    case LD_DIRECTORY:
    case LD_STATE:
    case LD_WRAP:
      break;
  }
  if (wrong_value(a)) return wrong_value(a);
  return is_allowed(a->before) || is_allowed_letter(a) ? NULL : "is not an option that a stored link may use";
}

char *linker_refuses(const Strings *arguments) {
  LdArgs all = {0};
  char *why = NULL;
  for (vec_each(i, arguments))
    if (arguments->at[i][0] == '@')
      return mem_format("%s reads more arguments from a file", arguments->at[i]);
  ld_args_read(arguments, &all);
  for (size_t i = 0; i < all.len && !why; ++i) {
    const LdArg *a = &all.at[i];
    const char *wrong = wrong_with(a);
    if (wrong) why = mem_format("%s%s%s %s", a->before, a->apart ? " " : "", a->value ? a->value : "", wrong);
  }
  ld_args_free(&all);
  return why;
}

// GNU ld takes -eNAME for the beginning of a long option if there is one.
void linker_words(const Strings *arguments, Strings *out) {
  LdArgs all = {0};
  ld_args_read(arguments, &all);
  for (vec_each(i, &all)) {
    LdArg *a = &all.at[i];
    bool letter = a->value && a->before[0] == '-' && a->before[1] && !a->before[2];
    a->apart |= letter;
    ld_arg_add(a, out);
  }
  ld_args_free(&all);
}
