#include "options.h"
#include <stdlib.h>
#include "report/report.h"
#include "verbs.h"

static size_t width(const Option *o) {
  return strlen(o->name) + (o->value ? 1 + strlen(o->value) : 0);
}

static const char also[] = "--sigma SIGMA";

static void print_help(const Usage *u) {
  size_t widest = 0;
  printf("usage: specialize %s %s\n\n%s\n", u->verb, u->usage, u->about);
  if (u->count || u->sigma > 0) printf("\noptions:\n");
  for (size_t i = 0; i < u->count; ++i)
    if (width(&u->options[i]) > widest) widest = width(&u->options[i]);
  if (u->sigma > 0 && strlen(also) > widest) widest = strlen(also);
  for (size_t i = 0; i < u->count; ++i) {
    const Option *o = &u->options[i];
    bool joined = o->value && o->value[0] == '[';
    char *left = mem_format("%s%s%s", o->name, o->value && !joined ? " " : "", o->value ? o->value : "");
    printf("  %-*s  %s", (int)widest, left, o->help);
    if (o->limit) printf(" (default: %llu)", (unsigned long long)o->limit->value);
    printf("\n");
    mem_free(left);
  }
  if (u->sigma > 0) printf("  %-*s  the same as the operand SIGMA\n", (int)widest, also);
  if (u->examples) printf("\nexamples:\n%s", u->examples);
}

static bool usage_error(const Usage *u, int *status, const char *fmt, const char *what) {
  fprintf(stderr, "specialize %s: error: ", u->verb);
  char *name = shown(what);
  fprintf(stderr, fmt, name);
  mem_free(name);
  fprintf(stderr, "\nusage: specialize %s %s\n", u->verb, u->usage);
  *status = EXIT_USAGE;
  return false;
}

// --sigma where the file is an operand, or what -o names.
static bool take_sigma(const Usage *u, char **argv, int argc, int *i, Parsed *out, int *status) {
  const char *arg = argv[*i], *value = arg[7] ? arg + 8 : *i + 1 < argc ? argv[++*i] : NULL;
  if (!value) return usage_error(u, status, "%s needs a value", "--sigma");
  for (size_t k = 0; k < u->count && u->sigma == SIGMA_IS_OUT; ++k)
    if (!strcmp(u->options[k].name, "-o")) out->value[k] = value;
  if (u->sigma > 0) out->sigma = value;
  return true;
}

// Puts the file where the verb looks for it.
static void place_sigma(const Usage *u, size_t max, Parsed *out) {
  size_t at = u->sigma > 0 ? (size_t)u->sigma - 1 : 0;
  if (out->sigma && out->operands.len >= at) {
    vec_push(&out->operands, out->sigma);
    for (size_t i = out->operands.len - 1; i > at; --i) out->operands.at[i] = out->operands.at[i - 1];
    out->operands.at[at] = out->sigma;
  }
  for (size_t k = 0; k < u->count; ++k) {
    if (strcmp(u->options[k].name, "--sigma") || out->value[k]) continue;
    for (size_t i = 1; i < out->before && !out->value[k]; ++i) {
      const char *end = strrchr(out->operands.at[i], '.');
      if (max > 1 && (!end || strcmp(end, ".sigma"))) continue;  // among others it needs its usual name
      out->value[k] = out->operands.at[i];
      memmove(out->operands.at + i, out->operands.at + i + 1,
              (--out->operands.len - i) * sizeof *out->operands.at);
      --out->before;
    }
  }
}

