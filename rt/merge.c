// One order from many logs: every thread is run as far as it can be; one that must wait for a number or for
// another thread is looked at again when that has moved. Linear in the number of entries, but for the threads
// that wait on one object at one time.
//
// An entry with RT_SEEN takes no number, and has to come before the next one that does. How many of them
// belong in front of a number is counted in a first pass.
#include <stdlib.h>
#include "cause.h"
#include "parts.h"

#define NONE UINT32_MAX

// How many refused attempts belong in front of a number; or how many numbers a signal overlapped with.
typedef struct {
  uint64_t key;  // object in the high half, number
  uint64_t count;
} Seen;
typedef Array(Seen) SeenList;

typedef struct {
  uint32_t next;     // number
  uint32_t waiting;  // first thread that waits for one, or NONE
  size_t seen;       // the first of its entries in `seen` that is not used up
  bool skipped;      // a number
} Object;

typedef struct {
  RtCursor *cursor;
  RtEntry entry;   // the next, if it has one
  uint64_t place;  // of it
  uint32_t time;   // of it, in a recording that has times
  bool has, created, exited;
  uint64_t cancels, cancelled;  // in the recording, so far
  uint32_t waiting;             // first thread that waits for a change of this one, or NONE
  uint32_t next;                // in the list that it is in
} Thread;

struct RtMerge {
  const RtRecording *r;
  Ids ids;  // of threads
  Thread *threads;
  Ids object_ids;
  Array(Object) objects;
  SeenList seen, overlaps;
  uint64_t skips;   // that may still be done
  uint32_t *queue;  // threads that may go on; a ring
  size_t first, queued;
  uint32_t now;  // the thread that runs, or NONE
  uint64_t index;
  bool no_memory, ordered;
  bool timed;
  RtOrder order;
  RtEvent stuck;
  Causes *causes;
};

static int seen_order(const void *a, const void *b) {
  const Seen *p = a, *q = b;
  return (p->key > q->key) - (p->key < q->key);
}

static uint64_t key_of(RtEntry e) {
  return (uint64_t)e.object << 32 | e.seq;
}
static bool is_seen(RtEntry e) {
  return rt_op_numbered((RtOp)e.op) && (e.extra & RT_SEEN);
}
static bool is_loose(RtEntry e) {
  return rt_op_numbered((RtOp)e.op) && !(e.extra & RT_SEEN) && (e.extra & RT_LOOSE);
}
static bool is_numbered(RtEntry e) {
  return rt_op_numbered((RtOp)e.op) && !(e.extra & (RT_SEEN | RT_LOOSE));
}
static bool was_cancelled(RtEntry e) {
  bool point = e.op == RT_REACQUIRE || e.op == RT_WAKE || e.op == RT_ACQUIRE || e.op == RT_JOIN ||
               e.op == RT_TESTCANCEL || e.op == RT_UNWIND || e.op == RT_JUMP;
  return e.outcome == RT_UNWOUND && (point || e.op == RT_EXIT);
}

static bool seen_add(SeenList *list, uint64_t key, uint64_t count) {
  Seen *last = list->count ? &list->at[list->count - 1] : NULL;
  if (last && last->key == key) return last->count += count, true;
  return array_add(list, ((Seen){key, count}));
}

static bool count_entry(RtMerge *m, RtEntry e) {
  m->timed |= e.op == RT_TIME;
  if (e.op == RT_CANCEL) {
    uint32_t target = ids_find(&m->ids, e.object);
    if (target != IDS_NONE) ++m->threads[target].cancels;
  }
  if (e.op == RT_OBJECT) return causes_name(m->causes, e);
  if (e.op == RT_OVERLAP) return seen_add(&m->overlaps, key_of(e), e.extra & RT_SPAN);
  return !is_seen(e) || seen_add(&m->seen, key_of(e), 1);
}

static void seen_sort(SeenList *list) {
  if (!list->count) return;
  qsort(list->at, list->count, sizeof *list->at, seen_order);
  size_t n = 0;
  for (size_t i = 1; i < list->count; ++i)
    if (list->at[i].key == list->at[n].key)
      list->at[n].count += list->at[i].count;
    else
      list->at[++n] = list->at[i];
  list->count = n + 1;
}

