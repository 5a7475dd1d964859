// Headers are taken last to first in reverse post-order, so inner ones come before outer ones; the walk back
// from a header's latches crosses a loop that is known already in one step, to its header (as LLVM's LoopInfo
// does).
#include "loop.h"
#include <assert.h>
#include "each.h"
#include "core/core.h"

typedef struct {
  uint32_t header, parent, depth, last;
  uint32_t first, end;  // of its blocks
} Loop;

struct Loops {
  const Cfg *cfg;
  const Dom *dom;
  uint32_t count;
  Loop *loops;
  uint32_t *innermost;  // by block
  uint32_t *blocks;     // ordered by nest: those of a loop stand together
  Lists latches;
  uint32_t *part, parts;  // by block: of irreducible cycles
};

// While loops are found they are numbered in the order of finding: inner ones first.
typedef struct {
  const Cfg *cfg;
  const Dom *dom;
  IdVec header, parent, top;  // top: a loop around it, for finding the outermost in few steps
  uint32_t *innermost;
  IdVec work;
} Search;

static bool is_back(const Cfg *c, const Dom *d, uint32_t from, uint32_t to) {
  return cfg_place(c, from) != CFG_NONE && dom_of(d, to, from);
}

static uint32_t outermost(Search *s, uint32_t loop) {
  uint32_t top = loop;
  while (s->top.at[top] != top) top = s->top.at[top];
  while (s->top.at[loop] != top) {
    uint32_t up = s->top.at[loop];
    s->top.at[loop] = top;
    loop = up;
  }
  return top;
}

static void push_preds(Search *s, uint32_t block) {
  Ids preds = cfg_preds(s->cfg, block);
  for (vec_each(i, &preds))
    if (cfg_place(s->cfg, preds.at[i]) != CFG_NONE) vec_push(&s->work, preds.at[i]);
}

// Everything that reaches the latches without the header.
static void gather(Search *s, uint32_t loop) {
  while (s->work.len) {
    uint32_t b = vec_pop(&s->work), inner = s->innermost[b];
    if (inner == LOOP_NONE) {
      s->innermost[b] = loop;
      push_preds(s, b);
    } else if ((inner = outermost(s, inner)) != loop) {
      s->parent.at[inner] = s->top.at[inner] = loop;
      push_preds(s, s->header.at[inner]);
    }
  }
}

static void find_loop(Search *s, uint32_t header) {
  Ids preds = cfg_preds(s->cfg, header);
  uint32_t loop = (uint32_t)s->header.len;
  for (vec_each(i, &preds))
    if (is_back(s->cfg, s->dom, preds.at[i], header)) vec_push(&s->work, preds.at[i]);
  if (!s->work.len) return;
  vec_push(&s->header, header);
  vec_push(&s->parent, LOOP_NONE);
  vec_push(&s->top, loop);
  s->innermost[header] = loop;
  gather(s, loop);
}

// From the order of finding (children before parents) to preorder: new ids by the sizes of the subtrees.
static uint32_t *preorder(Loops *l, const Search *s) {
  uint32_t *size = mem_array(l->count + 1, sizeof *size), *used = mem_array(l->count + 1, sizeof *used);
  uint32_t *id = mem_array(l->count, sizeof *id);
  for (uint32_t i = 0; i < l->count; ++i)
    size[s->parent.at[i] == LOOP_NONE ? l->count : s->parent.at[i]] += ++size[i];
  for (uint32_t i = l->count; i-- > 0;) {
    bool outer = s->parent.at[i] == LOOP_NONE;
    uint32_t p = outer ? l->count : s->parent.at[i];
    id[i] = (outer ? 0 : id[p] + 1) + used[p];
    used[p] += size[i];
    l->loops[id[i]] = (Loop){.header = s->header.at[i],
                             .parent = outer ? LOOP_NONE : id[p],
                             .depth = outer ? 1 : l->loops[id[p]].depth + 1,
                             .last = id[i] + size[i] - 1};
  }
  mem_free(size);
  mem_free(used);
  return id;
}

