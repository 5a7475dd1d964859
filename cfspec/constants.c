// The schedule as the runtime reads it (rt/enforce.h). Every struct here has its members in that order.
#include "specializer.h"
#include <assert.h>

LLVMValueRef constant_global(Module *k, LLVMValueRef initial, const char *name) {
  LLVMValueRef g = LLVMAddGlobal(k->m, LLVMTypeOf(initial), name);
  LLVMSetInitializer(g, initial);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMPrivateLinkage);
  return g;
}

// For messages of the runtime, which go to a terminal.
LLVMValueRef constant_text(Module *k, const char *s) {
  if (!s) return LLVMConstNull(k->ptr);
  uint32_t id = intern_id(k->words, s, strlen(s));
  uint64_t known;
  if (map_get(k->texts, id, &known)) return (LLVMValueRef)(uintptr_t)known;
  char *text = shown(s);
  LLVMValueRef g = constant_global(k, LLVMConstStringInContext2(k->c, text, strlen(text), 0), "");
  mem_free(text);
  LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
  map_put(k->texts, id, map_key(g));
  return g;
}

static LLVMValueRef number(Module *k, uint32_t n) {
  return LLVMConstInt(k->i32, n, 0);
}
static LLVMValueRef byte(Module *k, unsigned n) {
  return LLVMConstInt(LLVMInt8TypeInContext(k->c), n, 0);
}
static LLVMValueRef structure(Module *k, LLVMValueRef *members, unsigned n) {
  return LLVMConstStructInContext(k->c, members, n, 0);
}
#define STRUCTURE(k, members) structure(k, members, (unsigned)(sizeof(members) / sizeof *(members)))

static LLVMValueRef table(Module *k, LLVMValueRef *items, size_t n, const char *name) {
  if (!n) return LLVMConstNull(k->ptr);
  return constant_global(k, LLVMConstArray2(LLVMTypeOf(items[0]), items, n), name);
}

LLVMValueRef runtime_function(Module *k, const char *name, LLVMTypeRef type, bool comes_back) {
  LLVMValueRef f = LLVMGetNamedFunction(k->m, name);
  if (f) return f;
  f = LLVMAddFunction(k->m, name, type);
  attribute_set(f, comes_back ? "noduplicate" : "noreturn", true);
  if (!comes_back) attribute_set(f, "cold", true);
  return f;
}

static bool is_published(const Spec *s, uint32_t event) {
  return s->published[event];
}

// Operations, and what tells where a jump comes from: the jumps before it and the calls that they leave.
static void find_published(Spec *s) {
  for (vec_each(i, &s->schedule->events)) s->published[i] = s->schedule->events.at[i].kind < EVENT_CALL;
  for (vec_each(a, &s->plan->activations))
    for (vec_each(i, &s->plan->activations.at[a].steps)) {
      const Step *t = &s->plan->activations.at[a].steps.at[i];
      if (t->jump != SIGMA_NONE) s->published[t->jump] = true;
      if (t->jumped) s->published[t->call] = true;
    }
}

static uint32_t module_site(const Spec *s, const Event *e) {
  if (e->site == SIGMA_NONE) return SITE_NONE;
  const char *name = sigma_text(s->plan->sigma, s->plan->sigma->sites.at[e->site].name);
  return sites_find(s->k->sites, name, strlen(name));
}

