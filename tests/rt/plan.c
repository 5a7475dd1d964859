// First the program, then a run of it on one imaginary processor, thread by thread in random turns. Every
// event of that run becomes a node; what it must come after is looked up in the state of its objects.
#include "plan.h"

static uint64_t state;
uint32_t plan_random(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 33) % below;
}

// 1. The program.

static Action *action_new(Worker *w, bool safe) {
  assert(w->actions < PLAN_ACTIONS);
  Action *a = &w->action[w->actions++];
  a->safe = safe;
  return a;
}
// Atomic events are not rolled.
static void ins(Action *a, Op op, uint32_t object) {
  if (KIT_IS_ROLLED && (op == ADD || op == LOOK)) op = ONCE, object = 0;
  a->ins[a->count++] = (Ins){(uint8_t)op, (uint8_t)object};
}

// What some do while they hold something.
static void nap(Action *a) {
  if (plan_random(4) == 0) ins(a, NAP, plan_random(PLAN_NAPS));
}

static void safe_action(Worker *w, bool timed) {
  Action *a = action_new(w, true);
  uint32_t m = plan_random(PLAN_MUTEXES), r = plan_random(PLAN_RWLOCKS);
  switch (plan_random(timed ? 16 : 13)) {
    case 0:
    case 1:
      ins(a, LOCK, m), nap(a), ins(a, UNLOCK, m);
      break;
    case 2:  // nested, always in this order
      m = plan_random(2);
      ins(a, LOCK, m), ins(a, LOCK, m + 1), ins(a, UNLOCK, m + 1), ins(a, UNLOCK, m);
      break;
    case 3:
      ins(a, TRY, m), nap(a), ins(a, UNLOCK, m);
      break;
    case 4:
      m = PLAN_RECURSIVE;
      ins(a, LOCK, m), ins(a, LOCK, m), ins(a, TRY, m), ins(a, UNLOCK, m), ins(a, UNLOCK, m),
          ins(a, UNLOCK, m);
      break;
    case 5:
      ins(a, RD, r), nap(a), ins(a, UNRW, r);
      break;
    case 6:
      ins(a, WR, r), nap(a), ins(a, UNRW, r);
      break;
    case 7:
      ins(a, plan_random(2) ? TRYRD : TRYWR, r), ins(a, UNRW, r);
      break;
    case 8:
      ins(a, ONCE, 0);
      break;
    case 9:  // gives back what it takes
      ins(a, ACQTRY, 1), ins(a, POST, 1);
      break;
    case 10:
    case 11:
      m = plan_random(PLAN_CELLS);
      ins(a, ADD, m), nap(a), ins(a, plan_random(2) ? ADD : LOOK, plan_random(PLAN_CELLS));
      break;
    case 12:
      ins(a, LOOK, plan_random(PLAN_CELLS));
      break;
    case 13:
      m = plan_random(PLAN_RECURSIVE);
      ins(a, TIMED, m), ins(a, UNLOCK, m);
      break;
    case 14:
      ins(a, ACQTIMED, 1), ins(a, POST, 1);
      break;
    default:
      ins(a, LOCK, 1), ins(a, TIMEDWAIT, 1), ins(a, TAKE, 1), ins(a, UNLOCK, 1);
  }
}

static void put(Worker *w, uint32_t queue) {
  Action *a = action_new(w, false);
  ins(a, LOCK, queue), ins(a, PUT, queue), ins(a, plan_random(4) ? SIGNAL : BROADCAST, queue),
      ins(a, UNLOCK, queue);
}
static void get(Worker *w) {
  Action *a = action_new(w, false);
  ins(a, LOCK, 0), ins(a, WAITFOR, 0), ins(a, TAKE, 0), ins(a, UNLOCK, 0);
}

// Only the first third puts and posts, and never waits for that, so all who wait are served.
static void phase(Plan *p, uint32_t length) {
  uint32_t producers = p->workers < 3 ? 1 : p->workers / 3, units = 0, posts = 0;
  for (uint32_t t = producers + 1; t <= p->workers; ++t) {
    for (uint32_t i = 0; i < length; ++i) {
      uint32_t what = plan_random(6);
      if (what == 0) {
        get(&p->worker[t]), ++units;
      } else if (what == 1) {
        ins(action_new(&p->worker[t], false), ACQ, 0), ++posts;
      } else {
        safe_action(&p->worker[t], p->workers < 10);
      }
    }
  }
  while (units || posts || length) {
    Worker *w = &p->worker[1 + plan_random(producers)];
    if (w->actions > PLAN_ACTIONS - 8) w = &p->worker[1];
    if (units && plan_random(2))
      put(w, 0), --units;
    else if (posts && plan_random(2))
      ins(action_new(w, false), POST, 0), --posts;
    else if (length)
      plan_random(4) ? safe_action(w, p->workers < 10) : put(w, 1), --length;
  }
}

