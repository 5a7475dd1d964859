// One pass over the lines, straight down the form of the file: every line has one place where it may stand.
// What cuts a file short is seen because it ends in a line that must be there: the `end` of the last of
// `schedules N`.
#include <assert.h>
#include <stdlib.h>
#include "effect.h"
#include "file.h"
#include "text.h"

typedef struct {
  uint8_t kind, phase;
} Op;

typedef struct {
  const char *path;
  Diags *diags;
  Span rest;
  unsigned line;
  Text text;
  Word head;   // the first word of the line
  bool ended;  // there is no further line
  bool other;  // nothing has shown yet that this is a Σ at all
  Sigma *s;
  Intern *op_words;
  Vec(Op) ops;   // by id of op_words
  Map *objects;  // of this schedule, by family and number; before the first, what is excluded
} Reader;

static bool no_sigma(Reader *r) {
  diag(r->diags, DIAG_ERROR, (Place){r->path, r->line ? r->line : 1, 0},
       "not a schedule file: the first line must be `sigma 1`");
  return false;
}

__attribute__((format(printf, 3, 4))) static bool fail(Reader *r, unsigned column, const char *fmt, ...) {
  if (r->other) return no_sigma(r);
  va_list args;
  va_start(args, fmt);
  char *text = mem_vformat(fmt, args);
  va_end(args);
  diag(r->diags, DIAG_ERROR, (Place){r->path, r->line ? r->line : 1, column}, "%s", text);
  mem_free(text);
  return false;
}

// To the next line that says something. At the end of the file, ended is set and the head is empty.
static bool next(Reader *r) {
  TextResult result;
  do {
    if (!r->rest.len) {
      r->head = (Word){.at = ""};
      return r->ended = true;
    }
    const unsigned char *end = memchr(r->rest.at, '\n', r->rest.len);
    ++r->line;
    if (!end) return fail(r, 0, "the file is truncated: it ends inside this line");
    size_t len = (size_t)(end - r->rest.at);
    text_start(&r->text, span_of(r->rest.at, len));
    r->rest = span_of(end + 1, r->rest.len - len - 1);
    result = text_next(&r->text, &r->head);
  } while (result == TEXT_END);
  return result == TEXT_WORD || fail(r, r->text.column, "%s", r->text.error);
}

static bool at(const Reader *r, const char *word) {
  return !r->ended && word_is(&r->head, word);
}

static bool expect(Reader *r, const char *word, const char *where) {
  if (at(r, word)) return true;
  if (r->ended) return fail(r, 0, "the file is truncated: the line `%s` is missing%s", word, where);
  return fail(r, r->head.column, "expected the line `%s`, not %s%s", word, r->head.at, where);
}

// The next word of the line; false if there is none, or after an error.
static bool more(Reader *r, Word *w, bool *ok) {
  TextResult result = text_next(&r->text, w);
  *ok = result != TEXT_ERROR || fail(r, r->text.column, "%s", r->text.error);
  return result == TEXT_WORD;
}

static bool word(Reader *r, Word *w, const char *what) {
  bool ok;
  return more(r, w, &ok) || (ok && fail(r, w->column, "%s is missing at the end of this line", what));
}

static bool finished(Reader *r) {
  Word w;
  bool ok;
  return (!more(r, &w, &ok) || fail(r, w.column, "unexpected %s at the end of this line", w.at)) && ok;
}

static bool number(Reader *r, uint64_t most, uint64_t *value, const char *what) {
  Word w;
  if (!word(r, &w, what)) return false;
  return word_number(&w, most, value) || fail(r, w.column, "expected a number for %s, not %s", what, w.at);
}

static bool keep(Reader *r, const Word *w, uint32_t *text) {
  if (memchr(w->at, 0, w->len)) return fail(r, w->column, "a NUL in a text");
  *text = intern_id(r->s->texts, w->at, w->len);
  return true;
}

static bool text(Reader *r, uint32_t *id, const char *what) {
  Word w;
  if (!word(r, &w, what)) return false;
  return w.len ? keep(r, &w, id) : fail(r, w.column, "%s is empty", what);
}

// file:line:column in w, or with one number file:line. Returns the length of file, 0 if w is no place.
static size_t split_place(const Word *w, uint32_t *numbers, size_t n) {
  size_t end = w->len;
  while (n--) {
    size_t colon = end;
    while (colon && w->at[colon - 1] != ':') --colon;
    if (!colon) return 0;
    char digits[12] = {0};
    uint64_t value;
    if (end - colon >= sizeof digits) return 0;
    memcpy(digits, w->at + colon, end - colon);
    if (!word_number(&(Word){.at = digits, .len = end - colon}, UINT32_MAX, &value)) return 0;
    numbers[n] = (uint32_t)value;
    end = colon - 1;
  }
  return end;
}