// Positions that are published, rounds of barriers.
void nodes_prepare(Spec *s) {
  size_t n = s->schedule->events.len;
  s->node = mem_array(n + 1, sizeof *s->node);
  s->before = mem_array(n + 1, sizeof *s->before);
  s->place = mem_array(n + 1, sizeof *s->place);
  s->round = mem_array(n + 1, sizeof *s->round);
  s->exits = mem_array(s->schedule->threads + 1, sizeof *s->exits);
  s->exit_event = mem_array(s->schedule->threads + 1, sizeof *s->exit_event);
  s->exit_site = mem_array(s->schedule->threads + 1, sizeof *s->exit_site);
  s->create = mem_array(s->schedule->threads + 1, sizeof *s->create);
  s->cancelled = mem_array(s->schedule->threads + 1, sizeof *s->cancelled);
  uint32_t *published = s->last = mem_array(s->schedule->threads + 1, sizeof *published);
  s->published = mem_array(n + 1, sizeof *s->published);
  find_published(s);
  uint32_t *rounds = mem_array(s->schedule->objects.len + 1, sizeof *rounds);
  Map *round_of = map_new();
  for (uint32_t i = 0; i < n; ++i) {
    const Event *e = &s->schedule->events.at[i];
    s->before[i] = published[e->thread];
    if (is_published(s, i)) published[e->thread] = order_position(s->order, i) + 1;
    if (e->kind == SYNC_EXIT) {
      s->exits[e->thread] = true;
      s->exit_event[e->thread] = i;
      uint32_t site = module_site(s, e);
      s->exit_site[e->thread] = site != SITE_NONE && plan_soft(s->plan, site) ? SITE_NONE : site;
    }
    if (e->kind == SYNC_CREATE && e->other != SIGMA_NONE) s->create[e->other] = i;
    if (e->kind == SYNC_CANCEL && e->other != SIGMA_NONE) s->cancelled[e->other] = true;
    uint32_t generation = order_generation(s->order, i);
    if (generation == SIGMA_NONE) continue;
    uint64_t known;
    if (!map_get(round_of, generation, &known)) map_put(round_of, generation, known = rounds[e->object]++);
    s->round[i] = (uint32_t)known;
  }
  map_free(round_of);
  mem_free(rounds);
  CHECKED(spec_check(s));
}

int32_t outcome_number(const Event *e) {
  if (e->wake == EVENT_CANCELLED) return RT_ENF_CANCELLED;
  if (e->wake == EVENT_SPURIOUS) return RT_ENF_SPURIOUS;
  switch (e->outcome) {
    case SYNC_OK:
      return 0;
    case SYNC_RAN:
      return RT_ENF_RAN;
    case SYNC_SERIAL:
      return RT_ENF_SERIAL;
    default:
      return e->outcome == SYNC_FAILED ? RT_ENF_FAILED : sync_error_of_outcome(e->outcome);
  }
}

static LLVMValueRef constant_symbol(Module *k, const char *symbol) {
  if (!symbol) return constant_text(k, NULL);
  char *name = where_name(symbol);
  LLVMValueRef made = constant_text(k, name);
  mem_free(name);
  return made;
}

// By the name that the source has for it, where it has one: 'counter_lock' (m0).
void object_words(const Sigma *s, const Schedule *c, uint32_t object, Bytes *out) {
  const SigmaObject *x = &c->objects.at[object];
  char *name = x->name == SIGMA_NONE ? NULL : where_names(sigma_text(s, x->name));
  if (name) bytes_text(out, "'"), bytes_text(out, name), bytes_text(out, "' (");
  object_print(c, object, out);
  if (name) bytes_text(out, ")");
  mem_free(name);
}

static void place_of(Spec *s, uint32_t event, uint32_t *index) {
  Module *k = s->k;
  assert(event < s->schedule->events.len);
  if (s->place[event]) {
    *index = s->place[event] - 1;
    return;
  }
  const Event *e = &s->schedule->events.at[event];
  const SigmaSite *site = e->site == SIGMA_NONE ? NULL : &s->plan->sigma->sites.at[e->site];
  Bytes what = {0};
  event_word_print(e, &what);
  if (e->object != SIGMA_NONE)
    vec_push(&what, ' '), object_words(s->plan->sigma, s->schedule, e->object, &what);
  vec_push(&what, 0);
  char *function = NULL;
  if (site) {
    const char *name = sigma_text(s->plan->sigma, site->name);
    function = mem_format("%.*s", (int)(strrchr(name, '#') - name), name);
  } else if (e->other != SIGMA_NONE && (e->kind == SYNC_ENTER || e->kind == EVENT_CALLBACK)) {
    function = mem_string(sigma_text(s->plan->sigma, e->other));
  }
  const char *file = site && site->file != SIGMA_NONE ? sigma_text(s->plan->sigma, site->file) : NULL;
  LLVMValueRef members[] = {constant_symbol(k, function),       constant_text(k, file),
                            constant_text(k, (char *)what.at),  number(k, site ? site->line : 0),
                            number(k, site ? site->column : 0), number(k, 0)};
  mem_free(function);
  vec_free(&what);
  vec_push(&s->places, STRUCTURE(k, members));
  s->place[event] = (uint32_t)s->places.len;
  *index = s->place[event] - 1;
}

