// A thread stands in a stack of frames. The frame of a call whose function is not known yet has no
// activation: the first event in it tells. A callback's frame stays until the code outside goes on, which
// shows by the next callback or by the end of the call around it.
#include "plan.h"
#include <assert.h>

typedef struct {
  uint32_t activation;  // PLAN_NONE: called, and nothing has happened in it
  bool callback;
} Frame;
typedef struct {
  Vec(Frame) frames;
  bool ended;
} Stack;

typedef struct {
  Plan *p;
  const Sites *sites;
  uint32_t *module_site;  // by site of Σ
  EventStacks *stacks;
  Stack *threads;
  bool *cancelled;  // by thread: somebody tried
  Diags *diags;
} Planner;

static Activation *at(const Planner *k, uint32_t a) {
  return &k->p->activations.at[a];
}

static uint32_t add(Planner *k, uint32_t thread, uint32_t function, BeginHow how, uint32_t event,
                    uint32_t caller) {
  Activation a = {.thread = thread, .function = function, .begin = how, .event = event, .caller = caller};
  a.end = END_STOPS;
  a.end_event = SIGMA_NONE;
  vec_push(&k->p->activations, a);
  return (uint32_t)k->p->activations.len - 1;
}

static void push(Stack *t, uint32_t activation, bool callback) {
  Frame f = {activation, callback};
  vec_push(&t->frames, f);
}

static bool wrong(Planner *k, uint32_t event, const char *what) {
  const Event *e = &k->p->schedule->events.at[event];
  Bytes text = {0};
  event_print(k->p->sigma, k->p->schedule, event, &text);
  vec_push(&text, 0);
  Place w = {e->line ? k->p->sigma->file : NULL, e->line, 0};
  diag(k->diags, DIAG_ERROR, w, "event %u `%s`: %s", event, (char *)text.at, what);
  vec_free(&text);
  return false;
}

static uint32_t function_named(const Planner *k, uint32_t text) {
  LLVMModuleRef m = LLVMGetGlobalParent(callgraph_function(k->p->graph, 0));
  LLVMValueRef f = text == SIGMA_NONE ? NULL : LLVMGetNamedFunction(m, sigma_text(k->p->sigma, text));
  return f && !LLVMIsDeclaration(f) ? callgraph_id(k->p->graph, f) : CALLGRAPH_NONE;
}

// The innermost activation that has a function, for an event at this site.
static uint32_t current(Planner *k, Stack *t, uint32_t event, uint32_t site) {
  uint32_t function = callgraph_id(k->p->graph, sites_function(k->sites, site));
  uint32_t thread = k->p->schedule->events.at[event].thread;
  if (!t->frames.len) return wrong(k, event, "the thread is not in a function of the module"), PLAN_NONE;
  Frame *f = &vec_last(&t->frames);
  if (f->activation == PLAN_NONE) {
    uint32_t caller = t->frames.at[t->frames.len - 2].activation;
    Step *s = &vec_last(&at(k, caller)->steps);
    f->activation = s->callee = (uint32_t)k->p->activations.len;
    add(k, thread, function, BEGIN_CALL, s->call, caller);
  }
  Activation *a = at(k, f->activation);
  if (a->function == CALLGRAPH_NONE) a->function = function;
  if (a->function != function) return wrong(k, event, "the thread is in another function"), PLAN_NONE;
  return f->activation;
}

// The step whose call is open in the frame below the innermost one.
static Step *open_call(Planner *k, Stack *t, uint32_t site) {
  for (size_t i = t->frames.len; i-- > 1;) {
    Activation *a =
        t->frames.at[i - 1].activation == PLAN_NONE ? NULL : at(k, t->frames.at[i - 1].activation);
    Step *s = a && a->steps.len ? &vec_last(&a->steps) : NULL;
    if (s && s->call != SIGMA_NONE && s->site == site) return s;
    if (!t->frames.at[i].callback) return NULL;
  }
  return NULL;
}

