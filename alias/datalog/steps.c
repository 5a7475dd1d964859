#include <stdlib.h>
#include "steps.h"

// The rule that is being planned.
typedef struct {
  Plan *plan;
  Ruleset *program;
  Layout *order;
  const uint32_t *component;  // by relation that the program declares
  uint32_t rule;
  const uint32_t *blocks;  // by variable
} Planning;

static void step_free(Step *s) {
  vec_free(&s->slots);
  vec_free(&s->views);
  for (vec_each(i, &s->dropped)) vec_free(&s->dropped.at[i]);
  vec_free(&s->dropped);
}

void steps_free(Plan *plan) {
  for (vec_each(i, &plan->views)) vec_free(&plan->views.at[i].slots);
  for (vec_each(i, &plan->steps)) step_free(&plan->steps.at[i]);
  for (vec_each(i, &plan->ranked)) vec_free(&plan->ranked.at[i]);
  vec_free(&plan->views);
  vec_free(&plan->steps);
  vec_free(&plan->ranked);
}

// -- views

static bool is_same_view(const View *a, const View *b) {
  if (a->kind != b->kind || a->negated != b->negated || a->relation != b->relation || a->offset != b->offset)
    return false;
  for (vec_each(i, &a->slots)) {
    const Slot *x = &a->slots.at[i], *y = &b->slots.at[i];
    if (x->kind != y->kind || x->block != y->block || x->value != y->value) return false;
  }
  return true;
}

// Takes the view over.
static uint32_t add_view(Plan *plan, View v) {
  for (vec_each(i, &plan->views)) {
    if (plan->views.at[i].slots.len != v.slots.len || !is_same_view(&plan->views.at[i], &v)) continue;
    vec_free(&v.slots);
    return (uint32_t)i;
  }
  vec_push(&plan->views, v);
  return (uint32_t)plan->views.len - 1;
}

// A variable that the rule uses once in its body, and not in its head, is projected away at once.
static Slot slot_of(const Planning *g, const Argument *a) {
  const Rule *r = &g->program->rules.at[g->rule];
  Slot s = {a->kind, NONE, a->kind == ARGUMENT_CONSTANT ? a->value : 0};
  if (a->kind != ARGUMENT_VARIABLE) return s;
  if (r->variables.at[a->variable].uses == 1)
    s.kind = ARGUMENT_ANY;
  else
    s.block = g->blocks[a->variable];
  return s;
}

static uint32_t view_of(const Planning *g, const Term *t) {
  View v = {t->kind, t->negated, t->kind == TERM_RELATION ? t->relation : NONE, {0}, 0};
  for (vec_each(i, &t->arguments)) {
    Slot s = slot_of(g, &t->arguments.at[i]);
    if (t->kind != TERM_RELATION && t->arguments.at[i].kind == ARGUMENT_VARIABLE)
      s = (Slot){ARGUMENT_VARIABLE, g->blocks[t->arguments.at[i].variable], 0};
    vec_push(&v.slots, s);
  }
  if (t->kind == TERM_MAP) {
    const Rule *r = &g->program->rules.at[g->rule];
    v.relation = r->variables.at[t->arguments.at[0].variable].domain;
    v.offset = t->arguments.at[1].value;  // plan_maps has put it there
  }
  return add_view(g->plan, v);
}

// -- steps

static bool uses(const Term *t, uint32_t variable) {
  for (vec_each(i, &t->arguments))
    if (t->arguments.at[i].kind == ARGUMENT_VARIABLE && t->arguments.at[i].variable == variable) return true;
  return false;
}

static bool is_used_behind(const Rule *r, size_t term, uint32_t variable) {
  for (size_t i = term + 1; i < r->body.len; ++i)
    if (uses(&r->body.at[i], variable)) return true;
  return uses(&r->head, variable);
}

static bool is_used_before(const Rule *r, size_t term, uint32_t variable) {
  for (size_t i = 0; i <= term; ++i)
    if (uses(&r->body.at[i], variable)) return true;
  return false;
}

// What may be dropped behind a term: the variables whose last use it is.
static IdVec dropped_behind(const Planning *g, size_t term) {
  const Rule *r = &g->program->rules.at[g->rule];
  IdVec out = {0};
  for (uint32_t v = 0; v < r->variables.len; ++v) {
    bool slot = r->variables.at[v].uses > 1 || r->body.at[term].kind != TERM_RELATION;
    if (slot && uses(&r->body.at[term], v) && !is_used_behind(r, term, v)) vec_push(&out, g->blocks[v]);
  }
  return out;
}

static void add_term(const Planning *g, Step *s, size_t term) {
  vec_push(&s->views, view_of(g, &g->program->rules.at[g->rule].body.at[term]));
  vec_push(&s->dropped, dropped_behind(g, term));
}

