#include "pieces.h"
#include <assert.h>

bool pieces_event_site(const Maysync *sync, uint32_t site) {
  const Sync *s = maysync_operation(sync, site);
  return maysync_event(sync, site) || maysync_derived(sync, site) || (s && s->kind == SYNC_UNMODELLED);
}

static void add_piece(Pieces *p, LLVMBasicBlockRef block, LLVMValueRef first, LLVMValueRef last,
                      uint32_t site) {
  Piece one = {block, first, last, site};
  if (site != SITE_NONE) map_put(p->behind, site, p->pieces.len);
  vec_push(&p->pieces, one);
}

static void cut_block(Pieces *p, LLVMBasicBlockRef b, const Sites *sites, const Maysync *sync,
                      const bool *soft) {
  LLVMValueRef first = LLVMGetFirstInstruction(b);
  map_put(p->of_block, map_key(b), p->pieces.len);
  for (all_insts(i, b)) {
    uint32_t site = call_is(i) ? sites_id(sites, i) : SITE_NONE;
    if (site != SITE_NONE && (!pieces_event_site(sync, site) || (soft && soft[site]))) site = SITE_NONE;
    if (site == SITE_NONE && LLVMGetNextInstruction(i)) continue;
    add_piece(p, b, first, i, site);
    first = LLVMGetNextInstruction(i);
  }
}

static bool calls(const Piece *p, bool twice) {
  for (LLVMValueRef i = p->first; i; i = i == p->last ? NULL : LLVMGetNextInstruction(i))
    if (call_is(i) && !LLVMIsAIntrinsicInst(i) && (!twice || call_returns_twice(i))) return true;
  return false;
}

// setjmp comes back where it was called if code that is called later jumps there, or is cancelled: no event
// need lie between.
static void link_jumps(const Pieces *p, Pairs *edges) {
  for (uint32_t to = 0; to < p->pieces.len; ++to) {
    if (!calls(&p->pieces.at[to], true)) continue;
    for (uint32_t i = 0; i < p->pieces.len; ++i)
      if (p->pieces.at[i].site == SITE_NONE && calls(&p->pieces.at[i], false)) pairs_add(edges, i, to);
  }
}

static void link_pieces(Pieces *p) {
  Pairs edges = {0};
  for (uint32_t i = 0; i < p->pieces.len; ++i) {
    if (p->pieces.at[i].site != SITE_NONE) continue;
    LLVMValueRef end = p->pieces.at[i].last;
    for (unsigned n = 0; n < LLVMGetNumSuccessors(end); ++n)
      pairs_add(&edges, i, pieces_block(p, LLVMGetSuccessor(end, n)));
  }
  link_jumps(p, &edges);
  p->next = lists_new((uint32_t)p->pieces.len, &edges);
  vec_free(&edges);
}

// Backwards from the marked pieces. Pieces are few and in order, so rounds over all of them settle soon.
static void spread_back(const Pieces *p, bool *mark) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = (uint32_t)p->pieces.len; i--;) {
      if (mark[i]) continue;
      Ids next = lists_of(&p->next, i);
      for (vec_each(n, &next)) mark[i] |= mark[next.at[n]];
      changed |= mark[i];
    }
  }
}

Pieces *pieces_new(LLVMValueRef f, const Sites *sites, const Maysync *sync, const bool *soft) {
  Pieces *p = mem_alloc(sizeof *p);
  p->of_block = map_new(), p->behind = map_new(), p->known = map_new();
  for (all_blocks(b, f)) cut_block(p, b, sites, sync, soft);
  link_pieces(p);
  p->ends = mem_array(p->pieces.len, sizeof *p->ends);
  for (vec_each(i, &p->pieces))
    p->ends[i] = p->pieces.at[i].site == SITE_NONE && LLVMIsAUnreachableInst(p->pieces.at[i].last);
  spread_back(p, p->ends);
  CHECKED(pieces_check(p));
  return p;
}

void pieces_free(Pieces *p) {
  if (!p) return;
  for (vec_each(i, &p->sets)) mem_free(p->sets.at[i]);
  vec_free(&p->sets), vec_free(&p->pieces);
  lists_free(&p->next);
  map_free(p->of_block), map_free(p->behind), map_free(p->known);
  mem_free(p->ends), mem_free(p);
}

uint32_t pieces_block(const Pieces *p, LLVMBasicBlockRef block) {
  return (uint32_t)map_or(p->of_block, map_key(block), PIECE_NONE);
}

uint32_t pieces_after(const Pieces *p, uint32_t site, bool unwinds) {
  uint32_t i = (uint32_t)map_or(p->behind, site, PIECE_NONE);
  assert(i < p->pieces.len && p->pieces.at[i].site == site);
  LLVMValueRef call = p->pieces.at[i].last;
  if (LLVMIsAInvokeInst(call))
    return pieces_block(p, unwinds ? LLVMGetUnwindDest(call) : LLVMGetNormalDest(call));
  return unwinds ? PIECE_NONE : i + 1;
}

