#include "options.h"
#include "report/report.h"
#include "verbs.h"

enum { JSON };
static const Option options[] = {{"--json", NULL, "print JSON for other tools", NULL}};
static const Usage usage = {
    "limits",
    "[--json]",
    "Lists every limit: its default, the option or variable that sets it, and what happens when it is\n"
    "reached. Reports and messages call limits by these names.",
    "  specialize limits\n",
    options,
    sizeof options / sizeof *options,
    0};

static void print_text(void) {
  size_t name = 0, value = 0;
  for (int i = 0; i < LIMITS; ++i) {
    size_t n = strlen(limits[i].name), v = strlen(limits[i].unit) + 11;
    if (n > name) name = n;
    if (v > value) value = v;
  }
  for (int i = 0; i < LIMITS; ++i) {
    const Limit *l = &limits[i];
    char *shown = mem_format("%llu %s", (unsigned long long)l->value, l->unit);
    printf("%-*s  %-*s  %s%s%s%s\n", (int)name, l->name, (int)value, shown, l->effect, *l->set ? " [" : "",
           l->set, *l->set ? "]" : "");
    mem_free(shown);
  }
}

static void print_json(void) {
  Bytes out = {0};
  Json writer = {.out = &out}, *j = &writer;
  json_open(j, '[');
  for (int i = 0; i < LIMITS; ++i) {
    const Limit *l = &limits[i];
    json_open(j, '{');
    json_key(j, "name"), json_text(j, l->name);
    json_key(j, "default"), json_number(j, l->value);
    json_key(j, "unit"), json_text(j, l->unit);
    json_key(j, "set_with"), json_text(j, *l->set ? l->set : NULL);
    json_key(j, "effect"), json_text(j, l->effect);
    json_close(j, '}');
  }
  json_close(j, ']');
  printf("%.*s\n", (int)out.len, out.at);
  vec_free(&out);
}

int verb_limits(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 0, 0, &p, &status)) return status;
  if (p.value[JSON])
    print_json();
  else
    print_text();
  vec_free(&p.operands);
  return EXIT_CLEAN;
}
