// Post-dominators without the dead ends, by the iteration of Cooper, Harvey and Kennedy. A function that
// never returns has none: all of it would be one.
#include "paths.h"
#include <assert.h>

static bool has_event(const Bytecode *c, const Block *b) {
  for (uint32_t pc = b->first; pc < b->end; ++pc) {
    const Inst *i = &c->insts.at[pc];
    bool call = i->op == OP_CALL || i->op == OP_ICALL || i->op == OP_SYNC;
    if (i->op == OP_RESUME || i->op == OP_LONGJMP) return true;
    if (call && (c->calls.at[i->imm].event || c->calls.at[i->imm].derived)) return true;
  }
  return false;
}

static void find_dead(Paths *p, const Bytecode *c, const Function *f) {
  bool *lives = mem_array(f->block_count + 1, sizeof *lives);
  for (uint32_t b = 0; b < f->block_count; ++b) {
    const Block *x = &c->blocks.at[f->first_block + b];
    if ((c->insts.at[x->end - 1].op == OP_RET || has_event(c, x)) && !lives[b]) cfg_mark_to(p->cfg, b, lives);
  }
  for (uint32_t b = 0; b < f->block_count; ++b) p->dead[b] = lives[0] && !lives[b];
  mem_free(lives);
}

// From the ends backwards: each block behind those it leads to.
static void number_from_ends(const Paths *p, uint32_t *order, IdVec *sorted) {
  uint32_t n = cfg_count(p->cfg);
  bool *seen = mem_array(n + 1, sizeof *seen);
  typedef struct {
    uint32_t block;
    size_t next;
  } Visit;
  Vec(Visit) stack = {0};
  for (uint32_t b = 0; b < n; ++b) {
    Ids succs = cfg_succs(p->cfg, b);
    bool end = !p->dead[b];
    for (vec_each(i, &succs)) end &= p->dead[succs.at[i]];
    if (!end || seen[b]) continue;
    seen[b] = true;
    Visit first = {b, 0};
    vec_push(&stack, first);
    while (stack.len) {
      Visit *v = &vec_last(&stack);
      Ids preds = cfg_preds(p->cfg, v->block);
      if (v->next == preds.len) {
        order[v->block] = (uint32_t)sorted->len + 1;
        vec_push(sorted, v->block);
        --stack.len;
        continue;
      }
      uint32_t to = preds.at[v->next++];
      if (seen[to] || p->dead[to]) continue;
      seen[to] = true;
      Visit next = {to, 0};
      vec_push(&stack, next);
    }
  }
  vec_free(&stack);
  mem_free(seen);
}

static uint32_t meet(const Paths *p, const uint32_t *order, uint32_t a, uint32_t b) {
  while (a != b) {
    if (a == DOM_NONE || b == DOM_NONE) return DOM_NONE;
    if (order[a] < order[b])
      a = p->parent[a];
    else
      b = p->parent[b];
  }
  return a;
}

static void find_parents(Paths *p) {
  uint32_t n = cfg_count(p->cfg), *order = mem_array(n + 1, sizeof *order);
  IdVec sorted = {0};
  bool *known = mem_array(n + 1, sizeof *known);
  number_from_ends(p, order, &sorted);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = sorted.len; i-- > 0;) {
      uint32_t b = sorted.at[i], parent = DOM_NONE;
      Ids succs = cfg_succs(p->cfg, b);
      bool first = true, end = true;
      for (vec_each(k, &succs)) {
        uint32_t to = succs.at[k];
        if (p->dead[to]) continue;
        end = false;
        if (!known[to]) continue;
        parent = first ? to : meet(p, order, parent, to);
        first = false;
      }
      if (first && !end) continue;
      if (known[b] && p->parent[b] == parent) continue;
      p->parent[b] = parent, known[b] = more = true;
    }
  }
  vec_free(&sorted);
  mem_free(order), mem_free(known);
}

static void add_dependences(const Paths *p, const uint32_t *parent, bool dead, Pairs *out) {
  for (uint32_t b = 0; b < cfg_count(p->cfg); ++b) {
    Ids succs = cfg_succs(p->cfg, b);
    size_t ways = 0;
    for (vec_each(i, &succs)) ways += dead || !p->dead[succs.at[i]];
    for (size_t i = 0; ways > 1 && i < succs.len; ++i)
      for (uint32_t x = succs.at[i]; x != DOM_NONE && x != parent[b]; x = parent[x])
        if (p->dead[x] == dead) pairs_add(out, x, b);
  }
}

Paths *paths_new(const Bytecode *c, uint32_t function, bool past_ends) {
  const Function *f = &c->functions.at[function];
  Paths *p = mem_alloc(sizeof *p);
  p->cfg = cfg_new(f->value);
  uint32_t n = cfg_count(p->cfg);
  Dom *post = dom_new_post(p->cfg);
  Pairs pairs = {0};
  uint32_t *all = mem_array(n + 1, sizeof *all);
  p->dead = mem_array(n + 1, sizeof *p->dead);
  p->parent = mem_array(n + 1, sizeof *p->parent);
  for (uint32_t b = 0; b < n; ++b) p->parent[b] = all[b] = dom_parent(post, b);
  if (past_ends) find_dead(p, c, f);
  bool any = false;
  for (uint32_t b = 0; b < n; ++b) any |= p->dead[b];
  if (any) {
    for (uint32_t b = 0; b < n; ++b) p->parent[b] = DOM_NONE;
    find_parents(p);
    add_dependences(p, all, true, &pairs);
  }
  add_dependences(p, p->parent, false, &pairs);
  p->on = lists_new(n, &pairs);
  vec_free(&pairs);
  mem_free(all);
  dom_free(post);
  return p;
}

void paths_free(Paths *p) {
  if (!p) return;
  lists_free(&p->on);
  cfg_free(p->cfg);
  mem_free(p->dead), mem_free(p->parent);
  mem_free(p);
}
