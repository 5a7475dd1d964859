#include <stdlib.h>
#include "cfspec/cfspec.h"
#include "loaded.h"
#include "options.h"
#include "race/race.h"
#include "run.h"
#include "specializer.h"
#include "targets.h"
#include "verbs.h"

enum { SIGMA, SCHEDULE, FORMAT, OUT };
static const Option options[] = {{"--sigma", "SIGMA", "the schedules"},
                                 {"--schedule", "N", "only this one (default: all)"},
                                 {"--format", "WORD", "text, json, sarif, html or github (default: text)"},
                                 {"-o", "FILE", "where to write; - is standard output (default: -)"}};
static const Usage usage = {"race",
                            "APP --sigma SIGMA [--schedule N] [--format WORD] [-o FILE]",
                            "Finds the data races that the schedules of a file leave possible.",
                            "  specialize race ./app --sigma app.sigma\n",
                            options,
                            sizeof options / sizeof *options};

static bool check_schedule(const Parsed *p, uint32_t schedule, Report *out, RaceFigures *figures, Diags *d) {
  Loaded l = {0};
  const char *app = p->operands.at[0];
  Sigma *s = sigma_read(p->value[SIGMA], d);
  bool ok = s && loaded_open(app, &l, d);
  if (ok) origins_mark(l.module);
  AliasOptions how = {.open = ok && targets_open(l.module, &l.app.recipe),
                      .summaries = cfspec_view_summaries};
  RaceOptions o = {.sigma = s, .schedule = schedule, .alias = &how};
  ok = ok && specializer_view(&l, app, s, schedule, how.open, d) && race_check(l.module, &o, out, figures, d);
  loaded_free(&l);
  sigma_free(s);
  return ok;
}

int verb_race(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 1, &p, &status)) return status;
  Diags *d = diags_new();
  Report *r = report_new();
  RaceFigures figures = {0};
  check_schedule(&p, p.value[SCHEDULE] ? (uint32_t)atoi(p.value[SCHEDULE]) : 0, r, &figures, d);
  for (vec_each(i, &r->findings)) {
    Finding *f = &r->findings.at[i];
    printf("%u-%u %s t%u:%u t%u:%u %s %s %s\n", f->a.at.line, f->b.at.line, f->object.name, f->a.thread,
           f->a.at.column, f->b.thread, f->b.at.column, f->a.site, f->b.site,
           f->b.kind == FINDING_READ ? "read" : "write");
  }
  printf("%llu pairs %llu concurrent %llu meeting %llu asked %zu accesses\n",
         (unsigned long long)figures.pairs, (unsigned long long)figures.concurrent,
         (unsigned long long)figures.meeting, (unsigned long long)figures.asked, figures.accesses);
  report_free(r);
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
