#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "file.h"
#include "text.h"

static void put(Bytes *out, const char *s) {
  bytes_text(out, s);
}
static void put_number(Bytes *out, uint64_t n) {
  vec_push(out, ' ');
  text_put_number(out, n);
}
static void put_word(const Sigma *s, Bytes *out, uint32_t text) {
  const char *t = sigma_text(s, text);
  vec_push(out, ' ');
  text_put(out, t, strlen(t), false);
}
static void put_quoted(const Sigma *s, Bytes *out, uint32_t text) {
  const char *t = sigma_text(s, text);
  vec_push(out, ' ');
  text_put_quoted(out, t, strlen(t));
}

// file:line:column, as one word.
static void put_place(const Sigma *s, Bytes *out, uint32_t file, uint32_t line, uint32_t column) {
  char *place = mem_format("%s:%" PRIu32 ":%" PRIu32, sigma_text(s, file), line, column);
  vec_push(out, ' ');
  text_put(out, place, strlen(place), false);
  mem_free(place);
}

static void put_thread(Bytes *out, uint32_t t) {
  vec_push(out, 't');
  text_put_number(out, t);
}

void object_print(const Schedule *c, uint32_t object, Bytes *out) {
  assert(object < c->objects.len);
  vec_push(out, (unsigned char)family_letter(c->objects.at[object].family));
  text_put_number(out, c->objects.at[object].number);
}
static void put_object(const Schedule *c, Bytes *out, uint32_t object) {
  vec_push(out, ' ');
  object_print(c, object, out);
}

static void put_count(Bytes *out, const char *before, uint32_t n, const char *what) {
  put(out, before);
  put_number(out, n);
  put(out, " "), put(out, what);
  if (n != 1) put(out, "s");
}
void outside_print(const Sigma *s, const SigmaOutside *o, Bytes *out) {
  const char *name = sigma_text(s, o->name);
  text_put(out, name, strlen(name), false);
  if (o->threads) put_count(out, " created", o->threads, "thread");
  if (o->threads && o->places) put(out, " and");
  if (o->places) put_count(out, " synchronizes in", o->places, "place");
}

static void put_origin(const Sigma *s, const Schedule *c, Bytes *out) {
  put(out, "origin ");
  put(out, sigma_origin_word(c->origin));
  if (c->argv.len) put(out, " argv");
  for (vec_each(i, &c->argv)) put_quoted(s, out, c->argv.at[i]);
  if (c->end != SIGMA_END_UNKNOWN) {
    put(out, c->end == SIGMA_EXIT ? " exit" : " signal");
    put_number(out, c->end_number);
  }
  put(out, "\n");
}

static void put_input(const Sigma *s, const SigmaInput *in, Bytes *out) {
  put(out, "input");
  put_quoted(s, out, in->name);
  if (in->lost) {
    put(out, " lost");
  } else if (in->hash == SIGMA_NONE) {
    put(out, " copy ");
    text_put_quoted(out, (const char *)in->copy.at, in->copy.len);
  } else {
    put(out, " hash");
    put_number(out, in->size);
    put_word(s, out, in->hash);
  }
  put(out, "\n");
}

static void put_crash(const Sigma *s, const Schedule *c, Bytes *out) {
  if (c->crash_thread == SIGMA_NONE) return;
  char address[24];
  snprintf(address, sizeof address, " 0x%" PRIx64 "\n", c->crash_address);
  put(out, "crash ");
  put_thread(out, c->crash_thread);
  put(out, address);
  for (vec_each(i, &c->frames)) {
    const SigmaFrame *f = &c->frames.at[i];
    put(out, "frame");
    put_word(s, out, f->function);
    if (f->file != SIGMA_NONE) put_place(s, out, f->file, f->line, f->column);
    put(out, "\n");
  }
}

static void put_dispatch(const Sigma *s, const Schedule *c, Bytes *out) {
  put(out, "at ");
  if (c->at_file == SIGMA_NONE) {
    put(out, "main\n");
    return;
  }
  char *place = mem_format("main:%s:%" PRIu32, sigma_text(s, c->at_file), c->at_line);
  text_put(out, place, strlen(place), false);
  put(out, "\n");
  mem_free(place);
}

