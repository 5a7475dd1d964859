#include <inttypes.h>
#include <stdlib.h>
#include "options.h"
#include "record/record.h"
#include "replay/replay.h"
#include "report/report.h"
#include "app/app.h"
#include "verbs.h"

enum { TRIES, TIMEOUT, JSON };
static const Option options[] = {
    {"--tries", "N", "how often to try to hold the two together (default: 6)"},
    {"--timeout", "SECONDS", "how long a run may take (default: 10)"},
    {"--json", NULL, "print it for other tools to read; the program's own output is dropped"}};
static const Usage usage = {"replay",
                            "APP WITNESS [--tries N] [--timeout SECONDS] [--json]",
                            "Runs APP as WITNESS says, a file of one schedule that ends with two accesses: "
                            "the events in their order, on\n"
                            "the original code, then both accesses at the same time. Says whether they met "
                            "at the same memory and what\n"
                            "followed, or why not. The program runs several times. Exit status: 1 they met, "
                            "0 with this input and order\n"
                            "they do not, 3 undecided.",
                            "  specialize replay ./app 3.sched\n",
                            options,
                            sizeof options / sizeof *options};

static bool read_options(const Parsed *p, ReplayOptions *o, Diags *d) {
  char *end;
  *o = (ReplayOptions){.pass_output = !p->value[JSON]};
  if (p->value[TRIES]) {
    unsigned long n = strtoul(p->value[TRIES], &end, 10);
    if (*end || p->value[TRIES][0] < '1' || p->value[TRIES][0] > '9' || n > 1000)
      diag_error(d, "--tries %s: not a number from 1 to 1000", p->value[TRIES]);
    o->tries = (unsigned)n;
  }
  if (p->value[TIMEOUT]) {
    o->timeout = strtod(p->value[TIMEOUT], &end);
    if (*end || end == p->value[TIMEOUT] || !(o->timeout > 0 && o->timeout <= 86400))
      diag_error(d, "--timeout %s: not a time in seconds", p->value[TIMEOUT]);
  }
  return !diags_errors(d);
}

static const char *const words[] = {"replayed", "refuted", "undecided", "failed"};

static void side_line(const Sigma *w, const ReplayResult *r, unsigned side, Bytes *out) {
  const Schedule *c = w->schedules.at[0];
  const Event *e = &c->events.at[c->events.len - 2 + side];
  const SigmaAccess *a = &w->accesses.at[e->other];
  Bytes place = {0};
  if (a->file != SIGMA_NONE) {
    char *text = mem_format(" %s:%" PRIu32 ":%" PRIu32, sigma_text(w, a->file), a->line, a->column);
    bytes_text(&place, text);
    mem_free(text);
  }
  vec_push(&place, 0);
  char *line = mem_format("  t%" PRIu32 " %s%s  %s", e->thread, a->writes ? "write" : "read ",
                          (const char *)place.at, sigma_text(w, a->name));
  bytes_text(out, line);
  mem_free(line);
  vec_free(&place);
  if (r->verdict == REPLAY_REPLAYED) {
    line = mem_format("  0x%" PRIx64 ", %" PRIu64 " bytes%s", r->address[side], r->size[side],
                      r->has_values && r->first == side ? ", went first" : "");
    bytes_text(out, line);
    mem_free(line);
  }
  bytes_text(out, "\n");
}

static void put_text(const Sigma *w, const ReplayResult *r, Bytes *out) {
  char *line = mem_format("%s: %s\n", words[r->verdict], r->why);
  bytes_text(out, line);
  mem_free(line);
  for (unsigned i = 0; i < 2; ++i) side_line(w, r, i, out);
  if (r->has_values) {
    line = mem_format("  memory  0x%" PRIx64 " before, 0x%" PRIx64 " between\n", r->before, r->after);
    bytes_text(out, line);
    mem_free(line);
  }
  if (!r->followed) return;
  line = mem_format("  followed by  %s\n", r->followed);
  bytes_text(out, line);
  mem_free(line);
}