static bool place(Reader *r, const Word *w, uint32_t *file, uint32_t *line, uint32_t *column) {
  uint32_t numbers[2];
  size_t len = split_place(w, numbers, 2);
  if (!len) return fail(r, w->column, "%s is not a place such as fig1.c:38:3", w->at);
  *line = numbers[0];
  *column = numbers[1];
  return keep(r, &(Word){.at = w->at, .len = len, .column = w->column}, file);
}

static bool family(Reader *r, const Word *w, SyncFamily *f) {
  for (int i = SYNC_MUTEX; i <= SYNC_FUTEX; ++i)
    if (word_is(w, family_word((SyncFamily)i))) return *f = (SyncFamily)i, true;
  return fail(r, w->column, "%s is not a kind of object", w->at);
}

static bool named_line(Reader *r, const char *word, uint32_t *id) {
  return expect(r, word, "") && text(r, id, word) && finished(r) && next(r);
}

static bool version(Reader *r) {
  uint64_t n;
  if (!at(r, "sigma")) return no_sigma(r);
  r->other = false;
  if (!number(r, UINT64_MAX, &n, "the version")) return false;
  if (n > 1)
    return fail(r, 0, "schedule file version %llu is newer than this Specialize, which reads version 1",
                n + 0ull);
  return n == 1 ? finished(r) && next(r) : fail(r, 0, "schedule file version 0 does not exist");
}

static bool atomics(Reader *r) {
  uint32_t name;
  if (!text(r, &name, "a variable, or all")) return false;
  bool all = !strcmp(sigma_text(r->s, name), "all");
  bool alone = r->s->atomics.len && (all || !strcmp(sigma_text(r->s, r->s->atomics.at[0]), "all"));
  if (alone) return fail(r, 0, "`atomics all` must be the only such line");
  for (vec_each(i, &r->s->atomics))
    if (r->s->atomics.at[i] == name) return fail(r, 0, "%s is listed twice", sigma_text(r->s, name));
  vec_push(&r->s->atomics, name);
  return finished(r) && next(r);
}

static bool exclusion(Reader *r) {
  SigmaExclusion x = {0};
  Word w;
  SyncFamily f = SYNC_THREAD;
  if (!word(r, &w, "a kind of object") || !family(r, &w, &f) || !text(r, &x.name, "a name")) return false;
  if (f != SYNC_MUTEX && f != SYNC_SPIN)
    return fail(r, w.column, "only a mutex or a spin lock can be excluded");
  x.family = (uint8_t)f;
  uint64_t key = (uint64_t)f << 32 | x.name;
  if (map_get(r->objects, key, &key)) return fail(r, 0, "%s is excluded twice", sigma_text(r->s, x.name));
  map_put(r->objects, key, 1);
  vec_push(&r->s->exclusions, x);
  return finished(r) && next(r);
}

static bool site_kind(Reader *r, const Word *w, int *kind) {
  for (int i = SYNC_ENTER + 1; i <= EVENT_CALL; ++i)
    if (event_count(i) && word_is(w, event_word(i))) return *kind = i, true;
  return fail(r, w->column, "%s is not an operation of a site", w->at);
}

static bool site_rest(Reader *r, SigmaSite *site) {
  Word w;
  bool ok;
  for (bool placed = false; more(r, &w, &ok); placed = true) {
    bool derived = word_is(&w, "derived"), excluded = word_is(&w, "excluded");
    if (excluded && site->kind != SYNC_LOCK && site->kind != SYNC_UNLOCK)
      return fail(r, w.column, "only lock and unlock sites can be excluded");
    if (derived || excluded) {
      site->derived |= derived, site->excluded = excluded;
      return finished(r) && next(r);
    }
    if (placed) return fail(r, w.column, "unexpected %s at the end of this line", w.at);
    if (!place(r, &w, &site->file, &site->line, &site->column)) return false;
  }
  return ok && next(r);
}

static bool site(Reader *r) {
  uint64_t id;
  uint32_t name;
  Word w;
  int kind = EVENT_CALL;
  if (!number(r, UINT32_MAX, &id, "the number of a site")) return false;
  if (id != r->s->sites.len)
    return fail(r, 0, "expected site %zu, not site %llu", r->s->sites.len, id + 0ull);
  if (!text(r, &name, "the name of a site") || !word(r, &w, "an operation") || !site_kind(r, &w, &kind))
    return false;
  uint32_t added = sigma_add_site(r->s, sigma_text(r->s, name), kind);
  if (added != id) return fail(r, 0, "site %llu is the same as site %u", id + 0ull, added);
  return site_rest(r, &r->s->sites.at[added]);
}