static void put_constraint(const Sigma *s, const Schedule *c, Bytes *out) {
  put(out, "when ");
  put(out, sigma_status_word(c->status));
  if (c->status != SIGMA_FALSE) {
    put(out, " ");
    term_print(s->terms, c->when, out);
  } else if (c->because != SIGMA_NONE) {
    put(out, " because");
    put_quoted(s, out, c->because);
  }
  put(out, "\n");
}

// Objects of which nothing is known but their names need no line.
static void put_objects(const Sigma *s, const Schedule *c, Bytes *out) {
  for (uint32_t i = 0; i < c->objects.len; ++i) {
    const SigmaObject *o = &c->objects.at[i];
    bool plain = !o->recursive && !o->robust && !o->prefer_writer && !o->counted && !o->shared;
    if (plain && o->name == SIGMA_NONE) continue;
    put(out, "object");
    put_object(c, out, i);
    put(out, " ");
    put(out, family_word(o->family));
    if (o->recursive) put(out, " recursive");
    if (o->robust) put(out, " robust");
    if (o->prefer_writer) put(out, " prefer-writer");
    if (o->shared) put(out, " shared");
    if (o->counted) {
      put(out, " count");
      put_number(out, o->amount);
    }
    if (o->name != SIGMA_NONE) {
      put(out, " name");
      put_word(s, out, o->name);
    }
    put(out, "\n");
  }
}

void event_word_print(const Event *e, Bytes *out) {
  static const char *const phases[] = {"", "-arrive", "-depart"};
  assert(e->phase <= EVENT_DEPART);
  put(out, event_word(e->kind));
  put(out, phases[e->phase]);
}

const char *event_result(const Event *e) {
  static const char *const wakes[] = {[EVENT_WOKEN] = NULL,
                                      [EVENT_SPURIOUS] = "spurious",
                                      [EVENT_CANCELLED] = "cancelled",
                                      [EVENT_ENDED] = "ended",
                                      [EVENT_ANEW] = "anew"};
  assert(e->wake <= EVENT_ANEW);
  return e->outcome == SYNC_OK ? wakes[e->wake] : sync_outcome_word(e->outcome);
}

static void put_event(const Sigma *s, const Schedule *c, const Event *e, uint32_t occurrence, Bytes *out) {
  unsigned shape = event_shape(e->kind);
  put_thread(out, e->thread);
  put(out, " ");
  event_word_print(e, out);
  if (e->site != SIGMA_NONE) put_number(out, e->site);
  if (shape & EVENT_HAS_FUNCTION) put_word(s, out, e->other);
  if (shape & EVENT_HAS_ACCESS) {
    put_number(out, e->other);
    if (occurrence != SIGMA_NONE) put_number(out, occurrence);
  }
  if (e->object != SIGMA_NONE) put_object(c, out, e->object);
  if (e->other != SIGMA_NONE && shape & EVENT_HAS_MUTEX) put_object(c, out, e->other);
  if (e->other != SIGMA_NONE && shape & EVENT_MAY_THREAD) {
    put(out, " ");
    put_thread(out, e->other);
  }
  if (shape & EVENT_HAS_EFFECT) put(out, " "), put(out, sigma_text(s, e->other));
  const char *result = event_result(e);
  if (result) put(out, " = "), put(out, result);
}

void event_print(const Sigma *s, const Schedule *c, uint32_t event, Bytes *out) {
  assert(event < c->events.len);
  const Event *e = &c->events.at[event];
  put_event(s, c, e, e->kind == EVENT_ACCESS ? schedule_occurrence(c, event) : SIGMA_NONE, out);
}

