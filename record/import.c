// Entries come in one order that the run can have had (rt/reader.h). Most become one event each; what is two
// entries there and one event here is put where the objects allow it: the arrival of a wait where the mutex
// is released, its departure where the wait ends, when the mutex has been taken again. The schedule begins at
// the dispatch point; what was before gives objects their first values and is otherwise left out.
#include "import.h"
#include <assert.h>
#include <errno.h>
#include <sys/wait.h>
#include "exclude.h"
#include "importer.h"

static ImportThread *thread_of(Importer *k, uint32_t recorded) {
  uint64_t i = map_or(k->thread_of, recorded, SIGMA_NONE);
  return i == SIGMA_NONE ? NULL : &k->threads.at[i];
}

static ImportThread *add_thread(Importer *k, uint32_t recorded, uint32_t number) {
  ImportThread t = {.number = number, .enter = SIGMA_NONE, .arrival = SIGMA_NONE};
  map_put(k->thread_of, recorded, k->threads.len);
  vec_push(&k->threads, t);
  return &vec_last(&k->threads);
}

// A recording that cannot be a schedule: as much of it as can is kept.
bool import_stop(Importer *k, const char *why) {
  if (k->stopped) return false;
  k->stopped = true;
  diag_warning(k->diags, "only the first %zu events of the recording are used: %s", k->c->events.len, why);
  return false;
}

uint32_t import_site(Importer *k, uint32_t recorded) {
  uint64_t known;
  if (map_get(k->site_of, recorded, &known)) return (uint32_t)known;
  uint32_t id = SIGMA_NONE;
  if (recorded < sites_count(k->n->sites)) {
    const Sync *s = maysync_operation(k->n->sync, recorded);
    if (s && !sync_events(s->kind)) s = NULL;
    char *name = sites_name(k->n->sites, recorded);
    Place w = where(sites_call(k->n->sites, recorded));
    id = sigma_add_site(k->s, name, s ? (int)s->kind : EVENT_CALL);
    SigmaSite *site = &k->s->sites.at[id];
    if (!s || maysync_derived(k->n->sync, recorded)) site->derived = true;
    if (w.file && w.line)
      site->file = sigma_intern(k->s, w.file), site->line = w.line, site->column = w.column;
    mem_free(name);
  }
  map_put(k->site_of, recorded, id);
  return id;
}

// The site of Σ of the innermost call; SIGMA_NONE: the thread is in none.
static uint32_t open_call(const Importer *k, const ImportThread *t) {
  uint32_t call = stacks_call(k->stacks, t->number);
  return call == SIGMA_NONE ? SIGMA_NONE : k->c->events.at[call].site;
}

// Calls through a pointer have the site of the call around them.
static uint32_t site_of(Importer *k, const ImportThread *t, RtEntry e) {
  if (e.site < sites_count(k->n->sites)) return import_site(k, e.site);
  return open_call(k, t);
}

static SyncOutcome outcome_of(RtEntry e) {
  if (e.outcome == RT_WAITED || e.outcome == RT_UNWOUND) return SYNC_OK;
  if (e.outcome == RT_SERIAL) return SYNC_SERIAL;
  return e.outcome == RT_RAN ? SYNC_RAN : sync_outcome_of_error(e.outcome);
}

Event *import_event(Importer *k, ImportThread *t, int kind, uint32_t site) {
  assert(t->number < k->c->threads && (site == SIGMA_NONE || site < k->s->sites.len));
  Event e = event_of(t->number, kind, site);
  vec_push(&k->c->events, e);
  stacks_pass(k->stacks, (uint32_t)k->c->events.len - 1);
  t->last_call = kind == EVENT_CALL;
  return &vec_last(&k->c->events);
}