static bool first_pass(RtMerge *m) {
  bool whole = !(rt_recording_process(m->r)->why & ~(uint32_t)RT_WHY_NOTES);
  uint64_t open = 0;
  for (size_t i = 0; i < m->ids.count; ++i) {
    RtCursor *c = rt_cursor_new(m->r, i);
    bool fine = c;
    for (RtEntry e; fine && rt_cursor_next(c, &e);) fine = count_entry(m, e);
    if (fine) whole &= rt_cursor_tail(c) != RT_TAIL_CUT, open += rt_cursor_tail(c) == RT_TAIL_OPEN;
    rt_cursor_free(c);
    if (!fine) return false;
  }
  if (whole) m->skips = open;
  seen_sort(&m->seen);
  seen_sort(&m->overlaps);
  return true;
}

static size_t seen_from(const SeenList *list, uint64_t key) {
  size_t low = 0, high = list->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list->at[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void enqueue(RtMerge *m, uint32_t thread) {
  m->queue[(m->first + m->queued++) % m->ids.count] = thread;
}

static bool threads_make(RtMerge *m) {
  size_t n = rt_recording_threads(m->r);
  m->threads = calloc(n + 1, sizeof *m->threads);
  m->queue = calloc(n + 1, sizeof *m->queue);
  if (!m->threads || !m->queue) return false;
  for (size_t i = 0; i < n; ++i) {
    Thread *t = &m->threads[i];
    t->waiting = t->next = NONE;
    t->cursor = rt_cursor_new(m->r, i);
    if (!t->cursor || ids_add(&m->ids, rt_recording_thread(m->r, i)) != i) return false;
  }
  for (uint32_t i = 0; i < n; ++i) enqueue(m, i);
  return true;
}

RtMerge *rt_merge_new(const RtRecording *r) {
  RtMerge *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->r = r;
  m->now = NONE;
  if (threads_make(m) && (m->causes = causes_new(&m->ids)) && first_pass(m)) return m;
  rt_merge_free(m);
  return NULL;
}

void rt_merge_free(RtMerge *m) {
  if (!m) return;
  for (size_t i = 0; m->threads && i < rt_recording_threads(m->r); ++i) rt_cursor_free(m->threads[i].cursor);
  free(m->threads);
  free(m->queue);
  free(m->objects.at);
  free(m->seen.at);
  free(m->overlaps.at);
  ids_free(&m->ids);
  ids_free(&m->object_ids);
  causes_free(m->causes);
  free(m);
}

static Object *object_of(RtMerge *m, uint32_t id) {
  uint32_t i = ids_add(&m->object_ids, id);
  if (i < m->objects.count) return &m->objects.at[i];
  Object fresh = {0, NONE, seen_from(&m->seen, (uint64_t)id << 32), false};
  if (i == IDS_NONE || !array_add(&m->objects, fresh)) return m->no_memory = true, NULL;
  return &m->objects.at[i];
}

static Seen *seen_at(RtMerge *m, const Object *o, uint32_t id) {
  uint64_t key = (uint64_t)id << 32 | o->next;
  return o->seen < m->seen.count && m->seen.at[o->seen].key == key ? &m->seen.at[o->seen] : NULL;
}

static Thread *thread_named(RtMerge *m, uint32_t id) {
  uint32_t i = ids_find(&m->ids, id);
  return i == IDS_NONE ? NULL : &m->threads[i];
}

// What has to be true of a thread before its next entry: the thread that is to change, or NULL.
static bool thread_waits(RtMerge *m, Thread *t, Thread **on) {
  RtEntry e = t->entry;
  *on = t;
  if (e.op == RT_ENTER && e.object != RT_NO_THREAD) return !t->created;
  if (was_cancelled(e) && t->cancels) return !t->cancelled;
  if (e.op != RT_JOIN || e.outcome != RT_OK || e.object == RT_NO_THREAD) return false;
  *on = thread_named(m, e.object);
  return !*on || !(*on)->exited;
}

static bool object_waits(RtMerge *m, const Object *o, RtEntry e) {
  if (is_loose(e)) return o->next < e.seq;
  return o->next != e.seq || (is_numbered(e) && seen_at(m, o, e.object));
}

static void list_in(RtMerge *m, uint32_t *list, uint32_t thread) {
  m->threads[thread].next = *list;
  *list = thread;
}

// True, and put where it will be found, if the thread cannot go on.
static bool waits(RtMerge *m, uint32_t thread) {
  Thread *t = &m->threads[thread], *on;
  if (thread_waits(m, t, &on)) {
    if (on) list_in(m, &on->waiting, thread);
    return true;
  }
  if (!rt_op_numbered((RtOp)t->entry.op)) return false;
  Object *o = object_of(m, t->entry.object);
  if (!o) return true;
  if (!object_waits(m, o, t->entry)) return false;
  list_in(m, &o->waiting, thread);
  return true;
}

static void thread_moved(RtMerge *m, Thread *t) {
  while (t && t->waiting != NONE) {
    uint32_t thread = t->waiting;
    t->waiting = m->threads[thread].next;
    enqueue(m, thread);
  }
}

static void object_moved(RtMerge *m, Object *o) {
  for (uint32_t *at = &o->waiting; *at != NONE;) {
    uint32_t thread = *at;
    Thread *t = &m->threads[thread];
    if (object_waits(m, o, t->entry)) {
      at = &t->next;
    } else {
      *at = t->next;
      enqueue(m, thread);
    }
  }
}

static void perform(RtMerge *m, Thread *t) {
  RtEntry e = t->entry;
  Thread *other = NULL;
  if (is_numbered(e) || is_seen(e)) {
    Object *o = object_of(m, e.object);
    Seen *s = seen_at(m, o, e.object);
    if (is_numbered(e)) ++o->next;
    if (is_seen(e) && s && !--s->count) ++o->seen;
    object_moved(m, o);
  } else if (e.op == RT_CREATE && (other = thread_named(m, e.object))) {
    other->created = true;
  } else if (e.op == RT_CANCEL && (other = thread_named(m, e.object))) {
    ++other->cancelled;
  } else if (e.op == RT_EXIT) {
    other = t;
    t->exited = true;
  }
  thread_moved(m, other);
}

static bool refill(Thread *t) {
  while (!t->has && (t->has = rt_cursor_next(t->cursor, &t->entry)) && t->entry.op == RT_TIME) {
    t->time = t->entry.seq;
    t->has = false;
  }
  return t->has;
}

// What a stuck thread needs, as a number that an entry can be asked for: an object's next number, or a
// thread's creation, end or cancellation.
enum { NEED_CREATE = 1, NEED_EXIT, NEED_CANCEL };
#define NEED_NUMBER (UINT64_C(4) << 32)

static uint64_t need_of(RtMerge *m, Thread *t, bool *broken) {
  RtEntry e = t->entry;
  Thread *on;
  if (thread_waits(m, t, &on)) {
    uint32_t what = e.op == RT_ENTER ? NEED_CREATE : e.op == RT_JOIN ? NEED_EXIT : NEED_CANCEL;
    uint32_t who = e.op == RT_JOIN ? e.object : m->ids.keys[t - m->threads];
    return (uint64_t)what << 32 | who;
  }
  Object *o = object_of(m, e.object);
  if (!o) return 0;
  if (!is_loose(e) && e.seq < o->next) *broken = true;
  return ((uint64_t)e.object << 32 | o->next) + NEED_NUMBER;
}

static uint64_t given_by(RtEntry e, uint32_t thread) {
  if (is_numbered(e) || is_seen(e)) return key_of(e) + NEED_NUMBER;
  if (e.op == RT_CREATE) return (uint64_t)NEED_CREATE << 32 | e.object;
  if (e.op == RT_CANCEL) return (uint64_t)NEED_CANCEL << 32 | e.object;
  return e.op == RT_EXIT ? (uint64_t)NEED_EXIT << 32 | thread : 0;
}

typedef struct {
  uint64_t what;
  bool found;  // it is in the recording, behind a thread that is stuck
} Need;

typedef struct {
  Need *at;
  size_t count;
  bool broken;  // a number comes twice
} Needs;

static int need_order(const void *a, const void *b) {
  const Need *p = a, *q = b;
  return (p->what > q->what) - (p->what < q->what);
}

static void need_found(Needs *n, uint64_t what) {
  size_t low = 0, high = n->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (n->at[middle].what < what)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < n->count && n->at[low].what == what; ++low) n->at[low].found = true;
}

static bool needs_search(RtMerge *m, Needs *n) {
  RtCursor *c = rt_cursor_new(m->r, 0);
  for (size_t i = 0; c && i < m->ids.count; ++i) {
    if (!m->threads[i].has) continue;
    need_found(n, given_by(m->threads[i].entry, m->ids.keys[i]));
    cursor_copy(c, m->threads[i].cursor);
    for (RtEntry e; rt_cursor_next(c, &e);) need_found(n, given_by(e, m->ids.keys[i]));
  }
  rt_cursor_free(c);
  return c;
}

// Of all threads that have an entry and cannot go on. The array is the caller's to free; NULL: no memory.
static Needs needs_of(RtMerge *m) {
  Needs n = {calloc(m->ids.count + 1, sizeof *n.at), 0, false};
  for (size_t i = 0; n.at && i < m->ids.count; ++i)
    if (m->threads[i].has) n.at[n.count++].what = need_of(m, &m->threads[i], &n.broken);
  if (!n.count) return n;
  qsort(n.at, n.count, sizeof *n.at, need_order);
  if (!needs_search(m, &n)) free(n.at), n.at = NULL;
  return n;
}

// Skips the numbers that are nowhere, if that may be. False: nothing has moved.
static bool skip(RtMerge *m) {
  if (!m->skips) return false;
  Needs n = needs_of(m);
  bool moved = false;
  for (size_t i = 0; n.at && !n.broken && m->skips && i < n.count; ++i) {
    uint64_t what = n.at[i].what;
    if (n.at[i].found || what < NEED_NUMBER || (i && n.at[i - 1].what == what)) continue;
    Object *o = object_of(m, (uint32_t)((what - NEED_NUMBER) >> 32));
    ++o->next;
    o->skipped = moved = true;
    --m->skips;
    object_moved(m, o);
  }
  free(n.at);
  return moved;
}

// Of those that can go on the one that did so first. Times wrap around.
static Thread *earliest(RtMerge *m) {
  Thread *first = NULL;
  for (uint32_t i = 0; i < m->ids.count; ++i) {
    Thread *t = &m->threads[i], *on;
    if (!refill(t) || thread_waits(m, t, &on)) continue;
    Object *o = rt_op_numbered((RtOp)t->entry.op) ? object_of(m, t->entry.object) : NULL;
    if (o ? object_waits(m, o, t->entry) : m->no_memory) continue;
    if (first && (int32_t)(t->time - first->time) >= 0) continue;
    first = t;
    m->now = i;
  }
  return first;
}

// The thread that can go on, or NULL.
static Thread *runnable(RtMerge *m) {
  if (m->timed) return earliest(m);
  for (;;) {
    if (m->now == NONE) {
      if (!m->queued) return NULL;
      m->now = m->queue[m->first];
      m->first = (m->first + 1) % m->ids.count;
      --m->queued;
    }
    Thread *t = &m->threads[m->now];
    if (refill(t) && !waits(m, m->now)) return t;
    m->now = NONE;
  }
}

// What is told of an entry that depends on others.
static void explain(RtMerge *m, RtEntry *e) {
  if (e->op == RT_SIGNAL || e->op == RT_BROADCAST) {
    size_t i = seen_from(&m->overlaps, key_of(*e));
    if (i < m->overlaps.count && m->overlaps.at[i].key == key_of(*e))
      e->extra |= m->overlaps.at[i].count < RT_SPAN ? (uint16_t)m->overlaps.at[i].count : RT_SPAN;
  } else if (is_seen(*e) && object_of(m, e->object)->skipped) {
    e->extra = (uint16_t)(RT_LOOSE | RT_UNSURE | (e->op == RT_ATOMIC ? e->extra & RT_SPAN : 0));
  }
}

bool rt_merge_next(RtMerge *m, RtEvent *e) {
  Thread *t = NULL;
  while (!m->no_memory && !m->ordered && !(t = runnable(m)))
    if (!skip(m)) return false;
  if (!t) return false;
  *e = (RtEvent){m->ids.keys[m->now], t->place++, t->entry, RT_NO_CAUSE};
  perform(m, t);
  explain(m, &e->entry);
  t->has = false;
  if (!causes_next(m->causes, e, m->index++)) m->no_memory = true;
  return true;
}

bool rt_merge_object(const RtMerge *m, uint32_t object, RtObject *out) {
  return causes_object(m->causes, object, out);
}

static RtOrder order_of(RtMerge *m, RtEvent *stuck) {
  Needs n = needs_of(m);
  bool cut = !n.at || m->no_memory, missing = false;
  for (size_t i = m->ids.count; i-- > 0;) {
    Thread *t = &m->threads[i];
    if (t->has)
      *stuck = (RtEvent){m->ids.keys[i], t->place, t->entry, RT_NO_CAUSE};
    else
      cut |= rt_cursor_tail(t->cursor) == RT_TAIL_CUT;
  }
  for (size_t i = 0; n.at && i < n.count; ++i) missing |= !n.at[i].found;
  free(n.at);
  if (n.count && (n.broken || !missing)) return RT_ORDER_BROKEN;
  return n.count || cut ? RT_ORDER_PREFIX : RT_ORDER_WHOLE;
}

RtOrder rt_merge_order(RtMerge *m, RtEvent *stuck) {
  if (!m->ordered) {
    m->stuck = (RtEvent){RT_NO_THREAD, 0, {RT_NO_SITE, 0, 0, RT_NONE, 0, 0}, RT_NO_CAUSE};
    m->order = order_of(m, &m->stuck);
    m->ordered = true;
  }
  *stuck = m->stuck;
  return m->order;
}
