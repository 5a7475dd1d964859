// Where the run is in the schedule. A thread that comes to an event waits until all events before it are
// past: in the one order of the file, or, where a thread waits for what another does without an event, in the
// enforced order. The event must be the next of this thread, at this site. What the recorder writes when
// control leaves calls (RET, UNWIND, JUMP) is kept pending, so that a thread can wait there too.
#include <assert.h>
#include "machine.h"
#include "natural.h"

static const Event *own_event(const Machine *m, const Thread *t) {
  return t->position < t->events.len ? &m->schedule->events.at[t->events.at[t->position]] : NULL;
}

static uint32_t site_of(const Machine *m, const Event *e) {
  return e->site == SIGMA_NONE ? SITE_NONE : m->module_site[e->site];
}

static void left(Machine *m, const Thread *t, const char *what) {
  Bytes text = {0};
  const Event *e = own_event(m, t);
  event_print(m->sigma, m->schedule, t->events.at[t->position], &text);
  vec_push(&text, 0);
  assert(e);
  machine_stop(m, t, RUN_LEFT, "the recording goes on with `%s`, line %u of the schedule file, but %s",
               (char *)text.at, e->line, what);
  vec_free(&text);
}

static void left_at(Machine *m, const Thread *t, int kind, uint32_t site) {
  char *name = site == SITE_NONE ? NULL : sites_name(m->code->sites, site);
  char *what = mem_format("the run came to %s%s%s", event_word(kind), name ? " at " : "", name ? name : "");
  left(m, t, what);
  mem_free(name), mem_free(what);
}

// A barrier opens when all have arrived, which is no edge of the order.
static bool generation_arrived(const Machine *m, uint32_t event) {
  const Event *e = &m->schedule->events.at[event];
  uint32_t generation = order_generation(m->order, event);
  if (generation == SIGMA_NONE || e->phase != EVENT_DEPART) return true;
  for (uint32_t i = 0; i < event; ++i) {
    const Event *other = &m->schedule->events.at[i];
    bool same = other->kind == e->kind && other->object == e->object && other->phase == EVENT_ARRIVE;
    if (same && !m->past[i] && order_generation(m->order, i) == generation) return false;
  }
  return true;
}

static bool may_come(const Machine *m, uint32_t event) {
  if (event == m->next) return true;
  const OrderWait *waits;
  size_t n = m->ahead ? order_waits(m->order, event, &waits) : 0;
  for (size_t i = 0; i < n; ++i)
    if (!m->past[waits[i].event]) return false;
  return m->ahead && generation_arrived(m, event);
}

const Event *follow_turn(Machine *m, Thread *t, int kind, EventPhase phase, uint32_t site) {
  if (m->natural) return natural_turn(m, t, kind, phase, site);
  const Event *e = own_event(m, t);
  if (m->over) return NULL;
  if (!e) {  // what the process does not wait for when it ends
    t->state = THREAD_WAITS;
    return NULL;
  }
  if (e->kind != kind || e->phase != phase ||
      (site != SITE_NONE && e->site != SIGMA_NONE && site_of(m, e) != site)) {
    left_at(m, t, kind, site);
    return NULL;
  }
  bool turn = may_come(m, t->events.at[t->position]);
  t->state = turn ? THREAD_RUNS : THREAD_WAITS;
  return turn ? e : NULL;
}

void follow_pass(Machine *m, Thread *t) {
  if (m->natural) {
    natural_pass(m, t);
    return;
  }
  assert(own_event(m, t) && !m->past[t->events.at[t->position]]);
  uint32_t event = t->events.at[t->position];
  if (m->trace && t->frames.len) {
    TraceEvent e = {event, (uint32_t)m->trace->steps.len - 1, frame_of(t)->trace, t->pc};
    vec_push(&m->trace->events, e);
  }
  ++t->position;
  m->past[event] = true;
  while (m->next < m->schedule->events.len && m->past[m->next]) ++m->next;
  ++m->result->events;
}

const Event *follow_ahead(Thread *t, Machine *m, int kind, uint32_t site) {
  if (m->natural) return natural_once(m, t);
  for (size_t i = t->position; i < t->events.len; ++i) {
    const Event *e = &m->schedule->events.at[t->events.at[i]];
    if (e->kind == kind && site_of(m, e) == site) return e;
  }
  return NULL;
}

static bool on_stack(const Machine *m, uint64_t address) {
  return !memory_object(&m->memory, address);
}

void follow_forget(Machine *m, uint64_t address) {
  if (m->natural) natural_forget(m, address);
  uint64_t known = map_or(m->object_at, address, 0);
  if (known) map_put(m->object_at, address, 0);
}