// function%ordinal
static bool instruction_name(const Word *w) {
  uint32_t ordinal;
  return place_split(w->at, w->len, '%', &ordinal) > 0;
}

// How many bytes, and where: either may be missing.
static bool access_rest(Reader *r, SigmaAccess *a) {
  Word w;
  uint64_t n;
  bool ok, have = more(r, &w, &ok);
  if (have && word_number(&w, UINT32_MAX - 1, &n)) {
    a->bytes = (uint32_t)n;
    have = more(r, &w, &ok);
  }
  if (!have) return ok;
  return place(r, &w, &a->file, &a->line, &a->column) && finished(r);
}

static bool access_line(Reader *r) {
  SigmaAccess a = {.file = SIGMA_NONE, .bytes = SIGMA_NONE};
  uint64_t id;
  Word w;
  if (!number(r, UINT32_MAX, &id, "the number of an access")) return false;
  if (id != r->s->accesses.len)
    return fail(r, 0, "expected access %zu, not access %llu", r->s->accesses.len, id + 0ull);
  if (!word(r, &w, "the name of an instruction")) return false;
  if (!instruction_name(&w)) return fail(r, w.column, "%s is not an instruction such as worker%%17", w.at);
  if (!keep(r, &w, &a.name) || !word(r, &w, "read or write")) return false;
  if (!word_is(&w, "read") && !word_is(&w, "write"))
    return fail(r, w.column, "expected read or write, not %s", w.at);
  a.writes = word_is(&w, "write");
  if (!access_rest(r, &a)) return false;
  for (vec_each(i, &r->s->accesses))
    if (r->s->accesses.at[i].name == a.name && r->s->accesses.at[i].writes == a.writes)
      return fail(r, 0, "access %llu is the same as access %zu", id + 0ull, i);
  vec_push(&r->s->accesses, a);
  return next(r);
}

static bool arguments(Reader *r, Schedule *c, Word *w, bool *have) {
  bool ok = true;
  uint32_t id = SIGMA_NONE;
  while ((*have = more(r, w, &ok)) && w->quoted) {
    if (!keep(r, w, &id)) return false;
    vec_push(&c->argv, id);
  }
  return ok;
}

static bool origin(Reader *r, Schedule *c) {
  Word w;
  uint64_t n;
  bool ok;
  if (!expect(r, "origin", "") || !word(r, &w, "recorded, enumerated or written")) return false;
  int i = SIGMA_WRITTEN;
  while (i >= 0 && !word_is(&w, sigma_origin_word((SigmaOrigin)i))) --i;
  if (i < 0) return fail(r, w.column, "expected recorded, enumerated or written, not %s", w.at);
  c->origin = (SigmaOrigin)i;
  bool have = more(r, &w, &ok);
  if (!ok || (have && word_is(&w, "argv") && !arguments(r, c, &w, &have))) return false;
  if (!have) return next(r);
  if (!word_is(&w, "exit") && !word_is(&w, "signal"))
    return fail(r, w.column, "expected argv, exit or signal, not %s", w.at);
  c->end = word_is(&w, "exit") ? SIGMA_EXIT : SIGMA_SIGNAL;
  if (!number(r, 255, &n, "how the run ended")) return false;
  c->end_number = (uint32_t)n;
  return finished(r) && next(r);
}

static bool env(Reader *r, Schedule *c) {
  SigmaEnv e = {.value = SIGMA_NONE};
  Word w;
  if (!text(r, &e.name, "the name of a variable") || !word(r, &w, "a value")) return false;
  if (!word_is(&w, "unset") && !keep(r, &w, &e.value)) return false;
  vec_push(&c->env, e);
  return finished(r) && next(r);
}

static bool input(Reader *r, Schedule *c) {
  SigmaInput in = {.hash = SIGMA_NONE};
  Word w;
  if (!text(r, &in.name, "the name of a file") || !word(r, &w, "copy, hash or lost")) return false;
  if (word_is(&w, "copy")) {
    if (!word(r, &w, "what was read")) return false;
    in.size = w.len;
    vec_append(&in.copy, w.at, w.len);
  } else if (word_is(&w, "lost")) {
    in.lost = true;
  } else if (!word_is(&w, "hash")) {
    return fail(r, w.column, "expected copy, hash or lost, not %s", w.at);
  } else if (!number(r, UINT64_MAX, &in.size, "the size") || !text(r, &in.hash, "a hash")) {
    return false;
  }
  vec_push(&c->inputs, in);
  return finished(r) && next(r);
}