static void program_make(Plan *p) {
  bool many = plan_random(25) == 0;
  p->workers = many ? 65 + plan_random(30) : 2 + plan_random(5);
  p->worker = calloc(p->workers + 1, sizeof *p->worker);
  uint32_t phases = many ? 1 : 1 + plan_random(4);
  uint32_t length = many ? 2 : 1 + 60 / p->workers / phases;
  for (uint32_t i = 0; i < phases; ++i) {
    if (i)
      for (uint32_t t = 1; t <= p->workers; ++t) ins(action_new(&p->worker[t], false), BARRIER, 0);
    phase(p, length);
  }
  for (uint32_t t = 1; t <= p->workers && !KIT_TSAN && !KIT_IS_ROLLED;
       ++t) {  // they do not follow cancellation
    if (plan_random(4) || p->worker[t].actions > PLAN_ACTIONS - 4) continue;
    ins(action_new(&p->worker[t], false), CANCELLED, 0);
    for (uint32_t i = plan_random(3); i--;) safe_action(&p->worker[t], false);
  }
}

// 2. A run of it.

typedef struct {
  RtNode *at[4096];
  uint32_t n;
} List;
static void add(List *l, RtNode *n) {
  if (n) l->at[l->n++] = n;
}
static void add_all(List *l, const List *from) {
  for (uint32_t i = 0; i < from->n; ++i) add(l, from->at[i]);
}

typedef struct {
  uint32_t owner, depth;
  RtNode *lock, *release;
  List refused;  // while it is held
} Mutex;
typedef struct {
  uint32_t writer, readers;
  uint32_t reader[KIT_THREADS];  // longest first
  RtNode *lock[KIT_THREADS];     // by thread
  List refused[KIT_THREADS];     // by who was to blame
  RtNode *written;
  List read;  // unlocks of readers since then
} Rwlock;
typedef struct {
  uint32_t value, next;  // next: which unit is taken; the first ones were there from the start
  uint32_t first;
  List posts, acquired;
  RtNode *refused;
} Semaphore;
typedef struct {
  uint32_t value;
  RtNode *written;
  List read;  // since then
} Counter;
typedef struct {
  uint32_t action, ins;
  enum { RUNS, WAITS, IN_BARRIER, ENDED } status;
  RtNode *arrived, *woken;
  uint32_t round;
} Thread;

static struct {
  Mutex mutex[PLAN_MUTEXES];
  Rwlock rwlock[PLAN_RWLOCKS];
  Semaphore semaphore[PLAN_SEMAPHORES];
  Counter cell[PLAN_CELLS];
  RtNode *cond[PLAN_CONDS];  // the last event on it
  int queue[PLAN_CONDS];
  Thread thread[KIT_THREADS];
  uint32_t arrived;
  RtNode *once, *last;
  uint32_t (*known)[KIT_THREADS];  // by place: what is published before the event has happened
  uint32_t now[KIT_THREADS][KIT_THREADS];
} sim;
static Plan *plan;

static const char *const words[] = {
    "lock", "lock",    "lock",    "unlock",  "rdlock",     "rdlock",    "wrlock", "wrlock", "unlock",
    "post", "acquire", "acquire", "acquire", "signal",     "broadcast", "wait",   "wait",   "",
    "",     "barrier", "once",    "",        "testcancel", "atomic",    "atomic"};

static void edge_add(const RtNode *from, const RtNode *to) {
  if (plan->edges % 1024 == 0) plan->edge = realloc(plan->edge, (plan->edges + 1024) * sizeof *plan->edge);
  plan->edge[plan->edges++] = (Edge){from, to};
}