// An operation on an object, as most are.
static bool operation(Importer *k, ImportThread *t, RtEntry e, int kind) {
  uint32_t site = site_of(k, t, e), object = import_object(k, e.object);
  if (object == SIGMA_NONE) return import_stop(k, "an object of an unknown kind");
  if (site == SIGMA_NONE) return import_stop(k, "an operation in code outside the module");
  Event *v = import_event(k, t, kind, site);
  v->object = object;
  v->outcome = (uint16_t)outcome_of(e);
  if (e.outcome == RT_UNWOUND && kind == SYNC_ACQUIRE) v->wake = EVENT_CANCELLED;
  return true;
}

static bool arrive(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = site_of(k, t, e), mutex = import_object(k, e.object);
  if (site == SIGMA_NONE || mutex == SIGMA_NONE) return import_stop(k, "a wait in code outside the module");
  t->arrival = (uint32_t)k->c->events.len;
  Event *v = import_event(k, t, SYNC_WAIT, site);
  v->phase = EVENT_ARRIVE;
  v->other = mutex;
  return true;
}

static bool arrived(Importer *k, ImportThread *t, RtEntry e) {
  if (t->arrival != SIGMA_NONE) k->c->events.at[t->arrival].object = import_object(k, e.object);
  return true;
}

static bool depart(Importer *k, ImportThread *t, const RtEvent *e) {
  if (t->arrival == SIGMA_NONE) return import_stop(k, "a wait that ends without having begun");
  Event a = k->c->events.at[t->arrival];
  assert(a.kind == SYNC_WAIT && a.phase == EVENT_ARRIVE && a.thread == t->number);
  SyncOutcome outcome = outcome_of(e->entry);
  Event *v = &k->c->events.at[t->arrival];
  if (outcome != SYNC_OK && outcome != SYNC_TIMEDOUT && outcome != SYNC_OWNERDEAD &&
      outcome != SYNC_NOTRECOVERABLE) {
    v->outcome = (uint16_t)outcome;  // it failed at once and never waited
  } else {
    v = import_event(k, t, SYNC_WAIT, a.site);
    v->phase = EVENT_DEPART;
    v->object = a.object, v->other = a.other;
    v->outcome = (uint16_t)outcome;
    if (e->entry.outcome == RT_UNWOUND)
      v->wake = EVENT_CANCELLED;
    else if (outcome == SYNC_OK && (e->cause == RT_NO_CAUSE || e->cause < t->arrival_index))
      v->wake = EVENT_SPURIOUS;
  }
  t->arrival = SIGMA_NONE;
  return true;
}

static bool barrier(Importer *k, ImportThread *t, RtEntry e, EventPhase phase) {
  operation(k, t, e, SYNC_BARRIER);
  if (k->stopped) return true;
  vec_last(&k->c->events).phase = phase;
  if (phase == EVENT_ARRIVE && e.outcome == EINVAL) vec_last(&k->c->events).outcome = SYNC_INVAL;
  return true;
}

// A flag that begins again has been made anew, at the same address: another object.
static void renew(Importer *k, uint32_t recorded) {
  uint32_t id = import_new_object(k, recorded);
  if (id != SIGMA_NONE) map_put(k->object_of, recorded, id);
}

// pthread_once is one event, when it returns; a guard of a C++ static is several calls.
static bool once(Importer *k, ImportThread *t, RtEntry e) {
  const Sync *s = e.site < sites_count(k->n->sites) ? maysync_operation(k->n->sync, e.site) : NULL;
  bool guard = s && (s->kind == SYNC_ONCE_BEGIN || s->kind == SYNC_ONCE_END || s->kind == SYNC_ONCE_ABORT);
  if (e.op == RT_ONCE_ABORT && e.outcome == RT_FAILED && !guard)
    return import_stop(k, "the routine of a pthread_once or std::call_once throws, and is tried again");
  bool ends = e.op == RT_ONCE_END, begins = e.op == RT_ONCE_BEGIN, aborts = e.op == RT_ONCE_ABORT;
  if (begins && map_or(k->once_done, e.object, 0)) renew(k, e.object);
  if (begins || ends) map_put(k->once_done, e.object, ends);
  if (!guard && (begins || aborts)) return true;
  operation(k, t, e, !guard ? SYNC_ONCE : ends ? SYNC_ONCE_END : aborts ? SYNC_ONCE_ABORT : SYNC_ONCE_BEGIN);
  if (k->stopped) return true;
  vec_last(&k->c->events).outcome = (guard && begins) || (!guard && ends) ? SYNC_RAN : SYNC_OK;
  return true;
}