static bool thread_number(const Word *w, uint32_t *t) {
  uint64_t n;
  if (w->quoted || w->at[0] != 't' ||
      !word_number(&(Word){.at = w->at + 1, .len = w->len - 1}, UINT32_MAX, &n))
    return false;
  *t = (uint32_t)n;
  return true;
}

static bool address(const Word *w, uint64_t *n) {
  if (w->quoted || w->len < 3 || w->len > 18 || strncmp(w->at, "0x", 2)) return false;
  if (strspn(w->at + 2, "0123456789abcdef") != w->len - 2) return false;
  *n = strtoull(w->at + 2, NULL, 16);
  return true;
}

static bool frame(Reader *r, Schedule *c) {
  SigmaFrame f = {.file = SIGMA_NONE};
  Word w;
  bool ok;
  if (!text(r, &f.function, "a function")) return false;
  if (more(r, &w, &ok) && !place(r, &w, &f.file, &f.line, &f.column)) return false;
  vec_push(&c->frames, f);
  return ok && finished(r) && next(r);
}

static bool crash(Reader *r, Schedule *c) {
  Word w;
  if (!word(r, &w, "a thread")) return false;
  if (!thread_number(&w, &c->crash_thread)) return fail(r, w.column, "%s is not a thread", w.at);
  if (!word(r, &w, "an address")) return false;
  if (!address(&w, &c->crash_address)) return fail(r, w.column, "%s is not an address", w.at);
  if (!finished(r) || !next(r)) return false;
  while (at(r, "frame"))
    if (!frame(r, c)) return false;
  return true;
}

static bool order(Reader *r, Schedule *c) {
  Word w;
  if (!expect(r, "order", "") || !word(r, &w, "hb or total")) return false;
  if (!word_is(&w, "hb") && !word_is(&w, "total"))
    return fail(r, w.column, "expected hb or total, not %s", w.at);
  c->order = word_is(&w, "hb") ? SIGMA_HB : SIGMA_TOTAL;
  return finished(r) && next(r);
}

static bool dispatch(Reader *r, Schedule *c) {
  Word w;
  if (!expect(r, "at", "") || !word(r, &w, "main or main:FILE:LINE")) return false;
  if (strcmp(w.at, "main")) {
    Word file = {.at = w.at + 5, .column = w.column};
    if (w.len > 5 && !strncmp(w.at, "main:", 5)) {
      file.len = w.len - 5;
      file.len = split_place(&file, &c->at_line, 1);
    }
    if (!file.len || !c->at_line) return fail(r, w.column, "expected main or main:FILE:LINE, not %s", w.at);
    if (!keep(r, &file, &c->at_file)) return false;
  }
  return finished(r) && next(r);
}

static bool constraint(Reader *r, Schedule *c) {
  Word w;
  if (!expect(r, "when", "") || !word(r, &w, "a status")) return false;
  int i = SIGMA_FALSE;
  while (i >= 0 && !word_is(&w, sigma_status_word((SigmaStatus)i))) --i;
  if (i < 0) return fail(r, w.column, "expected proved, exact, by-hand, unproved or false, not %s", w.at);
  c->status = (SigmaStatus)i;
  c->when_line = r->line;
  bool ok = true;
  if (c->status == SIGMA_FALSE) {
    bool reason = more(r, &w, &ok) && ok;
    if (reason && !word_is(&w, "because"))
      return fail(r, w.column, "expected because or nothing, not %s", w.at);
    if (reason) ok = text(r, &c->because, "a reason");
    return ok && finished(r) && next(r);
  }
  Span rest = span_of(r->text.at, (size_t)(r->text.end - r->text.at));
  unsigned column = (unsigned)(r->text.at - r->text.start) + 1;
  c->when = term_parse(r->s->terms, rest, r->diags, (Place){r->path, r->line, column});
  return c->when != TERM_NONE && next(r);
}

// The object that w names; added when it is seen for the first time.
static bool object(Reader *r, Schedule *c, const Word *w, uint32_t *id) {
  uint64_t n, key, there;
  int f = SYNC_FUTEX;
  while (f > SYNC_THREAD && (!w->len || w->at[0] != family_letter((SyncFamily)f))) --f;
  if (w->quoted || f == SYNC_THREAD ||
      !word_number(&(Word){.at = w->at + 1, .len = w->len - 1}, UINT32_MAX - 1, &n))
    return fail(r, w->column, "%s is not an object", w->at);
  key = (uint64_t)f << 32 | n;
  if (!map_get(r->objects, key, &there)) {
    there = schedule_add_object(c, (SyncFamily)f);
    c->objects.at[there].number = (uint32_t)n;
    if (n >= c->next_number[f]) c->next_number[f] = (uint32_t)n + 1;
    map_put(r->objects, key, there);
  }
  assert(there < c->objects.len && c->objects.at[there].number == n);
  *id = (uint32_t)there;
  return true;
}

