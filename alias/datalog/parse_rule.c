// Rules and queries. A line is read into terms first; then the domains of its variables and of the relations
// that it uses without a declaration follow from each other; names become numbers last.
#include "parse.h"

// A constant in quotes, to be looked up when the domain is known.
typedef struct {
  size_t term, argument;  // term: of the body, or the head if HEAD
  Token text;
} Named;
#define HEAD SIZE_MAX

typedef struct {
  Parser *p;
  Rule rule;
  Vec(Named) named;
  size_t first_guessed;  // relations from here on were made by this line
} Reading;

static uint32_t variable_of(Reading *r, Token t) {
  for (vec_each(i, &r->rule.variables)) {
    const char *name = r->rule.variables.at[i].name;
    if (strlen(name) != t.len || memcmp(name, t.at, t.len)) continue;
    ++r->rule.variables.at[i].uses;
    return (uint32_t)i;
  }
  Variable v = {mem_format("%.*s", (int)t.len, t.at), parse_place(r->p, t), NONE, 1};
  vec_push(&r->rule.variables, v);
  return (uint32_t)r->rule.variables.len - 1;
}

static bool read_argument(Reading *r, Term *t, size_t term) {
  Parser *p = r->p;
  Argument a = {.place = parse_place(p, p->token)};
  if (p->token.kind == TOKEN_NUMBER) {
    a.kind = ARGUMENT_CONSTANT;
    if (!parse_number(p, &a.value)) return false;
    vec_push(&t->arguments, a);
    return true;
  }
  if (p->token.kind == TOKEN_TEXT) {
    a.kind = ARGUMENT_CONSTANT;
    Named n = {term, t->arguments.len, p->token};
    vec_push(&r->named, n);
  } else if (token_is(p->token, "_")) {
    a.kind = ARGUMENT_ANY;
  } else if (token_is(p->token, "*")) {
    a.kind = ARGUMENT_ALL;
  } else if (p->token.kind == TOKEN_NAME) {
    a.kind = ARGUMENT_VARIABLE;
    a.variable = variable_of(r, p->token);
  } else {
    char *got = parse_shown(p->token);
    parse_wrong(p, p->token, "expected a variable, a constant, _ or *, not %s", got);
    mem_free(got);
    return false;
  }
  vec_push(&t->arguments, a);
  parse_next(p);
  return true;
}

static const struct {
  const char *mark;
  TermKind kind;
} comparisons[] = {{"=", TERM_EQUAL},   {"!=", TERM_UNEQUAL},       {"<", TERM_LESS}, {"<=", TERM_LESS_EQUAL},
                   {">", TERM_GREATER}, {">=", TERM_GREATER_EQUAL}, {"=>", TERM_MAP}};

static TermKind comparison(Token t) {
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; ++i)
    if (token_is(t, comparisons[i].mark)) return comparisons[i].kind;
  return TERM_RELATION;
}

static bool read_comparison(Reading *r, Term *t, size_t term) {
  Parser *p = r->p;
  if (!read_argument(r, t, term)) return false;
  Token mark = p->token;
  t->kind = comparison(mark);
  if (t->kind == TERM_RELATION)
    return parse_wrong(p, mark, "expected a comparison, or '(' behind a relation");
  parse_next(p);
  if (!read_argument(r, t, term)) return false;
  for (size_t i = 0; i < 2; ++i)
    if (t->arguments.at[i].kind == ARGUMENT_ANY || t->arguments.at[i].kind == ARGUMENT_ALL)
      return parse_wrong(p, mark, "_ and * cannot be compared");
  if (t->kind == TERM_MAP &&
      (t->arguments.at[0].kind != ARGUMENT_VARIABLE || t->arguments.at[1].kind != ARGUMENT_VARIABLE))
    return parse_wrong(p, mark, "=> needs a variable on each side");
  if (t->arguments.at[0].kind != ARGUMENT_VARIABLE && t->arguments.at[1].kind != ARGUMENT_VARIABLE)
    return parse_wrong(p, mark, "two constants cannot be compared");
  return true;
}

