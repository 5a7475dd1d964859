#include "cc_args.h"
#include <ctype.h>

// Options whose value is the next argument. Any other that we do not know takes none: so does clang.
static const char *const separate[] = {"-o",
                                       "-x",
                                       "-I",
                                       "-D",
                                       "-U",
                                       "-L",
                                       "-l",
                                       "-T",
                                       "-u",
                                       "-z",
                                       "-e",
                                       "-A",
                                       "-B",
                                       "-F",
                                       "-G",
                                       "-J",
                                       "-V",
                                       "-b",
                                       "-MF",
                                       "-MT",
                                       "-MQ",
                                       "-MJ",
                                       "-Xclang",
                                       "-Xlinker",
                                       "-Xassembler",
                                       "-Xpreprocessor",
                                       "-Xanalyzer",
                                       "-Xopenmp-target",
                                       "-mllvm",
                                       "-include",
                                       "-include-pch",
                                       "-imacros",
                                       "-isystem",
                                       "-iquote",
                                       "-idirafter",
                                       "-iprefix",
                                       "-iwithprefix",
                                       "-iwithprefixbefore",
                                       "-isystem-after",
                                       "-isysroot",
                                       "-iframework",
                                       "-iframeworkwithsysroot",
                                       "-cxx-isystem",
                                       "-c-isystem",
                                       "-stdlib++-isystem",
                                       "-target",
                                       "--target",
                                       "-arch",
                                       "-gcc-toolchain",
                                       "--gcc-toolchain",
                                       "--sysroot",
                                       "--param",
                                       "-working-directory",
                                       "--serialize-diagnostics",
                                       "-serialize-diagnostics",
                                       "-dependency-file",
                                       "-dependency-dot",
                                       "-resource-dir",
                                       "-rpath",
                                       "-framework",
                                       "-fmodule-file",
                                       "-plugin",
                                       "--config",
                                       "-specs",
                                       "-wrapper",
                                       "--output",
                                       "--language",
                                       "--include",
                                       "--define-macro",
                                       "--undefine-macro",
                                       "--include-directory",
                                       "--library-directory",
                                       "--prefix",
                                       "-soname",
                                       "-dynamic-linker",
                                       "-ccc-install-dir",
                                       "-ccc-gcc-name",
                                       "-Xarch_host",
                                       "-Xarch_device"};
// With one of these nothing is compiled to machine code, or nothing that we want.
static const char *const no_code[] = {"-S",
                                      "-E",
                                      "-M",
                                      "-MM",
                                      "-fsyntax-only",
                                      "--analyze",
                                      "-emit-llvm",
                                      "--precompile",
                                      "-emit-ast",
                                      "--preprocess",
                                      "--assemble",
                                      "-verify-pch",
                                      "--dependencies",
                                      "--user-dependencies",
                                      "-extract-api",
                                      "-module-file-info",
                                      "-print-supported-cpus",
                                      "-emit-interface-stubs"};
// … and with one of these nothing is done at all.
static const char *const print_only[] = {
    "-###",  "--version",     "-dumpversion", "-dumpmachine", "--help",
    "-help", "--help-hidden", "-mcpu=help",   "-mtune=help",  "--print-supported-cpus"};
static const char *const sources[] = {"c",   "i",   "C",  "cc", "cp",  "cxx", "cpp", "c++",
                                      "CPP", "CXX", "ii", "m",  "mm",  "M",   "mi",  "mii",
                                      "ll",  "bc",  "S",  "s",  "asm", "sx",  "cppm"};

#define HAS(list, s) has(list, sizeof(list) / sizeof *(list), s)
static bool has(const char *const *list, size_t n, const char *s) {
  for (size_t i = 0; i < n; ++i)
    if (!strcmp(list[i], s)) return true;
  return false;
}

static bool starts(const char *s, const char *with) {
  return !strncmp(s, with, strlen(with));
}

// GNU tools: blanks separate, quotes group, a backslash takes the next character as it is.
static void split_response(Span text, Args *out) {
  size_t i = 0;
  while (i < text.len) {
    while (i < text.len && isspace(text.at[i])) ++i;
    if (i == text.len) break;
    Vec(char) word = {0};
    for (unsigned char quote = 0; i < text.len && (quote || !isspace(text.at[i])); ++i) {
      unsigned char c = text.at[i];
      if (c == '\\' && i + 1 < text.len && quote != '\'')
        vec_push(&word, (char)text.at[++i]);
      else if (quote ? c == quote : c == '"' || c == '\'')
        quote = quote ? 0 : c;
      else
        vec_push(&word, (char)c);
    }
    vec_push(&word, 0);
    vec_push(out, word.at);
  }
}

static void expand_one(const char *arg, Args *out, int depth) {
  Bytes text = {0};
  if (arg[0] != '@' || depth > 16 || file_read(arg + 1, &text)) {
    args_add(out, arg);
    return;
  }
  Args words = {0};
  split_response(span_of(text.at, text.len), &words);
  for (vec_each(i, &words)) expand_one(words.at[i], out, depth + 1);
  args_free(&words);
  vec_free(&text);
}