static void put_side(const Sigma *w, const ReplayResult *r, unsigned side, Json *j) {
  const Schedule *c = w->schedules.at[0];
  const Event *e = &c->events.at[c->events.len - 2 + side];
  const SigmaAccess *a = &w->accesses.at[e->other];
  json_open(j, '{');
  json_key(j, "thread"), json_number(j, e->thread);
  json_key(j, "name"), json_text(j, sigma_text(w, a->name));
  json_key(j, "access"), json_text(j, a->writes ? "write" : "read");
  json_key(j, "file"), json_text(j, sigma_text(w, a->file));
  json_key(j, "line"), json_number(j, a->line);
  json_key(j, "column"), json_number(j, a->column);
  if (r->verdict == REPLAY_REPLAYED) {
    char *address = mem_format("0x%" PRIx64, r->address[side]);
    json_key(j, "occurrence"), json_number(j, r->occurrence[side]);
    json_key(j, "address"), json_text(j, address);
    json_key(j, "bytes"), json_number(j, r->size[side]);
    mem_free(address);
  }
  json_close(j, '}');
}

static void put_json(const Sigma *w, const ReplayResult *r, Bytes *out) {
  Json j = {.out = out};
  json_open(&j, '{');
  json_key(&j, "version"), json_number(&j, 1);
  json_key(&j, "program"), json_text(&j, sigma_text(w, w->program));
  json_key(&j, "status"), json_text(&j, words[r->verdict]);
  json_key(&j, "why"), json_text(&j, r->why);
  json_key(&j, "at_once"), json_bool(&j, r->verdict == REPLAY_REPLAYED && !r->apart);
  json_key(&j, "followed"), json_text(&j, r->followed);
  json_key(&j, "visible"), json_bool(&j, r->visible);
  json_key(&j, "runs"), json_number(&j, r->runs);
  json_key(&j, "a"), put_side(w, r, 0, &j);
  json_key(&j, "b"), put_side(w, r, 1, &j);
  json_close(&j, '}');
  vec_push(out, '\n');
}

// A file that was read is not any more what it was.
static bool has_changed(const Sigma *w, const SigmaInput *in) {
  FILE *f = fopen(sigma_text(w, in->name), "rbe");
  Stored *now = f ? stored_from(fileno(f), 0) : NULL;
  bool same = false;
  if (now && stored_size(now) == in->size) {
    Sigma *names = sigma_new("", "");
    SigmaInput as = stored_input(now, names, "");
    same = in->hash == SIGMA_NONE
               ? as.copy.len == in->copy.len && !memcmp(as.copy.at, in->copy.at, in->copy.len)
               : as.hash != SIGMA_NONE && !strcmp(sigma_text(names, as.hash), sigma_text(w, in->hash));
    vec_free(&as.copy);
    sigma_free(names);
  }
  if (now) stored_free(now);
  if (f) fclose(f);
  return !same;
}

// What another run would need to see the same, and the witness does not hold.
static void tell_lost(const Sigma *w, Diags *d) {
  const Schedule *c = w->schedules.at[0];
  for (vec_each(i, &c->inputs)) {
    const SigmaInput *in = &c->inputs.at[i];
    const char *name = sigma_text(w, in->name);
    bool standard = !strcmp(name, "stdin"), own = strstr(name, " (deleted)") != NULL;
    if (standard && (in->lost || in->hash != SIGMA_NONE))
      diag_warning(d, "%s: what the program read from standard input is not kept; it reads nothing here",
                   w->file);
    else if (!standard && !own && (in->lost || has_changed(w, in)))
      diag_warning(d, "%s: the file %s was read and is, or may be, another now", w->file, name);
  }
}

static int status_of(ReplayVerdict v) {
  static const int statuses[] = {EXIT_FINDINGS, EXIT_CLEAN, EXIT_INCOMPLETE, EXIT_INTERNAL};
  return statuses[v];
}

static int replay(const Parsed *p, const Sigma *w, const ReplayOptions *o, Diags *d) {
  Replayer *r = replayer_new(p->operands.at[0], &w, 1, d);
  if (!r) return EXIT_USAGE;
  tell_lost(w, d);
  ReplayResult result = replayer_run(r, w, o);
  Bytes out = {0};
  if (p->value[JSON])
    put_json(w, &result, &out);
  else
    put_text(w, &result, &out);
  write_out("-", &out, d);
  int status = status_of(result.verdict);
  vec_free(&out);
  replay_result_free(&result);
  replayer_free(r);
  return status;
}

int verb_replay(int argc, char **argv) {
  Parsed p = {0};
  ReplayOptions o;
  int status;
  if (!options_parse(&usage, argc, argv, 2, 2, &p, &status)) return status;
  Diags *d = diags_new();
  env_check(d);
  status = EXIT_USAGE;
  Sigma *w = read_options(&p, &o, d) ? sigma_read(p.operands.at[1], d) : NULL;
  if (w) status = replay(&p, w, &o, d);
  sigma_free(w);
  vec_free(&p.operands);
  return finish(d, status, EXIT_USAGE);
}
