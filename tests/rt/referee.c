// A run that can be, judged from the merged order alone.
#include "harness.h"

// A map from object or thread to what is known of it; linear probing.
typedef struct {
  uint32_t key;
  bool used;
  uint32_t kind, value;
  int64_t holder, depth, readers;  // locks: thread or -1, how often, how many
  int64_t worth;                   // semaphore
  int64_t arrived, departed;       // barrier
  int64_t inside, signals;         // condition: waiting, and woken at most
  bool running, done;              // once
  uint32_t next;                   // number
} Thing;

typedef struct {
  uint32_t key;
  bool used, created, entered, exited, joined;
  uint32_t depth, calls[4096];
  int64_t rounds;  // of a barrier
} Person;

typedef struct {
  const RtMerge *merge;
  Thing *things;
  size_t room, count;
  Person *people;
  size_t people_room, gaps;
} Court;

// What it is was told by whoever named it, which may come after what others did with it.
static Thing thing_new(const Court *c, uint32_t key) {
  Thing o = {.key = key, .used = true, .holder = -1};
  RtObject what;
  if (!rt_merge_object(c->merge, key, &what)) return o;
  o.kind = what.kind, o.value = what.value;
  if (o.kind == RT_SEMAPHORE && o.value != RT_NO_VALUE) o.worth = o.value;
  return o;
}

static Thing *thing(Court *c, uint32_t key) {
  for (size_t i = key * 2654435761u % c->room;; i = (i + 1) % c->room) {
    if (!c->things[i].used) {
      c->things[i] = thing_new(c, key);
      assert(++c->count < c->room / 2);
    }
    if (c->things[i].key == key) return &c->things[i];
  }
}

static Person *person(Court *c, uint32_t key) {
  assert(key < c->people_room);
  return &c->people[key];
}

static void lock(Thing *o, const RtEvent *e, bool recursive) {
  if (e->entry.outcome == EOWNERDEAD || e->entry.extra & RT_FOREIGN)
    o->holder = -1, o->depth = 0, o->readers = 0;
  assert(o->readers == 0);
  assert(o->holder == -1 || (recursive && o->holder == e->thread));
  o->holder = e->thread;
  ++o->depth;
}

static void unlock(Thing *o, const RtEvent *e) {
  if (e->entry.extra & RT_FOREIGN) {
    o->holder = -1, o->depth = 0;
    return;
  }
  if (o->kind == RT_RWLOCK && o->holder == -1) {
    assert(o->readers-- > 0);
    return;
  }
  assert(o->holder == e->thread && o->depth > 0);
  if (!--o->depth) o->holder = -1;
}

// An operation that changed nothing.
static void refused(const Thing *o, const RtEvent *e) {
  bool placed = e->entry.extra & RT_SEEN;
  if (!placed) return;
  switch (e->entry.op) {
    case RT_LOCK:
      assert(o->holder != -1 || o->readers > 0);
      break;
    case RT_RDLOCK:
      assert(o->holder != -1);
      break;
    case RT_ACQUIRE:
      assert(o->worth == 0);
      break;
    default:
      assert(!"refused");
  }
}

