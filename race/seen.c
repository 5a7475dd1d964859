#include "seen.h"
#include "replay/replay.h"

struct Seen {
  Evidence *evidence;
  Vec(uint32_t) place;      // by access; UINT32_MAX: it has none, or is not wanted
  Vec(IdVec) accesses;      // by place
  Vec(EvidencePlace) told;  // by place
  Strings names;
};

static bool writes(const Access *x) {
  return (x->kind & (ALIAS_WRITES | ALIAS_FREES)) != 0;
}

// Places are told apart by the name and by whether they write.
static uint32_t place_of(Seen *s, Intern *places, const Access *x, uint32_t access) {
  char *name = origin_of(x->inst);
  if (!name) return UINT32_MAX;
  char *key = mem_format("%c%s", writes(x) ? 'w' : 'r', name);
  uint32_t id = intern_id(places, key, strlen(key));
  mem_free(key);
  if (id == s->accesses.len) {
    vec_push(&s->accesses, ((IdVec){0}));
    vec_push(&s->told, ((EvidencePlace){name, writes(x)}));
    vec_push(&s->names, name);
  } else {
    mem_free(name);
  }
  vec_push(&s->accesses.at[id], access);
  return id;
}

static void find_places(Seen *s, const Accesses *all, const bool *wanted) {
  Intern *places = intern_new();
  for (uint32_t i = 0; i < accesses_count(all); ++i)
    vec_push(&s->place, wanted[i] ? place_of(s, places, accesses_at(all, i), i) : UINT32_MAX);
  intern_free(places);
}

// The first reason is enough for a reader.
static void tell_why(Report *r, const char *why) {
  if (why && !r->unwatched) r->unwatched = report_intern(r, why);
}

static void tell_failure(Report *r, const Diags *d) {
  for (size_t i = 0; i < diags_count(d); ++i) tell_why(r, diags_at(d, i)->text);
  tell_why(r, "the program could not be run");
}

Seen *seen_new(const RaceOptions *o, const Accesses *all, const bool *wanted, Report *report) {
  Seen *s = mem_alloc(sizeof *s);
  Diags *quiet = diags_new();
  find_places(s, all, wanted);
  s->evidence = evidence_new(o->app, o->sigma, o->schedule, s->told.at, s->told.len, o->watch, quiet);
  if (s->evidence)
    tell_why(report, evidence_short(s->evidence));
  else
    tell_failure(report, quiet);
  diags_free(quiet);
  if (s->evidence) return s;
  seen_free(s);
  return NULL;
}

void seen_free(Seen *s) {
  if (!s) return;
  evidence_free(s->evidence);
  for (vec_each(i, &s->accesses)) vec_free(&s->accesses.at[i]);
  vec_free(&s->accesses), vec_free(&s->place), vec_free(&s->told);
  strings_free(&s->names);
  mem_free(s);
}

FindingSeen seen_of(const Seen *s, size_t access, size_t other) {
  uint32_t a = s->place.at[access], b = s->place.at[other];
  return a == UINT32_MAX || b == UINT32_MAX ? FINDING_UNWATCHED : evidence_of(s->evidence, a, b);
}

bool seen_pair(const Seen *s, size_t n, Ids *some, Ids *others) {
  const EvidencePairs *all = evidence_pairs(s->evidence);
  if (n >= all->len) return false;
  *some = ids_of(&s->accesses.at[all->at[n].a]), *others = ids_of(&s->accesses.at[all->at[n].b]);
  return true;
}