static void end_frame(Planner *k, Frame f, EndHow how, uint32_t event) {
  if (f.activation == PLAN_NONE) return;
  at(k, f.activation)->end = how;
  at(k, f.activation)->end_event = event;
}

static bool leave(Planner *k, Stack *t, uint32_t event, StackStep step, EndHow how) {
  if (step.wrong || t->frames.len < 2) return wrong(k, event, "no such call is open");
  end_frame(k, vec_pop(&t->frames), how, event);
  uint32_t caller = vec_last(&t->frames).activation;
  assert(caller != PLAN_NONE && at(k, caller)->steps.len);
  Step *s = &vec_last(&at(k, caller)->steps);
  assert(s->call == step.left);
  s->end = how;
  return true;
}

static bool callback(Planner *k, Stack *t, uint32_t event) {
  const Event *e = &k->p->schedule->events.at[event];
  uint32_t function = function_named(k, e->other);
  if (function == CALLGRAPH_NONE) return wrong(k, event, "the module has no such function");
  // A call of outside code stays open, with nothing of the module in it but callbacks.
  uint32_t caller = PLAN_NONE;
  for (size_t i = t->frames.len; i-- && caller == PLAN_NONE;) caller = t->frames.at[i].activation;
  push(t, add(k, e->thread, function, BEGIN_CALLBACK, event, caller), true);
  return true;
}

static Step *add_step(Planner *k, uint32_t activation, uint32_t site) {
  Step s = {.site = site,
            .call = SIGMA_NONE,
            .operation = SIGMA_NONE,
            .depart = SIGMA_NONE,
            .jump = SIGMA_NONE,
            .callee = PLAN_NONE,
            .end = END_STOPS};
  vec_push(&at(k, activation)->steps, s);
  return &vec_last(&at(k, activation)->steps);
}

static Step *operation_of(Planner *k, Stack *t, uint32_t site) {
  Step *s = open_call(k, t, site);
  if (s) return s;
  Activation *a = t->frames.len && vec_last(&t->frames).activation != PLAN_NONE
                      ? at(k, vec_last(&t->frames).activation)
                      : NULL;
  return a && a->steps.len && vec_last(&a->steps).site == site ? &vec_last(&a->steps) : NULL;
}

static bool operation(Planner *k, Stack *t, uint32_t event) {
  const Event *e = &k->p->schedule->events.at[event];
  uint32_t site = k->module_site[e->site];
  if (e->phase == EVENT_DEPART) {
    Step *s = operation_of(k, t, site);
    if (!s) return wrong(k, event, "no such wait is open");
    s->depart = event;
    if (e->wake != EVENT_CANCELLED) s->end = s->call == SIGMA_NONE ? END_RETURNS : s->end;
    return true;
  }
  Step *s = open_call(k, t, site);
  if (!s) {
    uint32_t a = current(k, t, event, site);
    if (a == PLAN_NONE) return false;
    s = add_step(k, a, site);
    bool waits = e->phase == EVENT_ARRIVE && e->outcome == SYNC_OK;
    bool stops = e->kind == SYNC_EXIT || waits || e->wake == EVENT_CANCELLED;
    s->end = stops ? END_STOPS : END_RETURNS;
  } else if (s->operation != SIGMA_NONE) {
    return wrong(k, event, "a second operation in one call");
  }
  s->operation = event;
  return true;
}

static bool call(Planner *k, Stack *t, uint32_t event) {
  uint32_t site = k->module_site[k->p->schedule->events.at[event].site];
  uint32_t a = current(k, t, event, site);
  if (a == PLAN_NONE) return false;
  add_step(k, a, site)->call = event;
  push(t, PLAN_NONE, false);
  return true;
}