static const char *routine_name(Importer *k, ImportThread *t) {
  uint64_t offset;
  const char *name = t->routine ? symbols_name(k->symbols, t->routine, &offset) : NULL;
  return name ? name : "?";
}

static bool create(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = site_of(k, t, e), child = SIGMA_NONE;
  if (site == SIGMA_NONE) return import_stop(k, "a thread created by code outside the module");
  SyncOutcome outcome = outcome_of(e);
  if (outcome == SYNC_OK) {
    child = schedule_add_thread(k->c);
    size_t self = (size_t)(t - k->threads.at);
    add_thread(k, e.object, child);
    assert(k->threads.len == k->c->threads);
    t = &k->threads.at[self];  // they may have moved
  }
  Event *v = import_event(k, t, SYNC_CREATE, site);
  v->other = child;
  v->outcome = (uint16_t)outcome;
  return true;
}

static bool on_thread(Importer *k, ImportThread *t, RtEntry e, int kind) {
  uint32_t site = site_of(k, t, e);
  if (site == SIGMA_NONE) return import_stop(k, "an operation in code outside the module");
  bool names = event_shape(kind) & EVENT_MAY_THREAD;
  ImportThread *other = names ? thread_of(k, e.object) : NULL;
  if (names && !other && outcome_of(e) == SYNC_OK)
    return import_stop(k, "an operation on a thread that unrecorded code created");
  Event *v = import_event(k, t, kind, site);
  v->outcome = (uint16_t)outcome_of(e);
  if (e.outcome == RT_UNWOUND) v->wake = EVENT_CANCELLED;
  if (other) v->other = other->number;
  return true;
}

static bool ends_inside(const Importer *k, const ImportThread *t) {
  return stacks_calls(k->stacks, t->number) && !k->stopped;
}

// By a call (of exit, pthread_exit, at a cancellation point) if there is a site, or calls are open.
static bool leave(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = e.site < sites_count(k->n->sites) ? import_site(k, e.site) : SIGMA_NONE;
  if (site == SIGMA_NONE && ends_inside(k, t)) site = open_call(k, t);
  import_event(k, t, SYNC_EXIT, site);
  t->left = true;
  return true;
}

static bool close_calls(Importer *k, ImportThread *t, size_t count) {
  while (count-- && stacks_calls(k->stacks, t->number)) import_event(k, t, EVENT_UNWIND, open_call(k, t));
  return true;
}

static bool call(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = import_site(k, e.site);
  if (site == SIGMA_NONE) return import_stop(k, "a call that is not in the module");
  import_event(k, t, EVENT_CALL, site);
  t->call = e.site;
  return true;
}

// Calls that are still open then were left by an exception that code outside has caught.
static bool returned(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = import_site(k, e.site);
  while (stacks_calls(k->stacks, t->number) > 1 && open_call(k, t) != site)
    import_event(k, t, EVENT_UNWIND, open_call(k, t));
  if (!stacks_calls(k->stacks, t->number)) return import_stop(k, "a return without a call");
  import_event(k, t, EVENT_RET, open_call(k, t));
  return true;
}

static bool jump(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = import_site(k, e.site);
  if (site == SIGMA_NONE) return import_stop(k, "a jump to a call that is not in the module");
  import_event(k, t, EVENT_JUMP, site);
  return true;
}

static bool calls_it(const Importer *k, uint32_t site, uint32_t function) {
  Ids targets = callgraph_targets(k->n->graph, site);
  for (vec_each(i, &targets))
    if (targets.at[i] == function) return true;
  return false;
}

