#include <stdlib.h>
#include "options.h"
#include "session/session.h"
#include "verbs.h"

enum { SIGMA, SCHEDULE, FUNCTION, IR, FORMAT, OUT };
static const Option options[] = {{"--sigma", "SIGMA", "the schedule file (required)", NULL},
                                 {"--schedule", "N", "which schedule (default: 0)", NULL},
                                 {"--function", "NAME", "only the clones of this function", NULL},
                                 {"--ir", NULL, "LLVM IR instead of source", NULL},
                                 {"--format", "WORD", "text or html (default: text)", NULL},
                                 {"-o", "FILE", "output file; - is standard output (default: -)", NULL}};
static const Usage usage = {
    "diff",
    "APP --sigma SIGMA [--schedule N] [--function NAME] [--ir] [--format text|html] [-o FILE]",
    "Shows what a schedule leaves of each function that it goes through: the source beside the same source "
    "without\n"
    "the lines that have no code any more, and with what is constant there now. A function has a clone for "
    "each of\n"
    "its calls that synchronizes.",
    "  specialize diff ./app --sigma app.sigma\n"
    "  specialize diff ./app --sigma app.sigma --function worker --ir\n"
    "  specialize diff ./app --sigma app.sigma --format html -o app.html\n",
    options,
    sizeof options / sizeof *options,
    0};

static bool read_options(const Parsed *p, DifferWish *w, Diags *d) {
  const char *number = p->value[SCHEDULE] ? p->value[SCHEDULE] : "0", *format = p->value[FORMAT];
  if (!p->value[SIGMA])
    diag_error(d, "--sigma FILE is required");
  else if (!*number || strspn(number, "0123456789") != strlen(number) || strlen(number) > 9)
    diag_error(d, "--schedule must be a number, not '%s'", number);
  else if (format && strcmp(format, "text") && strcmp(format, "html"))
    diag_error(d, "--format must be text or html, not '%s'", format);
  *w = (DifferWish){p->operands.at[0], p->value[SIGMA], p->value[FUNCTION],
                    (uint32_t)strtoul(number, NULL, 10), p->value[IR] != NULL};
  return !diags_errors(d);
}

int verb_diff(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  DifferWish wish;
  Differences found = {0};
  Bytes out = {0};
  env_check(d);
  if (read_options(&p, &wish, d) && differ_find(&wish, &found, d)) {
    Sources *sources = sources_new(NULL);
    bool html = p.value[FORMAT] && !strcmp(p.value[FORMAT], "html");
    (html ? difference_html : difference_text)(&found, sources, &out);
    write_out(p.value[OUT] ? p.value[OUT] : "-", &out, d);
    sources_free(sources);
  }
  differences_free(&found);
  vec_free(&out);
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
