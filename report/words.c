#include "words.h"
#include <inttypes.h>
#include <stdlib.h>

void put(Bytes *out, const char *s) {
  bytes_text(out, s);
}

void putf(Bytes *out, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  put(out, text);
  mem_free(text);
}

void put_argument(Bytes *out, const char *s) {
  if (*s && !strpbrk(s, " \t\n\"'\\$`&|;<>()*?[]#~!{}")) {
    put_shown(out, s);
    return;
  }
  put(out, "'");
  while (*s) {
    size_t n = strcspn(s, "'");
    put_shown_span(out, span_of(s, n));
    for (s += n; *s == '\''; ++s) put(out, "'\\''");
  }
  put(out, "'");
}

size_t shown_width(const Bytes *b, size_t from) {
  size_t n = 0;
  for (size_t i = from; i < b->len; ++i) n += (b->at[i] & 0xc0) != 0x80;
  return n;
}

void pad(Bytes *out, size_t from, size_t width) {
  for (size_t n = shown_width(out, from); n < width + 2; ++n) vec_push(out, ' ');
}

void put_operands(const Sigma *s, const Schedule *c, const Event *e, Bytes *out) {
  unsigned shape = event_shape(e->kind);
  if (e->object != SIGMA_NONE) object_print(c, e->object, out);
  if (e->other == SIGMA_NONE) return;
  if (shape & (EVENT_HAS_FUNCTION | EVENT_HAS_EFFECT)) {
    if (e->object != SIGMA_NONE) put(out, " ");
    put_shown(out, sigma_text(s, e->other));
  } else if (shape & EVENT_HAS_ACCESS) {
    const SigmaAccess *a = &s->accesses.at[e->other];
    put(out, a->writes ? "write" : "read");
    if (a->bytes != SIGMA_NONE) putf(out, " %" PRIu32, a->bytes);
  } else if (shape & EVENT_HAS_MUTEX) {
    put(out, " ");
    object_print(c, e->other, out);
  } else {
    putf(out, "t%" PRIu32, e->other);
  }
}

bool event_name(const Sigma *s, const Event *e, uint32_t *name) {
  if (e->kind == EVENT_ACCESS)
    *name = s->accesses.at[e->other].name;
  else if (e->site != SIGMA_NONE)
    *name = s->sites.at[e->site].name;
  else
    return false;
  return true;
}

bool put_event_place(const Sigma *s, const Event *e, Bytes *out) {
  size_t before = out->len;
  if (e->kind == EVENT_ACCESS) {
    const SigmaAccess *a = &s->accesses.at[e->other];
    put_place(s, a->file, a->line, a->column, out);
  } else if (e->site != SIGMA_NONE) {
    const SigmaSite *site = &s->sites.at[e->site];
    put_place(s, site->file, site->line, site->column, out);
  }
  return out->len > before;
}

void put_place(const Sigma *s, uint32_t file, uint32_t line, uint32_t column, Bytes *out) {
  if (file == SIGMA_NONE) return;
  put_shown(out, sigma_text(s, file));
  putf(out, ":%" PRIu32 ":%" PRIu32, line, column);
}

void put_origin(const Sigma *s, const Schedule *c, Bytes *out) {
  for (vec_each(i, &c->argv)) {
    if (i) put(out, " ");
    put_argument(out, sigma_text(s, c->argv.at[i]));
  }
}

void put_end(const Schedule *c, Bytes *out) {
  if (c->end != SIGMA_END_UNKNOWN)
    putf(out, "%s %" PRIu32, c->end == SIGMA_EXIT ? "exit" : "signal", c->end_number);
}

void put_dispatch(const Sigma *s, const Schedule *c, Bytes *out) {
  if (c->at_file == SIGMA_NONE) {
    put(out, "the entry of main");
  } else {
    put_shown(out, sigma_text(s, c->at_file));
    putf(out, ":%" PRIu32, c->at_line);
  }
}

SyncFamily event_family(const Schedule *c, const Event *e) {
  return e->object == SIGMA_NONE ? SYNC_THREAD : (SyncFamily)c->objects.at[e->object].family;
}

const char *event_family_word(const Schedule *c, const Event *e) {
  if (e->kind == EVENT_ACCESS) return "access";
  if (e->kind >= EVENT_CALL) return "call";
  return e->kind == SYNC_UNMODELLED ? "other" : family_word(event_family(c, e));
}

const char *object_label(const Sigma *s, const SigmaObject *o) {
  return sigma_text(s, o->name);
}

uint32_t *thread_routines(const Schedule *c) {
  uint32_t *routines = mem_array(c->threads, sizeof *routines);
  for (uint32_t t = 0; t < c->threads; ++t) routines[t] = SIGMA_NONE;
  for (vec_each(i, &c->events))
    if (c->events.at[i].kind == SYNC_ENTER) routines[c->events.at[i].thread] = c->events.at[i].other;
  return routines;
}

static int hottest_first(const void *a, const void *b) {
  const Use *x = a, *y = b;
  if (x->uses != y->uses) return x->uses < y->uses ? 1 : -1;
  return x->object < y->object ? -1 : x->object > y->object;
}

void uses_count(const Schedule *c, Uses *out) {
  for (uint32_t i = 0; i < c->objects.len; ++i) vec_push(out, ((Use){i, 0}));
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    if (e->object != SIGMA_NONE) ++out->at[e->object].uses;
    if (e->other != SIGMA_NONE && event_shape(e->kind) & EVENT_HAS_MUTEX) ++out->at[e->other].uses;
  }
  if (out->len) qsort(out->at, out->len, sizeof *out->at, hottest_first);
}