void expand_responses(char *const *args, Args *out) {
  for (; *args; ++args) expand_one(*args, out, 0);
}

static const char *extension(const char *path) {
  const char *dot = strrchr(file_base(path), '.');
  return dot ? dot + 1 : "";
}

typedef struct {
  CcPlan *plan;
  const char *output, *language;
  Strings inputs;   // not owned
  size_t compiled;  // inputs that are sources
  bool object_only, nothing, no_code, other_machine;
} Reading;

static void read_input(Reading *r, char *path) {
  const char *ext = extension(path);
  bool source = r->language ? strcmp(r->language, "none") != 0 : HAS(sources, ext) || !strcmp(path, "-");
  if (!r->language && (!strcmp(ext, "h") || !strcmp(ext, "hpp") || !strcmp(ext, "hh"))) r->no_code = true;
  vec_push(&r->inputs, path);
  r->compiled += source;
}

static bool other_machine(const char *target) {
  return !starts(target, "x86_64") || !strstr(target, "linux");
}

// Returns whether the value (NULL if there is none) belongs to the option.
static bool read_valued(Reading *r, const char *option, const char *value) {
  if (!HAS(separate, option)) return false;
  if (!value) {
    r->plan->incomplete = true;
    return false;
  }
  if (!strcmp(option, "-o") || !strcmp(option, "--output")) r->output = value;
  if (!strcmp(option, "-x") || !strcmp(option, "--language")) {
    r->language = strcmp(value, "none") ? value : NULL;
    if (strstr(value, "-header")) r->no_code = true;
  }
  if (!strcmp(option, "-target") || !strcmp(option, "--target")) r->other_machine |= other_machine(value);
  if (HAS(((const char *const[]){"-B", "-target", "--target", "-gcc-toolchain", "--gcc-toolchain",
                                 "--sysroot", "--config", "--prefix"}),
          option)) {
    args_add(&r->plan->finders, option);
    args_add(&r->plan->finders, value);
  }
  return true;
}

static void read_joined(Reading *r, const char *a) {
  CcPlan *p = r->plan;
  if (!strcmp(a, "-c") || !strcmp(a, "--compile"))
    r->object_only = true;
  else if (HAS(no_code, a) || starts(a, "-rewrite"))
    r->no_code = true;
  else if (HAS(print_only, a) || starts(a, "-print-") || starts(a, "--print-"))
    r->nothing = true;
  else if (starts(a, "-o") && a[2])
    r->output = a + 2;
  else if (starts(a, "--output="))
    r->output = a + 9;
  else if (starts(a, "-x") && a[2]) {
    r->language = strcmp(a + 2, "none") ? a + 2 : NULL;
    if (strstr(a, "-header")) r->no_code = true;
  } else if (!strcmp(a, "-m32") || !strcmp(a, "-mx32") || !strcmp(a, "-m16"))
    r->other_machine = true;
  else if (starts(a, "--target="))
    r->other_machine |= other_machine(a + 9);
  else if (starts(a, "-fuse-ld="))
    p->fuse_ld = a + 9;
  else if (starts(a, "--ld-path="))
    p->ld_path = a + 10;
  if (starts(a, "-B") || starts(a, "--target=") || starts(a, "--gcc-toolchain=") || starts(a, "--sysroot=") ||
      starts(a, "--gcc-install-dir=") || starts(a, "--config=") || starts(a, "--prefix=") ||
      !strcmp(a, "-m32"))
    args_add(&p->finders, a);
}

static void read_all(Reading *r) {
  Args *seen = &r->plan->seen;
  bool only_inputs = false;
  for (size_t i = 0; i < seen->len; ++i) {
    char *a = seen->at[i];
    if (only_inputs || a[0] != '-' || !a[1])
      read_input(r, a);
    else if (!strcmp(a, "--"))
      only_inputs = true;
    else if (read_valued(r, a, i + 1 < seen->len ? seen->at[i + 1] : NULL))
      ++i;
    else
      read_joined(r, a);
  }
}

static void name_objects(Reading *r) {
  for (vec_each(i, &r->inputs)) {
    const char *base = file_base(r->inputs.at[i]), *dot = strrchr(base, '.');
    char *o = r->output ? mem_string(r->output)
                        : mem_format("%.*s.o", dot ? (int)(dot - base) : (int)strlen(base), base);
    vec_push(&r->plan->objects, o);
  }
}

CcPlan cc_plan(char *const *args) {
  CcPlan p = {0};
  Reading r = {.plan = &p};
  expand_responses(args, &p.seen);
  read_all(&r);
  bool work = r.inputs.len && !r.nothing && !p.incomplete;
  p.capture = work && r.compiled && !r.no_code && !r.other_machine &&
              !(r.output && r.object_only && !strcmp(r.output, "/dev/null"));
  p.links = work && !r.no_code && !r.object_only;
  if (p.capture && r.object_only) name_objects(&r);
  while (args[p.end] && strcmp(args[p.end], "--")) ++p.end;
  vec_free(&r.inputs);
  return p;
}

void cc_plan_free(CcPlan *p) {
  args_free(&p->seen);
  strings_free(&p->objects);
  args_free(&p->finders);
}
