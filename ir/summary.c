#include "summary.h"
#include <assert.h>
#include <ctype.h>
#include "core/core.h"
#include "library.h"

typedef struct {
  uint32_t first, len;
} Slice;

struct Summaries {
  Vec(Do) all;
  Vec(Slice) slices;      // by id of names or prefixes
  Intern *names, *named;
  Vec(char *) patterns;  // names that end in *
};

typedef struct {
  Summaries *s;
  const char *at;
  bool bad;
} Text;

static bool eat(Text *t, const char *word) {
  size_t n = strlen(word);
  if (strncmp(t->at, word, n)) return false;
  t->at += n;
  return true;
}

static uint8_t parse_number(Text *t, unsigned limit) {
  unsigned n = 0;
  if (!isdigit((unsigned char)*t->at)) t->bad = true;
  while (isdigit((unsigned char)*t->at) && n < limit) n = n * 10 + (unsigned)(*t->at++ - '0');
  if (n >= limit) t->bad = true;
  return (uint8_t)n;
}

static uint8_t parse_operand(Text *t) {
  if (eat(t, "result")) return OPERAND_RESULT;
  if (!eat(t, "@")) return parse_number(t, OPERAND_RESULT);
  size_t n = strspn(t->at, "abcdefghijklmnopqrstuvwxyz_");
  uint32_t id = intern_id(t->s->named, t->at, n);
  t->at += n;
  if (!n || id > OPERAND_NONE - OPERAND_NAMED - 1) t->bad = true;
  return (uint8_t)(OPERAND_NAMED + id);
}

static SummaryValue parse_value(Text *t) {
  SummaryValue v = {VALUE_ITSELF, OPERAND_NONE};
  if (eat(t, "new")) return (SummaryValue){VALUE_NEW, OPERAND_NONE};
  if (eat(t, "static")) return (SummaryValue){VALUE_STATIC, OPERAND_NONE};
  if (eat(t, "own")) return (SummaryValue){VALUE_OWN, OPERAND_NONE};
  if (eat(t, "?")) return (SummaryValue){VALUE_UNKNOWN, OPERAND_NONE};
  if (eat(t, "%")) {
    v.operand = parse_operand(t);
    v.kind = eat(t, "+") ? VALUE_ALL_REACHED : VALUE_REACHED;
    return v;
  }
  if (eat(t, "~*~*~")) {
    v.kind = VALUE_IN_HELD_TWICE;
    v.operand = parse_operand(t);
    return v;
  }
  if (eat(t, "~")) v.kind = VALUE_INSIDE;
  if (eat(t, "*~*~"))
    v.kind = VALUE_HELD_TWICE;
  else if (eat(t, "*~"))
    v.kind = VALUE_HELD;
  else if (eat(t, "*"))
    v.kind = v.kind == VALUE_INSIDE ? VALUE_BEHIND : VALUE_LOADED;
  if (eat(t, "^")) v.kind = VALUE_VIRTUAL;
  v.operand = parse_operand(t);
  return v;
}

static void parse_bytes(Text *t, Do *d) {
  if (!eat(t, ":")) return;
  if (eat(t, "#")) {
    d->fixed = parse_number(t, 256);
    return;
  }
  d->text = eat(t, "t");
  if (d->text) return;
  d->times = parse_number(t, OPERAND_RESULT);
  if (eat(t, "*")) d->times2 = parse_number(t, OPERAND_RESULT);
}

static void parse_args(Text *t, Do *d) {
  if (!eat(t, "(")) t->bad = true;
  while (!t->bad && !eat(t, ")")) {
    if (d->count == OPERANDS) {
      t->bad = true;
      return;
    }
    d->args[d->count++] = parse_value(t);
    eat(t, ",");
  }
}

// R W A X E Q V: a place. r= a value. S place = value. C place < place. call, spawn place (values).
static Do parse_one(Text *t) {
  static const struct {
    const char *word;
    DoKind kind;
  } words[] = {{"call", DO_CALL}, {"spawn", DO_SPAWN}, {"r=", DO_RETURN}, {"R", DO_READ},
               {"W", DO_WRITE},   {"A", DO_USE},       {"X", DO_FREE},    {"E", DO_ESCAPE},
               {"Q", DO_MIX},     {"V", DO_VTABLE},    {"S", DO_STORE},     {"C", DO_COPY}};
  Do d = {.times = OPERAND_NONE, .times2 = OPERAND_NONE};
  size_t i = 0, n = sizeof words / sizeof *words;
  while (i < n && !eat(t, words[i].word)) ++i;
  if (i == n) {
    t->bad = true;
    return d;
  }
  d.kind = words[i].kind;
  d.program = d.kind == DO_CALL && eat(t, "-program");
  if (d.kind == DO_RETURN)
    d.value = parse_value(t);
  else
    d.place = parse_value(t);
  if (d.kind == DO_STORE && !eat(t, "=")) t->bad = true;
  if (d.kind == DO_COPY && !eat(t, "<")) t->bad = true;
  if (d.kind == DO_STORE || d.kind == DO_COPY) d.value = parse_value(t);
  if (d.kind == DO_CALL || d.kind == DO_SPAWN) parse_args(t, &d);
  d.rest = eat(t, "+");
  parse_bytes(t, &d);
  return d;
}