static bool object_count(Reader *r, SigmaObject *o, const Word *w) {
  uint64_t n;
  if (o->family != SYNC_BARRIER_OBJECT && o->family != SYNC_SEMAPHORE)
    return fail(r, w->column, "only barriers and semaphores have a count");
  if (!number(r, INT32_MAX, &n, "a count")) return false;
  if (!n && o->family == SYNC_BARRIER_OBJECT) return fail(r, 0, "a barrier needs at least one thread");
  o->counted = true;
  o->amount = (uint32_t)n;
  return true;
}

static bool object_word(Reader *r, SigmaObject *o, const Word *w) {
  if (word_is(w, "recursive") && o->family == SYNC_MUTEX && !o->recursive) return o->recursive = true;
  if (word_is(w, "robust") && o->family == SYNC_MUTEX && !o->robust) return o->robust = true;
  if (word_is(w, "prefer-writer") && o->family == SYNC_RWLOCK && !o->prefer_writer)
    return o->prefer_writer = true;
  bool sharable = o->family != SYNC_ONCE_FLAG && o->family != SYNC_CELL && o->family != SYNC_FUTEX;
  if (word_is(w, "shared") && sharable && !o->shared) return o->shared = true;
  if (word_is(w, "count") && !o->counted) return object_count(r, o, w);
  if (word_is(w, "name") && o->name == SIGMA_NONE) return text(r, &o->name, "a name");
  return fail(r, w->column, "%s is not allowed on this line", w->at);
}

static bool declaration(Reader *r, Schedule *c) {
  Word w;
  SyncFamily f = SYNC_THREAD;
  uint32_t id;
  bool ok;
  size_t before = c->objects.len;
  if (!word(r, &w, "an object") || !object(r, c, &w, &id)) return false;
  if (id < before) return fail(r, w.column, "%s is declared twice", w.at);
  if (!word(r, &w, "a kind of object") || !family(r, &w, &f)) return false;
  SigmaObject *o = &c->objects.at[id];
  if (f != o->family)
    return fail(r, w.column, "the name %c%u is that of a %s", family_letter(o->family), o->number,
                family_word(o->family));
  while (more(r, &w, &ok))
    if (!object_word(r, o, &w)) return false;
  return ok && next(r);
}

static bool thread(Reader *r, const Schedule *c, const Word *w, uint32_t *t) {
  if (!thread_number(w, t)) return fail(r, w->column, "%s is not a thread", w->at);
  return *t < c->threads || fail(r, w->column, "%s has not been created", w->at);
}

static bool event_site(Reader *r, const Word *w, uint32_t *id) {
  uint64_t n;
  if (!word_number(w, UINT32_MAX, &n)) return fail(r, w->column, "%s is not the number of a site", w->at);
  *id = (uint32_t)n;
  return n < r->s->sites.len || fail(r, w->column, "there is no site %s", w->at);
}

static bool function(Reader *r, Event *e, const Word *w) {
  return w->len ? keep(r, w, &e->other) : fail(r, w->column, "the function has no name");
}

static bool event_access(Reader *r, Event *e, const Word *w) {
  uint64_t n;
  if (!word_number(w, UINT32_MAX, &n)) return fail(r, w->column, "%s is not the number of an access", w->at);
  e->other = (uint32_t)n;
  return n < r->s->accesses.len || fail(r, w->column, "there is no access %s", w->at);
}

// Two accesses end a witness. Occurrences are kept in the order in which they come.
static bool occurrence(Reader *r, Schedule *c, const Word *w) {
  uint64_t n;
  if (!word_number(w, UINT32_MAX - 1, &n))
    return fail(r, w->column, "%s is not the number of an execution", w->at);
  c->occurrences[1] = (uint32_t)n;
  return true;
}

static bool other_thread(Reader *r, Schedule *c, Event *e, const Word *w) {
  if (e->kind != SYNC_CREATE) return thread(r, c, w, &e->other);
  if (!thread_number(w, &e->other)) return fail(r, w->column, "%s is not a thread", w->at);
  if (e->other != c->threads)
    return fail(r, w->column, "%s is created, but t%u is the next thread", w->at, c->threads);
  schedule_add_thread(c);
  return true;
}