// Where the last published event of the thread of `event` is, itself included.
static uint32_t published_by(const Spec *s, uint32_t event) {
  return is_published(s, event) ? order_position(s->order, event) + 1 : s->before[event];
}

// In total order each waits for the one before it that can be waited for: calls and returns lie between, and
// what they would wait for is not lost with them.
static size_t waits_for(const Spec *s, uint32_t event, const OrderWait **waits, OrderWait *before) {
  if (s->schedule->order != SIGMA_TOTAL) return order_waits(s->order, event, waits);
  const Event *all = s->schedule->events.at;
  *waits = before;
  for (uint32_t i = event; i-- > 0;) {
    if (!is_published(s, i)) continue;
    before->event = i, before->credit = 0;
    return all[i].thread != all[event].thread;
  }
  return 0;
}

static LLVMValueRef waits_of(Spec *s, uint32_t event, uint32_t *count) {
  const OrderWait *waits;
  OrderWait before;
  size_t n = waits_for(s, event, &waits, &before);
  LLVMTypeRef pair[] = {s->k->i32, s->k->i32};
  LLVMValueRef *all = mem_array(n + 1, sizeof *all);
  *count = 0;
  for (size_t i = 0; i < n; ++i) {
    uint32_t need = published_by(s, waits[i].event);
    LLVMValueRef members[] = {number(s->k, s->schedule->events.at[waits[i].event].thread),
                              number(s->k, need)};
    if (need) all[(*count)++] = STRUCTURE(s->k, members);
  }
  LLVMValueRef made = LLVMConstArray2(LLVMStructTypeInContext(s->k->c, pair, 2, 0), all, *count);
  mem_free(all);
  return made;
}

// The routine that a created thread runs, as it is in the program, and the clone in its place. That of a
// std::thread is its run method.
static void child_code(Spec *s, const Event *e, LLVMValueRef *code, LLVMValueRef *function) {
  *code = *function = LLVMConstNull(s->k->ptr);
  if (e->kind != SYNC_CREATE || e->other == SIGMA_NONE) return;
  uint32_t a = s->plan->routine[e->other];
  if (a == PLAN_NONE) return;
  const Activation *routine = &s->plan->activations.at[a];
  uint32_t site = module_site(s, e);
  const Sync *how = site == SITE_NONE ? NULL : sync_of_call(sites_call(s->k->sites, site));
  if (routine->function == CALLGRAPH_NONE || !how || how->start.place == SYNC_ABSENT) return;
  *function = s->k->address[routine->function];
  if (maysync_function(s->k->sync, routine->function)) *code = s->clone[a];
}

// The clone of the routine that a once runs, if there are events in it: called back while the call at the
// once's own site is open.
static LLVMValueRef once_code(Spec *s, uint32_t event) {
  const Event *all = s->schedule->events.at, *e = &all[event];
  uint32_t call = order_path(s->order, event);
  if (e->kind != SYNC_ONCE || e->outcome != SYNC_RAN || call == SIGMA_NONE || all[call].site != e->site)
    return NULL;
  for (uint32_t i = 0; i < s->plan->activations.len; ++i) {
    const Activation *a = &s->plan->activations.at[i];
    if (a->begin == BEGIN_CALLBACK && a->thread == e->thread && order_path(s->order, a->event) == call)
      return s->clone[i];
  }
  return NULL;
}

static LLVMValueRef depart_of(Spec *s, uint32_t event) {
  const Event *e = &s->schedule->events.at[event];
  uint32_t thread_next = order_position(s->order, event) + 1;
  if (e->phase != EVENT_ARRIVE || thread_next >= order_count(s->order, e->thread)) return NULL;
  uint32_t next = order_event(s->order, e->thread, thread_next);
  return s->schedule->events.at[next].phase == EVENT_DEPART ? node_of(s, next) : NULL;
}