static void add_head(const Planning *g, Step *s) {
  const Rule *r = &g->program->rules.at[g->rule];
  s->head = r->head.relation;
  for (vec_each(i, &r->head.arguments)) vec_push(&s->slots, slot_of(g, &r->head.arguments.at[i]));
}

// The relation that holds the variables that are alive behind a term of a split rule.
static void add_part(const Planning *g, Step *s, size_t term) {
  const Rule *r = &g->program->rules.at[g->rule];
  const char *head = g->program->relations.at[r->head.relation].name;
  Relation made = {.name = mem_format("%s/%zu", head, term), .place = r->place, .flags = RELATION_SPLIT};
  for (uint32_t v = 0; v < r->variables.len; ++v) {
    if (!is_used_before(r, term, v) || !is_used_behind(r, term, v)) continue;
    uint32_t block = g->blocks[v];
    const Block *b = &g->order->blocks.at[block];
    Attribute a = {mem_string(r->variables.at[v].name), r->place, b->domain, b->number, block};
    Slot slot = {ARGUMENT_VARIABLE, block, 0};
    vec_push(&made.attributes, a);
    vec_push(&s->slots, slot);
  }
  s->head = (uint32_t)g->program->relations.len;
  vec_push(&g->program->relations, made);
}

static View view_of_part(const Step *s) {
  View v = {.kind = TERM_RELATION, .relation = s->head};
  vec_append(&v.slots, s->slots.at, s->slots.len);
  return v;
}

static void plan_rule(const Planning *g) {
  const Rule *r = &g->program->rules.at[g->rule];
  bool split =
      (r->flags & RULE_SPLIT || g->program->split_all) && r->body.len > 2 && !(r->flags & RULE_NUMBER);
  Step s = {.rule = g->rule, .component = g->component[r->head.relation], .flags = r->flags};
  for (size_t i = 0; i < r->body.len; ++i) {
    add_term(g, &s, i);
    if (!split || !i || i + 1 == r->body.len) continue;
    add_part(g, &s, i);
    vec_push(&g->plan->steps, s);
    uint32_t part = s.part + 1;
    View before = view_of_part(&s);
    s = (Step){
        .rule = g->rule, .part = part, .component = s.component, .flags = r->flags & ~(unsigned)RULE_SINGLE};
    vec_push(&s.views, add_view(g->plan, before));
    vec_push(&s.dropped, (IdVec){0});
  }
  s.flags = r->flags;
  add_head(g, &s);
  vec_push(&g->plan->steps, s);
}

// -- strata

static Scc components(const Ruleset *p) {
  Pairs edges = {0};
  for (vec_each(i, &p->rules)) {
    const Rule *r = &p->rules.at[i];
    for (vec_each(k, &r->body))
      if (r->body.at[k].kind == TERM_RELATION) pairs_add(&edges, r->head.relation, r->body.at[k].relation);
  }
  Lists lists = lists_new((uint32_t)p->relations.len, &edges);
  Scc scc = scc_new((uint32_t)p->relations.len, &lists);
  lists_free(&lists);
  vec_free(&edges);
  return scc;
}

static bool is_stratified(const Ruleset *p, const Scc *scc, Diags *diags) {
  size_t before = diags_errors(diags);
  for (vec_each(i, &p->rules)) {
    const Rule *r = &p->rules.at[i];
    for (vec_each(k, &r->body)) {
      const Term *t = &r->body.at[k];
      if (t->kind != TERM_RELATION || scc->of[t->relation] != scc->of[r->head.relation]) continue;
      const char *name = p->relations.at[t->relation].name, *head = p->relations.at[r->head.relation].name;
      if (t->negated)
        diag(diags, DIAG_ERROR, t->place,
             "'%s' depends on its own negation '!%s': negation must not be part of a cycle of rules", head,
             name);
      else if (r->flags & RULE_NUMBER)
        diag(diags, DIAG_ERROR, t->place,
             "a number rule cannot be part of a cycle of rules, but '%s' depends on '%s'", name, head);
    }
  }
  return diags_errors(diags) == before;
}

// a => b: the values of one domain get values of their own behind those that the other one has.
static bool plan_maps(Ruleset *p, Diags *diags) {
  Map *known = map_new();
  bool ok = true;
  for (vec_each(i, &p->rules)) {
    Rule *r = &p->rules.at[i];
    for (vec_each(k, &r->body)) {
      Term *t = &r->body.at[k];
      if (t->kind != TERM_MAP) continue;
      uint32_t from = r->variables.at[t->arguments.at[0].variable].domain;
      uint32_t to = r->variables.at[t->arguments.at[1].variable].domain;
      Domain *a = &p->domains.at[from], *b = &p->domains.at[to];
      uint64_t key = (uint64_t)from << 32 | to, needed = a->names.len ? a->names.len : a->size;
      if (!map_get(known, key, &t->arguments.at[1].value)) {
        if (needed > b->size || b->mapped > b->size - needed) {
          diag(diags, DIAG_ERROR, t->place,
               "domain %s has no room for the %llu values of %s; declare it larger", b->name,
               (unsigned long long)needed, a->name);
          ok = false;
          continue;
        }
        t->arguments.at[1].value = b->mapped;
        map_put(known, key, b->mapped);
        b->mapped += needed;
      }
    }
  }
  map_free(known);
  return ok;
}

