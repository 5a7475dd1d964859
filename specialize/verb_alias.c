#include <stdlib.h>
#include "alias/alias.h"
#include "cfspec/cfspec.h"
#include "record/record.h"
#include "options.h"
#include "app/app.h"
#include "forge/forge.h"
#include "session/session.h"
#include "verbs.h"

enum { SHARED, SIGMA, SCHEDULE, CONTEXTS, CLONES, SECONDS, JSON, OUT, EXPLAIN };
static const Option options[] = {
    {"--shared", NULL, "which objects threads share, and where each thread uses them", NULL},
    {"--sigma", "SIGMA",
     "analyse the clones of a schedule in this file, where each thread and call is separate", NULL},
    {"--schedule", "N", "which schedule (default: 0)", NULL},
    {"--context-sensitive", NULL, "tell the callers of functions apart, by path of calls; slow", NULL},
    {"--clone-objects", NULL, "with --context-sensitive: tell what a function makes apart by its callers too",
     NULL},
    {"--seconds", "N", "with --context-sensitive: after N seconds, answer without", NULL},
    {"--json", NULL, "print JSON for other tools", NULL},
    {"-o", "FILE", "output file; - is standard output (default: -)", NULL},
    EXPLAIN_OPTION};
static const Usage usage = {
    "alias",
    "APP [FILE:LINE [FILE:LINE]] [--shared] [--sigma SIGMA [--schedule N]] [--context-sensitive [--seconds "
    "N]] [--json] [-o "
    "FILE]",
    "Says what the memory accesses of a line may touch; of two lines, whether they may meet, and why: by "
    "which\n"
    "assignments the address comes to each. Holds for every run of the program, whatever its schedule;\n"
    "with --sigma, for the runs that are held to that one; of two lines also what is known of the values of\n"
    "their addresses there, by thread.",
    "  specialize alias ./app app.c:41\n"
    "  specialize alias ./app app.c:41 app.c:77\n"
    "  specialize alias ./app --shared\n"
    "  specialize alias ./app --sigma app.sigma --schedule 0 app.c:41\n",
    options,
    sizeof options / sizeof *options,
    0};

// The module of one schedule in the place of the program's.
static bool specialized(const Parsed *parsed, Program *l, bool keep, Diags *d) {
  const char *number = parsed->value[SCHEDULE] ? parsed->value[SCHEDULE] : "0";
  if (!*number || strspn(number, "0123456789") != strlen(number) || strlen(number) > 9)
    return diag_error(d, "--schedule must be a number, not '%s'", number), false;
  Sigma *s = sigma_read(parsed->value[SIGMA], d);
  uint32_t schedule = (uint32_t)strtoul(number, NULL, 10);
  bool ok = s && specializer_view(l, parsed->operands.at[0], s, schedule, keep, 0, d) == VIEW_MADE;
  sigma_free(s);
  return ok;
}

static void run(const Parsed *parsed, Program *l, Diags *d) {
  AliasOptions how = {.open = targets_open(l->module, &l->app)};
  if (parsed->value[SIGMA] && !specialized(parsed, l, how.open, d)) return;
  if (parsed->value[SIGMA]) how.summaries = cfspec_view_summaries;
  AliasContexts contexts = {.clones = parsed->value[CLONES] != NULL};
  if (parsed->value[CONTEXTS]) how.contexts = &contexts;
  if (!options_seconds(&usage, parsed, SECONDS, &contexts.seconds, d)) return;
  Meetings meetings = {0};
  bool pair = parsed->value[SIGMA] && parsed->operands.len == 3;
  const char *number = parsed->value[SCHEDULE] ? parsed->value[SCHEDULE] : "0";
  MeetingsWish wish = {parsed->operands.at[0], parsed->value[SIGMA], (uint32_t)strtoul(number, NULL, 10),
                       parsed->operands.at + 1};
  if (pair && !meetings_find(&wish, &meetings, d)) return;
  AskAliases what = {.places = parsed->operands.at + 1, .count = parsed->operands.len - 1};
  what.shared = parsed->value[SHARED] != NULL, what.json = parsed->value[JSON] != NULL;
  what.meetings = pair ? &meetings : NULL;
  Bytes out = {0};
  if (ask_aliases(l->module, &how, &what, &out, d))
    write_out(parsed->value[OUT] ? parsed->value[OUT] : "-", &out, d);
  vec_free(&out);
  meetings_free(&meetings);
}

int verb_alias(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 1, 3, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  env_check(d);
  explain_begin(p.value[EXPLAIN]);
  if (p.operands.len == 1 && !p.value[SHARED])
    diag_error(d, "give a source line as FILE:LINE, or --shared");
  else if (p.value[SCHEDULE] && !p.value[SIGMA])
    diag_error(d, "--schedule needs --sigma FILE");
  else if ((p.value[SECONDS] || p.value[CLONES]) && !p.value[CONTEXTS])
    diag_error(d, "%s needs --context-sensitive", p.value[CLONES] ? "--clone-objects" : "--seconds");
  else if (program_open(p.operands.at[0], targets_find, &l, d))
    run(&p, &l, d);
  program_free(&l);
  vec_free(&p.operands);
  explain_end(p.value[EXPLAIN], d);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