// Ranges for the blocks of each loop, then the blocks into them: a loop's own ones before those of inner
// loops.
static void place_blocks(Loops *l) {
  uint32_t *next = mem_array(l->count + 1, sizeof *next), *total = mem_array(l->count + 1, sizeof *total);
  Ids order = cfg_order(l->cfg);
  for (vec_each(i, &order))
    if (l->innermost[order.at[i]] != LOOP_NONE) total[l->innermost[order.at[i]]]++;
  uint32_t *own = mem_copy(total, (l->count + 1) * sizeof *own), end = 0;
  for (uint32_t i = l->count; i-- > 0;)
    if (l->loops[i].parent != LOOP_NONE) total[l->loops[i].parent] += total[i];
  for (uint32_t i = 0; i < l->count; ++i) {
    uint32_t p = l->loops[i].parent, *from = p == LOOP_NONE ? &end : &l->loops[p].end;
    l->loops[i].first = next[i] = *from;
    *from += total[i];
    l->loops[i].end = next[i] + own[i];  // grows by what its inner loops take
  }
  l->blocks = mem_array(end, sizeof *l->blocks);
  for (vec_each(i, &order)) {
    uint32_t loop = l->innermost[order.at[i]];
    if (loop != LOOP_NONE) l->blocks[next[loop]++] = order.at[i];
  }
  mem_free(next);
  mem_free(total);
  mem_free(own);
}

// Edges to blocks that dominate their source make the latches; the others must be acyclic or are irreducible.
static void sort_edges(Loops *l) {
  Pairs latches = {0}, rest = {0};
  uint32_t blocks = cfg_count(l->cfg), *seen = mem_array(l->count, sizeof *seen);
  for (uint32_t b = 0; b < blocks; ++b) {
    Ids to = cfg_succs(l->cfg, b);
    if (cfg_place(l->cfg, b) == CFG_NONE) continue;
    for (vec_each(i, &to)) {
      uint32_t loop = l->innermost[to.at[i]];
      if (!is_back(l->cfg, l->dom, b, to.at[i]))
        pairs_add(&rest, b, to.at[i]);
      else if (seen[loop] != b + 1)
        pairs_add(&latches, loop, (seen[loop] = b + 1, b));
    }
  }
  l->latches = lists_new(l->count, &latches);
  Lists edges = lists_new(blocks, &rest);
  Scc s = scc_new(blocks, &edges);
  uint32_t *number = mem_array(s.count, sizeof *number);
  for (uint32_t b = 0; b < blocks; ++b) {
    bool cyclic = s.cyclic[s.of[b]];
    if (cyclic && !number[s.of[b]]) number[s.of[b]] = ++l->parts;
    l->part[b] = cyclic ? number[s.of[b]] - 1 : LOOP_NONE;
  }
  scc_free(&s);
  lists_free(&edges);
  vec_free(&latches);
  vec_free(&rest);
  mem_free(number);
  mem_free(seen);
}

Loops *loops_new(const Cfg *c, const Dom *d) {
  Loops *l = mem_alloc(sizeof *l);
  *l = (Loops){.cfg = c, .dom = d};
  l->innermost = mem_array(cfg_count(c), sizeof *l->innermost);
  l->part = mem_array(cfg_count(c), sizeof *l->part);
  for (uint32_t b = 0; b < cfg_count(c); ++b) l->innermost[b] = LOOP_NONE;
  Search s = {.cfg = c, .dom = d, .innermost = l->innermost};
  Ids order = cfg_order(c);
  for (size_t i = order.len; i-- > 0;) find_loop(&s, order.at[i]);
  l->count = (uint32_t)s.header.len;
  l->loops = mem_array(l->count, sizeof *l->loops);
  uint32_t *id = preorder(l, &s);
  for (uint32_t b = 0; b < cfg_count(c); ++b)
    if (l->innermost[b] != LOOP_NONE) l->innermost[b] = id[l->innermost[b]];
  place_blocks(l);
  sort_edges(l);
  mem_free(id);
  vec_free(&s.header);
  vec_free(&s.parent);
  vec_free(&s.top);
  vec_free(&s.work);
  CHECKED(loops_check(l));
  return l;
}

void loops_free(Loops *l) {
  if (!l) return;
  mem_free(l->loops);
  mem_free(l->innermost);
  mem_free(l->blocks);
  lists_free(&l->latches);
  mem_free(l->part);
  mem_free(l);
}

const Cfg *loops_cfg(const Loops *l) {
  return l->cfg;
}
const Dom *loops_dom(const Loops *l) {
  return l->dom;
}
uint32_t loops_count(const Loops *l) {
  return l->count;
}
uint32_t loops_of(const Loops *l, uint32_t block) {
  return l->innermost[block];
}
uint32_t loop_header(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  return l->loops[loop].header;
}
uint32_t loop_parent(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  return l->loops[loop].parent;
}
uint32_t loop_depth(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  return l->loops[loop].depth;
}
uint32_t loop_last(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  return l->loops[loop].last;
}
bool loop_has(const Loops *l, uint32_t loop, uint32_t block) {
  assert(loop < l->count);
  uint32_t inner = l->innermost[block];
  return inner != LOOP_NONE && loop <= inner && inner <= l->loops[loop].last;
}
Ids loop_blocks(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  return (Ids){l->blocks + l->loops[loop].first, l->loops[loop].end - l->loops[loop].first};
}
Ids loop_latches(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  return lists_of(&l->latches, loop);
}

