// sigma/walk: what walk_check and walker_check notice.
#undef NDEBUG
#include "sigma/walk.c"
#include "dies.h"
#include "sim.h"

typedef struct {
  Walk *w;
  const Schedule *c;
} Walked;

static void check(void *data) {
  const Walked *x = data;
  walk_check(x->w, x->c);
}

static void check_walker(void *k) {
  walker_check(k);
}

static void test_sequences(Walked *x) {
  Walk *w = x->w;
  uint32_t kept = w->position[2];
  w->position[2] = kept + 1;
  dies_in("check_sequences", check, x);
  w->position[2] = kept;
  w->begin[1]++;
  dies_in("check_sequences", check, x);
  w->begin[1]--;
  kept = w->sequence[0], w->sequence[0] = w->sequence[1], w->sequence[1] = kept;
  dies_in("check_sequences", check, x);
  w->sequence[1] = w->sequence[0], w->sequence[0] = kept;
  kept = w->path[0];
  w->path[0] = 1;  // comes later
  dies_in("check_paths", check, x);
  w->path[0] = kept;
}

static void test_edges(Walked *x) {
  Edge *e = &x->w->edges.at[0], kept = *e;
  assert(x->w->edges.len > 2);
  e->from = e->to & INT32_MAX;
  dies_in("walk_check", check, x);
  *e = kept, e->to = (uint32_t)x->c->events.len;
  dies_in("walk_check", check, x);
  *e = vec_last(&x->w->edges);  // in no order
  dies_in("walk_check", check, x);
  *e = kept;
}

static void test_generations(Walked *x) {
  Walk *w = x->w;
  uint32_t g = 0;
  while (!w->generations.at[g].count) ++g;
  Generation *at = &w->generations.at[g], kept = *at;
  at->count--;
  dies_in("check_generations", check, x);
  *at = kept, at->object = (uint32_t)x->c->objects.len;
  dies_in("check_generations", check, x);
  *at = kept;
  w->generation[w->members.at[at->first]]++;
  dies_in("check_generations", check, x);
  w->generation[w->members.at[at->first]]--;
  walk_check(w, x->c);
}

// As run, but what it keeps is still there.
static void walk_on(Walker *k) {
  *k->w = (Walk){0};
  sort_by_thread(k->w, k->c);
  start(k);
  bool ok = true;
  for (uint32_t i = 0; i < k->c->events.len && ok; ++i) ok = step(k, i);
  assert(ok && ends(k));
}

static uint32_t object_of(const Schedule *c, SyncFamily family) {
  uint32_t o = 0;
  while (c->objects.at[o].family != family) ++o;
  return o;
}

static void test_walker(const Sigma *s, const Schedule *c) {
  Walk w;
  Diags *diags = diags_new();
  Walker k = {.w = &w, .s = s, .c = c, .diags = diags};
  walk_on(&k);
  walker_check(&k);
  ThreadState *t = &k.threads[1], kept = *t;
  t->stage = THREAD_UNBORN;
  dies_in("check_thread", check_walker, &k);
  *t = kept, t->last = k.threads[0].last;
  dies_in("check_thread", check_walker, &k);
  *t = kept;
  LockState *l = &k.objects[object_of(c, SYNC_MUTEX)].lock;
  l->depth++;
  dies_in("check_lock", check_walker, &k);
  l->depth--;
  RwlockState *rw = &k.objects[object_of(c, SYNC_RWLOCK)].rwlock;
  rw->held++;
  dies_in("check_rwlock", check_walker, &k);
  rw->held--;
  CondState *cond = &k.objects[object_of(c, SYNC_COND)].cond;
  cond->waiting = c->threads + 1;
  dies_in("check_cond", check_walker, &k);
  cond->waiting = 0;
  BarrierState *b = &k.objects[object_of(c, SYNC_BARRIER_OBJECT)].barrier;
  vec_push(&b->arrived, 0);
  dies_in("check_barrier", check_walker, &k);
  b->arrived.len--;
  k.objects[object_of(c, SYNC_SEMAPHORE)].semaphore.taken += 1000;
  dies_in("check_object", check_walker, &k);
  stop(&k);
  walk_free(&w);
  diags_free(diags);
}

// With threads that met at a barrier.
static Sigma *sigma_of_all(Walk *w, Diags *diags) {
  for (uint64_t seed = 0;; ++seed) {
    Sigma *s = sim_sigma((SimOptions){.seed = seed, .threads = 4, .events = 200, .objects = 2});
    assert(walk_run(w, s, s->schedules.at[0], diags));
    if (w->members.len && w->edges.len > 2) return s;
    walk_free(w);
    sigma_free(s);
  }
}

int main(void) {
  Diags *diags = diags_new();
  Walk w;
  Sigma *s = sigma_of_all(&w, diags);
  const Schedule *c = s->schedules.at[0];
  Walked x = {&w, c};
  walk_check(&w, c);
  test_sequences(&x);
  test_edges(&x);
  test_generations(&x);
  walk_free(&w);
  test_walker(s, c);
  diags_free(diags);
  sigma_free(s);
  return 0;
}