// A node after all of these; those that follow from others are left out of its waits.
static RtNode *node_new(uint32_t t, const char *what, uint32_t object, Kit more, const List *after) {
  const RtNode *kept[256];
  uint32_t n = 0, *now = sim.now[t];
  for (uint32_t i = after->n; i--;) {
    const RtNode *a = after->at[i];
    if (now[a->thread] > a->position || n == 255) continue;
    kept[n++] = a;
    for (uint32_t u = 0; u <= plan->workers; ++u)
      if (now[u] < sim.known[a->place][u]) now[u] = sim.known[a->place][u];
  }
  kept[n] = NULL;
  RtNode *e = kit_event(t, what, object, more, kept);
  for (uint32_t i = 0; i < after->n; ++i) edge_add(after->at[i], e);
  now[t] = e->position + 1;
  sim.known = realloc(sim.known, (e->place + 1) * sizeof *sim.known);
  memcpy(sim.known[e->place], now, sizeof *sim.known);
  Worker *w = &plan->worker[t];
  w->node = realloc(w->node, (w->nodes + 1) * sizeof *w->node);
  w->node[w->nodes++] = e;
  sim.last = e;
  return e;
}

static RtNode *event(uint32_t t, Op op, uint32_t object, Kit more, List *after) {
  if (plan->total) add(after, sim.last);
  return node_new(t, words[op], object, more, after);
}

static void released(Mutex *m, List *after, RtNode *(*make)(uint32_t, Ins, List *), uint32_t t, Ins i) {
  if (m->depth == 1) add_all(after, &m->refused), m->refused.n = 0;
  RtNode *e = make(t, i, after);
  if (--m->depth == 0) m->release = e, m->owner = 0;
}
static void taken(Mutex *m, uint32_t t, RtNode *e) {
  m->owner = t;
  if (m->depth++ == 0) m->lock = e;
}
static RtNode *plain(uint32_t t, Ins i, List *after) {
  uint32_t object = i.op <= UNLOCK ? plan->mutex[i.object]
                    : i.op <= UNRW ? plan->rwlock[i.object]
                                   : plan->semaphore[i.object];
  return event(t, i.op, object, (Kit){0}, after);
}

// What follows: 1 done, 0 cannot go on now, -1 refused.
static int step_lock(uint32_t t, Ins i, List *after) {
  Mutex *m = &sim.mutex[i.object];
  if (i.op == UNLOCK) return released(m, after, plain, t, i), 1;
  bool mine = m->owner == t && i.object == PLAN_RECURSIVE;
  if (!m->owner || mine) {
    if (!mine) add(after, m->release);
    return taken(m, t, plain(t, i, after)), 1;
  }
  if (i.op == LOCK || (i.op == TIMED && plan_random(3))) return 0;
  add(after, m->lock);
  add(&m->refused,
      event(t, i.op, plan->mutex[i.object], (Kit){.outcome = i.op == TRY ? EBUSY : ETIMEDOUT}, after));
  return -1;
}

static void unlock_rw(Rwlock *r, uint32_t t, Ins i, List *after) {
  add_all(after, &r->refused[t]);
  r->refused[t].n = 0;
  RtNode *e = plain(t, i, after);
  if (r->writer == t) {
    r->writer = 0, r->written = e, r->read.n = 0;
    return;
  }
  add(&r->read, e);
  uint32_t at = 0;
  while (r->reader[at] != t) ++at;
  memmove(&r->reader[at], &r->reader[at + 1], (--r->readers - at) * sizeof r->reader[0]);
}
static int step_rwlock(uint32_t t, Ins i, List *after) {
  Rwlock *r = &sim.rwlock[i.object];
  if (i.op == UNRW) return unlock_rw(r, t, i, after), 1;
  bool writes = i.op == WR || i.op == TRYWR;
  if (r->writer || (writes && r->readers)) {
    if (i.op == RD || i.op == WR) return 0;
    uint32_t to_blame = r->writer ? r->writer : r->reader[0];
    add(after, r->lock[to_blame]);
    add(&r->refused[to_blame], event(t, i.op, plan->rwlock[i.object], (Kit){.outcome = EBUSY}, after));
    return -1;
  }
  add(after, r->written);
  if (writes) add_all(after, &r->read);
  r->lock[t] = plain(t, i, after);
  if (writes)
    r->writer = t;
  else
    r->reader[r->readers++] = t;
  return 1;
}

static int step_semaphore(uint32_t t, Ins i, List *after) {
  Semaphore *s = &sim.semaphore[i.object];
  if (i.op == POST) {
    add(after, s->refused);
    add(&s->posts, plain(t, i, after));
    return ++s->value, 1;
  }
  if (s->value) {
    if (s->next >= s->first) add(after, s->posts.at[s->next - s->first]);
    ++s->next, --s->value;
    return add(&s->acquired, plain(t, i, after)), 1;
  }
  if (i.op == ACQ || (i.op == ACQTIMED && plan_random(3))) return 0;
  add_all(after, &s->acquired);
  add(after, s->refused);
  Kit more = {.outcome = i.op == ACQTRY ? EAGAIN : ETIMEDOUT};
  s->refused = event(t, i.op, plan->semaphore[i.object], more, after);
  return -1;
}