static bool parse(Summaries *s, const char *effects, Slice *out) {
  Text t = {s, effects, false};
  out->first = (uint32_t)s->all.len;
  while (*t.at && !t.bad) {
    Do d = parse_one(&t);
    vec_push(&s->all, d);
    if (*t.at && !eat(&t, " ")) t.bad = true;
  }
  out->len = (uint32_t)s->all.len - out->first;
  return !t.bad;
}

static void add_name(Summaries *s, const char *name, size_t n, Slice slice) {
  uint32_t id = intern_id(s->names, name, n);
  if (id < s->slices.len)
    s->slices.at[id] = slice;  // the later row counts
  else
    vec_push(&s->slices, slice);
  if (name[n - 1] == '*') vec_push(&s->patterns, mem_format("%.*s", (int)n, name));
}

bool summaries_add(Summaries *s, const char *effects, const char *names, const char **why) {
  Slice slice;
  *why = effects;
  if (!parse(s, effects, &slice)) return false;
  for (const char *at = names + strspn(names, " "); *at;) {
    size_t n = strcspn(at, " ");
    add_name(s, at, n, slice);
    at += n + strspn(at + n, " ");
  }
  return true;
}

Summaries *summaries_new(void) {
  Summaries *s = mem_alloc(sizeof *s);
  s->names = intern_new();
  s->named = intern_new();
  const char *name, *last = NULL;
  Slice slice = {0};
  for (size_t i = 0; (name = library_name(i)); ++i) {
    const Library *row = library_find(name, false);
    if (!row->memory) continue;
    bool ok = row->memory == last || parse(s, row->memory, &slice);
    assert(ok && "library.def is well-formed");
    (void)ok;
    last = row->memory;
    add_name(s, name, strlen(name), slice);
  }
  CHECKED(summaries_check(s));
  return s;
}

void summaries_free(Summaries *s) {
  if (!s) return;
  for (vec_each(i, &s->patterns)) mem_free(s->patterns.at[i]);
  vec_free(&s->patterns);
  vec_free(&s->all);
  vec_free(&s->slices);
  intern_free(s->names);
  intern_free(s->named);
  mem_free(s);
}

static uint32_t longest_pattern(const Summaries *s, const char *name) {
  size_t best = 0;
  uint32_t id = INTERN_NONE;
  if (!library_has(name)) return id;
  for (vec_each(i, &s->patterns)) {
    const char *p = s->patterns.at[i];
    size_t n = library_matches(p, name);
    if (n <= best) continue;
    best = n;
    id = intern_find(s->names, p, strlen(p));
  }
  return id;
}

bool summaries_find(const Summaries *s, const char *name, Summary *out) {
  assert(name && out);
  if (*name == 1) ++name;  // "as it stands": an asm label
  uint32_t id = intern_find(s->names, name, strlen(name));
  bool prefix = id == INTERN_NONE && !sync_find(name);
  if (prefix) id = longest_pattern(s, name);
  *out = (Summary){NULL, 0, false};
  if (id == INTERN_NONE) return sync_find(name) != NULL;
  *out = (Summary){s->all.at + s->slices.at[id].first, s->slices.at[id].len, prefix};
  return true;
}

size_t summaries_named(const Summaries *s) {
  return intern_count(s->named);
}
const char *summaries_name(const Summaries *s, size_t i) {
  assert(i < summaries_named(s));
  return intern_text(s->named, (uint32_t)i);
}

static bool is_argument(uint8_t o) {
  return o < OPERAND_RESULT || o == OPERAND_NONE;
}

// Memory and values of the library have no operand, all others have one.
static void check_value(const Summaries *s, SummaryValue v) {
  assert(v.kind <= VALUE_UNKNOWN && (v.operand == OPERAND_NONE) == (v.kind >= VALUE_NEW));
  assert(v.operand <= OPERAND_RESULT || v.operand == OPERAND_NONE ||
         (v.operand >= OPERAND_NAMED && v.operand - OPERAND_NAMED < (int)summaries_named(s)));
}

static void check_do(const Summaries *s, const Do *d) {
  assert(d->kind <= DO_SPAWN && d->fixed >= 0 && d->count <= OPERANDS);
  assert(is_argument(d->times) && is_argument(d->times2));
  assert(d->times2 == OPERAND_NONE || d->times != OPERAND_NONE);
  if (d->kind != DO_RETURN) check_value(s, d->place);
  if (d->kind == DO_RETURN || d->kind == DO_STORE || d->kind == DO_COPY) check_value(s, d->value);
  for (unsigned i = 0; i < d->count; ++i) check_value(s, d->args[i]);
}

void summaries_check(const Summaries *s) {
  assert(s->slices.len == intern_count(s->names));
  for (vec_each(i, &s->slices)) {
    Slice slice = s->slices.at[i];
    assert(slice.first <= s->all.len && slice.len <= s->all.len - slice.first);
    for (uint32_t k = 0; k < slice.len; ++k) check_do(s, &s->all.at[slice.first + k]);
  }
  for (vec_each(i, &s->patterns)) {
    const char *p = s->patterns.at[i];
    assert(intern_find(s->names, p, strlen(p)) != INTERN_NONE);
  }
}
