#include "slice.h"
#include <assert.h>
#include "gates.h"

static bool set_bit(uint64_t *bits, uint32_t n) {
  uint64_t bit = UINT64_C(1) << (n % 64);
  bool was = bits[n / 64] & bit;
  bits[n / 64] |= bit;
  return !was;
}

// How often each pc was executed: steps are ranges, so their ends are counted.
static void count_executed(Slice *s) {
  const Examined *of = s->of;
  uint32_t pcs = runner_pcs(of->runner);
  int64_t *change = mem_array((size_t)pcs + 1, sizeof *change), sum = 0;
  for (vec_each(i, &of->trace->steps)) {
    ++change[of->trace->steps.at[i].pc];
    --change[instances_end(of->all, (uint32_t)i)];
  }
  for (uint32_t pc = 0; pc < pcs; ++pc) {
    sum += change[pc];
    assert(sum >= 0);
    s->executed_at[pc] = (uint64_t)sum;
    if (sum && !runner_model(of->runner, runner_function_of(of->runner, pc))) s->executed += (uint64_t)sum;
  }
  mem_free(change);
}

static void note(Slice *s, const BackwalkVisit *v, unsigned why) {
  uint32_t n = instances_number(s->of->all, v->at), pc = v->at.pc;
  if (why & (SLICE_DATA | SLICE_TARGET)) set_bit(s->by_data, n);
  s->why[pc] |= (uint8_t)why;
  if (!set_bit(s->kept, n)) return;
  ++s->kept_at[pc], ++s->all_kept;
  if (v->model) return;
  ++s->kept_count;
  if (s->last_thread[pc] == v->thread + 1) return;
  s->last_thread[pc] = v->thread + 1;
  uint64_t key = (uint64_t)pc << 32 | v->thread;
  if (map_or(s->thread_known, key, 0)) return;
  map_put(s->thread_known, key, 1);
  pairs_add(&s->threads, pc, v->thread);
}

static unsigned why_of(const BackwalkVisit *v, unsigned wanted) {
  unsigned why = wanted;
  if (v->why & BACKWALK_DATA) why |= SLICE_DATA;
  if (v->why & BACKWALK_CONTROL) why |= SLICE_CONTROL;
  if (v->why & BACKWALK_CALL) why |= SLICE_CALL;
  if (v->why & BACKWALK_OTHER_WAY) why |= SLICE_OTHER_WAY;
  return why;
}

typedef struct {
  uint64_t *asked;  // bits by instance: it is in `as`
  Map *as;          // SLICE_ORDER or SLICE_TARGET
} Asked;

static void ask(Asked *a, uint32_t n, unsigned as) {
  set_bit(a->asked, n);
  map_put(a->as, n, as);
}

static unsigned asked_as(const Asked *a, uint32_t n) {
  bool any = a->asked[n / 64] >> (n % 64) & 1;
  return any ? (unsigned)map_or(a->as, n, 0) : 0;
}

static void want_order(Gates *g, Backwalk *w, const Examined *of, Asked *asked, RunInstance at, bool only) {
  const GatesBring *bring = gates_bring(g, at, only);
  uint32_t here = bring->len ? instances_number(of->all, at) : 0;
  for (vec_each(i, bring)) {
    uint32_t n = instances_number(of->all, bring->at[i].at);
    if (n >= here || asked_as(asked, n)) continue;
    ask(asked, n, SLICE_ORDER);
    // Of an event it matters that it came, of a check what it saw.
    (bring->at[i].event == SIGMA_NONE ? backwalk_want : backwalk_want_happened)(w, bring->at[i].at);
  }
}

static void take_unwritten(Slice *s, const Backwalk *w) {
  enum { MOST = 1 << 20 };
  uint64_t n = backwalk_unwritten(w, NULL, 0), room = n < MOST ? n : MOST;
  s->unwritten.at = mem_array(room + 1, sizeof *s->unwritten.at);
  s->unwritten.cap = room + 1, s->unwritten.len = room;
  backwalk_unwritten(w, s->unwritten.at, room);
}

void slice_make(const Examined *of, const SliceTargets *targets, SliceWhat what, Slice *s) {
  size_t words = ((size_t)instances_count(of->all) + 63) / 64 + 1, pcs = (size_t)runner_pcs(of->runner) + 1;
  *s = (Slice){.of = of, .thread_known = map_new()};
  s->kept = mem_array(words, sizeof *s->kept), s->by_data = mem_array(words, sizeof *s->by_data);
  s->why = mem_array(pcs, sizeof *s->why);
  s->kept_at = mem_array(pcs, sizeof *s->kept_at), s->executed_at = mem_array(pcs, sizeof *s->executed_at);
  s->last_thread = mem_array(pcs, sizeof *s->last_thread);
  count_executed(s);
  Gates *g = what.no_order || what.data_only ? NULL : gates_new(of);
  Asked asked = {mem_array(words, sizeof *asked.asked), map_new()};
  unsigned options = (what.data_only ? 0 : BACKWALK_WITH_CONTROL) | (what.path ? BACKWALK_PATH : 0);
  Backwalk *w = backwalk_new(of->runner, of->trace, options);
  BackwalkVisit v;
  for (vec_each(i, targets)) {
    ask(&asked, instances_number(of->all, targets->at[i]), SLICE_TARGET);
    backwalk_want(w, targets->at[i]);
  }
  while (backwalk_next(w, &v)) {
    unsigned why = why_of(&v, asked_as(&asked, instances_number(of->all, v.at)));
    note(s, &v, why);
    if (g) want_order(g, w, of, &asked, v.at, why == SLICE_ORDER);
  }
  s->passed = backwalk_passed(w);
  take_unwritten(s, w);
  CHECKED(backwalk_check(w));
  backwalk_free(w);
  map_free(asked.as), mem_free(asked.asked);
  gates_free(g);
  CHECKED(slice_check(s));
}

void slice_free(Slice *s) {
  mem_free(s->kept), mem_free(s->by_data), mem_free(s->why), mem_free(s->kept_at), mem_free(s->executed_at);
  mem_free(s->last_thread);
  vec_free(&s->threads), vec_free(&s->unwritten);
  map_free(s->thread_known);
  *s = (Slice){0};
}

void slice_check(const Slice *s) {
  for (uint32_t pc = 0; pc < runner_pcs(s->of->runner); ++pc) {
    assert(s->kept_at[pc] <= s->executed_at[pc]);
    assert(!s->kept_at[pc] == !s->why[pc]);
  }
  assert(s->kept_count <= s->executed && s->kept_count <= s->all_kept);
}