// --name=value, --name value, -n value.
static bool take(const Usage *u, char **argv, int argc, int *i, Parsed *out, int *status) {
  const char *arg = argv[*i];
  bool is_sigma = !strncmp(arg, "--sigma", 7) && (!arg[7] || arg[7] == '=');
  if (u->sigma && is_sigma) return take_sigma(u, argv, argc, i, out, status);
  bool is_long = !strncmp(arg, "--", 2);
  for (size_t k = 0; k < u->count; ++k) {
    const Option *o = &u->options[k];
    size_t len = is_long ? strcspn(arg, "=") : o->value ? 2 : strlen(arg);
    if (strlen(o->name) != len || strncmp(o->name, arg, len)) continue;
    bool may = o->value && o->value[0] == '[';  // the value may be left out
    if (may && !arg[len]) {
      out->value[k] = "";
      return true;
    }
    if (!o->value && arg[len]) return usage_error(u, status, "%s takes no value", o->name);
    if (!o->value)
      out->value[k] = "";
    else if (arg[len])
      out->value[k] = arg + len + is_long;
    else if (*i + 1 < argc)
      out->value[k] = argv[++*i];
    else
      return usage_error(u, status, "%s needs a value", o->name);
    return true;
  }
  return usage_error(u, status, "unknown option %s", arg);
}

static bool parse(const Usage *u, int argc, char **argv, size_t min, size_t max, Parsed *out, int *status) {
  bool only_operands = false;
  for (int i = 1; i < argc; ++i) {
    if (!only_operands && (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))) {
      print_help(u);
      *status = EXIT_CLEAN;
      return false;
    }
    if (!only_operands && !strcmp(argv[i], "--"))
      only_operands = out->dashes = true;
    else if (only_operands || argv[i][0] != '-' || !argv[i][1])
      vec_push(&out->operands, argv[i]), out->before += !only_operands;
    else if (!take(u, argv, argc, &i, out, status))
      return false;
  }
  place_sigma(u, max, out);
  if (out->operands.len < min) return usage_error(u, status, "%s", "missing argument");
  if (out->operands.len > max)
    return usage_error(u, status, "unexpected argument: %s", out->operands.at[max]);
  return true;
}

bool options_parse(const Usage *u, int argc, char **argv, size_t min, size_t max, Parsed *out, int *status) {
  bool ok = parse(u, argc, argv, min, max, out, status);
  if (!ok) vec_free(&out->operands);
  return ok;
}

bool options_number(const Usage *u, const Parsed *p, size_t option, size_t least, size_t *out, Diags *d) {
  const char *name = u->options[option].name, *text = p->value[option];
  if (!text) return true;
  bool ok = *text && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 9;
  if (!ok) return diag_error(d, "%s must be a number, not '%s'", name, text), false;
  *out = strtoul(text, NULL, 10);
  if (*out < least) diag_error(d, "%s must be at least %zu", name, least);
  return *out >= least;
}

bool options_seconds(const Usage *u, const Parsed *p, size_t option, double *out, Diags *d) {
  const char *name = u->options[option].name, *text = p->value[option];
  char *end;
  if (!text) return true;
  *out = strtod(text, &end);
  bool ok = end != text && !*end && *out > 0 && *out <= 86400;
  if (!ok) diag_error(d, "%s must be a time in seconds, not '%s'", name, text);
  return ok;
}

void write_out(const char *name, const Bytes *b, Diags *d) {
  bool standard = !strcmp(name, "-");
  int err = standard ? file_write_fd(1, b->at, b->len) : file_write(name, b->at, b->len, 0);
  if (err) diag_error(d, "%s: %s", standard ? "standard output" : name, strerror(err));
}

int finish(Diags *d, int good, int bad) {
  diags_print(d, stderr, "specialize");
  int status = diags_errors(d) ? bad : good;
  diags_free(d);
  return status;
}

void explain_begin(const char *value) {
  if (value) decisions_begin();
}

void explain_end(const char *value, Diags *d) {
  Bytes out = {0};
  if (!value) return;
  size_t len = strlen(value);
  bool json = len > 5 && !strcmp(value + len - 5, ".json");
  (json ? decisions_json : decisions_text)(&out);
  if (*value)
    write_out(value, &out, d);
  else
    fwrite(out.at, 1, out.len, stderr);
  vec_free(&out);
}