// -- ranks

static const Relation *relation_of(const Ruleset *p, const View *v) {
  return v->kind == TERM_RELATION ? &p->relations.at[v->relation] : NULL;
}

// Steps that only close their own head are finished before others use it: copies before loads and stores.
static bool closes_itself(const Plan *plan, const Ruleset *p, const Step *s, const uint32_t *component) {
  bool itself = false;
  for (vec_each(i, &s->views)) {
    const View *v = &plan->views.at[s->views.at[i]];
    if (!relation_of(p, v) || component[v->relation] != s->component) continue;
    if (v->relation != s->head) return false;
    itself = true;
  }
  return itself;
}

typedef struct {
  int priority;
  unsigned urgency;  // 0: depends on nothing that changes
  uint32_t step;
} Rank;

static int compare_ranks(const void *x, const void *y) {
  const Rank *a = x, *b = y;
  if (a->priority != b->priority) return a->priority > b->priority ? -1 : 1;
  if (a->urgency != b->urgency) return a->urgency < b->urgency ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

static void rank(Plan *plan, const Ruleset *p, const uint32_t *component) {
  Vec(Rank) ranks = {0};
  for (vec_each(i, &plan->steps)) {
    Step *s = &plan->steps.at[i];
    for (vec_each(k, &s->views)) {
      const View *v = &plan->views.at[s->views.at[k]];
      s->recursive |= relation_of(p, v) && component[v->relation] == s->component;
    }
    unsigned urgency = !s->recursive ? 0 : closes_itself(plan, p, s, component) ? 1 : 2;
    Rank one = {p->rules.at[s->rule].priority, urgency, (uint32_t)i};
    vec_push(&ranks, one);
  }
  if (ranks.len) qsort(ranks.at, ranks.len, sizeof *ranks.at, compare_ranks);
  for (uint32_t c = 0; c < plan->components; ++c) vec_push(&plan->ranked, (IdVec){0});
  for (vec_each(i, &ranks)) {
    uint32_t step = ranks.at[i].step;
    vec_push(&plan->ranked.at[plan->steps.at[step].component], step);
  }
  vec_free(&ranks);
}

static void plan_rules(Plan *plan, Ruleset *p, Layout *o, const uint32_t *component) {
  for (vec_each(i, &p->rules)) {
    uint32_t *blocks = mem_array(p->rules.at[i].variables.len + 1, sizeof *blocks);
    assign_blocks(p, o, &p->rules.at[i], component, blocks);
    Planning g = {plan, p, o, component, (uint32_t)i, blocks};
    plan_rule(&g);
    mem_free(blocks);
  }
}

bool steps_make(Plan *plan, Ruleset *p, Layout *o, Diags *diags) {
  Scc scc = components(p);
  bool ok = is_stratified(p, &scc, diags) && plan_maps(p, diags);
  if (ok) {
    plan->components = scc.count;
    plan_rules(plan, p, o, scc.of);
    // Relations of parts belong to the component of their rule.
    uint32_t *component = mem_array(p->relations.len + 1, sizeof *component);
    for (uint32_t i = 0; i < p->relations.len; ++i)
      component[i] = p->relations.at[i].flags & RELATION_SPLIT ? NONE : scc.of[i];
    for (vec_each(i, &plan->steps)) component[plan->steps.at[i].head] = plan->steps.at[i].component;
    rank(plan, p, component);
    mem_free(component);
    CHECKED(steps_check(plan, p, o));
  }
  scc_free(&scc);
  return ok;
}

void steps_check(const Plan *plan, const Ruleset *p, const Layout *o) {
  for (vec_each(i, &plan->views)) {
    const View *v = &plan->views.at[i];
    assert(v->kind != TERM_RELATION || v->slots.len == p->relations.at[v->relation].attributes.len);
    for (vec_each(k, &v->slots))
      assert(v->slots.at[k].kind != ARGUMENT_VARIABLE || v->slots.at[k].block < o->blocks.len);
  }
  size_t ranked = 0;
  assert(plan->ranked.len == plan->components);
  for (vec_each(c, &plan->ranked)) {
    ranked += plan->ranked.at[c].len;
    for (vec_each(i, &plan->ranked.at[c])) assert(plan->steps.at[plan->ranked.at[c].at[i]].component == c);
  }
  assert(ranked == plan->steps.len);
  for (vec_each(i, &plan->steps)) {
    const Step *s = &plan->steps.at[i];
    assert(s->slots.len == p->relations.at[s->head].attributes.len);
    assert(s->views.len == s->dropped.len);
    for (vec_each(k, &s->views)) assert(s->views.at[k] < plan->views.len);
  }
}
