#include "ld_args.h"

// How the value follows its option.
typedef enum { NONE, APART, EQUALS, JOINED } Shape;  // -x; -x V or -x=V; only -x=V; -xV or -x V
typedef struct {
  const char *name;  // without dashes
  Shape shape;
  LdKind kind;
} Option;

// Options that we must understand; every other is one word and kept. Long options take one dash or two.
static const Option options[] = {{"dynamic-linker", APART, LD_OTHER},
                                 {"rpath", APART, LD_OTHER},
                                 {"rpath-link", APART, LD_OTHER},
                                 {"soname", APART, LD_OTHER},
                                 {"entry", APART, LD_OTHER},
                                 {"undefined", APART, LD_OTHER},
                                 {"require-defined", APART, LD_OTHER},
                                 {"trace-symbol", APART, LD_SIDE_OUTPUT},
                                 {"architecture", APART, LD_OTHER},
                                 {"format", APART, LD_OTHER},
                                 {"auxiliary", APART, LD_OTHER},
                                 {"filter", APART, LD_OTHER},
                                 {"gpsize", APART, LD_OTHER},
                                 {"library", APART, LD_LIBRARY},
                                 {"library-path", APART, LD_DIRECTORY},
                                 {"script", APART, LD_FILE},
                                 {"default-script", APART, LD_FILE},
                                 {"dT", APART, LD_FILE},
                                 {"mri-script", APART, LD_FILE},
                                 {"version-script", APART, LD_FILE},
                                 {"dynamic-list", APART, LD_FILE},
                                 {"retain-symbols-file", APART, LD_FILE},
                                 {"just-symbols", APART, LD_FILE},
                                 {"export-dynamic-symbol-list", APART, LD_FILE},
                                 {"symbol-ordering-file", APART, LD_FILE},
                                 {"call-graph-ordering-file", APART, LD_SIDE_OUTPUT},
                                 {"section-ordering-file", APART, LD_FILE},
                                 {"defsym", APART, LD_OTHER},
                                 {"wrap", APART, LD_WRAP},
                                 {"section-start", APART, LD_OTHER},
                                 {"Tbss", APART, LD_OTHER},
                                 {"Tdata", APART, LD_OTHER},
                                 {"Ttext", APART, LD_OTHER},
                                 {"Ttext-segment", APART, LD_OTHER},
                                 {"Trodata-segment", APART, LD_OTHER},
                                 {"Tldata-segment", APART, LD_OTHER},
                                 {"fini", APART, LD_OTHER},
                                 {"init", APART, LD_OTHER},
                                 {"assert", APART, LD_OTHER},
                                 {"oformat", APART, LD_OTHER},
                                 {"emulation", APART, LD_OTHER},
                                 {"hash-style", APART, LD_OTHER},
                                 {"exclude-libs", APART, LD_OTHER},
                                 {"export-dynamic-symbol", APART, LD_OTHER},
                                 {"unresolved-symbols", APART, LD_OTHER},
                                 {"sysroot", APART, LD_OTHER},
                                 {"image-base", APART, LD_OTHER},
                                 {"chroot", APART, LD_OTHER},
                                 {"plugin", APART, LD_PLUGIN},
                                 {"plugin-opt", APART, LD_PLUGIN},
                                 {"mllvm", APART, LD_PLUGIN},
                                 {"load-pass-plugin", EQUALS, LD_PLUGIN},
                                 {"error-handling-script", APART, LD_PLUGIN},
                                 {"output", APART, LD_OUTPUT},
                                 {"Map", APART, LD_SIDE_OUTPUT},
                                 {"dependency-file", APART, LD_SIDE_OUTPUT},
                                 {"out-implib", APART, LD_SIDE_OUTPUT},
                                 {"reproduce", APART, LD_SIDE_OUTPUT},
                                 {"time-trace", EQUALS, LD_SIDE_OUTPUT},
                                 {"time-trace-file", EQUALS, LD_SIDE_OUTPUT},
                                 {"time-trace-granularity", EQUALS, LD_SIDE_OUTPUT},
                                 {"print-symbol-counts", APART, LD_SIDE_OUTPUT},
                                 {"save-temps", EQUALS, LD_SIDE_OUTPUT},
                                 {"print-map", NONE, LD_SIDE_OUTPUT},
                                 {"trace", NONE, LD_SIDE_OUTPUT},
                                 {"cref", NONE, LD_SIDE_OUTPUT},
                                 {"verbose", NONE, LD_SIDE_OUTPUT},
                                 {"stats", NONE, LD_SIDE_OUTPUT},
                                 {"print-gc-sections", NONE, LD_SIDE_OUTPUT},
                                 {"print-memory-usage", NONE, LD_SIDE_OUTPUT},
                                 {"print-sysroot", NONE, LD_QUERY},
                                 {"print-output-format", NONE, LD_QUERY},
                                 {"why-extract", EQUALS, LD_SIDE_OUTPUT},
                                 {"print-archive-stats", EQUALS, LD_SIDE_OUTPUT},
                                 {"print-symbol-order", EQUALS, LD_SIDE_OUTPUT},
                                 {"print-icf-sections", NONE, LD_SIDE_OUTPUT},
                                 {"relocatable", NONE, LD_RELOCATABLE},
                                 {"Bstatic", NONE, LD_STATE},
                                 {"dn", NONE, LD_STATE},
                                 {"non_shared", NONE, LD_STATE},
                                 {"static", NONE, LD_STATE},
                                 {"Bdynamic", NONE, LD_STATE},
                                 {"dy", NONE, LD_STATE},
                                 {"call_shared", NONE, LD_STATE},
                                 {"push-state", NONE, LD_STATE},
                                 {"pop-state", NONE, LD_STATE},
                                 {"help", NONE, LD_QUERY},
                                 {"version", NONE, LD_QUERY},
                                 {"target-help", NONE, LD_QUERY}};
