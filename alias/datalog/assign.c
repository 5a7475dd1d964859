// Which block holds which variable of a rule. Moving a relation to other blocks costs more than joining it,
// so variables go where most of their attributes are; relations that grow in a loop count double, for they
// are moved again and again.
#include "steps.h"

typedef struct {
  uint32_t *variables;  // of one domain
  size_t count;
  uint32_t *numbers;  // instances of that domain, at least as many
  size_t choices;
  uint32_t *score;  // by variable, then choice
  size_t *chosen;   // by variable
} Assignment;

static uint32_t *score_of(Assignment *a, size_t variable, size_t choice) {
  assert(variable < a->count && choice < a->choices);
  return &a->score[variable * a->choices + choice];
}

static void add_scores(Assignment *a, const Ruleset *p, const Term *t, uint32_t weight) {
  if (t->kind != TERM_RELATION) return;
  const Relation *relation = &p->relations.at[t->relation];
  for (vec_each(i, &t->arguments)) {
    const Argument *x = &t->arguments.at[i];
    if (x->kind != ARGUMENT_VARIABLE) continue;
    for (size_t v = 0; v < a->count; ++v)
      for (size_t c = 0; c < a->choices; ++c)
        if (a->variables[v] == x->variable && a->numbers[c] == relation->attributes.at[i].number)
          *score_of(a, v, c) += weight;
  }
}

static bool is_free(const Assignment *a, size_t upto, size_t choice) {
  for (size_t v = 0; v < upto; ++v)
    if (a->chosen[v] == choice) return false;
  return true;
}

// The first free choice with the best score for each, then swaps and moves as long as they help.
static void choose(Assignment *a) {
  for (size_t v = 0; v < a->count; ++v) {
    size_t best = SIZE_MAX;
    for (size_t c = 0; c < a->choices; ++c)
      if (is_free(a, v, c) && (best == SIZE_MAX || *score_of(a, v, c) > *score_of(a, v, best))) best = c;
    a->chosen[v] = best;
  }
  for (bool better = true; better;) {
    better = false;
    for (size_t v = 0; v < a->count; ++v) {
      for (size_t c = 0; c < a->choices; ++c)
        if (is_free(a, a->count, c) && *score_of(a, v, c) > *score_of(a, v, a->chosen[v]))
          a->chosen[v] = c, better = true;
      for (size_t w = 0; w < v; ++w) {
        size_t x = a->chosen[v], y = a->chosen[w];
        if (*score_of(a, v, y) + *score_of(a, w, x) <= *score_of(a, v, x) + *score_of(a, w, y)) continue;
        a->chosen[v] = y, a->chosen[w] = x, better = true;
      }
    }
  }
}

static bool has_number(const Assignment *a, uint32_t number) {
  for (size_t c = 0; c < a->choices; ++c)
    if (a->numbers[c] == number) return true;
  return false;
}

static void list_choices(Assignment *a, const Layout *o, uint32_t domain) {
  for (vec_each(i, &o->blocks))
    if (o->blocks.at[i].domain == domain) a->numbers[a->choices++] = o->blocks.at[i].number;
  for (uint32_t n = 0; a->choices < a->count; ++n)
    if (!has_number(a, n)) a->numbers[a->choices++] = n;
}

static void assign_domain(const Ruleset *p, Layout *o, const Rule *r, const uint32_t *component,
                          uint32_t domain, uint32_t *blocks) {
  Assignment a = {0};
  size_t variables = r->variables.len + 1;
  a.variables = mem_array(variables, sizeof *a.variables);
  a.numbers = mem_array(variables + o->blocks.len, sizeof *a.numbers);
  a.chosen = mem_array(variables, sizeof *a.chosen);
  for (uint32_t v = 0; v < r->variables.len; ++v)
    if (r->variables.at[v].domain == domain) a.variables[a.count++] = v;
  list_choices(&a, o, domain);
  a.score = mem_array(a.count * a.choices + 1, sizeof *a.score);
  add_scores(&a, p, &r->head, 2);
  for (vec_each(i, &r->body)) {
    const Term *t = &r->body.at[i];
    bool grows = t->kind == TERM_RELATION && component[t->relation] == component[r->head.relation];
    add_scores(&a, p, t, grows ? 2 : 1);
  }
  choose(&a);
  for (size_t v = 0; v < a.count; ++v)
    blocks[a.variables[v]] = layout_block(o, p, domain, a.numbers[a.chosen[v]]);
  mem_free(a.variables);
  mem_free(a.numbers);
  mem_free(a.chosen);
  mem_free(a.score);
}

void assign_blocks(const Ruleset *p, Layout *o, const Rule *r, const uint32_t *component, uint32_t *blocks) {
  for (uint32_t d = 0; d < p->domains.len; ++d) assign_domain(p, o, r, component, d, blocks);
}