static void wake(uint32_t cond, RtNode *by, bool all) {
  uint32_t start = plan_random(plan->workers);
  for (uint32_t k = 0; k < plan->workers; ++k) {
    Thread *w = &sim.thread[1 + (start + k) % plan->workers];
    const Action *a = &plan->worker[1 + (start + k) % plan->workers].action[w->action];
    if (w->status != WAITS || w->woken || a->ins[w->ins].object != cond) continue;
    w->woken = by;
    if (!all) return;
  }
}

static RtNode *arrive(uint32_t t, Ins i, List *after) {
  RtNode *e = event(t, i.op, plan->cond[i.object], (Kit){.mutex = plan->mutex[i.object]}, after);
  sim.cond[i.object] = sim.thread[t].arrived = e;
  return e;
}
static int step_cond(uint32_t t, Ins i, List *after) {
  if (i.op == SIGNAL || i.op == BROADCAST) {
    add(after, sim.cond[i.object]);
    sim.cond[i.object] = event(t, i.op, plan->cond[i.object], (Kit){0}, after);
    return wake(i.object, sim.cond[i.object], i.op == BROADCAST), 1;
  }
  if (sim.queue[i.object] > 0) return 1;
  add(after, sim.cond[i.object]);
  released(&sim.mutex[i.object], after, arrive, t, i);
  sim.thread[t].status = WAITS;
  sim.thread[t].woken = NULL;
  return 0;
}

// Its departure is the depart of its arrival; no node of its own that the thread would pass.
static int step_depart(uint32_t t, Ins i) {
  Thread *w = &sim.thread[t];
  Mutex *m = &sim.mutex[i.object];
  bool timed = i.op == TIMEDWAIT, late = !w->woken;
  if (m->owner || (late && plan_random(timed ? 4 : 40))) return 0;
  List after;
  after.n = 0;
  add(&after, late ? sim.cond[i.object] : w->woken);
  add(&after, m->release);
  Kit more = {.outcome = !late ? 0 : timed ? ETIMEDOUT : RT_ENF_SPURIOUS, .mutex = plan->mutex[i.object]};
  RtNode *e = event(t, i.op, plan->cond[i.object], more, &after);
  --plan->worker[t].nodes;
  w->arrived->depart = e;
  if (!late) e->waker = w->woken->thread, e->round = w->woken->position + 1;
  taken(m, t, e);
  if (late) sim.cond[i.object] = e;
  w->status = RUNS;
  return timed;
}

static int step_barrier(uint32_t t, List *after) {
  Thread *w = &sim.thread[t];
  if (w->status == RUNS) {
    w->round = sim.arrived++ / plan->workers;
    w->arrived = event(t, BARRIER, plan->barrier, (Kit){.round = w->round}, after);
    w->status = IN_BARRIER;
    return 0;
  }
  if (sim.arrived < (w->round + 1) * plan->workers) return 0;
  Kit more = {.outcome = t == 1 + w->round % plan->workers ? RT_ENF_SERIAL : 0, .round = w->round};
  w->arrived->depart = event(t, BARRIER, plan->barrier, more, after);
  --plan->worker[t].nodes;
  w->status = RUNS;
  return 1;
}

// What it reads stands in its node.
static int step_cell(uint32_t t, Ins i, List *after) {
  Counter *c = &sim.cell[i.object];
  add(after, c->written);
  if (i.op == ADD) add_all(after, &c->read);
  RtNode *e = event(t, i.op, plan->cell[i.object], (Kit){0}, after);
  e->mutex = 0, e->round = c->value, e->waker = 0;
  if (i.op == LOOK) return add(&c->read, e), 1;
  ++c->value;
  c->written = e, c->read.n = 0;
  return 1;
}

static int step_once(uint32_t t, List *after) {
  add(after, sim.once);
  RtNode *e = event(t, ONCE, plan->once, (Kit){.outcome = sim.once ? 0 : RT_ENF_RAN}, after);
  if (!sim.once) sim.once = e;
  return 1;
}

static int step_cancelled(uint32_t t, List *after) {
  Worker *w = &plan->worker[t];
  if (!w->cancel) {
    if (plan_random(3)) return 0;
    if (plan->total) add(after, sim.last);
    w->cancel = node_new(0, "cancel", t, (Kit){0}, after);
    plan->cancelled[plan->cancels++] = t;
    return 0;
  }
  add(after, w->cancel);
  event(t, CANCELLED, RT_NONE32, (Kit){.outcome = RT_ENF_CANCELLED}, after);
  return 1;
}

