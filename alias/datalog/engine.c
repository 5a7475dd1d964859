// Semi-naive evaluation. A view is brought up to date by what its relation has gained, and a step joins what
// each of its views has gained with all of the others; what a step finds new goes into its relation. In a
// component the most urgent step that has something to do is run until none has.
#include "engine.h"

void *engine_scratch(Engine *e, size_t size) {
  Bytes b = {mem_alloc(size ? size : 1), size, size};
  vec_push(&e->scratch, b);
  return b.at;
}

void engine_init(Engine *e) {
  const Plan *plan = e->plan;
  e->relations = mem_array(e->program->relations.len + 1, sizeof *e->relations);
  e->sets = mem_array(e->program->relations.len + 1, sizeof *e->sets);
  e->views = mem_array(plan->views.len + 1, sizeof *e->views);
  e->steps = mem_array(plan->steps.len + 1, sizeof *e->steps);
  for (vec_each(i, &plan->steps)) {
    e->steps[i].last = mem_array(plan->steps.at[i].views.len + 1, sizeof(BDD));
    e->steps[i].dropped = mem_array(plan->steps.at[i].views.len + 1, sizeof(BDD));
  }
  e->step = NONE;
}

void engine_free(Engine *e) {
  if (e->steps)
    for (vec_each(i, &e->plan->steps)) mem_free(e->steps[i].last), mem_free(e->steps[i].dropped);
  for (vec_each(i, &e->scratch)) vec_free(&e->scratch.at[i]);
  vec_free(&e->scratch);
  map_free(e->nodes);
  e->nodes = NULL;
  mem_free(e->relations);
  mem_free(e->sets);
  mem_free(e->views);
  mem_free(e->steps);
  e->relations = e->sets = NULL, e->views = NULL, e->steps = NULL;
}

const Block *engine_block(const Engine *e, uint32_t relation, size_t attribute) {
  return &e->order->blocks.at[e->program->relations.at[relation].attributes.at[attribute].block];
}

size_t engine_blocks(const Engine *e, uint32_t relation, const Block **out) {
  size_t count = e->program->relations.at[relation].attributes.len;
  assert(count <= ATTRIBUTES);
  for (size_t i = 0; i < count; ++i) out[i] = engine_block(e, relation, i);
  return count;
}

double engine_size(const Engine *e, uint32_t relation) {
  return graph_count(e->relations[relation], e->sets[relation]);
}

// -- begin

static void add_to_set(BDD *set, const Block *b) {
  graph_and(set, bits_set(b));
}

static void move(bddPair **pair, const Block *from, const Block *to) {
  if (from == to) return;
  if (!*pair) *pair = bdd_newpair();
  assert(from->bits == to->bits);
  for (unsigned i = 0; i < from->bits; ++i) bdd_setpair(*pair, from->variables[i], to->variables[i]);
}

// Where in the slots before i the same variable stands, or i.
static size_t first_of(const Slots *slots, size_t i) {
  for (size_t k = 0; k < i; ++k)
    if (slots->at[k].kind == ARGUMENT_VARIABLE && slots->at[k].block == slots->at[i].block) return k;
  return i;
}

static void begin_view(Engine *e, const View *v, ViewState *s) {
  s->constants = s->equal = s->any = s->all = bddtrue;
  for (vec_each(i, &v->slots)) {
    const Slot *slot = &v->slots.at[i];
    const Block *block = engine_block(e, v->relation, i);
    if (slot->kind == ARGUMENT_CONSTANT)
      graph_and(&s->constants, bits_value(block, slot->value));
    else if (slot->kind == ARGUMENT_ANY)
      add_to_set(&s->any, block);
    else if (slot->kind == ARGUMENT_ALL)
      add_to_set(&s->all, block);
    else if (first_of(&v->slots, i) < i) {
      graph_and(&s->equal, bits_equal(block, engine_block(e, v->relation, first_of(&v->slots, i))));
      add_to_set(&s->any, block);
    } else
      move(&s->rename, block, &e->order->blocks.at[slot->block]);
  }
}

// Of a BDD that is not counted: a collection in between would take it.
static BDD complement(BDD b) {
  bdd_addref(b);
  BDD other = bdd_not(b);
  bdd_delref(b);
  return other;
}

static BDD operand_range(const Slot *s, const Block *b, TermKind kind) {
  uint64_t top = (((uint64_t)1 << b->bits) - 1), v = s->value;
  switch (kind) {
    case TERM_EQUAL:
      return bits_value(b, v);
    case TERM_UNEQUAL:
      return complement(bits_value(b, v));
    case TERM_LESS:
      return v ? bits_range(b, 0, v - 1) : bddfalse;
    case TERM_LESS_EQUAL:
      return bits_range(b, 0, v);
    case TERM_GREATER:
      return v < top ? bits_range(b, v + 1, top) : bddfalse;
    case TERM_GREATER_EQUAL:
      return bits_range(b, v, top);
    default:
      assert(false);
      return bddfalse;
  }
}

