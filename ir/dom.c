// Lengauer and Tarjan, "A fast algorithm for finding dominators" (TOPLAS 1979), with path compression:
// O(edges * log blocks) on any graph, where the shorter iterative methods are quadratic on long ladders.
// Inside, nodes are depth-first numbers from 1; number 1 is a virtual root before the entry (behind the
// exits), 0 is none.
#include "dom.h"
#include <assert.h>
#include "each.h"
#include "core/core.h"

struct Dom {
  const Cfg *cfg;
  bool post;
  uint32_t count;            // of blocks; also the virtual root's id
  uint32_t *parent, *depth;  // by block
  uint32_t *enter, *leave;   // of a walk over the tree: a dominates b if a's interval contains b's
  Lists children;
  bool *numbered;  // blocks whose instructions are in numbers
  Map *numbers;
};

typedef struct {
  uint32_t *number, *block;  // of a block, and back
  uint32_t last;
  uint32_t *parent, *semi, *ancestor, *label, *dom;  // by number
  uint32_t *bucket, *next;                           // lists of those with the same semidominator
  uint32_t *path;                                    // scratch of eval
} Forest;

static Ids edges(const Dom *d, uint32_t b, bool forward) {
  return forward != d->post ? cfg_succs(d->cfg, b) : cfg_preds(d->cfg, b);
}

static void number_from(const Dom *d, Forest *f, uint32_t root) {
  Pairs work = {0};  // of the number of the parent and the block
  pairs_add(&work, 1, root);
  while (work.len) {
    Pair p = vec_pop(&work);
    if (f->number[p.item]) continue;
    uint32_t n = f->number[p.item] = ++f->last;
    f->block[n] = p.item;
    f->parent[n] = p.owner;
    Ids to = edges(d, p.item, true);
    for (size_t i = to.len; i--;)
      if (!f->number[to.at[i]]) pairs_add(&work, n, to.at[i]);
  }
  vec_free(&work);
}

static Forest forest_new(const Dom *d, const Ids *roots) {
  Forest f = {.last = 1};
  uint32_t **all[] = {&f.number, &f.block, &f.parent, &f.semi, &f.ancestor,
                      &f.label,  &f.dom,   &f.bucket, &f.next, &f.path};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) *all[i] = mem_array(d->count + 2, sizeof **all[i]);
  f.block[1] = d->count;
  for (vec_each(i, roots)) number_from(d, &f, roots->at[i]);
  for (uint32_t n = 1; n <= f.last; ++n) f.semi[n] = f.label[n] = n;
  return f;
}

static void forest_free(Forest *f) {
  uint32_t *all[] = {f->number, f->block, f->parent, f->semi, f->ancestor,
                     f->label,  f->dom,   f->bucket, f->next, f->path};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) mem_free(all[i]);
}

// The number with the least semidominator on the path from v up to the root of its tree, without that root.
static uint32_t eval(Forest *f, uint32_t v) {
  if (!f->ancestor[v]) return v;
  uint32_t top = v, below = 0;
  for (; f->ancestor[f->ancestor[top]]; top = f->ancestor[top]) {
    f->path[top] = below;
    below = top;
  }
  uint32_t root = f->ancestor[top];
  for (; below; below = f->path[below]) {
    uint32_t up = f->ancestor[below];
    if (f->semi[f->label[up]] < f->semi[f->label[below]]) f->label[below] = f->label[up];
    f->ancestor[below] = root;
  }
  return f->label[v];
}

static void semidominate(const Dom *d, Forest *f, uint32_t w) {
  Ids from = edges(d, f->block[w], false);
  uint32_t semi = f->semi[eval(f, f->parent[w])];  // also the virtual root, which no block has an edge from
  for (vec_each(i, &from)) {
    uint32_t v = f->number[from.at[i]], least = v ? f->semi[eval(f, v)] : UINT32_MAX;
    if (least < semi) semi = least;
  }
  f->semi[w] = semi;
  f->next[w] = f->bucket[semi];
  f->bucket[semi] = w;
}

static void solve(const Dom *d, Forest *f) {
  for (uint32_t w = f->last; w > 1; --w) {
    uint32_t p = f->parent[w];
    semidominate(d, f, w);
    f->ancestor[w] = p;
    for (uint32_t v = f->bucket[p]; v; v = f->next[v]) {
      uint32_t u = eval(f, v);
      f->dom[v] = f->semi[u] < f->semi[v] ? u : p;
    }
    f->bucket[p] = 0;
  }
  for (uint32_t w = 2; w <= f->last; ++w)
    if (f->dom[w] != f->semi[w]) f->dom[w] = f->dom[f->dom[w]];
}