static bool jump(Planner *k, Stack *t, uint32_t event) {
  uint32_t site = k->module_site[k->p->schedule->events.at[event].site];
  uint32_t a = current(k, t, event, site);
  if (a == PLAN_NONE) return false;
  if (at(k, a)->steps.len) {
    Step *before = &vec_last(&at(k, a)->steps);
    before->jumped = before->call != SIGMA_NONE && before->end == END_UNWINDS;
  }
  Step *s = add_step(k, a, site);
  s->jump = event, s->end = END_RETURNS;
  return true;
}

static bool is_exit_call(const Sites *sites, uint32_t site) {
  const Sync *s = sync_of_call(sites_call(sites, site));
  return s && s->kind == SYNC_EXIT;
}

// By returning from its routine, by pthread_exit at a site of its own, or in some call that does not return.
static bool exits(Planner *k, Stack *t, uint32_t event) {
  const Event *e = &k->p->schedule->events.at[event];
  t->ended = true;
  bool by_call = e->site != SIGMA_NONE && is_exit_call(k->sites, k->module_site[e->site]);
  bool unwound = by_call && plan_soft(k->p, k->module_site[e->site]);
  if (by_call && !unwound) return operation(k, t, event);
  while (t->frames.len && (e->site == SIGMA_NONE || unwound || vec_last(&t->frames).callback)) {
    Frame f = vec_pop(&t->frames);
    bool cancelled = (k->cancelled[e->thread] || e->wake == EVENT_ENDED || unwound) && !f.callback;
    end_frame(k, f, cancelled ? END_EITHER : END_RETURNS, event);
  }
  return true;
}

static bool step(Planner *k, uint32_t event) {
  const Event *e = &k->p->schedule->events.at[event];
  Stack *t = &k->threads[e->thread];
  StackStep stack = stacks_pass(k->stacks, event);
  if (e->kind >= EVENT_CALL && e->site != SIGMA_NONE && plan_soft(k->p, k->module_site[e->site])) return true;
  if (stack.over != SIGMA_NONE) {
    assert(vec_last(&t->frames).callback);
    end_frame(k, vec_pop(&t->frames), e->kind == EVENT_UNWIND ? END_UNWINDS : END_RETURNS, event);
  }
  switch (e->kind) {
    case SYNC_ENTER: {
      uint32_t a = add(k, e->thread, function_named(k, e->other), BEGIN_ROUTINE, event, PLAN_NONE);
      push(t, k->p->routine[e->thread] = a, false);
      return true;
    }
    case SYNC_EXIT:
      return exits(k, t, event);
    case EVENT_CALL:
      return call(k, t, event);
    case EVENT_RET:
      return leave(k, t, event, stack, END_RETURNS);
    case EVENT_UNWIND:
      return leave(k, t, event, stack, END_UNWINDS);
    case EVENT_CALLBACK:
      return callback(k, t, event);
    case EVENT_JUMP:
      return jump(k, t, event);
    case SYNC_CANCEL:
      if (e->other != SIGMA_NONE) k->cancelled[e->other] = true;
      return operation(k, t, event);
    default:
      return operation(k, t, event);
  }
}

// A thread that is in a call when the process ends may come to events there that never were.
static void finish_thread(Planner *k, uint32_t thread) {
  Stack *t = &k->threads[thread];
  if (t->frames.len < 2 || vec_last(&t->frames).activation != PLAN_NONE) return;
  uint32_t caller = t->frames.at[t->frames.len - 2].activation;
  if (caller == PLAN_NONE) return;
  Step *s = &vec_last(&at(k, caller)->steps);
  LLVMValueRef f = s->call == SIGMA_NONE ? NULL : call_function(sites_call(k->sites, s->site));
  if (!f || !LLVMIsAFunction(f) || LLVMIsDeclaration(f)) return;
  s->callee = (uint32_t)k->p->activations.len;
  add(k, thread, callgraph_id(k->p->graph, f), BEGIN_CALL, s->call, caller);
}

