// The JSON of `specialize race` and `deadlock`. docs/race.schema.json and docs/deadlock.schema.json are its
// reference; other tools read these names, and so does finding_parse.c.
#include "findings.h"

static void put_frame_fields(const FindingFrame *f, Json *j) {
  json_key(j, "function"), json_text(j, f->function);
  json_key(j, "file"), json_text(j, f->file);
  json_key(j, "line"), json_number(j, f->line);
  json_key(j, "column"), json_number(j, f->column);
  if (f->library) json_key(j, "library"), json_text(j, f->library);
}

static void put_frame(const FindingFrame *f, Json *j) {
  json_open(j, '{');
  put_frame_fields(f, j);
  json_close(j, '}');
}

static void put_frames(const char *name, const FindingFrames *frames, Json *j) {
  json_key(j, name), json_open(j, '[');
  for (vec_each(i, frames)) put_frame(&frames->at[i], j);
  json_close(j, ']');
}

static void put_locks(const FindingLocks *locks, Json *j) {
  json_key(j, "locks"), json_open(j, '[');
  for (vec_each(i, locks)) {
    json_open(j, '{');
    json_key(j, "name"), json_text(j, locks->at[i].name);
    json_key(j, "shared"), json_bool(j, locks->at[i].shared);
    json_key(j, "created"), put_frame(&locks->at[i].created, j);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_thread(const char *name, uint32_t thread, Json *j) {
  json_key(j, name);
  if (thread == FINDING_NONE)
    json_text(j, NULL);
  else
    json_number(j, thread);
}

static void put_access(const char *name, const FindingAccess *a, Json *j) {
  json_key(j, name), json_open(j, '{');
  put_frame_fields(&a->at, j);
  json_key(j, "thread"), json_number(j, a->thread);
  json_key(j, "access"), json_text(j, finding_kind_word(a->kind));
  json_key(j, "free"), json_bool(j, a->kind == FINDING_FREE);
  json_key(j, "atomic"), json_bool(j, a->atomic);
  json_key(j, "bytes"), json_number(j, a->bytes);
  json_key(j, "site"), json_text(j, a->site);
  json_key(j, "schedule"), json_number(j, a->schedule);
  json_key(j, "routine"), json_text(j, a->routine);
  put_thread("creator", a->creator, j);
  put_frames("created", &a->created, j);
  put_frames("stack", &a->stack, j);
  put_locks(&a->locks, j);
  json_close(j, '}');
}

static void put_object(const FindingObject *o, Json *j) {
  json_key(j, "object"), json_text(j, o->name);
  json_key(j, "memory"), json_open(j, '{');
  json_key(j, "place"), json_text(j, finding_place_word(o->place));
  json_key(j, "bytes"), json_number(j, o->bytes);
  put_thread("thread", o->thread, j);
  put_frames("where", &o->where, j);
  json_close(j, '}');
}

void put_interleaving(const Finding *f, size_t from, Json *j) {
  json_key(j, "steps"), json_open(j, '[');
  for (size_t i = from; i < f->steps.len; ++i) {
    const FindingStep *s = &f->steps.at[i];
    json_open(j, '{');
    json_key(j, "thread"), json_number(j, s->thread);
    json_key(j, "role"), json_text(j, finding_role_word(s->role));
    json_key(j, "text"), json_text(j, s->text);
    put_frame_fields(&s->at, j);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_key(j, "waits"), json_open(j, '[');
  for (vec_each(i, &f->waits)) {
    if (f->waits.at[i].from < from || f->waits.at[i].to < from) continue;
    json_open(j, '[');
    json_number(j, f->waits.at[i].from - from);
    json_number(j, f->waits.at[i].to - from);
    json_close(j, ']');
  }
  json_close(j, ']');
}

static void put_ids(const char *name, const uint32_t *ids, size_t n, Json *j) {
  json_key(j, name), json_open(j, '[');
  for (size_t i = 0; i < n; ++i) json_number(j, ids[i]);
  json_close(j, ']');
}

static void put_holds(const FindingThread *t, Json *j) {
  json_key(j, "holds"), json_open(j, '[');
  for (vec_each(i, &t->holds)) {
    json_open(j, '{');
    json_key(j, "object"), json_text(j, t->holds.at[i].object);
    json_key(j, "shared"), json_bool(j, t->holds.at[i].shared);
    put_frame_fields(&t->holds.at[i].since, j);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void put_threads(const Finding *f, Json *j) {
  json_key(j, "kind"), json_text(j, f->kind);
  json_key(j, "key"), json_text(j, f->key);
  json_key(j, "threads"), json_open(j, '[');
  for (vec_each(i, &f->threads)) {
    const FindingThread *t = &f->threads.at[i];
    json_open(j, '{');
    json_key(j, "thread"), json_number(j, t->thread);
    json_key(j, "routine"), json_text(j, t->routine);
    put_holds(t, j);
    json_key(j, "waits"), json_open(j, '{');
    json_key(j, "object"), json_text(j, t->object);
    json_key(j, "does"), json_text(j, t->does);
    put_thread("on", t->on, j);
    put_frame_fields(&t->at, j);
    json_close(j, '}');
    put_frames("stack", &t->stack, j);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void put_finding_fields(const Finding *f, Json *j) {
  json_key(j, "rule"), json_text(j, f->rule);
  if (f->threads.len) put_threads(f, j);
  put_access("a", &f->a, j);
  put_access("b", &f->b, j);
  put_object(&f->object, j);
  put_ids("schedules", f->schedules.at, f->schedules.len, j);
  json_key(j, "status"), json_text(j, finding_status_word(f->status));
  json_key(j, "seen"), json_text(j, finding_seens[f->seen]);
  json_key(j, "known"), json_bool(j, f->known);
  json_key(j, "why"), json_text(j, f->why);
  json_key(j, "followed"), json_text(j, f->followed);
  json_key(j, "input"), json_text(j, f->input);
  json_key(j, "recorded"), json_text(j, f->recorded);
  json_key(j, "stdin"), json_text(j, f->stdin_note);
  json_key(j, "witness"), json_text(j, f->witness);
  json_key(j, "merged"), json_number(j, f->merged);
  json_key(j, "group"), json_number(j, f->group);
  json_key(j, "also"), json_text(j, f->also);
}

void put_report_fields(const Report *r, Json *j) {
  json_key(j, "version"), json_number(j, 1);
  json_key(j, "program"), json_text(j, r->program);
  json_key(j, "sigma"), json_text(j, r->sigma);
  json_key(j, "directory"), json_text(j, r->directory);
  put_ids("examined", r->schedules.at, r->schedules.len, j);
}

void put_report_end(const Report *r, Json *j) {
  json_key(j, "suppressed"), json_number(j, counts_of(r).suppressed);
  json_key(j, "checked"), json_open(j, '{');
  json_key(j, "pairs"), json_number(j, r->pairs);
  json_key(j, "schedules"), json_number(j, r->schedules.len);
  json_key(j, "scheduled_share"), json_share(j, r->scheduled_share);
  json_key(j, "unfinished_threads"), json_number(j, r->unfinished);
  json_key(j, "forks"), json_bool(j, r->forks);
  json_key(j, "unwatched"), json_text(j, r->unwatched);
  json_key(j, "runs"), json_number(j, r->runs);
  json_key(j, "seed"), json_number(j, r->seed);
  json_key(j, "limits"), json_open(j, '[');
  for (vec_each(i, &r->limits)) {
    json_open(j, '{');
    json_key(j, "name"), json_text(j, r->limits.at[i].name);
    json_key(j, "times"), json_number(j, r->limits.at[i].times);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
  json_key(j, "incomplete"), json_open(j, '[');
  for (vec_each(i, &r->incomplete)) {
    const FindingGap *g = &r->incomplete.at[i];
    json_open(j, '{');
    json_key(j, "text"), json_text(j, g->text);
    json_key(j, "file"), json_text(j, g->file);
    json_key(j, "line"), json_number(j, g->line);
    json_close(j, '}');
  }
  json_close(j, ']');
}

void finding_json(const Report *r, Bytes *out, const FindingOptions *o) {
  (void)o;
  Json j = {.out = out};
  json_open(&j, '{');
  put_report_fields(r, &j);
  json_key(&j, r->deadlocks ? "deadlocks" : "races"), json_open(&j, '[');
  for (vec_each(i, &r->findings)) {
    if (r->findings.at[i].suppressed) continue;
    j.lines = true;
    json_open(&j, '{');
    j.lines = false;
    put_finding_fields(&r->findings.at[i], &j);
    put_interleaving(&r->findings.at[i], 0, &j);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  put_report_end(r, &j);
  json_close(&j, '}');
  vec_push(out, '\n');
}
