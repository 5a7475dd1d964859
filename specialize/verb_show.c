#include <errno.h>
#include <stdlib.h>
#include "options.h"
#include "report/report.h"
#include "app/app.h"
#include "verbs.h"

enum { SCHEDULE, JSON, TRACE, HTML, OUT };
static const Option options[] = {
    {"--schedule", "N", "show only this schedule, as text with all its events", NULL},
    {"--json", NULL, "print the summary as JSON", NULL},
    {"--trace", NULL, "write a Chrome trace, for Perfetto", NULL},
    {"--html", NULL, "write an HTML page with a diagram of threads and events", NULL},
    {"-o", "FILE", "output file; - is standard output (default: -)", NULL}};
static const Usage usage = {
    "show",
    "SIGMA [--schedule N] [--json | --trace | --html] [-o FILE]",
    "Shows what is in a file of schedules: a summary, or one schedule event by event.",
    "  specialize show app.sigma\n"
    "  specialize show app.sigma --schedule 0 | less\n"
    "  specialize show app.sigma --html -o app.html\n",
    options,
    sizeof options / sizeof *options,
    1};

typedef void Printer(const Shown *s, Bytes *out);

// NULL: they exclude each other.
static Printer *choose(const Parsed *p) {
  if (!!p->value[JSON] + !!p->value[TRACE] + !!p->value[HTML] > 1) return NULL;
  if (p->value[JSON]) return report_json;
  if (p->value[TRACE]) return report_trace;
  if (p->value[HTML]) return report_html;
  return p->value[SCHEDULE] ? report_schedules : report_summary;
}

static bool choose_schedules(const Parsed *p, Shown *s, Diags *d) {
  size_t all = s->sigma->schedules.len;
  const char *wanted = p->value[SCHEDULE];
  s->count = (uint32_t)all;
  if (!wanted) return true;
  char *end;
  errno = 0;
  unsigned long n = strtoul(wanted, &end, 10);
  if (errno || *end || wanted[0] < '0' || wanted[0] > '9')
    diag_error(d, "--schedule must be the number of a schedule, not '%s'", wanted);
  else if (n >= all)
    diag_error(d, "%s has %zu schedule%s, numbered from 0; there is no schedule %s", p->operands.at[0], all,
               all == 1 ? "" : "s", wanted);
  s->first = (uint32_t)n;
  s->count = 1;
  return !diags_errors(d);
}

static void show(const Parsed *p, const Sigma *sigma, Printer *report, Diags *d) {
  Shown s = {.sigma = sigma};
  Bytes out = {0};
  if (!choose_schedules(p, &s, d)) return;
  Order **orders = mem_array(s.count, sizeof *orders);
  for (uint32_t i = 0; i < s.count; ++i) orders[i] = order_new(sigma, s.first + i, d);
  s.orders = orders;
  if (!diags_errors(d)) {
    report(&s, &out);
    write_out(p->value[OUT] ? p->value[OUT] : "-", &out, d);
  }
  for (uint32_t i = 0; i < s.count; ++i) order_free(orders[i]);
  mem_free(orders);
  vec_free(&out);
}

int verb_show(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  Printer *report = choose(&p);
  if (!report) {
    diag_error(d, "give only one of --json, --trace and --html");
  } else {
    Sigma *sigma = sigma_read(p.operands.at[0], d);
    if (sigma) show(&p, sigma, report, d);
    sigma_free(sigma);
  }
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