// What an atomic operation read, as rt/enforce/inline.h finds it in the node.
static bool was_read(const Spec *s, const Event *e, uint64_t *value) {
  AtomicEffect x;
  if (e->kind != SYNC_ATOMIC) return false;
  bool whole = effect_parse(sigma_text(s->plan->sigma, e->other), &x);
  assert(whole);
  *value = x.was;
  return x.has_was;
}

static LLVMValueRef new_node(Spec *s, uint32_t event) {
  Module *k = s->k;
  const Event *e = &s->schedule->events.at[event];
  bool thread =
      e->kind == SYNC_CREATE || e->kind == SYNC_JOIN || e->kind == SYNC_DETACH || e->kind == SYNC_CANCEL;
  uint32_t waits, place;
  place_of(s, event, &place);
  LLVMValueRef wait = waits_of(s, event, &waits), depart = depart_of(s, event), code, function;
  child_code(s, e, &code, &function);
  LLVMValueRef once = once_code(s, event);
  if (once) code = once;
  uint32_t waker = order_waker(s->order, event);
  uint32_t round = waker == SIGMA_NONE ? s->round[event] : order_position(s->order, waker) + 1;
  uint32_t mutex = e->kind == SYNC_WAIT ? e->other : RT_NONE32;
  uint32_t woken = waker == SIGMA_NONE ? RT_NONE32 : s->schedule->events.at[waker].thread;
  uint64_t was;
  if (was_read(s, e, &was)) mutex = 0, round = (uint32_t)was, woken = (uint32_t)(was >> 32);
  LLVMValueRef members[] = {number(k, e->thread),
                            number(k, order_position(s->order, event)),
                            number(k, s->before[event]),
                            number(k, thread ? e->other : e->object),
                            number(k, mutex),
                            number(k, (uint32_t)outcome_number(e)),
                            number(k, place),
                            number(k, round),
                            depart ? depart : LLVMConstNull(k->ptr),
                            code,
                            function,
                            number(k, waits),
                            number(k, woken),
                            wait};
  char *name = mem_format("specialize.s%u.t%u.%u", s->id, e->thread, order_position(s->order, event));
  LLVMValueRef g = constant_global(k, STRUCTURE(k, members), name);
  LLVMSetAlignment(g, 8);
  mem_free(name);
  return g;
}

LLVMValueRef node_of(Spec *s, uint32_t event) {
  assert(event < s->schedule->events.len && is_published(s, event));
  if (!s->node[event]) s->node[event] = new_node(s, event);
  return s->node[event];
}

const char *function_name(const Module *k, LLVMValueRef f) {
  uint32_t id = callgraph_id(k->graph, f);
  return LLVMGetValueName(id == CALLGRAPH_NONE ? f : k->address[id]);
}

LLVMValueRef edge_constant(Spec *s, uint32_t thread, uint32_t next, LLVMValueRef at, const char *seen) {
  Module *k = s->k;
  assert(thread < s->schedule->threads && (next == SIGMA_NONE || next < s->schedule->events.len));
  Place w = where(at);
  uint32_t place = RT_NONE32;
  if (next != SIGMA_NONE) place_of(s, next, &place);
  LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
  LLVMValueRef members[] = {
      number(k, thread),        number(k, place),       constant_symbol(k, function_name(k, f)),
      constant_text(k, w.file), constant_text(k, seen), number(k, w.line),
      number(k, w.column)};
  return constant_global(k, STRUCTURE(k, members), "");
}

// Enter and exit events have no call in a clone: the runtime meets them.
static LLVMValueRef plan_of(Spec *s, uint32_t thread, LLVMValueRef callbacks, uint32_t count) {
  Module *k = s->k;
  LLVMValueRef none = LLVMConstNull(k->ptr), enter = none, exit = none;
  uint32_t n = order_count(s->order, thread);
  const char *routine = "main";
  for (uint32_t p = 0; p < n; ++p) {
    uint32_t event = order_event(s->order, thread, p);
    const Event *e = &s->schedule->events.at[event];
    if (e->kind == SYNC_ENTER) enter = node_of(s, event), routine = sigma_text(s->plan->sigma, e->other);
    if (e->kind == SYNC_EXIT) exit = node_of(s, event);
  }
  LLVMValueRef members[] = {
      constant_symbol(k, routine), enter, exit, number(k, n), number(k, count), callbacks};
  return STRUCTURE(k, members);
}