uint32_t pieces_behind(const Pieces *p, LLVMValueRef call) {
  LLVMBasicBlockRef block = LLVMGetInstructionParent(call);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool only = LLVMIsABranchInst(end) && !LLVMIsConditional(end);
  return pieces_block(p, only ? LLVMGetSuccessor(end, 0) : block);
}

static bool reaches(const Piece *p, uint32_t to) {
  bool returns = p->site == SITE_NONE && LLVMIsAReturnInst(p->last);
  bool unwinds = p->site == SITE_NONE && LLVMIsAResumeInst(p->last);
  if (to == TO_RETURN) return returns;
  if (to == TO_LEAVE) return returns || unwinds;
  return to == TO_ANYWHERE || p->site == to;
}

static void forward(const Pieces *p, uint32_t from, bool *mark) {
  IdVec queue = {0};
  mark[from] = true;
  vec_push(&queue, from);
  while (queue.len) {
    Ids next = lists_of(&p->next, vec_pop(&queue));
    for (vec_each(i, &next)) {
      if (mark[next.at[i]]) continue;
      mark[next.at[i]] = true;
      vec_push(&queue, next.at[i]);
    }
  }
  vec_free(&queue);
}

const uint64_t *pieces_between(Pieces *p, uint32_t from, uint32_t to) {
  assert(from < p->pieces.len && (to >= TO_ANYWHERE || map_or(p->behind, to, PIECE_NONE) != PIECE_NONE));
  uint64_t key = (uint64_t)from << 32 | to, known;
  if (map_get(p->known, key, &known)) return p->sets.at[known];
  size_t n = p->pieces.len;
  bool *ahead = mem_array(n, sizeof *ahead), *back = mem_array(n, sizeof *back);
  forward(p, from, ahead);
  for (size_t i = 0; i < n; ++i) back[i] = reaches(&p->pieces.at[i], to);
  spread_back(p, back);
  uint64_t *set = mem_array(n / 64 + 1, sizeof *set);
  for (size_t i = 0; i < n; ++i)
    if (ahead[i] && (back[i] || p->ends[i])) set[i / 64] |= (uint64_t)1 << i % 64;
  mem_free(ahead), mem_free(back);
  map_put(p->known, key, p->sets.len);
  vec_push(&p->sets, set);
  return set;
}

static void check_piece(const Pieces *p, uint32_t i, bool opens) {
  const Piece *x = &p->pieces.at[i];
  bool event = x->site != SITE_NONE;
  assert(x->first && LLVMGetInstructionParent(x->first) == x->block);
  assert(LLVMGetInstructionParent(x->last) == x->block &&
         (event ? call_is(x->last) : !LLVMGetNextInstruction(x->last)));
  assert(opens ? x->first == LLVMGetFirstInstruction(x->block)
               : x->first == LLVMGetNextInstruction(p->pieces.at[i - 1].last));
  assert(!opens || pieces_block(p, x->block) == i);
  assert(!event || map_or(p->behind, x->site, PIECE_NONE) == i);
}

static void check_next(const Pieces *p, uint32_t i) {
  const Piece *x = &p->pieces.at[i];
  Ids next = lists_of(&p->next, i);
  bool event = x->site != SITE_NONE, ends = !event && LLVMIsAUnreachableInst(x->last);
  unsigned ways = event ? 0 : LLVMGetNumSuccessors(x->last);
  assert(next.len >= ways);
  for (vec_each(n, &next)) {
    assert(n < ways ? next.at[n] == pieces_block(p, LLVMGetSuccessor(x->last, (unsigned)n))
                    : calls(&p->pieces.at[next.at[n]], true));
    ends |= p->ends[next.at[n]];
  }
  assert(p->ends[i] == ends);
}

void pieces_check(const Pieces *p) {
  size_t n = p->pieces.len, blocks = 0, events = 0;
  assert(n &&
         p->pieces.at[0].block == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(p->pieces.at[0].block)));
  for (uint32_t i = 0; i < n; ++i) {
    bool opens = !i || p->pieces.at[i - 1].block != p->pieces.at[i].block;
    blocks += opens, events += p->pieces.at[i].site != SITE_NONE;
    check_piece(p, i, opens);
    check_next(p, i);
  }
  assert(map_count(p->of_block) == blocks && map_count(p->behind) == events);
  assert(map_count(p->known) == p->sets.len);
  for (vec_each(i, &p->sets)) assert(!(p->sets.at[i][n / 64] >> n % 64));
}