static void object_event(Court *c, const RtEvent *e) {
  Thing *o = thing(c, e->entry.object);
  if (e->entry.extra & (RT_SEEN | RT_LOOSE)) {
    // A number whose operation was killed before it was written down is a gap here as for any entry.
    assert(!(e->entry.extra & RT_SEEN) || e->entry.seq == o->next);
    if (e->entry.seq > o->next) c->gaps += e->entry.seq - o->next, o->next = e->entry.seq;
    refused(o, e);
    if (e->entry.op == RT_ONCE && !(e->entry.extra & RT_UNSURE)) assert(o->done && e->cause != RT_NO_CAUSE);
    return;
  }
  assert(e->entry.seq >= o->next);
  c->gaps += e->entry.seq - o->next;
  o->next = e->entry.seq + 1;
  bool won = e->entry.outcome == RT_OK || e->entry.outcome == EOWNERDEAD;
  switch (e->entry.op) {
    case RT_INIT:
      assert(e->entry.seq == 0);
      break;
    case RT_LOCK:
    case RT_REACQUIRE:
      lock(o, e, o->kind == RT_MUTEX);
      break;
    case RT_RDLOCK:
      assert(o->holder == -1), ++o->readers;
      break;
    case RT_UNLOCK:
    case RT_RELEASE:
      unlock(o, e);
      break;
    case RT_WAIT:
      ++o->inside;
      break;
    case RT_WAKE:
      assert(o->inside-- > 0);
      break;
    case RT_ARRIVE:
      person(c, e->thread)->rounds = o->value ? o->arrived / o->value : 0;
      ++o->arrived;
      break;
    case RT_DEPART:
      assert(o->arrived >= (person(c, e->thread)->rounds + 1) * o->value && e->cause != RT_NO_CAUSE);
      ++o->departed;
      break;
    case RT_POST:
      o->worth += won;
      break;
    case RT_ACQUIRE:
      assert(won && --o->worth >= (o->value == RT_NO_VALUE ? INT64_MIN : 0));
      break;
    case RT_ONCE_BEGIN:
      assert(!o->running && !o->done), o->running = true;
      break;
    case RT_ONCE_END:
      assert(o->running), o->running = false, o->done = true;
      break;
    case RT_ONCE_ABORT:
      assert(o->running), o->running = false;
      break;
    default:
      break;
  }
}

static void thread_event(Court *c, const RtEvent *e) {
  Person *p = person(c, e->thread);
  const RtEntry *n = &e->entry;
  switch (n->op) {
    case RT_ENTER:
      assert(e->place == 0 && !p->entered);
      assert(n->object == RT_NO_THREAD || (p->created && e->cause != RT_NO_CAUSE));
      p->entered = true;
      break;
    case RT_EXIT:
      p->exited = true;
      break;
    case RT_CREATE:
      if (n->outcome != RT_OK) break;
      assert(!person(c, n->object)->created);
      person(c, n->object)->created = true;
      break;
    case RT_JOIN:
      if (n->outcome != RT_OK || n->object == RT_NO_THREAD) break;
      assert(person(c, n->object)->exited && !person(c, n->object)->joined);
      person(c, n->object)->joined = true;
      break;
    case RT_CALL:
      p->calls[p->depth++ % 4096] = n->site;
      break;
    case RT_RET:
      assert(p->depth > 0);
      assert(p->calls[--p->depth % 4096] == n->site);
      break;
    case RT_UNWIND:
      assert(n->object <= p->depth);
      p->depth -= n->object;
      break;
    default:
      break;
  }
}

static void judge(Court *c, const RtEvent *e) {
  Person *p = person(c, e->thread);
  assert(!p->exited && (p->entered || e->entry.op == RT_ENTER));
  if (rt_op_numbered((RtOp)e->entry.op))
    object_event(c, e);
  else
    thread_event(c, e);
}

Order referee(const RtRecording *r) {
  Order o = {0};
  size_t room = 0;
  Court c = {.room = 1 << 19, .people_room = 1 << 17};
  c.things = calloc(c.room, sizeof *c.things);
  c.people = calloc(c.people_room, sizeof *c.people);
  o.merge = rt_merge_new(r);
  assert(o.merge);
  c.merge = o.merge;
  for (RtEvent e; rt_merge_next(o.merge, &e); ++o.count) {
    if (o.count == room) o.at = realloc(o.at, (room = room ? room * 2 : 1024) * sizeof *o.at);
    o.at[o.count] = e;
    assert(e.cause == RT_NO_CAUSE || e.cause < o.count);
    judge(&c, &e);
  }
  o.gaps = c.gaps;
  o.order = rt_merge_order(o.merge, &o.stuck);
  free(c.things);
  free(c.people);
  return o;
}

void order_free(Order *o) {
  rt_merge_free(o->merge);
  free(o->at);
}

size_t order_count(const Order *o, RtOp op, int outcome) {
  size_t n = 0;
  for (size_t i = 0; i < o->count; ++i)
    n += o->at[i].entry.op == op && (outcome < 0 || o->at[i].entry.outcome == outcome);
  return n;
}

const RtEvent *order_find(const Order *o, RtOp op, uint32_t site, size_t n) {
  for (size_t i = 0; i < o->count; ++i)
    if (o->at[i].entry.op == op && o->at[i].entry.site == site && !n--) return &o->at[i];
  return NULL;
}
