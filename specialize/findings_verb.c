#include "findings_verb.h"
#include "replay/replay.h"
#include "verbs.h"

bool findings_tries(const Parsed *p) {
  return p->dashes && !p->before && !p->value[FINDINGS_SIGMA];
}

static bool read_common(const FindingsVerb *v, const Parsed *p, FindingsWishes *o, FindingsOut *out,
                        Diags *d) {
  size_t schedule = 0;
  o->app = p->operands.at[0], o->sigma = p->value[FINDINGS_SIGMA];
  o->seconds = LIMIT_REPLAY_ALL;
  bool ok = findings_out_read(p->value[FINDINGS_FORMAT], p->value[FINDINGS_OUT], p->value[FINDINGS_FAIL_ON],
                              out, d);
  ok = options_seconds(v->usage, p, FINDINGS_TIMEOUT, &o->seconds, d) && ok;
  ok = options_number(v->usage, p, FINDINGS_SCHEDULE, 0, &schedule, d) && ok;
  out->all = p->value[FINDINGS_ALL] != NULL;
  if (out->fail == FAIL_REPLAYED && !p->value[FINDINGS_REPLAY] && !findings_tries(p))
    ok = false, diag_error(d, "--fail-on replayed needs --replay");
  o->only = p->value[FINDINGS_SCHEDULE] != NULL, o->schedule = schedule;
  o->replay = p->value[FINDINGS_REPLAY] != NULL, o->witnesses = p->value[FINDINGS_WITNESS];
  o->baseline = p->value[FINDINGS_BASELINE], o->suppressions = p->value[FINDINGS_SUPPRESSIONS];
  return ok;
}

static bool read_all(const FindingsVerb *v, const Parsed *p, FindingsWishes *o, FindingsOut *out, Diags *d) {
  bool ok = read_common(v, p, o, out, d);
  ok = v->read(p, o, out, d) && ok;
  if (p->value[FINDINGS_TRUST]) replay_trust_environment();
  if (ok && o->sigma && (o->replay || o->watch)) replay_tell_owner(o->sigma, d);
  return ok;
}

static bool try_program(const FindingsVerb *v, Parsed *p, const FindingsWishes *wishes, bool only_one,
                        Reports *out, FindingsFigures *figures, Diags *d) {
  size_t runs = 0, seed = 0;
  bool ok = options_number(v->usage, p, FINDINGS_RUNS, 1, &runs, d);
  ok = options_number(v->usage, p, FINDINGS_SEED, 1, &seed, d) && ok;
  TryWishes o = {(char *const *)p->operands.at, runs,     (uint32_t)seed,
                 p->value[FINDINGS_ATOMICS],    only_one, *wishes};
  o.race.replay = true;
  return ok && tries_find(&o, out, figures, d);
}

static bool find(const FindingsVerb *v, Parsed *p, const FindingsWishes *wishes, bool only_one, Reports *out,
                 FindingsFigures *figures, Diags *d) {
  if (findings_tries(p)) return try_program(v, p, wishes, only_one, out, figures, d);
  vec_push(out, report_new());
  out->at[0]->deadlocks = wishes->deadlocks;
  return races_find(wishes, out->at[0], figures, d);
}

// Of several programs the worst, as far as one number can say it.
static int write_all(const FindingsOut *out, const Reports *all, Diags *d) {
  int status = EXIT_CLEAN;
  for (vec_each(i, all)) {
    int found = findings_out_write(out, all->at[i], d);
    if (found == EXIT_FINDINGS || status == EXIT_CLEAN) status = found;
  }
  return status;
}

static int run(const FindingsVerb *v, Parsed *p, Diags *d) {
  FindingsWishes wishes = {0};
  FindingsOut out = {0};
  FindingsFigures figures = {0};
  Reports all = {0};
  if (!read_all(v, p, &wishes, &out, d)) return EXIT_USAGE;
  bool only_one = out.format != finding_text || strcmp(out.path, "-") != 0;
  bool ok = find(v, p, &wishes, only_one, &all, &figures, d);
  if (ok && p->value[FINDINGS_TIMINGS]) v->timings(&figures);
  int status = ok ? write_all(&out, &all, d) : EXIT_USAGE;
  for (vec_each(i, &all)) report_free(all.at[i]);
  vec_free(&all);
  return status;
}

static bool is_wanted(const FindingsVerb *v, Parsed *p, Diags *d) {
  size_t operands = p->operands.len;
  vec_push(&p->operands, NULL);
  if (findings_tries(p)) return true;
  if (operands > 1)
    diag_error(d, "unexpected argument: %s; to run a program: specialize %s -- PROGRAM [arguments]",
               p->operands.at[1], v->usage->verb);
  else if (!p->value[FINDINGS_SIGMA])
    diag_error(d, "give schedules, --sigma FILE, or a program to run: -- PROGRAM [arguments]");
  else if (p->value[FINDINGS_RUNS] || p->value[FINDINGS_SEED] || p->value[FINDINGS_ATOMICS])
    diag_error(d, "--runs, --seed and --atomics are for -- PROGRAM [arguments]");
  else
    return true;
  return false;
}

int findings_verb(const FindingsVerb *v, int argc, char **argv) {
  Parsed p = {0};
  int status;
  bool tries = false;
  for (int i = 1; i < argc; ++i) tries |= !strcmp(argv[i], "--");
  if (!options_parse(v->usage, argc, argv, 1, tries ? SIZE_MAX : 1, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  explain_begin(p.value[FINDINGS_EXPLAIN]);
  status = is_wanted(v, &p, d) ? run(v, &p, d) : EXIT_USAGE;
  vec_free(&p.operands);
  explain_end(p.value[FINDINGS_EXPLAIN], d);
  return finish(d, status, EXIT_USAGE);
}