static LLVMValueRef callback_constant(Spec *s, const Activation *a, uint32_t index) {
  Module *k = s->k;
  // A routine is entered behind the thread's first event.
  uint32_t before = a->begin == BEGIN_ROUTINE ? published_by(s, a->event) : s->before[a->event];
  LLVMValueRef members[] = {k->address[a->function], s->clone[index], number(k, before),
                            number(k, order_position(s->order, a->event))};
  return STRUCTURE(k, members);
}

// A routine that the creating call cannot be told to replace is entered like a callback.
static bool is_entered(Spec *s, const Activation *a) {
  if (a->function == CALLGRAPH_NONE || !maysync_function(s->k->sync, a->function)) return false;
  if (a->begin == BEGIN_CALLBACK) return true;
  if (a->begin != BEGIN_ROUTINE) return false;
  LLVMValueRef code, function;
  child_code(s, &s->schedule->events.at[s->create[a->thread]], &code, &function);
  return LLVMIsNull(code);
}

static LLVMValueRef plans(Spec *s) {
  uint32_t threads = s->schedule->threads;
  LLVMValueRef *all = mem_array(threads + 1, sizeof *all);
  Vec(LLVMValueRef) *lists = mem_array(threads + 1, sizeof *lists);
  for (uint32_t i = 0; i < s->plan->activations.len; ++i) {
    const Activation *a = &s->plan->activations.at[i];
    if (is_entered(s, a)) vec_push(&lists[a->thread], callback_constant(s, a, i));
  }
  for (uint32_t t = 0; t < threads; ++t) {
    LLVMValueRef callbacks = table(s->k, lists[t].at, lists[t].len, "");
    all[t] = plan_of(s, t, callbacks, (uint32_t)lists[t].len);
    vec_free(&lists[t]);
  }
  LLVMValueRef made = table(s->k, all, threads, "");
  mem_free(all), mem_free(lists);
  return made;
}

uint8_t kind_of_family(uint8_t family) {
  static const uint8_t kinds[] = {
      [SYNC_MUTEX] = RT_MUTEX,         [SYNC_RWLOCK] = RT_RWLOCK,          [SYNC_SPIN] = RT_SPIN,
      [SYNC_COND] = RT_COND,           [SYNC_BARRIER_OBJECT] = RT_BARRIER, [SYNC_SEMAPHORE] = RT_SEMAPHORE,
      [SYNC_ONCE_FLAG] = RT_ONCE_FLAG, [SYNC_FUTEX] = RT_UNMODELLED,       [SYNC_CELL] = RT_ATOMIC_CELL};
  return kinds[family];
}