static uint32_t *find_sites(const Sigma *s, const Sites *sites) {
  uint32_t *found = mem_array(s->sites.len + 1, sizeof *found);
  for (vec_each(i, &s->sites)) {
    const char *name = sigma_text(s, s->sites.at[i].name);
    found[i] = sites_find(sites, name, strlen(name));
  }
  return found;
}

// Which calls hold an event somewhere, or do not end by returning. What holds such a call holds an event.
typedef Vec(uint32_t) OpenCalls;
static bool hold(OpenCalls *open, bool *holds) {
  bool changed = false;
  while (open->len) {
    uint32_t site = vec_pop(open);
    changed |= !holds[site];
    holds[site] = true;
  }
  return changed;
}

// Only those calls are kept open of which nothing is known yet: a call in one that holds something is as good
// as one in none.
static bool find_holding(const Planner *k, OpenCalls *open, bool *holds) {
  const Schedule *c = k->p->schedule;
  bool changed = false;
  for (vec_each(i, &c->events)) {
    const Event *e = &c->events.at[i];
    OpenCalls *calls = &open[e->thread];
    bool known = e->kind == EVENT_CALL && holds[k->module_site[e->site]];
    if (e->kind == EVENT_CALL && !known)
      vec_push(calls, k->module_site[e->site]);
    else if (e->kind == EVENT_RET && calls->len && vec_last(calls) == k->module_site[e->site])
      (void)vec_pop(calls);
    else if (e->kind != EVENT_RET)
      changed |= hold(calls, holds);
  }
  for (uint32_t t = 0; t < c->threads; ++t) changed |= hold(&open[t], holds);
  return changed;
}

static void find_soft(Planner *k) {
  const Schedule *c = k->p->schedule;
  bool *holds = mem_array(sites_count(k->sites) + 1, sizeof *holds);
  bool *soft = k->p->soft = mem_array(sites_count(k->sites) + 1, sizeof *soft);
  OpenCalls *open = mem_array(c->threads, sizeof *open);
  while (find_holding(k, open, holds))
    ;
  for (vec_each(i, &c->events))
    if (c->events.at[i].kind == EVENT_CALL) soft[k->module_site[c->events.at[i].site]] = true;
  for (uint32_t s = 0; s < sites_count(k->sites); ++s) soft[s] &= !holds[s];
  for (uint32_t t = 0; t < c->threads; ++t) vec_free(&open[t]);
  mem_free(open), mem_free(holds);
}

// pthread_exit runs cleanup handlers, by jumps, before its event: then that is the end of the thread and no
// step, and the call one like others.
static void soften_exits(Planner *k) {
  const Schedule *c = k->p->schedule;
  bool jumps = false;
  for (vec_each(i, &c->events)) jumps |= c->events.at[i].kind == EVENT_JUMP;
  for (uint32_t s = 0; s < sites_count(k->sites) && jumps; ++s) k->p->soft[s] |= is_exit_call(k->sites, s);
}

bool plan_make(Plan *p, const Sigma *s, uint32_t schedule, const Callgraph *graph, bool soften,
               Diags *diags) {
  assert(schedule < s->schedules.len && callgraph_count(graph));
  *p = (Plan){.sigma = s, .schedule = s->schedules.at[schedule], .graph = graph};
  Planner k = {.p = p, .sites = callgraph_sites(graph), .diags = diags};
  uint32_t threads = p->schedule->threads;
  k.module_site = find_sites(s, k.sites);
  if (soften) find_soft(&k), soften_exits(&k);
  k.stacks = stacks_new(p->schedule);
  k.threads = mem_array(threads, sizeof *k.threads);
  k.cancelled = mem_array(threads, sizeof *k.cancelled);
  p->routine = mem_array(threads, sizeof *p->routine);
  for (uint32_t t = 1; t < threads; ++t) p->routine[t] = PLAN_NONE;
  LLVMModuleRef m = LLVMGetGlobalParent(callgraph_function(graph, 0));
  uint32_t main = callgraph_id(graph, LLVMGetNamedFunction(m, "main"));
  push(&k.threads[0], add(&k, 0, main, BEGIN_MAIN, SIGMA_NONE, PLAN_NONE), false);
  bool ok = true;
  for (uint32_t e = 0; ok && e < p->schedule->events.len; ++e) ok = step(&k, e);
  for (uint32_t t = 0; ok && t < threads; ++t) finish_thread(&k, t);
  for (uint32_t t = 0; t < threads; ++t) vec_free(&k.threads[t].frames);
  stacks_free(k.stacks);
  mem_free(k.threads), mem_free(k.cancelled), mem_free(k.module_site);
  if (ok) CHECKED(plan_check(p));
  return ok;
}

