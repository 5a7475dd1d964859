// findings FORMAT [options] REPORT.json: reads a report and prints it, before or without an analysis.
//   FORMAT: text, json, sarif, html, github, exit (nothing but the exit status)
//   --sim SEED COUNT, --odd SEED COUNT in the place of REPORT.json: one that is made up
//   --baseline FILE, --suppressions FILE, --sources DIR, --root DIR, --directory DIR, --annotations,
//   --colour, --all, --fail-on WORD
#include <stdlib.h>
#include "sim_findings.h"

typedef struct {
  const char *format, *baseline, *suppressions;
  Report *report;
  FindingOptions out;
  FindingFail fail;
  bool annotations;
  Diags *diags;
} Args;

static int usage(const char *what) {
  fprintf(stderr, "findings: what is %s?\n", what);
  return 2;
}

static Report *read_report(const char *path, Diags *diags) {
  Bytes text = {0};
  Report *r = NULL;
  int err = file_read(path, &text);
  if (err)
    diag(diags, DIAG_ERROR, (Place){path, 0, 0}, "%s", strerror(err));
  else
    r = finding_parse(path, span_of(text.at, text.len), diags);
  vec_free(&text);
  return r;
}

static void suppress(Args *a) {
  Bytes text = {0};
  Suppressions *s = NULL;
  int err = file_read(a->suppressions, &text);
  if (err)
    diag(a->diags, DIAG_ERROR, (Place){a->suppressions, 0, 0}, "%s", strerror(err));
  else
    s = suppressions_parse(a->suppressions, span_of(text.at, text.len), a->diags);
  if (s) suppressions_apply(s, a->report), suppressions_unused(s, a->diags);
  suppressions_free(s);
  vec_free(&text);
}

static int print(const Args *a) {
  static const struct {
    const char *name;
    void (*print)(const Report *, Bytes *, const FindingOptions *);
  } formats[] = {{"text", finding_text},
                 {"json", finding_json},
                 {"sarif", finding_sarif},
                 {"html", finding_html},
                 {"github", finding_github}};
  Bytes out = {0};
  bool known = !strcmp(a->format, "exit");
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(a->format, formats[i].name)) formats[i].print(a->report, &out, &a->out), known = true;
  if (out.len) fwrite(out.at, 1, out.len, stdout);
  vec_free(&out);
  return known ? finding_exit(a->report, a->fail) : usage(a->format);
}

static int run(Args *a) {
  if (a->baseline) {
    Report *earlier = read_report(a->baseline, a->diags);
    if (earlier) baseline_mark(a->report, earlier);
    report_free(earlier);
  }
  if (a->suppressions) suppress(a);
  if (a->annotations) annotations_apply(a->report, a->out.sources);
  return diags_errors(a->diags) ? 2 : print(a);
}

static int parse(Args *a, char **v) {
  const char *sources = NULL;
  for (; *v; ++v) {
    if ((!strcmp(*v, "--sim") || !strcmp(*v, "--odd")) && v[1] && v[2]) {
      a->report = sim_findings(strtoull(v[1], NULL, 10), strtoull(v[2], NULL, 10), v[0][2] == 'o');
      report_settle(a->report);
      v += 2;
    } else if (!strcmp(*v, "--annotations")) {
      a->annotations = true;
    } else if (!strcmp(*v, "--colour")) {
      a->out.colour = true;
    } else if (!strcmp(*v, "--all")) {
      a->out.all = true;
    } else if (!strcmp(*v, "--baseline") && v[1]) {
      a->baseline = *++v;
    } else if (!strcmp(*v, "--suppressions") && v[1]) {
      a->suppressions = *++v;
    } else if (!strcmp(*v, "--sources") && v[1]) {
      sources = *++v;
    } else if (!strcmp(*v, "--root") && v[1]) {
      a->out.root = *++v;
    } else if (!strcmp(*v, "--directory") && v[1] && a->report) {
      a->report->directory = report_intern(a->report, *++v);
    } else if (!strcmp(*v, "--fail-on") && v[1]) {
      if (!finding_fail_parse(*++v, &a->fail)) return usage(*v);
    } else if (**v != '-' && !a->report) {
      a->report = read_report(*v, a->diags);
      if (!a->report) return 2;
    } else {
      return usage(*v);
    }
  }
  if (sources || a->annotations) a->out.sources = sources_new(sources);
  return a->report ? 0 : usage("to be printed");
}

int main(int argc, char **argv) {
  if (argc < 2) return usage("to be printed");
  Args a = {.format = argv[1], .diags = diags_new()};
  int status = parse(&a, argv + 2);
  if (!status) status = run(&a);
  diags_print(a.diags, stderr, "findings");
  sources_free(a.out.sources);
  report_free(a.report);
  diags_free(a.diags);
  return status;
}