static bool outcome(Reader *r, Event *e) {
  Word w;
  if (!word(r, &w, "an outcome")) return false;
  if (e->kind == SYNC_ATOMIC && word_is(&w, "anew")) {
    e->wake = EVENT_ANEW;
    return finished(r);
  }
  if (e->kind == SYNC_WAIT && e->phase == EVENT_DEPART) {
    e->wake = word_is(&w, "spurious") ? EVENT_SPURIOUS : EVENT_WOKEN;
    if (e->wake != EVENT_WOKEN) return finished(r);
  }
  if (e->kind == SYNC_EXIT && e->site == SIGMA_NONE && word_is(&w, "ended")) {
    e->wake = EVENT_ENDED;
    return finished(r);
  }
  if (event_may_be_cancelled(e) && word_is(&w, "cancelled")) {
    e->wake = EVENT_CANCELLED;
    return finished(r);
  }
  for (unsigned bit = 0; sync_outcome_word((SyncOutcome)(1u << bit)); ++bit)
    if (word_is(&w, sync_outcome_word((SyncOutcome)(1u << bit)))) {
      e->outcome = (uint16_t)(1u << bit);
      return finished(r);
    }
  return fail(r, w.column, "%s is not an outcome", w.at);
}

// One operand, which w must be if must, and is if it is there and no outcome begins. Then w moves on.
typedef struct {
  Word w;
  bool have;
} Operand;
static bool take(Operand *o, bool must, bool may) {
  return must || (may && o->have && !word_is(&o->w, "="));
}

// Several words, up to the outcome.
static bool effect(Reader *r, Event *e, Operand *o, bool *ok) {
  char text[EFFECT_TEXT] = "";
  AtomicEffect known;
  size_t len = 0;
  unsigned column = o->w.column;
  for (; o->have && !word_is(&o->w, "="); o->have = more(r, &o->w, ok)) {
    if (len + o->w.len + 2 > sizeof text) return fail(r, column, "no atomic operation says so much");
    if (len) text[len++] = ' ';
    memcpy(text + len, o->w.at, o->w.len + 1);
    len += o->w.len;
  }
  if (!*ok) return false;
  if (!effect_parse(text, &known) || (known.kind == EFFECT_FENCE) != (e->kind == SYNC_FENCE))
    return fail(r, column, "`%s` is not what %s does", text, event_word(e->kind));
  e->other = sigma_intern(r->s, text);
  return true;
}

static bool operands(Reader *r, Schedule *c, Event *e) {
  unsigned shape = event_shape(e->kind);
  bool ok;
  Operand o;
  o.have = more(r, &o.w, &ok);
#define OPERAND(must, may, what, parse)                                                     \
  if (ok && take(&o, (shape & (must)) != 0, (shape & (may)) != 0)) {                        \
    if (!o.have) return fail(r, o.w.column, "%s is missing at the end of this line", what); \
    if (!(parse)) return false;                                                             \
    o.have = more(r, &o.w, &ok);                                                            \
  }
  OPERAND(EVENT_HAS_SITE, EVENT_MAY_SITE, "a site", event_site(r, &o.w, &e->site))
  OPERAND(EVENT_HAS_FUNCTION, 0, "a function", function(r, e, &o.w))
  OPERAND(EVENT_HAS_OBJECT, EVENT_MAY_OBJECT, "an object", object(r, c, &o.w, &e->object))
  if (ok && shape & EVENT_HAS_EFFECT && !effect(r, e, &o, &ok)) return false;
  OPERAND(EVENT_HAS_MUTEX, 0, "a mutex", object(r, c, &o.w, &e->other))
  OPERAND(0, EVENT_MAY_THREAD, "a thread", other_thread(r, c, e, &o.w))
  OPERAND(EVENT_HAS_ACCESS, 0, "an access", event_access(r, e, &o.w))
  OPERAND(0, EVENT_HAS_ACCESS, "", occurrence(r, c, &o.w))
#undef OPERAND
  if (!ok || !o.have) return ok;
  return word_is(&o.w, "=") ? outcome(r, e)
                            : fail(r, o.w.column, "unexpected %s at the end of this line", o.w.at);
}

static bool event_head(Reader *r, const Schedule *c, const Word *who, Event *e) {
  uint32_t t = 0;
  Word w;
  if (!thread(r, c, who, &t) || !word(r, &w, "an event")) return false;
  uint32_t op = w.quoted ? INTERN_NONE : intern_find(r->op_words, w.at, w.len);
  if (op == INTERN_NONE) return fail(r, w.column, "%s is not an event", w.at);
  assert(op < r->ops.len);
  *e = event_of(t, r->ops.at[op].kind, SIGMA_NONE);
  e->phase = r->ops.at[op].phase & 3;
  e->line = r->line;
  return true;
}