// -- the check

typedef struct {
  const Plan *p;
  const Sites *sites;
  uint32_t *module_site;  // by site of Σ
  unsigned char *stands;  // by event: in how many steps,
  unsigned char *begins;  // and how many activations it begins
  unsigned char *called;  // by activation: in how many steps
} Checking;

static const Event *event_at(const Checking *c, uint32_t event) {
  assert(event < c->p->schedule->events.len);
  return &c->p->schedule->events.at[event];
}

static void check_event(Checking *c, const Activation *a, uint32_t event, uint32_t site) {
  const Event *e = event_at(c, event);
  assert(e->thread == a->thread && e->site != SIGMA_NONE && c->module_site[e->site] == site);
  ++c->stands[event];
}

// Who calls and who is called agree.
static void check_callee(Checking *c, uint32_t caller, const Step *s) {
  const Activation *callee = &c->p->activations.at[s->callee];
  assert(s->callee < c->p->activations.len && s->call != SIGMA_NONE);
  assert(callee->begin == BEGIN_CALL && callee->caller == caller && callee->event == s->call);
  ++c->called[s->callee];
}

static void check_step(Checking *c, uint32_t activation, const Step *s) {
  const Activation *a = &c->p->activations.at[activation];
  assert(s->site < sites_count(c->sites) && !plan_soft(c->p, s->site));
  assert(callgraph_id(c->p->graph, sites_function(c->sites, s->site)) == a->function);
  assert((s->jump != SIGMA_NONE) == (s->call == SIGMA_NONE && s->operation == SIGMA_NONE));
  if (s->jump != SIGMA_NONE) {
    check_event(c, a, s->jump, s->site);
    assert(event_at(c, s->jump)->kind == EVENT_JUMP);
  }
  if (s->call != SIGMA_NONE) {
    check_event(c, a, s->call, s->site);
    assert(event_at(c, s->call)->kind == EVENT_CALL);
  }
  if (s->operation != SIGMA_NONE) {
    check_event(c, a, s->operation, s->site);
    assert(event_at(c, s->operation)->kind < EVENT_CALL && (s->call == SIGMA_NONE || s->call < s->operation));
  }
  if (s->depart != SIGMA_NONE) {
    check_event(c, a, s->depart, s->site);
    assert(s->operation < s->depart && event_at(c, s->depart)->phase == EVENT_DEPART);
  }
  if (s->callee != PLAN_NONE) check_callee(c, activation, s);
}

static void check_begin(Checking *c, uint32_t activation) {
  static const int kinds[] = {
      [BEGIN_ROUTINE] = SYNC_ENTER, [BEGIN_CALL] = EVENT_CALL, [BEGIN_CALLBACK] = EVENT_CALLBACK};
  const Activation *a = &c->p->activations.at[activation];
  assert((a->begin == BEGIN_MAIN) == !activation && (a->begin == BEGIN_MAIN) == (a->event == SIGMA_NONE));
  assert(a->thread < c->p->schedule->threads && (activation || !a->thread));
  assert(a->function < callgraph_count(c->p->graph) || a->function == CALLGRAPH_NONE);
  assert(a->function != CALLGRAPH_NONE || a->begin == BEGIN_MAIN || a->begin == BEGIN_ROUTINE);
  bool own = a->begin == BEGIN_MAIN || a->begin == BEGIN_ROUTINE;
  assert(!own || (a->caller == PLAN_NONE && c->p->routine[a->thread] == activation));
  assert(a->begin != BEGIN_CALL || a->caller != PLAN_NONE);
  assert(a->caller == PLAN_NONE ||
         (a->caller < activation && c->p->activations.at[a->caller].thread == a->thread));
  if (a->event == SIGMA_NONE) return;
  assert(event_at(c, a->event)->kind == kinds[a->begin] && event_at(c, a->event)->thread == a->thread);
  ++c->begins[a->event];
}

