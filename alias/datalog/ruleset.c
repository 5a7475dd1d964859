#include "ruleset.h"

void term_free(Term *t) {
  vec_free(&t->arguments);
}

void rule_free(Rule *r) {
  term_free(&r->head);
  for (vec_each(i, &r->body)) term_free(&r->body.at[i]);
  for (vec_each(i, &r->variables)) mem_free(r->variables.at[i].name);
  vec_free(&r->body);
  vec_free(&r->variables);
  mem_free(r->text);
}

void relation_free(Relation *r) {
  for (vec_each(i, &r->attributes)) mem_free(r->attributes.at[i].name);
  vec_free(&r->attributes);
  vec_free(&r->wishes);
  vec_free(&r->given);
  for (int i = 0; i < 2; ++i) vec_free(&r->files[i]);
  mem_free(r->name);
}

static void domain_free(Domain *d) {
  intern_free(d->texts);
  map_free(d->value_of);
  vec_free(&d->names);
  mem_free(d->name);
}

void ruleset_free(Ruleset *p) {
  for (vec_each(i, &p->domains)) domain_free(&p->domains.at[i]);
  for (vec_each(i, &p->relations)) relation_free(&p->relations.at[i]);
  for (vec_each(i, &p->rules)) rule_free(&p->rules.at[i]);
  vec_free(&p->domains);
  vec_free(&p->relations);
  vec_free(&p->rules);
  strings_free(&p->files);
  mem_free(p->folder);
  mem_free(p->base);
  mem_free(p->order);
}

static bool is_named(const char *have, const char *name, size_t len) {
  return strlen(have) == len && !memcmp(have, name, len);
}

uint32_t ruleset_domain(const Ruleset *p, const char *name, size_t len) {
  for (vec_each(i, &p->domains))
    if (is_named(p->domains.at[i].name, name, len)) return (uint32_t)i;
  return NONE;
}

uint32_t ruleset_relation(const Ruleset *p, const char *name, size_t len) {
  for (vec_each(i, &p->relations))
    if (is_named(p->relations.at[i].name, name, len)) return (uint32_t)i;
  return NONE;
}

void domain_resize(Domain *d, uint64_t size) {
  assert(size && size <= (uint64_t)1 << DOMAIN_BITS);
  d->size = size;
  d->bits = 1;
  while ((size - 1) >> d->bits) ++d->bits;
}

void domain_name_next(Domain *d, const char *name, size_t len) {
  if (!d->texts) d->texts = intern_new(), d->value_of = map_new();
  uint32_t id = intern_id(d->texts, name, len);
  if (map_or(d->value_of, id, UINT64_MAX) == UINT64_MAX) map_put(d->value_of, id, d->names.len);
  vec_push(&d->names, id);
}

bool domain_value(Domain *d, const char *name, size_t len, uint64_t *value) {
  uint32_t id = d->texts ? intern_find(d->texts, name, len) : INTERN_NONE;
  if (id != INTERN_NONE && map_get(d->value_of, id, value)) return true;
  if (d->names.len >= d->size) return false;
  *value = d->names.len;
  domain_name_next(d, name, len);
  return true;
}

const char *domain_name(const Domain *d, uint64_t value) {
  return value < d->names.len ? intern_text(d->texts, d->names.at[value]) : NULL;
}

static void term_check(const Ruleset *p, const Rule *r, const Term *t) {
  if (t->kind == TERM_RELATION) {
    assert(t->relation < p->relations.len);
    assert(t->arguments.len == p->relations.at[t->relation].attributes.len);
  } else {
    assert(t->arguments.len == 2 && !t->negated);
  }
  for (vec_each(i, &t->arguments)) {
    const Argument *a = &t->arguments.at[i];
    assert(a->kind != ARGUMENT_VARIABLE || a->variable < r->variables.len);
    if (t->kind != TERM_RELATION || a->kind != ARGUMENT_VARIABLE) continue;
    assert(r->variables.at[a->variable].domain == p->relations.at[t->relation].attributes.at[i].domain);
  }
}

void ruleset_check(const Ruleset *p) {
  for (vec_each(i, &p->domains)) {
    const Domain *d = &p->domains.at[i];
    assert(d->size && d->bits && d->bits <= DOMAIN_BITS && !((d->size - 1) >> d->bits));
  }
  for (vec_each(i, &p->relations)) {
    const Relation *r = &p->relations.at[i];
    for (vec_each(k, &r->attributes)) assert(r->attributes.at[k].domain < p->domains.len);
    for (vec_each(k, &r->wishes))
      assert(r->wishes.at[k].left < r->attributes.len && r->wishes.at[k].right < r->attributes.len);
    assert(!r->attributes.len ? !r->given.len : r->given.len % r->attributes.len == 0);
  }
  for (vec_each(i, &p->rules)) {
    const Rule *r = &p->rules.at[i];
    assert(r->head.kind == TERM_RELATION && !r->head.negated);
    term_check(p, r, &r->head);
    for (vec_each(k, &r->body)) term_check(p, r, &r->body.at[k]);
    for (vec_each(k, &r->variables)) assert(r->variables.at[k].domain < p->domains.len);
  }
}