void schedule_print(const Sigma *s, uint32_t id, Bytes *out) {
  assert(id < s->schedules.len);
  const Schedule *c = s->schedules.at[id];
  put(out, "schedule");
  put_number(out, id);
  put(out, "\n");
  put_origin(s, c, out);
  for (vec_each(i, &c->env)) {
    put(out, "env");
    put_quoted(s, out, c->env.at[i].name);
    if (c->env.at[i].value == SIGMA_NONE)
      put(out, " unset");
    else
      put_quoted(s, out, c->env.at[i].value);
    put(out, "\n");
  }
  for (vec_each(i, &c->inputs)) put_input(s, &c->inputs.at[i], out);
  put_crash(s, c, out);
  put(out, "order ");
  put(out, sigma_order_word(c->order));
  put(out, "\n");
  put_dispatch(s, c, out);
  put_constraint(s, c, out);
  if (c->incomplete) put(out, "incomplete\n");
  if (c->left_out) {
    put(out, "left-out");
    put_number(out, c->left_out);
    put(out, "\n");
  }
  for (vec_each(i, &c->outside)) {
    put(out, "outside");
    put_quoted(s, out, c->outside.at[i].name);
    put_number(out, c->outside.at[i].threads);
    put_number(out, c->outside.at[i].places);
    put(out, "\n");
  }
  put_objects(s, c, out);
  for (uint32_t i = 0; i < c->events.len; ++i) {
    event_print(s, c, i, out);
    put(out, "\n");
  }
  for (vec_each(i, &c->standing)) {
    put(out, "stands ");
    put_event(s, c, &c->standing.at[i], SIGMA_NONE, out);
    put(out, "\n");
  }
  put(out, "end");
  put_number(out, c->events.len);
  put(out, "\n");
}

static void put_site(const Sigma *s, uint32_t id, Bytes *out) {
  const SigmaSite *site = &s->sites.at[id];
  put(out, "site");
  put_number(out, id);
  put_word(s, out, site->name);
  put(out, " ");
  put(out, event_word(site->kind));
  if (site->file != SIGMA_NONE) put_place(s, out, site->file, site->line, site->column);
  if (site->derived && site->kind != EVENT_CALL) put(out, " derived");
  if (site->excluded) put(out, " excluded");
  put(out, "\n");
}

static void put_access(const Sigma *s, uint32_t id, Bytes *out) {
  const SigmaAccess *a = &s->accesses.at[id];
  put(out, "access");
  put_number(out, id);
  put_word(s, out, a->name);
  put(out, a->writes ? " write" : " read");
  if (a->bytes != SIGMA_NONE) put_number(out, a->bytes);
  if (a->file != SIGMA_NONE) put_place(s, out, a->file, a->line, a->column);
  put(out, "\n");
}

void sigma_print(const Sigma *s, Bytes *out) {
  put(out, "sigma 1\nprogram");
  put_word(s, out, s->program);
  put(out, "\nmodule");
  put_word(s, out, s->module);
  put(out, "\nschedules");
  put_number(out, s->schedules.len);
  put(out, "\n");
  for (vec_each(i, &s->atomics)) {
    put(out, "atomics");
    put_word(s, out, s->atomics.at[i]);
    put(out, "\n");
  }
  for (vec_each(i, &s->exclusions)) {
    put(out, "exclude ");
    put(out, family_word(s->exclusions.at[i].family));
    put_word(s, out, s->exclusions.at[i].name);
    put(out, "\n");
  }
  for (uint32_t i = 0; i < s->sites.len; ++i) put_site(s, i, out);
  for (uint32_t i = 0; i < s->accesses.len; ++i) put_access(s, i, out);
  for (uint32_t i = 0; i < s->schedules.len; ++i) schedule_print(s, i, out);
}

bool sigma_updatable(const char *path, Diags *diags) {
  struct stat st;
  if (lstat(path, &st) || S_ISREG(st.st_mode) || S_ISLNK(st.st_mode) || S_ISDIR(st.st_mode)) return true;
  diag_error(diags, "%s: no regular file: schedules that are added to need one", path);
  return false;
}

bool sigma_save(const Sigma *s, const char *path, Diags *diags) {
  Bytes out = {0};
  CHECKED(sigma_assert_whole(s));
  sigma_print(s, &out);
  int err = file_write(path, out.at, out.len, 0);
  vec_free(&out);
  if (err) diag(diags, DIAG_ERROR, (Place){.file = path}, "cannot be written: %s", strerror(err));
  return !err;
}