// Depths and intervals: children come after their parents in the order of numbers, so no stack is needed.
static void measure(Dom *d, const Forest *f) {
  uint32_t *size = mem_array(d->count + 1, sizeof *size), *used = mem_array(d->count + 1, sizeof *used);
  for (uint32_t w = f->last; w > 1; --w) size[d->parent[f->block[w]]] += ++size[f->block[w]];
  d->leave[d->count] = size[d->count];
  for (uint32_t w = 2; w <= f->last; ++w) {
    uint32_t b = f->block[w], p = d->parent[b];
    d->depth[b] = d->depth[p] + 1;
    d->enter[b] = d->enter[p] + 1 + used[p];
    d->leave[b] = d->enter[b] + size[b] - 1;
    used[p] += size[b];
  }
  mem_free(size);
  mem_free(used);
}

static Dom *build(const Cfg *c, bool post, const Ids *roots) {
  Dom *d = mem_alloc(sizeof *d);
  *d = (Dom){.cfg = c, .post = post, .count = cfg_count(c)};
  uint32_t **all[] = {&d->parent, &d->depth, &d->enter, &d->leave};
  for (size_t i = 0; i < 4; ++i) *all[i] = mem_array(d->count + 1, sizeof **all[i]);
  Forest f = forest_new(d, roots);
  solve(d, &f);
  Pairs children = {0};
  for (uint32_t b = 0; b <= d->count; ++b) d->parent[b] = DOM_NONE;
  for (uint32_t b = 0; b < d->count; ++b)
    if (f.number[b]) pairs_add(&children, d->parent[b] = f.block[f.dom[f.number[b]]], b);
  d->children = lists_new(d->count + 1, &children);
  measure(d, &f);
  d->numbered = mem_array(d->count, sizeof *d->numbered);
  d->numbers = map_new();
  vec_free(&children);
  forest_free(&f);
  CHECKED(dom_check(d));
  return d;
}

Dom *dom_new(const Cfg *c) {
  uint32_t entry = 0;
  Ids roots = {&entry, 1};
  return build(c, false, &roots);
}

// The block that a depth-first walk from b over unseen blocks comes to last, if it prefers high ids.
static uint32_t furthest(const Cfg *c, uint32_t b, const bool *seen, uint32_t *visit, uint32_t run) {
  IdVec work = {0};
  uint32_t last = b;
  vec_push(&work, b);
  while (work.len) {
    uint32_t at = vec_pop(&work);
    if (visit[at] == run) continue;
    visit[last = at] = run;
    Ids to = cfg_succs(c, at);
    size_t from = work.len;
    vec_append(&work, to.at, to.len);
    ids_sort(work.at + from, to.len);
    for (size_t i = from, end = work.len; i < end; ++i)
      if (!seen[work.at[i]]) work.at[from++] = work.at[i];
    work.len = from;
  }
  vec_free(&work);
  return last;
}

// LLVM's choice (GenericDomTreeConstruction.h, FindRoots): all exits; then, while a block is left that
// reaches no root, the block furthest from it; in the end, without those roots that reach others. A later
// root never reaches an earlier one. Linear but for many infinite loops in a row: there it walks as far as
// LLVM does.
static void post_roots(const Cfg *c, IdVec *roots) {
  bool *seen = mem_array(cfg_count(c), sizeof *seen), *redundant = mem_array(cfg_count(c), sizeof *redundant);
  uint32_t *visit = mem_array(cfg_count(c), sizeof *visit), runs = 0;
  for (uint32_t b = 0; b < cfg_count(c); ++b)
    if (!cfg_succs(c, b).len) cfg_mark_to(c, (vec_push(roots, b), b), seen);
  size_t kept = roots->len;
  for (uint32_t b = 0; b < cfg_count(c); ++b)
    if (!seen[b]) {
      vec_push(roots, furthest(c, b, seen, visit, ++runs));
      cfg_mark_to(c, vec_last(roots), seen);
    }
  for (size_t i = roots->len; i-- > kept;)
    if (redundant[roots->at[i]])
      roots->at[i] = DOM_NONE;
    else
      cfg_mark_to(c, roots->at[i], redundant);
  for (size_t i = kept; i < roots->len; ++i)
    if (roots->at[i] != DOM_NONE) roots->at[kept++] = roots->at[i];
  roots->len = kept;
  mem_free(seen);
  mem_free(redundant);
  mem_free(visit);
}

Dom *dom_new_post(const Cfg *c) {
  IdVec roots = {0};
  post_roots(c, &roots);
  Ids ids = ids_of(&roots);
  Dom *d = build(c, true, &ids);
  vec_free(&roots);
  return d;
}

void dom_free(Dom *d) {
  if (!d) return;
  mem_free(d->parent);
  mem_free(d->depth);
  mem_free(d->enter);
  mem_free(d->leave);
  lists_free(&d->children);
  mem_free(d->numbered);
  map_free(d->numbers);
  mem_free(d);
}