// The call that is open gave this function to code outside.
static bool calls_back(const Importer *k, const ImportThread *t, uint32_t function) {
  uint32_t open = open_call(k, t);
  if (open == SIGMA_NONE) return false;
  const char *name = sigma_text(k->s, k->s->sites.at[open].name);
  uint32_t site = sites_find(k->n->sites, name, strlen(name));
  for (size_t i = 0; site != SITE_NONE && i < callgraph_passes(k->n->graph, site); ++i) {
    CallgraphPass p = callgraph_pass(k->n->graph, site, i);
    for (vec_each(n, &p.functions))
      if (p.when == LIBRARY_NOW && p.functions.at[n] == function) return true;
  }
  return false;
}

// From outside, unless the call that was just made is one of this function, or it is the thread's own
// routine.
static bool entered(Importer *k, ImportThread *t, RtEntry e) {
  if (e.object >= callgraph_count(k->n->graph)) return import_stop(k, "a function that is not in the module");
  size_t len;
  const char *name = LLVMGetValueName2(callgraph_function(k->n->graph, e.object), &len);
  if (t->last_call && calls_it(k, t->call, e.object)) {
    t->last_call = false;
    t->was_called = true;
  } else if (t->fresh && !strcmp(routine_name(k, t), name)) {
    t->fresh = false;
    t->was_called = true;
  } else {
    t->was_called = calls_back(k, t, e.object);
    import_event(k, t, EVENT_CALLBACK, SIGMA_NONE)->other = sigma_intern(k->s, name);
  }
  return true;
}

static bool begin(Importer *k, const RtEvent *e) {
  ImportThread *t = thread_of(k, e->thread);
  if (!t || t->entered) return import_stop(k, "a thread created by unrecorded code");
  t->entered = t->fresh = true;
  t->enter = (uint32_t)k->c->events.len;
  import_event(k, t, SYNC_ENTER, SIGMA_NONE)->other = sigma_intern(k->s, "?");
  return true;
}

static bool routine(Importer *k, ImportThread *t, RtEntry e) {
  t->routine = rt_address(e);
  if (t->enter != SIGMA_NONE) k->c->events.at[t->enter].other = sigma_intern(k->s, routine_name(k, t));
  return true;
}

static bool other(Importer *k, ImportThread *t, RtEntry e) {
  uint32_t site = site_of(k, t, e);
  if (site == SIGMA_NONE) return import_stop(k, "an operation in code outside the module");
  import_event(k, t, SYNC_UNMODELLED, site);
  return true;
}

static bool plain(Importer *k, ImportThread *t, const RtEvent *v) {
  RtEntry e = v->entry;
  switch ((RtOp)e.op) {
    case RT_START:
      return routine(k, t, e);
    case RT_EXIT:
      return t->left ? true : leave(k, t, e);
    case RT_END:  // what others still did while the process ended comes before
      k->ended = true, k->ender = (size_t)(t - k->threads.at), k->end = e;
      return true;
    case RT_CREATE:
      return create(k, t, e);
    case RT_JOIN:
      return on_thread(k, t, e, SYNC_JOIN);
    case RT_DETACH:
      return on_thread(k, t, e, SYNC_DETACH);
    case RT_CANCEL:
      return on_thread(k, t, e, SYNC_CANCEL);
    case RT_TESTCANCEL:
      return on_thread(k, t, e, SYNC_TESTCANCEL);
    case RT_CALL:
      return call(k, t, e);
    case RT_RET:
      return returned(k, t, e);
    case RT_UNWIND:
      return close_calls(k, t, e.object);
    case RT_JUMP:
      return jump(k, t, e);
    case RT_ENTERED:
      return entered(k, t, e);
    case RT_VALUE:
      if (t->value_count < 2) t->values[t->value_count++] = e.object | (uint64_t)e.seq << 32;
      return true;
    case RT_AWAIT:
      t->await = e;
      return true;
    case RT_FENCE:
      return import_fence(k, t, e, site_of(k, t, e));
    case RT_EXEC:
      return import_stop(k, "the program called exec");
    case RT_LOST:
      return import_stop(k, "events of a thread are missing");
    default:
      return true;
  }
}