static void check_activation(Checking *c, uint32_t activation) {
  const Activation *a = &c->p->activations.at[activation];
  uint32_t last = a->event;
  check_begin(c, activation);
  for (vec_each(i, &a->steps)) {
    const Step *s = &a->steps.at[i];
    check_step(c, activation, s);
    uint32_t first = s->jump != SIGMA_NONE ? s->jump : s->call != SIGMA_NONE ? s->call : s->operation;
    assert(last == SIGMA_NONE || last < first);
    last = s->jump != SIGMA_NONE        ? s->jump
           : s->depart != SIGMA_NONE    ? s->depart
           : s->operation != SIGMA_NONE ? s->operation
                                        : s->call;
  }
  assert((a->end == END_STOPS) == (a->end_event == SIGMA_NONE));
  if (a->end_event == SIGMA_NONE) return;
  assert(event_at(c, a->end_event)->thread == a->thread && (last == SIGMA_NONE || last < a->end_event));
}

// Every operation, and every call that is not soft, stands in one step. Threads and callbacks begin one
// activation each.
static void check_events(const Checking *c) {
  for (uint32_t i = 0; i < c->p->schedule->events.len; ++i) {
    const Event *e = event_at(c, i);
    uint32_t site = e->site == SIGMA_NONE ? SITE_NONE : c->module_site[e->site];
    bool enters = e->kind == SYNC_ENTER || e->kind == EVENT_CALLBACK;
    bool step = (e->kind < EVENT_CALL && !enters) || e->kind == EVENT_JUMP;
    if (e->kind == SYNC_EXIT)
      step = site != SITE_NONE && is_exit_call(c->sites, site) && !plan_soft(c->p, site);
    if (e->kind == EVENT_CALL) step = !plan_soft(c->p, site);
    assert(c->stands[i] == step);
    assert(e->kind == EVENT_CALL ? c->begins[i] <= step : c->begins[i] == enters);
  }
}

void plan_check(const Plan *p) {
  size_t events = p->schedule->events.len, activations = p->activations.len;
  Checking c = {.p = p, .sites = callgraph_sites(p->graph)};
  c.module_site = find_sites(p->sigma, c.sites);
  c.stands = mem_array(events + 1, sizeof *c.stands);
  c.begins = mem_array(events + 1, sizeof *c.begins);
  c.called = mem_array(activations + 1, sizeof *c.called);
  assert(activations);
  for (uint32_t i = 0; i < activations; ++i) check_activation(&c, i);
  for (uint32_t i = 0; i < activations; ++i)
    assert(c.called[i] == (p->activations.at[i].begin == BEGIN_CALL));
  for (uint32_t t = 0; t < p->schedule->threads; ++t)
    assert(p->routine[t] == PLAN_NONE ||
           (p->routine[t] < activations && p->activations.at[p->routine[t]].thread == t));
  check_events(&c);
  mem_free(c.module_site), mem_free(c.stands), mem_free(c.begins), mem_free(c.called);
}

void plan_free(Plan *p) {
  for (vec_each(i, &p->activations)) vec_free(&p->activations.at[i].steps);
  vec_free(&p->activations);
  mem_free(p->routine), mem_free(p->soft);
}