static bool event(Reader *r, Schedule *c) {
  Event e;
  if (!event_head(r, c, &r->head, &e)) return false;
  if (c->events.len >= INT32_MAX) return fail(r, 0, "more events than %d in one schedule", INT32_MAX);
  if (e.kind == EVENT_ACCESS) {
    if (c->events.len && vec_last(&c->events).kind == EVENT_ACCESS) c->occurrences[0] = c->occurrences[1];
    c->occurrences[1] = SIGMA_NONE;
  }
  if (!operands(r, c, &e)) return false;
  if (event_shape(e.kind) & EVENT_MAY_THREAD && e.other == SIGMA_NONE && e.outcome == SYNC_OK)
    return fail(r, 0, "a thread is missing");
  vec_push(&c->events, e);
  return next(r);
}

// A thread waits once, and threads stand in their order.
static bool stands(Reader *r, Schedule *c) {
  Word w;
  Event e;
  if (!c->incomplete) return fail(r, r->head.column, "a schedule in which threads stand must be incomplete");
  if (!word(r, &w, "a thread") || !event_head(r, c, &w, &e)) return false;
  if (!event_may_stand(&e)) return fail(r, 0, "no thread can stand in this operation for ever");
  if (!operands(r, c, &e)) return false;
  SyncFamily family = e.object == SIGMA_NONE ? SYNC_THREAD : (SyncFamily)c->objects.at[e.object].family;
  if (!event_outcomes(family, e.kind))
    return fail(r, 0, "no thread can wait so for a %s", family_word(family));
  if (e.outcome != SYNC_OK || e.wake != EVENT_WOKEN || (e.kind == SYNC_JOIN && e.other == SIGMA_NONE))
    return fail(r, 0, "what a thread stands in has no outcome, and a join has a thread");
  if (c->standing.len && vec_last(&c->standing).thread >= e.thread)
    return fail(r, 0, "threads that stand must be in their order, each once");
  vec_push(&c->standing, e);
  return next(r);
}

static bool schedule_end(Reader *r, const Schedule *c) {
  Word w;
  uint64_t n;
  bool ok;
  if (more(r, &w, &ok)) {
    if (!word_number(&w, UINT64_MAX, &n)) return fail(r, w.column, "%s is not a number of events", w.at);
    if (n != c->events.len)
      return fail(r, 0, "schedule %zu ends after %zu events, not after %llu", r->s->schedules.len - 1,
                  c->events.len, n + 0ull);
    ok = finished(r);
  }
  if (ok && c->crash_thread != SIGMA_NONE && c->crash_thread >= c->threads)
    return fail(r, 0, "t%u, which crashed, has not been created", c->crash_thread);
  return ok && next(r);
}

static bool outside(Reader *r, Schedule *c) {
  SigmaOutside o;
  uint64_t threads, places;
  if (!text(r, &o.name, "the name of a library") || !number(r, UINT32_MAX, &threads, "its threads") ||
      !number(r, UINT32_MAX, &places, "the places that synchronize"))
    return false;
  o.threads = (uint32_t)threads, o.places = (uint32_t)places;
  for (vec_each(i, &c->outside))
    if (c->outside.at[i].name == o.name) return fail(r, 0, "%s is listed twice", sigma_text(r->s, o.name));
  vec_push(&c->outside, o);
  return finished(r) && next(r);
}

static bool schedule_head(Reader *r, Schedule *c) {
  if (!finished(r) || !next(r) || !origin(r, c)) return false;
  while (at(r, "env"))
    if (!env(r, c)) return false;
  while (at(r, "input"))
    if (!input(r, c)) return false;
  if (at(r, "crash") && !crash(r, c)) return false;
  if (!order(r, c) || !dispatch(r, c) || !constraint(r, c)) return false;
  if (at(r, "incomplete")) {
    c->incomplete = true;
    if (!finished(r) || !next(r)) return false;
  }
  if (at(r, "left-out") && !(number(r, UINT64_MAX, &c->left_out, "a number") && finished(r) && next(r)))
    return false;
  while (at(r, "outside"))
    if (!outside(r, c)) return false;
  return true;
}

static bool schedule(Reader *r) {
  uint64_t id;
  if (!number(r, UINT32_MAX, &id, "the number of a schedule")) return false;
  if (id != r->s->schedules.len)
    return fail(r, 0, "expected schedule %zu, not schedule %llu", r->s->schedules.len, id + 0ull);
  Schedule *c = sigma_add_schedule(r->s);
  c->line = r->line;
  map_free(r->objects);
  r->objects = map_new();
  if (!schedule_head(r, c)) return false;
  while (at(r, "object"))
    if (!declaration(r, c)) return false;
  while (!r->ended && !at(r, "end") && !at(r, "stands"))
    if (!event(r, c)) return false;
  while (at(r, "stands"))
    if (!stands(r, c)) return false;
  return expect(r, "end", "") && schedule_end(r, c);
}