static const Option letters[] = {
    {"o", JOINED, LD_OUTPUT},      {"L", JOINED, LD_DIRECTORY}, {"l", JOINED, LD_LIBRARY},
    {"T", JOINED, LD_FILE},        {"R", JOINED, LD_OTHER},     {"m", JOINED, LD_OTHER},
    {"z", JOINED, LD_OTHER},       {"e", JOINED, LD_OTHER},     {"u", JOINED, LD_OTHER},
    {"y", JOINED, LD_SIDE_OUTPUT}, {"A", JOINED, LD_OTHER},     {"b", JOINED, LD_OTHER},
    {"c", JOINED, LD_FILE},        {"f", JOINED, LD_OTHER},     {"F", JOINED, LD_OTHER},
    {"G", JOINED, LD_OTHER},       {"h", JOINED, LD_OTHER},     {"I", JOINED, LD_OTHER},
    {"Y", JOINED, LD_OTHER},       {"a", JOINED, LD_OTHER},     {"r", NONE, LD_RELOCATABLE},
    {"i", NONE, LD_RELOCATABLE},   {"M", NONE, LD_SIDE_OUTPUT}, {"t", NONE, LD_SIDE_OUTPUT},
    {"v", NONE, LD_OTHER},         {"V", NONE, LD_OTHER}};

static LdArg make(LdKind kind, const char *before, size_t len, const char *value, bool apart) {
  return (LdArg){kind, mem_format("%.*s", (int)len, before), value ? mem_string(value) : NULL, apart};
}

// Reads one option; *used says whether `next` was its value.
static bool read_long(const char *arg, const char *next, LdArg *out, bool *used) {
  const char *name = arg + 1 + (arg[1] == '-');
  size_t len = strcspn(name, "=");
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
    const Option *o = &options[i];
    if (strlen(o->name) != len || strncmp(o->name, name, len)) continue;
    bool joined = name[len] == '=';
    *used = o->shape == APART && !joined && next;
    const char *value = joined ? name + len + 1 : *used ? next : NULL;
    *out = make(o->kind, arg, (size_t)(name + len + joined - arg), value, *used);
    return true;
  }
  return false;
}

// They say how the linker makes code of bitcode, or write what it thinks of it.
static bool is_for_lto(const char *arg) {
  static const char *const all[] = {"lto-", "thinlto-", "opt-remarks-", "flto"};
  const char *name = arg + 1 + (arg[1] == '-');
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
    if (!strncmp(name, all[i], strlen(all[i]))) return true;
  return false;
}

bool ld_word(const char *option) {
  static const char *const all[] = {
#define X(name) #name,
#include "link_options.def"
#undef X
  };
  const char *name = option + strspn(option, "-");
  size_t len = strcspn(name, "=");
  for (int no = 0; no < 2; ++no) {
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
      if (strlen(all[i]) == len && !strncmp(all[i], name, len)) return true;
    if (len < 3 || strncmp(name, "no-", 3) != 0) break;
    name += 3, len -= 3;
  }
  return false;
}

// -export-dynamic is no -e.
static bool is_long_word(const char *arg) {
  return arg[1] && arg[1] != '-' && arg[2] && ld_word(arg);
}

static bool read_letter(const char *arg, const char *next, LdArg *out, bool *used) {
  if (arg[1] == '-') return false;
  for (size_t i = 0; i < sizeof letters / sizeof *letters; ++i) {
    const Option *o = &letters[i];
    if (arg[1] != *o->name || (o->shape == NONE && arg[2])) continue;
    *used = o->shape == JOINED && !arg[2] && next;
    *out = make(o->kind, arg, 2, arg[2] ? arg + 2 : *used ? next : NULL, *used);
    return true;
  }
  return false;
}

void ld_args_read(const Args *in, LdArgs *out) {
  for (size_t i = 0; i < in->len; ++i) {
    const char *arg = in->at[i], *next = i + 1 < in->len ? in->at[i + 1] : NULL;
    LdArg a;
    bool used = false;
    if (arg[0] != '-' || !arg[1])
      a = make(LD_INPUT, "", 0, arg, false);
    else if (is_for_lto(arg))
      a = make(LD_PLUGIN, arg, strlen(arg), NULL, false);
    else if (!read_long(arg, next, &a, &used) && (is_long_word(arg) || !read_letter(arg, next, &a, &used)))
      a = make(LD_OTHER, arg, strlen(arg), NULL, false);
    vec_push(out, a);
    i += used;
  }
}

void ld_args_free(LdArgs *a) {
  for (vec_each(i, a)) mem_free(a->at[i].before), mem_free(a->at[i].value);
  vec_free(a);
}

const char *ld_value(const LdArgs *a, LdKind kind) {
  for (size_t i = a->len; i--;)
    if (a->at[i].kind == kind) return a->at[i].value;
  return NULL;
}

bool ld_has(const LdArgs *a, LdKind kind) {
  for (vec_each(i, a))
    if (a->at[i].kind == kind) return true;
  return false;
}

void ld_arg_add(const LdArg *arg, Args *out) {
  if (arg->apart || !arg->value) args_add(out, arg->before);
  if (arg->apart)
    args_add(out, arg->value);
  else if (arg->value)
    args_addf(out, "%s%s", arg->before, arg->value);
}