uint32_t dom_parent(const Dom *d, uint32_t b) {
  assert(b < d->count);
  return d->parent[b] == d->count ? DOM_NONE : d->parent[b];
}
uint32_t dom_depth(const Dom *d, uint32_t b) {
  assert(b < d->count);
  return d->depth[b];
}
Ids dom_children(const Dom *d, uint32_t b) {
  assert(b == DOM_NONE || b < d->count);
  return lists_of(&d->children, b == DOM_NONE ? d->count : b);
}

bool dom_of(const Dom *d, uint32_t a, uint32_t b) {
  if (a == b || !d->depth[b]) return true;
  return d->depth[a] && d->enter[a] <= d->enter[b] && d->leave[b] <= d->leave[a];
}

uint32_t dom_common(const Dom *d, uint32_t a, uint32_t b) {
  assert(a < d->count && b < d->count);
  if (!d->depth[a]) return b;
  if (!d->depth[b]) return a;
  while (a != b) {
    if (d->depth[a] < d->depth[b])
      b = d->parent[b];
    else
      a = d->parent[a];
  }
  return a == d->count ? DOM_NONE : a;
}

bool dom_edge(const Dom *d, uint32_t from, uint32_t to, uint32_t b) {
  assert(!d->post);
  if (!dom_of(d, to, b)) return false;
  Ids preds = cfg_preds(d->cfg, to);
  unsigned same = 0;
  for (vec_each(i, &preds)) {
    if (preds.at[i] == from) ++same;
    if (preds.at[i] != from && !dom_of(d, to, preds.at[i])) return false;
  }
  return same == 1;
}

static uint64_t number_of(Dom *d, uint32_t block, LLVMValueRef inst) {
  if (!d->numbered[block]) {
    uint64_t n = 0;
    for (all_insts(i, cfg_block(d->cfg, block))) map_put(d->numbers, map_key(i), n++);
    d->numbered[block] = true;
  }
  uint64_t number = 0;
  bool known = map_get(d->numbers, map_key(inst), &number);
  assert(known);  // or the block was changed since it was numbered
  return number;
}

bool dom_inst(Dom *d, LLVMValueRef a, LLVMValueRef b) {
  uint32_t of_a = cfg_of(d->cfg, a), of_b = cfg_of(d->cfg, b);
  assert(of_a != CFG_NONE && of_b != CFG_NONE);
  if (of_a != of_b) return dom_of(d, of_a, of_b);
  if (a == b) return false;
  bool before = number_of(d, of_a, a) < number_of(d, of_b, b);
  return before != d->post;
}

// A node of the tree, the virtual root too: its interval is that of its children and itself.
static void check_children(const Dom *d, uint32_t b) {
  Ids children = lists_of(&d->children, b);
  uint32_t inside = 0;
  assert(ids_ascend(children));
  for (vec_each(i, &children)) {
    uint32_t c = children.at[i];
    assert(d->parent[c] == b);
    assert(d->depth[c] == d->depth[b] + 1);
    assert(d->enter[b] < d->enter[c] && d->enter[c] <= d->leave[c] && d->leave[c] <= d->leave[b]);
    inside += d->leave[c] - d->enter[c] + 1;
  }
  assert(inside == d->leave[b] - d->enter[b]);
}

// An immediate dominator dominates all that leads to its block.
static void check_parent(const Dom *d, uint32_t b) {
  Ids from = edges(d, b, false);
  uint32_t p = d->parent[b];
  assert(d->post || cfg_place(d->cfg, b) != CFG_NONE);
  assert(p <= d->count);
  for (vec_each(i, &from)) assert(p == d->count || dom_of(d, p, from.at[i]));
}

void dom_check(const Dom *d) {
  bool *entered = mem_array(d->count + 1, sizeof *entered);
  uint32_t nodes = 0;
  assert(!d->depth[d->count] && !d->enter[d->count] && d->parent[d->count] == DOM_NONE);
  lists_check(&d->children, d->count + 1, d->count);
  for (uint32_t b = 0; b < d->count; ++b) {
    assert(!d->depth[b] == (d->parent[b] == DOM_NONE));
    if (!d->depth[b]) continue;
    check_parent(d, b);
    assert(d->enter[b] <= d->count && !entered[d->enter[b]]);  // a place of its own in the walk
    entered[d->enter[b]] = true;
    ++nodes;
  }
  assert(nodes == (d->post ? d->count : (uint32_t)cfg_order(d->cfg).len));
  assert(d->children.first[d->count + 1] == nodes);
  for (uint32_t b = 0; b <= d->count; ++b)
    if (d->depth[b] || b == d->count) check_children(d, b);
  mem_free(entered);
}