static bool numbered(Importer *k, ImportThread *t, const RtEvent *v) {
  RtEntry e = v->entry;
  switch ((RtOp)e.op) {
    case RT_LOCK:
      return operation(k, t, e, SYNC_LOCK);
    case RT_RDLOCK:
      return operation(k, t, e, SYNC_RDLOCK);
    case RT_UNLOCK:
      return operation(k, t, e, SYNC_UNLOCK);
    case RT_RELEASE:
      t->arrival_index = k->index;
      return arrive(k, t, e);
    case RT_WAIT:
      return arrived(k, t, e);
    case RT_WAKE:
      return depart(k, t, v);
    case RT_SIGNAL:
      return operation(k, t, e, SYNC_SIGNAL);
    case RT_BROADCAST:
      return operation(k, t, e, SYNC_BROADCAST);
    case RT_ARRIVE:
      return barrier(k, t, e, EVENT_ARRIVE);
    case RT_DEPART:
      return barrier(k, t, e, EVENT_DEPART);
    case RT_ACQUIRE:
      return operation(k, t, e, SYNC_ACQUIRE);
    case RT_POST:
      return operation(k, t, e, SYNC_POST);
    case RT_ONCE:
    case RT_ONCE_BEGIN:
    case RT_ONCE_END:
    case RT_ONCE_ABORT:
      return once(k, t, e);
    case RT_OTHER:
      return other(k, t, e);
    case RT_ATOMIC:
      return import_atomic(k, t, e, site_of(k, t, e));
    default:
      return true;
  }
}

static bool input(Importer *k, RtEntry e) {
  k->reads_stdin |= e.outcome == RT_INPUT_STDIN;
  if (k->first_input == SIZE_MAX)
    k->first_input = k->c->events.len, k->input_site = e.site, k->input = e.outcome;
  return true;
}

// Which functions are signal handlers is known by their type only: one that was just called by a call of the
// module is none. A handler that is left by longjmp ends when calls are left that were open before it.
static void handle(const Importer *k, ImportThread *t, RtEntry e) {
  if (e.op == RT_HANDLER) {
    vec_push(&t->handling, t->was_called ? SIZE_MAX : stacks_calls(k->stacks, t->number));
    t->handlers += !t->was_called;
  }
  while (t->handling.len) {
    size_t since = vec_last(&t->handling);
    if (e.op != RT_HANDLED && (since == SIZE_MAX || stacks_calls(k->stacks, t->number) >= since)) break;
    assert(t->handlers <= t->handling.len);
    t->handlers -= vec_pop(&t->handling) != SIZE_MAX;
    if (e.op == RT_HANDLED) break;
  }
  if (e.op != RT_ENTERED) t->was_called = false;
}

static bool step(Importer *k, const RtEvent *v) {
  RtEntry e = v->entry;
  if (e.op == RT_DISPATCH) {
    k->began = true;
    if (k->others) import_stop(k, "threads exist before main");
    return true;
  }
  if (e.op == RT_INPUT && e.outcome < RT_INPUTS) return input(k, e);
  if (!k->began) {
    k->others |= e.op == RT_CREATE;
    return true;
  }
  if (k->stopped || e.op == RT_OBJECT) return true;
  if (e.op == RT_ENTER) return begin(k, v);
  ImportThread *t = thread_of(k, v->thread);
  if (!t) return import_stop(k, "a thread created by unrecorded code");
  handle(k, t, e);
  if (t->handlers) {
    bool event = e.op < RT_FIRST_PLAIN || e.op == RT_CREATE || e.op == RT_JOIN;
    if (event) import_stop(k, "synchronization in a signal handler");
    return true;
  }
  if (t->left) return true;
  if (rt_op_numbered((RtOp)e.op))
    numbered(k, t, v);
  else
    plain(k, t, v);
  return true;
}

// Not by a call of the module, and main has not returned: code outside called exit.
static void end_process(Importer *k, ImportThread *t) {
  leave(k, t, k->end);
  Event *e = &vec_last(&k->c->events);
  if (e->site == SIGMA_NONE && t->number) e->wake = EVENT_ENDED;
}

