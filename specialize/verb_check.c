#include "alias/alias.h"
#include "record/record.h"
#include "options.h"
#include "symex/symex.h"
#include "app/app.h"
#include "verbs.h"

static const Usage usage = {
    "check",
    "APP SIGMA",
    "Says whether the schedules in SIGMA are schedules of APP: the module is the same, every event is a call "
    "in\n"
    "it that can be reached from the one before, locks are held by one thread, barriers and semaphores "
    "count\n"
    "right, waits are woken, threads are created before they run and joined after they end.",
    "  specialize check ./app app.sigma\n",
    NULL,
    0,
    2};

// Of schedules that were enumerated: they should leave nothing out.
static void say_coverage(const Sigma *s, Diags *d) {
  Coverage c;
  bool enumerated = false;
  for (vec_each(i, &s->schedules)) enumerated |= s->schedules.at[i]->origin == SIGMA_ENUMERATED;
  if (!enumerated) return;
  enumerate_coverage(s, &c);
  if (c.all)
    printf("covers: all inputs\n");
  else if (c.arguments)
    printf("covers: all inputs with argc = %u\n", c.arguments);
  else
    printf("covers: not all inputs%s\n", c.known ? "" : ", as far as is known");
  if (c.overlap[0] != SIGMA_NONE)
    diag_warning(d, "the constraints of schedules %u and %u can hold for the same input", c.overlap[0],
                 c.overlap[1]);
}

int verb_check(int argc, char **argv) {
  Parsed p = {0};
  int status;
  if (!options_parse(&usage, argc, argv, 2, 2, &p, &status)) return status;
  Diags *d = diags_new();
  Program l = {0};
  env_check(d);
  Sigma *s = sigma_read(p.operands.at[1], d);
  if (s && program_open(p.operands.at[0], targets_find, &l, d)) {
    if (strcmp(sigma_text(s, s->module), l.hash_text)) {
      diag(d, DIAG_ERROR, (Place){p.operands.at[1], s->module_line, 0},
           "belongs to another program: the module hash of %s is %s", p.operands.at[0], l.hash_text);
      diag_note(d,
                "if the program has changed since the recording, `specialize rebase` keeps the schedules "
                "that still fit");
    } else if (sigma_check(s, d)) {
      program_suit(&l, s);
      sigma_validate(s, l.sites, l.graph, l.sync, d);
    }
    if (!diags_errors(d)) {
      size_t events = 0;
      for (vec_each(i, &s->schedules)) events += s->schedules.at[i]->events.len;
      char *name = shown(p.operands.at[1]);
      printf("%s: %zu schedule%s, %zu events, no problem found\n", name, s->schedules.len,
             s->schedules.len == 1 ? "" : "s", events);
      mem_free(name);
      say_coverage(s, d);
    }
  }
  sigma_free(s);
  program_free(&l);
  vec_free(&p.operands);
  return finish(d, EXIT_CLEAN, EXIT_USAGE);
}