// A relation that was not declared gets attributes named as the variables here.
static bool guess_relation(Reading *r, Term *t, Token name) {
  Parser *p = r->p;
  if (p->program->strict)
    return parse_wrong(p, name, "unknown relation '%.*s': declare it first (.strict)", (int)name.len,
                       name.at);
  for (vec_each(i, &t->arguments))
    if (t->arguments.at[i].kind != ARGUMENT_VARIABLE)
      return parse_wrong(p, name,
                         "relation '%.*s' is not declared, and its attributes cannot be guessed here",
                         (int)name.len, name.at);
  Relation made = {.name = mem_format("%.*s", (int)name.len, name.at), .place = parse_place(p, name)};
  made.flags = RELATION_GUESSED;
  for (vec_each(i, &t->arguments)) {
    const Variable *v = &r->rule.variables.at[t->arguments.at[i].variable];
    Attribute a = {mem_string(v->name), t->arguments.at[i].place, NONE, NONE, NONE};
    vec_push(&made.attributes, a);
  }
  t->relation = (uint32_t)p->program->relations.len;
  vec_push(&p->program->relations, made);
  return true;
}

static bool read_relation(Reading *r, Term *t, Token name, size_t term) {
  Parser *p = r->p;
  parse_next(p);
  do {
    if (!read_argument(r, t, term)) return false;
    if (t->arguments.len > ATTRIBUTES)
      return parse_wrong(p, name, "a relation has at most %d attributes", ATTRIBUTES);
    if (!token_is(p->token, ",") && !token_is(p->token, ")")) {
      char *got = parse_shown(p->token);
      parse_wrong(p, p->token, "expected ',' or ')', not %s", got);
      mem_free(got);
      return false;
    }
  } while (token_is(p->token, ",") && (parse_next(p), true));
  parse_next(p);
  t->relation = ruleset_relation(p->program, name.at, name.len);
  if (t->relation == NONE) return guess_relation(r, t, name);
  size_t has = p->program->relations.at[t->relation].attributes.len;
  if (has != t->arguments.len)
    return parse_wrong(p, name, "relation '%.*s' has %zu attribute%s, not %zu", (int)name.len, name.at, has,
                       has == 1 ? "" : "s", t->arguments.len);
  return true;
}

static bool read_term(Reading *r, Term *t, size_t term) {
  Parser *p = r->p;
  t->place = parse_place(p, p->token);
  t->kind = TERM_RELATION;
  if (token_is(p->token, "!")) t->negated = true, parse_next(p);
  Token name = p->token;
  size_t behind = p->at;
  if (name.kind == TOKEN_NAME) {
    parse_next(p);
    if (token_is(p->token, "(")) return read_relation(r, t, name, term);
    p->token = name, p->at = behind;
  }
  if (t->negated || term == HEAD) {
    char *got = parse_shown(name);
    parse_wrong(p, name, "expected a relation with its arguments, not %s", got);
    mem_free(got);
    return false;
  }
  return read_comparison(r, t, term);
}

static bool read_body(Reading *r, const char *end) {
  Parser *p = r->p;
  for (;;) {
    Term t = {0};
    bool ok = read_term(r, &t, r->rule.body.len);
    vec_push(&r->rule.body, t);
    if (!ok) return false;
    if (token_is(p->token, end)) return parse_next(p), true;
    if (!token_is(p->token, ",")) {
      char *got = parse_shown(p->token);
      parse_wrong(p, p->token, "expected ',' or '%s', not %s", end, got);
      mem_free(got);
      return false;
    }
    parse_next(p);
  }
}

// -- domains

static Term *term_at(Rule *r, size_t i) {
  return i < r->body.len ? &r->body.at[i] : &r->head;
}

// The domain of an argument as far as it is known.
static uint32_t domain_at(const Reading *r, const Term *t, size_t i) {
  const Argument *a = &t->arguments.at[i];
  if (a->kind == ARGUMENT_VARIABLE && r->rule.variables.at[a->variable].domain != NONE)
    return r->rule.variables.at[a->variable].domain;
  if (t->kind == TERM_RELATION) return r->p->program->relations.at[t->relation].attributes.at[i].domain;
  return t->kind == TERM_MAP ? NONE
                             : domain_at(r, &(Term){.arguments = t->arguments, .kind = TERM_MAP}, 1 - i);
}

static bool conflict(Reading *r, const Term *t, size_t i, uint32_t a, uint32_t b) {
  const Ruleset *program = r->p->program;
  const Argument *x = &t->arguments.at[i];
  diag(r->p->diags, DIAG_ERROR, x->place, "variable '%s' is of domain %s here, but of %s elsewhere",
       r->rule.variables.at[x->variable].name, program->domains.at[a].name, program->domains.at[b].name);
  return false;
}