static bool whole(Reader *r) {
  uint64_t schedules = UINT64_MAX;
  if (!next(r) || !version(r) || !named_line(r, "program", &r->s->program)) return false;
  r->s->module_line = r->line;
  if (!named_line(r, "module", &r->s->module)) return false;
  if (at(r, "schedules") && !(number(r, UINT32_MAX, &schedules, "the schedules") && finished(r) && next(r)))
    return false;
  while (at(r, "atomics"))
    if (!atomics(r)) return false;
  while (at(r, "exclude"))
    if (!exclusion(r)) return false;
  while (at(r, "site"))
    if (!site(r)) return false;
  while (at(r, "access"))
    if (!access_line(r)) return false;
  if (schedules == UINT64_MAX && !expect(r, "schedule", "")) return false;
  while (at(r, "schedule") && r->s->schedules.len < schedules) {
    if (schedules == UINT64_MAX && r->s->schedules.len)
      return fail(r, 0, "a second schedule needs the line `schedules N` after `module`");
    if (!schedule(r)) return false;
  }
  if (!r->ended) return fail(r, r->head.column, "expected the end of the file, not %s", r->head.at);
  if (schedules != UINT64_MAX && r->s->schedules.len < schedules)
    return fail(r, 0, "the file is truncated: it has %zu of %llu schedules", r->s->schedules.len,
                schedules + 0ull);
  return true;
}

static void learn_ops(Reader *r) {
  static const char *const phases[] = {"", "-arrive", "-depart"};
  r->op_words = intern_new();
  CHECKED(event_tables_check());
  for (int kind = 0; kind < EVENT_KINDS; ++kind) {
    unsigned n = event_count(kind);
    for (int phase = n == 2; n && phase <= (n == 2 ? EVENT_DEPART : EVENT_WHOLE); ++phase) {
      char *word = mem_format("%s%s", event_word(kind), phases[phase]);
      uint32_t id = intern_id(r->op_words, word, strlen(word));
      assert(id == r->ops.len);  // no two operations are written alike
      vec_push(&r->ops, ((Op){(uint8_t)kind, (uint8_t)phase}));
      mem_free(word);
    }
  }
}

// A program or a page that was given by mistake is told to be no Σ, not where its first quote is wrong.
static bool begins(Span all) {
  static const char word[] = "sigma";
  size_t i = 0;
  while (i < all.len && (all.at[i] == ' ' || all.at[i] == '\t' || all.at[i] == '\n' || all.at[i] == '#'))
    if (all.at[i++] == '#')
      while (i < all.len && all.at[i] != '\n') ++i;
  size_t n = all.len - i < sizeof word - 1 ? all.len - i : sizeof word - 1;
  return n && !memcmp(all.at + i, word, n);
}

// The first byte that may not be in a file is told before anything else: it makes all lines behind it
// doubtful.
static bool clean(Reader *r, Span all) {
  size_t bad = text_bad(all);
  if (bad == all.len) return true;
  r->line = 1;
  for (size_t i = 0; i < bad; ++i) r->line += all.at[i] == '\n';
  return fail(r, 0, "this byte is not allowed in text; write \\x%02x", all.at[bad]);
}

Sigma *sigma_parse(Span text, const char *path, Diags *diags) {
  Reader r = {.path = path, .diags = diags, .rest = text, .s = sigma_new("", ""), .objects = map_new()};
  r.s->file = sigma_text(r.s, sigma_intern(r.s, path));
  r.other = !begins(text);
  learn_ops(&r);
  bool ok = clean(&r, text) && whole(&r);
  text_free(&r.text);
  intern_free(r.op_words);
  vec_free(&r.ops);
  map_free(r.objects);
  if (ok) CHECKED(sigma_assert_whole(r.s));
  if (ok) return r.s;
  sigma_free(r.s);
  return NULL;
}

Sigma *sigma_read(const char *path, Diags *diags) {
  Bytes all = {0};
  int err = file_read(path, &all);
  if (err) {
    diag(diags, DIAG_ERROR, (Place){.file = path}, "cannot be read: %s", strerror(err));
    return NULL;
  }
  Sigma *s = sigma_parse(span_of(all.at, all.len), path, diags);
  vec_free(&all);
  return s;
}