static int step_ins(uint32_t t, Ins i) {
  List after;
  after.n = 0;
  if (i.op <= UNLOCK) return step_lock(t, i, &after);
  if (i.op <= UNRW) return step_rwlock(t, i, &after);
  if (i.op <= ACQTIMED) return step_semaphore(t, i, &after);
  if (i.op == BARRIER) return step_barrier(t, &after);
  if (i.op == ONCE) return step_once(t, &after);
  if (i.op == NAP) return 1;
  if (i.op == ADD || i.op == LOOK) return step_cell(t, i, &after);
  if (i.op == CANCELLED) return step_cancelled(t, &after);
  if (i.op == PUT) return ++sim.queue[i.object], 1;
  if (i.op == TAKE) return sim.queue[i.object] -= sim.queue[i.object] > 0, 1;
  return sim.thread[t].status == WAITS ? step_depart(t, i) : step_cond(t, i, &after);
}

static void step(uint32_t t) {
  Thread *w = &sim.thread[t];
  Worker *p = &plan->worker[t];
  Action *a = &p->action[w->action];
  if (!w->ins && w->status == RUNS && !a->nodes) a->first = p->nodes;
  int r = step_ins(t, a->ins[w->ins]);
  a->nodes = p->nodes - a->first;
  if (r > 0) ++w->ins;
  if (r < 0 || w->ins == a->count) w->ins = 0, ++w->action;
  if (w->action == p->actions) w->status = ENDED;
}

static void objects_make(Plan *p) {
  for (int i = 0; i < PLAN_MUTEXES; ++i)
    p->mutex[i] = kit_object(i == PLAN_SPIN ? RT_SPIN : RT_MUTEX, "m", 0);
  for (int i = 0; i < PLAN_RWLOCKS; ++i) p->rwlock[i] = kit_object(RT_RWLOCK, "r", 0);
  for (int i = 0; i < PLAN_SEMAPHORES; ++i) p->semaphore[i] = kit_object(RT_SEMAPHORE, "s", 0);
  for (int i = 0; i < PLAN_CONDS; ++i) p->cond[i] = kit_object(RT_COND, "c", 0);
  for (int i = 0; i < PLAN_CELLS; ++i) p->cell[i] = kit_object(RT_ATOMIC_CELL, "a", 0);
  p->barrier = kit_object(RT_BARRIER, "b", p->workers);
  p->once = kit_object(RT_ONCE_FLAG, "o", 0);
  sim.semaphore[1].value = sim.semaphore[1].first = 1;
}

static void run(Plan *p) {
  uint32_t left = p->workers, t = 1;
  for (uint32_t i = 1; i <= p->workers; ++i)
    if (!p->worker[i].actions) sim.thread[i].status = ENDED, --left;
  for (uint64_t steps = 0; left; ++steps) {
    assert(steps < 50000000);
    if (plan_random(3) == 0 || sim.thread[t].status != RUNS) t = 1 + plan_random(p->workers);
    if (sim.thread[t].status == ENDED) continue;
    step(t);
    left -= sim.thread[t].status == ENDED;
  }
}

Plan *plan_make(uint32_t seed) {
  state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
  plan = calloc(1, sizeof *plan);
  plan->total = plan_random(5) == 0;
  program_make(plan);
  objects_make(plan);
  for (uint32_t t = 1; t <= plan->workers; ++t) {
    static List none;
    List after;
    after.n = 0;
    plan->worker[t].create = node_new(0, "create", t, (Kit){0}, &none);
    add(&after, plan->worker[t].create);
    kit_enter_node(t, "worker", node_new(t, "enter", RT_NONE32, (Kit){0}, &after));
    plan->worker[t].nodes = 0;
  }
  sim.last = NULL;
  run(plan);
  for (uint32_t t = 1; t <= plan->workers; ++t) {
    static List none;
    plan->worker[t].exit = node_new(t, "exit", RT_NONE32, (Kit){0}, &none);
    kit_exit_node(t, plan->worker[t].exit);
  }
  for (uint32_t t = 1; t <= plan->workers; ++t) {
    List after;
    after.n = 0;
    add(&after, plan->worker[t].exit);
    plan->worker[t].join = node_new(0, "join", t, (Kit){0}, &after);
  }
  kit_exit(0, NULL);
  return plan;
}