static void run(Importer *k) {
  RtEvent v;
  k->merge = rt_merge_new(k->r);
  for (k->index = 0; rt_merge_next(k->merge, &v); ++k->index) step(k, &v);
  if (k->ended && !k->stopped && !k->threads.at[k->ender].left) end_process(k, &k->threads.at[k->ender]);
  RtOrder order = rt_merge_order(k->merge, &v);
  k->whole = order == RT_ORDER_WHOLE;
  if (order == RT_ORDER_BROKEN)
    diag_warning(k->diags, "recording is inconsistent; kept the events up to the contradiction");
  const RtProcess *p = rt_recording_process(k->r);
  if (order != RT_ORDER_WHOLE || k->stopped || p->why || p->end != RT_END_EXIT) k->c->incomplete = true;
}

static void finish_schedule(Importer *k) {
  Schedule *c = k->c;
  const Event *last = c->events.len ? &vec_last(&c->events) : NULL;
  if (!last || last->kind != SYNC_EXIT) c->incomplete = true;
  import_end(k);
  import_inputs(k);
}

// A process may be killed between what it writes of a wait's mutex and of its condition variable.
static bool objects_are_known(Importer *k) {
  for (vec_each(i, &k->c->events)) {
    const Event *e = &k->c->events.at[i];
    if (e->object != SIGMA_NONE || !(event_shape(e->kind) & EVENT_HAS_OBJECT)) continue;
    diag_error(k->diags, "event %zu is a %s, but its object is not in the recording", i, event_word(e->kind));
    return false;
  }
  return true;
}

uint32_t import_recording(Sigma *s, const RtRecording *r, const ImportNames *n, const ImportOptions *o,
                          ImportResult *result, Diags *diags) {
  Importer k = {.s = s, .r = r, .n = n, .o = o, .diags = diags, .first_input = SIZE_MAX};
  assert(r && callgraph_sites(n->graph) == n->sites);
  *result = IMPORT_KNOWN;
  k.c = sigma_add_schedule(s);
  k.c->order = o->order;
  k.thread_of = map_new(), k.site_of = map_new(), k.object_of = map_new(), k.once_done = map_new();
  k.cell_of = map_new();
  k.symbols = symbols_new(n->binary, rt_recording_process(r)->anchor);
  k.stacks = stacks_new(k.c);
  ImportThread *main = add_thread(&k, 0, 0);
  main->entered = true;
  run(&k);
  CHECKED(importer_check(&k));
  finish_schedule(&k);
  import_standing(&k);
  CHECKED(importer_check(&k));
  static const Exclude nothing = {.most = SIGMA_NONE};
  size_t events = k.c->events.len;
  bool ok = objects_are_known(&k) && sigma_exclude(s, n, o->exclude ? o->exclude : &nothing, diags);
  if (ok) import_cut(&k);
  if (k.c->events.len != events) k.c->standing.len = 0;  // what led there is not all there
  rt_merge_free(k.merge);
  stacks_free(k.stacks);
  for (vec_each(i, &k.threads)) vec_free(&k.threads.at[i].handling);
  vec_free(&k.threads);
  map_free(k.thread_of), map_free(k.site_of), map_free(k.object_of), map_free(k.once_done);
  vec_free(&k.cells), map_free(k.cell_of);
  symbols_free(k.symbols);
  uint32_t id = (uint32_t)s->schedules.len - 1;
  Order *order = ok ? order_new(s, id, diags) : NULL;
  if (!order) return SIGMA_NONE;
  order_free(order);
  CHECKED(sigma_assert_whole(s));
  uint32_t known = sigma_recorded_as(s, id);
  assert(known == SIGMA_NONE || known < id);
  if (known == SIGMA_NONE) return *result = IMPORT_ADDED, id;
  for (vec_each(i, &k.c->outside))
    if (schedule_add_outside(s->schedules.at[known], k.c->outside.at[i])) *result = IMPORT_CHANGED;
  sigma_drop_schedule(s);
  return known;
}