// 5 < x is x > 5.
static TermKind turned(TermKind kind) {
  switch (kind) {
    case TERM_LESS:
      return TERM_GREATER;
    case TERM_LESS_EQUAL:
      return TERM_GREATER_EQUAL;
    case TERM_GREATER:
      return TERM_LESS;
    case TERM_GREATER_EQUAL:
      return TERM_LESS_EQUAL;
    default:
      return kind;
  }
}

static BDD compare_blocks(const Engine *e, const View *v, const Block *a, const Block *b) {
  switch (v->kind) {
    case TERM_EQUAL:
      return bits_equal(a, b);
    case TERM_UNEQUAL:
      return complement(bits_equal(a, b));
    case TERM_LESS:
      return bits_less(a, b, false);
    case TERM_LESS_EQUAL:
      return bits_less(a, b, true);
    case TERM_GREATER:
      return bits_less(b, a, false);
    case TERM_GREATER_EQUAL:
      return bits_less(b, a, true);
    case TERM_MAP: {
      const Domain *from = &e->program->domains.at[v->relation];
      BDD sum = bddfalse;
      graph_set(&sum, bits_sum(a, b, v->offset));
      graph_and(&sum, bits_range(a, 0, (from->names.len ? from->names.len : from->size) - 1));
      return bdd_delref(sum);
    }
    default:
      assert(false);
      return bddfalse;
  }
}

static void make_comparison(const Engine *e, const View *v, ViewState *s) {
  const Slot *a = &v->slots.at[0], *b = &v->slots.at[1];
  const Block *x = a->kind == ARGUMENT_VARIABLE ? &e->order->blocks.at[a->block] : NULL;
  const Block *y = b->kind == ARGUMENT_VARIABLE ? &e->order->blocks.at[b->block] : NULL;
  assert(x || y);
  if (x && y)
    graph_set(&s->value, compare_blocks(e, v, x, y));
  else
    graph_set(&s->value, x ? operand_range(b, x, v->kind) : operand_range(a, y, turned(v->kind)));
  s->made = true;
}

// Attributes of a head: from blocks of the rule to its own; an attribute that repeats one before equals it.
static void begin_step(Engine *e, const Step *step, StepState *s) {
  for (vec_each(i, &step->views)) {
    s->dropped[i] = bddtrue;
    for (vec_each(k, &step->dropped.at[i]))
      add_to_set(&s->dropped[i], &e->order->blocks.at[step->dropped.at[i].at[k]]);
  }
  s->fixed = bddtrue;
  if (step->flags & RULE_NUMBER) return;
  for (vec_each(i, &step->slots)) {
    const Slot *slot = &step->slots.at[i];
    const Block *block = engine_block(e, step->head, i);
    const Domain *d = &e->program->domains.at[block->domain];
    size_t first = slot->kind == ARGUMENT_VARIABLE ? first_of(&step->slots, i) : i;
    if (slot->kind == ARGUMENT_CONSTANT)
      graph_and(&s->fixed, bits_value(block, slot->value));
    else if (slot->kind == ARGUMENT_ALL)
      graph_and(&s->fixed, bits_range(block, 0, d->size - 1));
    else if (first < i)
      graph_and(&s->fixed, bits_equal(block, engine_block(e, step->head, first)));
    else if (slot->kind == ARGUMENT_VARIABLE)
      move(&s->rename, &e->order->blocks.at[slot->block], block);
  }
}

void engine_begin(void *engine) {
  Engine *e = engine;
  for (vec_each(i, &e->program->relations)) {
    e->sets[i] = bddtrue;
    for (vec_each(k, &e->program->relations.at[i].attributes))
      add_to_set(&e->sets[i], engine_block(e, (uint32_t)i, k));
  }
  for (vec_each(i, &e->plan->views)) {
    const View *v = &e->plan->views.at[i];
    if (v->kind == TERM_RELATION)
      begin_view(e, v, &e->views[i]);
    else
      make_comparison(e, v, &e->views[i]);
  }
  for (vec_each(i, &e->plan->steps)) begin_step(e, &e->plan->steps.at[i], &e->steps[i]);
}

// -- views

// Of a relation, or of a part of it, unless all values of an attribute count.
static BDD select_view(const ViewState *s, BDD from) {
  BDD b = bddfalse;
  graph_set(&b, from);
  if (s->constants != bddtrue) graph_set(&b, bdd_restrict(b, s->constants));
  if (s->equal != bddtrue)
    graph_set(&b, bdd_relprod(b, s->equal, s->any));
  else if (s->any != bddtrue)
    graph_set(&b, bdd_exist(b, s->any));
  if (s->all != bddtrue) graph_set(&b, bdd_forall(b, s->all));
  if (s->rename) graph_set(&b, bdd_replace(b, s->rename));
  return bdd_delref(b);
}