static bool infer_argument(Reading *r, Term *t, size_t i, bool *changed) {
  uint32_t domain = domain_at(r, t, i);
  if (domain == NONE) return true;
  Argument *a = &t->arguments.at[i];
  if (t->kind == TERM_RELATION) {
    uint32_t *have = &r->p->program->relations.at[t->relation].attributes.at[i].domain;
    if (*have == NONE) *have = domain, *changed = true;
    if (*have != domain) return conflict(r, t, i, *have, domain);
  }
  if (a->kind != ARGUMENT_VARIABLE) return true;
  uint32_t *of = &r->rule.variables.at[a->variable].domain;
  if (*of == NONE) *of = domain, *changed = true;
  return true;
}

static bool infer_domains(Reading *r) {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = 0; k <= r->rule.body.len; ++k) {
      Term *t = term_at(&r->rule, k);
      for (vec_each(i, &t->arguments))
        if (!infer_argument(r, t, i, &changed)) return false;
    }
  }
  for (vec_each(i, &r->rule.variables)) {
    const Variable *v = &r->rule.variables.at[i];
    if (v->domain != NONE) continue;
    diag(r->p->diags, DIAG_ERROR, v->place, "the domain of variable '%s' is not known; declare the relation",
         v->name);
    return false;
  }
  return true;
}

static bool resolve_names(Reading *r) {
  for (vec_each(i, &r->named)) {
    const Named *n = &r->named.at[i];
    Term *t = n->term == HEAD ? &r->rule.head : &r->rule.body.at[n->term];
    Domain *d = &r->p->program->domains.at[domain_at(r, t, n->argument)];
    if (!domain_value(d, n->text.at, n->text.len, &t->arguments.at[n->argument].value))
      return parse_wrong(r->p, n->text, "domain %s has no value left for the name \"%.*s\"", d->name,
                         (int)n->text.len, n->text.at);
  }
  return true;
}

static bool check_constants(Reading *r) {
  for (size_t k = 0; k <= r->rule.body.len; ++k) {
    Term *t = term_at(&r->rule, k);
    for (vec_each(i, &t->arguments)) {
      const Argument *a = &t->arguments.at[i];
      if (a->kind != ARGUMENT_CONSTANT) continue;
      const Domain *d = &r->p->program->domains.at[domain_at(r, t, i)];
      if (!(a->value >> d->bits)) continue;
      diag(r->p->diags, DIAG_ERROR, a->place, "domain %s has only %llu values", d->name,
           (unsigned long long)d->size);
      return false;
    }
  }
  return true;
}

// -- options and the whole

static const struct {
  const char *word;
  unsigned flag;
} rule_words[] = {{"split", RULE_SPLIT},   {"number", RULE_NUMBER}, {"single", RULE_SINGLE},
                  {"cacheafterrename", 0}, {"findbestorder", 0},    {"trace", 0},
                  {"tracefull", 0}};

static bool read_option(Reading *r) {
  Parser *p = r->p;
  Token word = p->token;
  if (token_is(word, "{") || token_is(word, "pre") || token_is(word, "post") || token_is(word, "modifies"))
    return parse_wrong(p, word,
                       "code blocks are Java code of bddbddb, which cannot be run; remove the block");
  parse_next(p);
  if (token_is(word, "pri")) return parse_priority(p, &r->rule.priority);
  for (size_t i = 0; i < sizeof rule_words / sizeof *rule_words; ++i)
    if (token_is(word, rule_words[i].word)) return r->rule.flags |= rule_words[i].flag, true;
  char *got = parse_shown(word);
  parse_wrong(p, word, "unknown option %s of a rule", got);
  mem_free(got);
  return false;
}

static bool is_edge(const Term *t, const Term *head) {
  return t->arguments.at[0].kind == ARGUMENT_VARIABLE && t->arguments.at[1].kind == ARGUMENT_VARIABLE &&
         t->arguments.at[0].variable == head->arguments.at[0].variable &&
         t->arguments.at[1].variable == head->arguments.at[1].variable;
}