uint32_t loop_preheader(const Loops *l, uint32_t loop) {
  assert(loop < l->count);
  Ids preds = cfg_preds(l->cfg, l->loops[loop].header);
  uint32_t only = CFG_NONE;
  for (vec_each(i, &preds)) {
    if (loop_has(l, loop, preds.at[i])) continue;
    if (only != CFG_NONE) return CFG_NONE;
    only = preds.at[i];
  }
  return only != CFG_NONE && cfg_succs(l->cfg, only).len == 1 ? only : CFG_NONE;
}

void loop_exits(const Loops *l, uint32_t loop, Pairs *exits) {
  Ids blocks = loop_blocks(l, loop);
  for (vec_each(i, &blocks)) {
    Ids to = cfg_succs(l->cfg, blocks.at[i]);
    for (vec_each(k, &to))
      if (!loop_has(l, loop, to.at[k])) pairs_add(exits, blocks.at[i], to.at[k]);
  }
}

uint32_t loops_irreducible(const Loops *l, uint32_t block) {
  return l->part[block];
}
uint32_t loops_irreducible_count(const Loops *l) {
  return l->parts;
}

// Loops come in preorder: a loop's parent is the innermost before it that has not ended yet.
static void check_nest(const Loops *l) {
  IdVec open = {0};
  for (uint32_t i = 0; i < l->count; ++i) {
    const Loop *at = &l->loops[i];
    while (open.len && l->loops[vec_last(&open)].last < i) (void)vec_pop(&open);
    assert(at->parent == (open.len ? vec_last(&open) : LOOP_NONE));
    assert(at->depth == open.len + 1);
    assert(i <= at->last && at->last < l->count);
    assert(!open.len || at->last <= l->loops[at->parent].last);
    assert(l->innermost[at->header] == i);
    assert(!open.len || dom_of(l->dom, l->loops[at->parent].header, at->header));
    vec_push(&open, i);
  }
  vec_free(&open);
}

// As many blocks as a loop's range holds are in it or in its inner loops, and stand there.
static void check_blocks(const Loops *l) {
  uint32_t *own = mem_array(l->count, sizeof *own), in = 0;
  for (uint32_t b = 0; b < cfg_count(l->cfg); ++b) {
    uint32_t loop = l->innermost[b];
    if (loop == LOOP_NONE) continue;
    assert(loop < l->count && cfg_place(l->cfg, b) != CFG_NONE);
    assert(dom_of(l->dom, l->loops[loop].header, b));
    ++own[loop], ++in;
  }
  for (uint32_t i = l->count; i-- > 0;) {
    const Loop *at = &l->loops[i];
    assert(at->first < at->end && at->end - at->first == own[i]);
    assert(l->blocks[at->first] == at->header);
    if (at->parent != LOOP_NONE) own[at->parent] += own[i];
  }
  for (uint32_t k = 0; k < in; ++k) {
    uint32_t loop = l->innermost[l->blocks[k]];
    assert(loop != LOOP_NONE && l->loops[loop].first <= k && k < l->loops[loop].end);
  }
  mem_free(own);
}

// The latches are those predecessors of the header that are in the loop.
static void check_latches(const Loops *l, uint32_t loop, uint32_t *seen) {
  Ids latches = loop_latches(l, loop), preds = cfg_preds(l->cfg, l->loops[loop].header);
  size_t found = 0;
  assert(latches.len && ids_ascend(latches));
  for (vec_each(i, &preds)) {
    uint32_t b = preds.at[i];
    if (!loop_has(l, loop, b) || seen[b] == loop + 1) continue;
    seen[b] = loop + 1;
    ++found;
  }
  assert(found == latches.len);
  for (vec_each(i, &latches)) assert(seen[latches.at[i]] == loop + 1);
}

void loops_check(const Loops *l) {
  uint32_t blocks = cfg_count(l->cfg), *seen = mem_array(blocks, sizeof *seen);
  check_nest(l);
  check_blocks(l);
  lists_check(&l->latches, l->count, blocks);
  for (uint32_t i = 0; i < l->count; ++i) check_latches(l, i, seen);
  for (uint32_t b = 0; b < blocks; ++b) assert(l->part[b] == LOOP_NONE || l->part[b] < l->parts);
  mem_free(seen);
}