static void update_view(Engine *e, uint32_t view) {
  const View *v = &e->plan->views.at[view];
  ViewState *s = &e->views[view];
  if (v->kind != TERM_RELATION) return;
  BDD now = e->relations[v->relation];
  if (s->made && s->seen == now) return;
  if (v->negated) {
    BDD other = bddfalse;
    graph_set(&other, bdd_not(now));
    graph_set(&s->value, select_view(s, other));
    bdd_delref(other);
  } else if (!s->made || s->all != bddtrue) {
    graph_set(&s->value, select_view(s, now));
  } else {
    BDD gained = bddfalse;
    graph_set(&gained, bdd_apply(now, s->seen, bddop_diff));
    graph_or(&s->value, select_view(s, gained));
    bdd_delref(gained);
  }
  graph_set(&s->seen, now);
  s->made = true;
}

// -- steps

// The join of all views, in which `only` (NONE: no view) contributes what it has gained. Counted.
static BDD join(Engine *e, const Step *step, const StepState *s, size_t only) {
  BDD all = bddtrue;
  for (vec_each(i, &step->views)) {
    BDD part = bddfalse;
    graph_set(&part, e->views[step->views.at[i]].value);
    if (i == only) graph_set(&part, bdd_apply(part, s->last[i], bddop_diff));
    if (s->dropped[i] == bddtrue)
      graph_and(&all, part);
    else
      graph_set(&all, bdd_relprod(all, part, s->dropped[i]));
    bdd_delref(part);
    graph_check();
    if (all == bddfalse) break;
  }
  return all;
}

// What the head may gain, in its own blocks. Counted.
static BDD gain(Engine *e, const Step *step, StepState *s) {
  BDD sum = bddfalse;
  if (!s->run) {
    sum = join(e, step, s, SIZE_MAX);
  } else {
    for (vec_each(i, &step->views)) {
      if (e->views[step->views.at[i]].value == s->last[i]) continue;
      BDD one = join(e, step, s, i);
      graph_or(&sum, one);
      bdd_delref(one);
    }
  }
  if (s->rename) graph_set(&sum, bdd_replace(sum, s->rename));
  graph_and(&sum, s->fixed);
  return sum;
}

static void keep_single(Engine *e, const Step *step, BDD *sum) {
  graph_set(sum, bdd_apply(*sum, e->relations[step->head], bddop_diff));
  if (*sum != bddfalse) graph_set(sum, bdd_satoneset(*sum, e->sets[step->head], bddfalse));
}

static void run_rule(Engine *e, const Step *step, StepState *s) {
  bool empty = false;
  for (vec_each(i, &step->views)) {
    update_view(e, step->views.at[i]);
    empty |= e->views[step->views.at[i]].value == bddfalse;
  }
  if (!empty) {
    BDD sum = gain(e, step, s);
    if (step->flags & RULE_SINGLE) keep_single(e, step, &sum);
    size_t nodes = e->measured ? (size_t)bdd_nodecount(sum) : 0;
    if (nodes > s->largest) s->largest = nodes;
    graph_or(&e->relations[step->head], sum);
    bdd_delref(sum);
  }
  // As long as a view is empty nothing has been joined: the first run is still to come.
  if (!empty) s->run = true;
  for (vec_each(i, &step->views)) graph_set(&s->last[i], e->views[step->views.at[i]].value);
}

static void run_step(Engine *e, uint32_t step) {
  const Step *p = &e->plan->steps.at[step];
  StepState *s = &e->steps[step];
  double start = graph_seconds();
  e->step = step;
  if (p->flags & RULE_NUMBER)
    number_paths(e, p);
  else
    run_rule(e, p, s);
  s->seconds += graph_seconds() - start;
  ++s->runs;
}

// Whether a relation of the step has changed since the step was run.
static bool has_work(const Engine *e, uint32_t step) {
  const Step *p = &e->plan->steps.at[step];
  const StepState *s = &e->steps[step];
  if (!s->runs) return true;
  if (!p->recursive || p->flags & RULE_NUMBER) return false;
  for (vec_each(i, &p->views)) {
    uint32_t v = p->views.at[i];
    if (e->plan->views.at[v].kind != TERM_RELATION) continue;
    if (e->views[v].seen != e->relations[e->plan->views.at[v].relation] || e->views[v].value != s->last[i])
      return true;
  }
  return false;
}

static void run_component(Engine *e, const IdVec *ranked) {
  for (size_t i = 0; i < ranked->len;) {
    if (!has_work(e, ranked->at[i])) {
      ++i;
      continue;
    }
    run_step(e, ranked->at[i]);
    graph_check();
    i = 0;
  }
}

void engine_run(void *engine) {
  Engine *e = engine;
  for (vec_each(c, &e->plan->ranked)) run_component(e, &e->plan->ranked.at[c]);
}