static LLVMValueRef lives(Spec *s) {
  Module *k = s->k;
  size_t n = s->schedule->objects.len;
  Vec(LLVMValueRef) *lasts = mem_array(n + 1, sizeof *lasts);
  uint32_t *rounds = mem_array(n + 1, sizeof *rounds);
  Map *seen = map_new();
  for (size_t i = s->schedule->events.len; i-- > 0;) {
    const Event *e = &s->schedule->events.at[i];
    if (!is_published(s, (uint32_t)i)) continue;
    uint32_t of[2] = {e->object, e->kind == SYNC_WAIT ? e->other : SIGMA_NONE};
    for (int j = 0; j < 2; ++j) {
      uint64_t key = (uint64_t)of[j] << 32 | e->thread, known;
      if (of[j] == SIGMA_NONE || map_get(seen, key, &known)) continue;
      map_put(seen, key, 1);
      LLVMValueRef pair[] = {number(k, e->thread), number(k, order_position(s->order, (uint32_t)i) + 1)};
      vec_push(&lasts[of[j]], STRUCTURE(k, pair));
    }
    if (e->kind == SYNC_BARRIER && e->object != SIGMA_NONE && s->round[i] >= rounds[e->object])
      rounds[e->object] = s->round[i] + 1;
  }
  LLVMValueRef *all = mem_array(n + 1, sizeof *all);
  for (uint32_t o = 0; o < n; ++o) {
    const SigmaObject *x = &s->schedule->objects.at[o];
    Bytes name = {0};
    object_words(s->plan->sigma, s->schedule, o, &name);
    vec_push(&name, 0);
    LLVMValueRef members[] = {byte(k, kind_of_family(x->family)),
                              byte(k, x->recursive),
                              byte(k, x->robust),
                              number(k, x->amount),
                              number(k, rounds[o]),
                              constant_text(k, (char *)name.at),
                              number(k, (uint32_t)lasts[o].len),
                              table(k, lasts[o].at, lasts[o].len, "")};
    all[o] = STRUCTURE(k, members);
    vec_free(&name), vec_free(&lasts[o]);
  }
  LLVMValueRef made = table(k, all, n, "");
  map_free(seen);
  mem_free(all), mem_free(lasts), mem_free(rounds);
  return made;
}

// By thread and position: where each event is, and what. Places come in the order in which nodes were made.
// Calls that are left out of the clones are not what is expected.
static bool is_left_out(const Spec *s, uint32_t event) {
  const Event *e = &s->schedule->events.at[event];
  if (e->kind < EVENT_CALL || e->site == SIGMA_NONE) return false;
  const Sigma *sigma = s->plan->sigma;
  const char *name = sigma_text(sigma, sigma->sites.at[e->site].name);
  uint32_t site = sites_find(s->k->sites, name, strlen(name));
  return site != SITE_NONE && plan_soft(s->plan, site);
}

static LLVMValueRef steps(Spec *s) {
  Module *k = s->k;
  uint32_t threads = s->schedule->threads;
  LLVMValueRef *lists = mem_array(threads + 1, sizeof *lists);
  for (uint32_t t = 0; t < threads; ++t) {
    uint32_t n = order_count(s->order, t);
    LLVMValueRef *all = mem_array(n + 1, sizeof *all);
    uint32_t place = RT_NONE32;
    for (uint32_t p = n; p-- > 0;) {
      uint32_t event = order_event(s->order, t, p);
      if (place == RT_NONE32 || !is_left_out(s, event)) place_of(s, event, &place);
      all[p] = number(k, place);
    }
    lists[t] = table(k, all, n, "");
    mem_free(all);
  }
  LLVMValueRef made = table(k, lists, threads, "");
  mem_free(lists);
  return made;
}

bool sends_signals(const Module *k) {
  static const char *const names[] = {"kill",     "killpg",           "raise",  "pthread_kill",
                                      "sigqueue", "pthread_sigqueue", "tgkill", "syscall"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    LLVMValueRef f = LLVMGetNamedFunction(k->m, names[i]);
    if (f && LLVMGetFirstUse(f)) return true;
  }
  return false;
}

LLVMValueRef schedule_constant(Spec *s) {
  Module *k = s->k;
  LLVMValueRef all_steps = steps(s);
  LLVMValueRef all_plans = plans(s), all_lives = lives(s);
  // A run that was cut before its first event is only looked at.
  uint32_t ender = s->schedule->events.len ? vec_last(&s->schedule->events).thread : 0;
  LLVMValueRef members[] = {number(k, RT_ENFORCE_SENDS),
                            number(k, s->id),
                            number(k, s->schedule->threads),
                            number(k, (uint32_t)s->schedule->objects.len),
                            number(k, (uint32_t)s->places.len),
                            byte(k, s->schedule->order == SIGMA_TOTAL),
                            byte(k, k->free),
                            number(k, ender),
                            all_plans,
                            all_lives,
                            table(k, s->places.at, s->places.len, ""),
                            all_steps,
                            number(k, sends_signals(k))};
  char *name = mem_format("specialize.schedule.%u", s->id);
  LLVMValueRef g = constant_global(k, STRUCTURE(k, members), name);
  mem_free(name);
  return g;
}
