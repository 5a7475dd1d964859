// SPECIALIZE_RECHECK=1: the run is recorded again while it is held, and compared with its schedule at the
// end. Every published event takes a ticket after it is done and before it is published; so whatever another
// event waited for has a smaller ticket than it. (Objects need no second look: each is bound once, and every
// event compares.) All events take their slow path.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "enf.h"

typedef struct {
  const RtNode *n;
  uint64_t ticket;
} Entry;
typedef struct {
  Entry *at;
  _Atomic uint32_t n;  // who ends the process early reads what others still write
  char *copies;        // of nodes, and how many bytes are left for them
  size_t room;
} Log;
enum { CHUNK = 1 << 20 };
static Log *logs;  // by thread; NULL: not rechecking
static _Atomic uint64_t tickets;

HIDDEN bool enf_recheck_make(const RtSchedule *s) {
  const char *wanted = secure_getenv("SPECIALIZE_RECHECK");
  if (!wanted || strcmp(wanted, "1")) return true;
  logs = enf_memory(s->threads * sizeof *logs);
  for (uint32_t i = 0; logs && i < s->threads; ++i) {
    logs[i].at = enf_memory((s->plan[i].events + 1) * sizeof(Entry));
    if (!logs[i].at) return false;
  }
  if (logs) enf_special(ENF_SPECIAL_RECHECK);
  return logs;
}

// Of a schedule whose nodes do not last. NULL: there is no memory.
static const RtNode *lasting(Log *l, const RtNode *n) {
  if (enf.schedule->version < RT_ENFORCE_ROLLED) return n;
  size_t size = sizeof *n + n->waits * sizeof(RtWait);
  if (l->room < size) {
    l->room = size > CHUNK ? size : CHUNK;
    l->copies = enf_memory(l->room);
    if (!l->copies) l->room = 0;
  }
  if (!l->room) return NULL;
  void *copy = memcpy(l->copies, n, size);
  l->copies += size, l->room -= size;
  return copy;
}

HIDDEN void enf_recheck_note(const RtNode *n) {
  Log *l = &logs[n->thread];
  uint32_t i = atomic_load_explicit(&l->n, memory_order_relaxed);
  if (i >= enf.schedule->plan[n->thread].events || !(n = lasting(l, n))) return;
  l->at[i] = (Entry){n, atomic_fetch_add(&tickets, 1) + 1};
  atomic_store(&l->n, i + 1);
}

typedef struct {
  const RtNode *n;
  const char *what;
} Fault;

// The event that a wait is for, if it has happened.
static const Entry *source(RtWait w) {
  const Log *l = &logs[w.thread];
  uint32_t low = 0, high = l->n;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (l->at[middle].n->position + 1 < w.need)
      low = middle + 1;
    else
      high = middle;
  }
  return low < l->n ? &l->at[low] : NULL;
}

static Fault check_entry(const Entry *e, uint32_t before) {
  const RtNode *n = e->n;
  if (n->before != before) return (Fault){n, "it is not the next event of its thread"};
  for (uint32_t i = 0; i < n->waits; ++i) {
    const Entry *from = source(n->wait[i]);
    if (!from || from->ticket > e->ticket)
      return (Fault){n, "it happened before an event that it must follow"};
  }
  return (Fault){NULL, NULL};
}

// Departures from a round have all arrivals at it before them.
static Fault check_departure(const Entry *arrival, const Entry *departure) {
  const RtNode *n = arrival->n;
  uint32_t others = 0;
  for (uint32_t t = 0; t < enf.schedule->threads; ++t)
    for (uint32_t i = 0; i < logs[t].n; ++i) {
      const Entry *e = &logs[t].at[i];
      if (!e->n->depart || e->n->object != n->object || e->n->round != n->round) continue;
      if (e->ticket > departure->ticket)
        return (Fault){departure->n, "it left a barrier before all threads arrived"};
      ++others;
    }
  bool all = others == enf.schedule->object[n->object].amount;
  return all ? (Fault){NULL, NULL} : (Fault){departure->n, "not all threads reached its barrier"};
}

static Fault check_thread(uint32_t thread, bool complete) {
  const Log *l = &logs[thread];
  const RtNode *end = enf.schedule->plan[thread].exit;
  uint32_t before = 0;
  for (uint32_t i = 0; i < l->n; ++i) {
    Fault f = check_entry(&l->at[i], before);
    const RtNode *n = l->at[i].n;
    bool barrier = n->depart && enf.schedule->object[n->object].family == RT_BARRIER;
    if (!f.what && barrier && i + 1 < l->n) f = check_departure(&l->at[i], &l->at[i + 1]);
    if (f.what) return f;
    before = n->position + 1;
  }
  if (complete && end && (!l->n || l->at[l->n - 1].n->position != end->position))
    return (Fault){end, "it did not happen"};
  return (Fault){NULL, NULL};
}

static bool is_complete(void) {
  uint32_t last = enf.schedule->end_thread;
  const RtNode *end = enf.schedule->plan[last].exit;
  return end && logs[last].n && logs[last].at[logs[last].n - 1].n->position == end->position;
}

HIDDEN void enf_recheck_tell(void) {
  if (!logs) return;
  bool complete = is_complete();
  Fault f = {NULL, NULL};
  uint64_t events = 0;
  for (uint32_t i = 0; i < enf.schedule->threads && !f.what; ++i) {
    f = check_thread(i, complete);
    events += logs[i].n;
  }
  char text[300];
  int n = f.what
              ? snprintf(text, sizeof text,
                         "specialize: recheck: thread %u did not follow schedule %u at its event %u: %s\n",
                         f.n->thread, enf.schedule->id, f.n->position + 1, f.what)
              : snprintf(text, sizeof text, "specialize: recheck: schedule %u was followed%s (%llu events)\n",
                         enf.schedule->id, complete ? "" : ", and left before its end",
                         (unsigned long long)events);
  if (n < 0 || write(2, text, (size_t)n) < 0 || !f.what) return;
  fflush(NULL);
  _exit(RT_EXIT_DIVERGED);
}