// Objects and addresses go together, one to one. What the program initializes anew is another object; what
// has no initialization is the same as long as its address is, which in the recording was another machine's:
// an object whose memory is gone, or that stands on a stack, may come back elsewhere.
bool follow_object(Machine *m, Thread *t, const Event *e, uint64_t address) {
  if (m->natural || e->object == SIGMA_NONE) return true;
  uint64_t there = map_or(m->object_at, address, 0), was = m->address_of[e->object];
  if (there == e->object + 1 && was == address) return true;
  bool moved = was && (on_stack(m, was) || !memory_readable(&m->memory, was, 1));
  if (was && was != address && !moved) {
    left(m, t, "that object is another one here");
    return false;
  }
  if (there && there != e->object + 1 && !on_stack(m, address)) {
    left(m, t, "here it is an object that had another name before");
    return false;
  }
  m->address_of[e->object] = address;
  map_put(m->object_at, address, e->object + 1);
  return true;
}

static bool unwinds(Machine *m, Thread *t) {
  while (t->unwind_to != CODE_NONE && t->open.len > t->unwind_to) {
    if (!follow_turn(m, t, EVENT_UNWIND, EVENT_WHOLE, vec_last(&t->open))) return false;
    follow_pass(m, t);
    --t->open.len;
  }
  t->unwind_to = CODE_NONE;
  return true;
}

// The recorder writes a jump only if the thread had done something since; that it did is for the schedule to
// say.
static bool jumps(Machine *m, Thread *t) {
  if (t->jumping == SITE_NONE) return true;
  if (m->natural && m->began)
    return machine_stop(m, t, RUN_REFUSED, "longjmp without a recording: its events are not known"), false;
  const Event *e = own_event(m, t);
  if (e && e->kind == EVENT_JUMP && site_of(m, e) == t->jumping) {
    if (!follow_turn(m, t, EVENT_JUMP, EVENT_WHOLE, t->jumping)) return false;
    follow_pass(m, t);
  }
  t->jumping = SITE_NONE;
  return true;
}

static bool returns(Machine *m, Thread *t) {
  if (t->returning == SITE_NONE) return true;
  if (m->began) {
    if (!follow_turn(m, t, EVENT_RET, EVENT_WHOLE, t->returning)) return false;
    follow_pass(m, t);
    assert(t->open.len);
    --t->open.len;
  }
  t->returning = SITE_NONE;
  return true;
}

static bool function_is(const Machine *m, const Event *e, uint32_t function) {
  const char *name = sigma_text(m->sigma, e->other);
  return !strcmp(name, "?") || !strcmp(name, bytecode_name(m->code, function));
}

static bool enters(Machine *m, Thread *t) {
  if (!t->enters) return true;
  const Event *e = follow_turn(m, t, SYNC_ENTER, EVENT_WHOLE, SITE_NONE);
  if (!e) return false;
  if (t->routine != CODE_NONE && !function_is(m, e, t->routine))
    return left(m, t, "the thread runs another function"), false;
  follow_pass(m, t);
  t->enters = false;
  return true;
}

bool follow_pending(Machine *m, Thread *t) {
  return enters(m, t) && unwinds(m, t) && jumps(m, t) && returns(m, t);
}

bool follow_call(Machine *m, Thread *t, const Call *call) {
  if (!m->began) return true;
  if (!follow_turn(m, t, EVENT_CALL, EVENT_WHOLE, call->site)) return false;
  follow_pass(m, t);
  vec_push(&t->open, call->site);
  return true;
}

// Code outside calls a function: our models stand for it. A thread's routine is called by nobody.
bool follow_entered(Machine *m, Thread *t) {
  uint32_t function = frame_of(t)->function;
  size_t n = t->frames.len;
  bool outside = n < 2 || m->code->functions.at[t->frames.at[n - 2].function].model;
  if (!outside || !m->began) return true;
  if (t->fresh && t->routine == function) return t->fresh = false, true;
  const Event *e = follow_turn(m, t, EVENT_CALLBACK, EVENT_WHOLE, SITE_NONE);
  if (!e) return false;
  if (!function_is(m, e, function)) return left(m, t, "code outside calls another function here"), false;
  follow_pass(m, t);
  return true;
}

bool follow_exit(Machine *m, Thread *t) {
  if (!follow_turn(m, t, SYNC_EXIT, EVENT_WHOLE, t->exit_site)) return false;
  follow_pass(m, t);
  return true;
}