// num(a, b, ca, cb) :- root(x), edges(x, y), ... number
static bool check_numbering(Reading *r) {
  const Rule *rule = &r->rule;
  const char *wrong = NULL;
  if (rule->head.arguments.len != 4 || rule->body.len < 2 || rule->body.at[0].arguments.len != 1)
    wrong = "a number rule is R(a,b,ca,cb) :- roots(x), edges(x,y), ...";
  for (size_t i = 0; !wrong && i < 4; ++i) {
    const Argument *a = &rule->head.arguments.at[i];
    if (a->kind != ARGUMENT_VARIABLE || (i > 1 && rule->variables.at[a->variable].uses != 1))
      wrong = "the last two variables of a number rule stand only in its head";
  }
  bool found = false;
  for (size_t i = 0; !wrong && i < rule->body.len; ++i) {
    const Term *t = &rule->body.at[i];
    if (t->kind != TERM_RELATION || t->negated || (i && t->arguments.len != 2))
      wrong = "the edges of a number rule are relations with two attributes";
    for (size_t k = 0; !wrong && k < t->arguments.len; ++k)
      if (t->arguments.at[k].kind != ARGUMENT_VARIABLE) wrong = "the nodes of a number rule are variables";
    if (!wrong && i) found |= is_edge(t, &rule->head);
  }
  if (!wrong && !found) wrong = "the first two variables of a number rule must be one of its edges";
  if (wrong) diag(r->p->diags, DIAG_ERROR, rule->place, "%s", wrong);
  return !wrong;
}

static void warn_of_single_uses(const Reading *r) {
  if (r->p->program->single_ignored || r->rule.flags & RULE_NUMBER) return;
  for (vec_each(i, &r->rule.variables)) {
    const Variable *v = &r->rule.variables.at[i];
    if (v->uses == 1)
      diag(r->p->diags, DIAG_WARNING, v->place, "variable '%s' is used only once; write _ if that is meant",
           v->name);
  }
}

static bool finish_rule(Reading *r) {
  Parser *p = r->p;
  while (p->token.kind != TOKEN_END)
    if (!read_option(r)) return false;
  if (!infer_domains(r) || !resolve_names(r) || !check_constants(r)) return false;
  if (r->rule.flags & RULE_NUMBER && !check_numbering(r)) return false;
  warn_of_single_uses(r);
  return true;
}

static void end_reading(Reading *r, bool ok) {
  Ruleset *program = r->p->program;
  if (ok) {
    r->rule.text = mem_string((const char *)r->p->line.text.at);
    vec_push(&program->rules, r->rule);
  } else {
    rule_free(&r->rule);
    while (program->relations.len > r->first_guessed) {
      Relation made = vec_pop(&program->relations);
      relation_free(&made);
    }
  }
  vec_free(&r->named);
}

void parse_rule(Parser *p) {
  Reading r = {.p = p, .first_guessed = p->program->relations.len};
  r.rule.place = parse_place(p, p->token);
  bool ok = read_term(&r, &r.rule.head, HEAD);
  if (ok && r.rule.head.negated) {
    diag(p->diags, DIAG_ERROR, r.rule.head.place, "the head of a rule cannot be negated");
    ok = false;
  }
  if (ok && token_is(p->token, "."))
    parse_next(p);
  else
    ok = ok && parse_expect(p, ":-") && read_body(&r, ".");
  end_reading(&r, ok && finish_rule(&r));
}

// The head of a query holds its variables, in the order of their first use.
static bool head_of_query(Reading *r) {
  Parser *p = r->p;
  Relation made = {.name = mem_format("query@%u", r->rule.place.line), .place = r->rule.place};
  made.flags = RELATION_PRINT_TUPLES | RELATION_QUERY;
  r->rule.head = (Term){.kind = TERM_RELATION, .place = r->rule.place};
  r->rule.head.relation = (uint32_t)p->program->relations.len;
  for (vec_each(i, &r->rule.variables)) {
    Variable *v = &r->rule.variables.at[i];
    Attribute a = {mem_string(v->name), v->place, NONE, NONE, NONE};
    vec_push(&made.attributes, a);
    Argument x = {ARGUMENT_VARIABLE, (uint32_t)i, 0, v->place};
    vec_push(&r->rule.head.arguments, x);
    ++v->uses;
  }
  vec_push(&p->program->relations, made);
  if (!made.attributes.len || made.attributes.len > ATTRIBUTES)
    return diag(p->diags, DIAG_ERROR, r->rule.place, "a query has 1 to %d variables", ATTRIBUTES), false;
  return true;
}

void parse_query(Parser *p) {
  Reading r = {.p = p, .first_guessed = p->program->relations.len};
  r.rule.place = parse_place(p, p->token);
  bool ok = read_body(&r, "?") && head_of_query(&r);
  end_reading(&r, ok && finish_rule(&r));
}
