#include "told.h"
#include <inttypes.h>
#include <sys/stat.h>
#include "record/record.h"

static const char *const words[] = {"replayed", "refuted", "undecided", "failed"};

// A text of ours, but for the names in it, which others may have chosen.
static void put_line(Bytes *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put_line(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  put_shown(out, text);
  mem_free(text);
}

static void side_line(const Sigma *w, const ReplayResult *r, unsigned side, Bytes *out) {
  const Schedule *c = w->schedules.at[0];
  const Event *e = &c->events.at[c->events.len - 2 + side];
  const SigmaAccess *a = &w->accesses.at[e->other];
  put_line(out, "  t%" PRIu32 " %s", e->thread, a->writes ? "write" : "read ");
  if (a->file != SIGMA_NONE)
    put_line(out, " %s:%" PRIu32 ":%" PRIu32, sigma_text(w, a->file), a->line, a->column);
  put_line(out, "  %s", sigma_text(w, a->name));
  if (r->verdict == REPLAY_REPLAYED)
    put_line(out, "  0x%" PRIx64 ", %" PRIu64 " bytes%s", r->address[side], r->size[side],
             r->has_values && r->first == side ? ", went first" : "");
  bytes_text(out, "\n");
}

static void put_stands(const Sigma *w, Json *j) {
  const Schedule *c = w->schedules.at[0];
  json_key(j, "stands"), json_open(j, '[');
  for (vec_each(i, &c->standing)) {
    const Event *e = &c->standing.at[i];
    const SigmaSite *at = &w->sites.at[e->site];
    json_open(j, '{');
    json_key(j, "thread"), json_number(j, e->thread);
    json_key(j, "name"), json_text(j, sigma_text(w, at->name));
    json_key(j, "file"), json_text(j, sigma_text(w, at->file));
    json_key(j, "line"), json_number(j, at->line);
    json_key(j, "column"), json_number(j, at->column);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void replay_text(const Sigma *w, const ReplayResult *r, Bytes *out) {
  put_line(out, "%s: %s", words[r->verdict], r->why);
  bytes_text(out, "\n");
  bool race = schedule_is_witness(w->schedules.at[0]);
  for (unsigned i = 0; race && i < 2; ++i) side_line(w, r, i, out);
  if (!race) report_standing(w, 0, out);
  if (r->has_values) {
    put_line(out, "  memory  0x%" PRIx64 " when the first went, 0x%" PRIx64 " when the second went",
             r->before, r->after);
    bytes_text(out, "\n");
  }
  if (!r->followed) return;
  put_line(out, "  followed by  %s", r->followed);
  bytes_text(out, "\n");
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

void replay_json(const Sigma *w, const ReplayResult *r, Bytes *out) {
  Json j = {.out = out};
  json_open(&j, '{');
  json_key(&j, "version"), json_number(&j, 1);
  json_key(&j, "program"), json_text(&j, sigma_text(w, w->program));
  json_key(&j, "status"), json_text(&j, words[r->verdict]);
  json_key(&j, "why"), json_text(&j, r->why);
  bool race = schedule_is_witness(w->schedules.at[0]);
  if (race) json_key(&j, "at_once"), json_bool(&j, r->verdict == REPLAY_REPLAYED && !r->apart);
  json_key(&j, "followed"), json_text(&j, r->followed);
  json_key(&j, "visible"), json_bool(&j, r->visible);
  json_key(&j, "runs"), json_number(&j, r->runs);
  if (race) {
    json_key(&j, "a"), put_side(w, r, 0, &j);
    json_key(&j, "b"), put_side(w, r, 1, &j);
  } else {
    put_stands(w, &j);
  }
  json_close(&j, '}');
  vec_push(out, '\n');
}

// A file that was read is not any more what it was.
static bool has_changed(const Sigma *w, const SigmaInput *in) {
  const char *path = sigma_text(w, in->name);
  struct stat st;
  bool regular = !stat(path, &st) && S_ISREG(st.st_mode);  // a pipe of that name would be waited for
  FILE *f = regular ? fopen(path, "rbe") : NULL;
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
void replay_lost(const Sigma *w, Diags *d) {
  const Schedule *c = w->schedules.at[0];
  for (vec_each(i, &c->inputs)) {
    const SigmaInput *in = &c->inputs.at[i];
    const char *name = sigma_text(w, in->name);
    bool standard = !strcmp(name, "stdin"), own = strstr(name, " (deleted)") != NULL;
    if (standard && (in->lost || in->hash != SIGMA_NONE))
      diag_warning(d, "%s: no copy of standard input was kept; the program reads an empty one here", w->file);
    else if (!standard && !own && (in->lost || has_changed(w, in)))
      diag_warning(d, "%s: input file %s has changed since the recording", w->file, name);
  }
}
