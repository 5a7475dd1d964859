// From a module and schedules to a module with clones: the parts in their order.
#include "specializer.h"
#include <assert.h>

Module module_begin(const CfspecInput *in, Diags *diags) {
  LLVMContextRef c = LLVMGetModuleContext(in->module);
  Module k = {.m = in->module, .c = c, .sigma = in->sigma, .sites = in->sites, .graph = in->graph};
  k.sync = in->sync, k.diags = diags, k.free = in->free, k.tails = in->tails;
  k.b = LLVMCreateBuilderInContext(c);
  k.dib = LLVMCreateDIBuilder(in->module);
  k.i32 = LLVMInt32TypeInContext(c), k.i64 = LLVMInt64TypeInContext(c);
  k.ptr = LLVMPointerTypeInContext(c, 0), k.none = LLVMVoidTypeInContext(c);
  k.address = mem_array(callgraph_count(in->graph) + 1, sizeof *k.address);
  k.forks = mem_array(callgraph_count(in->graph) + 1, sizeof *k.forks);
  k.fork_sites = mem_array(sites_count(in->sites) + 1, sizeof *k.fork_sites);
  k.texts = map_new();
  k.words = intern_new();
  return k;
}

void module_end(Module *k) {
  mem_free(k->address), mem_free(k->forks), mem_free(k->fork_sites);
  map_free(k->texts);
  intern_free(k->words);
  LLVMDIBuilderFinalize(k->dib);
  LLVMDisposeDIBuilder(k->dib);
  LLVMDisposeBuilder(k->b);
}

static void spec_end(Spec *s) {
  for (uint32_t f = 0; f < callgraph_count(s->k->graph); ++f) pieces_free(s->pieces[f]);
  mem_free(s->pieces);
  order_free(s->order);
  map_free(s->quiet);
  mem_free(s->clone), mem_free(s->node), mem_free(s->place), mem_free(s->before), mem_free(s->round);
  mem_free(s->published), mem_free(s->last);
  mem_free(s->create), mem_free(s->exits), mem_free(s->exit_event), mem_free(s->exit_site),
      mem_free(s->cancelled);
  vec_free(&s->places), vec_free(&s->quiet_bodies);
}

// Functions of activations, and those that quiet calls may enter.
static void want_functions(Module *k, const Plan *plans, size_t count, bool *wanted) {
  for (uint32_t f = 0; f < callgraph_count(k->graph); ++f) wanted[f] = false;
  for (size_t i = 0; i < count; ++i)
    for (vec_each(a, &plans[i].activations)) {
      const Activation *one = &plans[i].activations.at[a];
      if (one->function == CALLGRAPH_NONE) continue;
      wanted[one->function] = true;
      for (vec_each(s, &one->steps)) {
        Ids targets = callgraph_targets(k->graph, one->steps.at[s].site);
        for (vec_each(t, &targets)) wanted[targets.at[t]] |= maysync_function(k->sync, targets.at[t]);
      }
    }
  for (uint32_t f = 0; f < callgraph_count(k->graph); ++f)
    wanted[f] = wanted[f] && !LLVMIsDeclaration(callgraph_function(k->graph, f));
}

// Functions whose clones may be left, also by a forked process or a jump, or lead on behind the last event of
// a thread.
static void find_left(const Module *k, const Plan *plans, size_t count, bool *left) {
  for (uint32_t f = 0; f < callgraph_count(k->graph); ++f) left[f] = k->free || k->forks[f];
  for (size_t i = 0; i < count; ++i)
    for (vec_each(a, &plans[i].activations))
      for (vec_each(s, &plans[i].activations.at[a].steps))
        if (plans[i].activations.at[a].steps.at[s].jump != SIGMA_NONE)
          left[plans[i].activations.at[a].function] = true;
  for (size_t i = 0; k->tails && i < count; ++i) {
    bool *ended = mem_array(plans[i].schedule->threads + 1, sizeof *ended);
    for (vec_each(e, &plans[i].schedule->events))
      if (plans[i].schedule->events.at[e].kind == SYNC_EXIT)
        ended[plans[i].schedule->events.at[e].thread] = true;
    for (vec_each(a, &plans[i].activations)) {
      const Activation *one = &plans[i].activations.at[a];
      if (one->function != CALLGRAPH_NONE && !ended[one->thread]) left[one->function] = true;
    }
    mem_free(ended);
  }
}

// Of a function that quiet calls enter, what it calls may be entered too.
static void want_callees(Module *k, bool *wanted) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < sites_count(k->sites); ++s) {
      uint32_t f = callgraph_id(k->graph, sites_function(k->sites, s));
      if (!wanted[f] || !pieces_event_site(k->sync, s)) continue;
      Ids targets = callgraph_targets(k->graph, s);
      for (vec_each(t, &targets)) {
        uint32_t to = targets.at[t];
        if (wanted[to] || !maysync_function(k->sync, to) ||
            LLVMIsDeclaration(callgraph_function(k->graph, to)))
          continue;
        wanted[to] = changed = true;
      }
    }
  }
}

// The budget counts instructions of the program (cfspec_size). Values that go through memory are more, and
// quiet clones are not foreseen; this is only so that nothing grows without end.
static bool within_budget(Module *k, size_t budget) {
  if (k->cloned <= LIMIT_CLONE_GROWTH * budget) return true;
  limit_reached(LIMIT_OF_CLONE_GROWTH);
  diag_error(k->diags, "the clones need more than %zu instructions; raise --budget", budget);
  return false;
}

// A call made once costs nothing, but inlining many of them makes a few functions so large that passes which
// are not linear take most of the time. Seconds of passes with and without: zstd with 2,100 clones 24.4 and
// 18.8, cholesky with 633 4.3 and 2.7.
enum { MANY_CLONES = 256 };
static void keep_apart(const Spec *s, LLVMValueRef clone) {
  if (s->plan->activations.len >= MANY_CLONES) attribute_set(clone, "noinline", true);
}

// Without an order after an error.
static Spec spec_begin(Module *k, const Plan *plan, uint32_t id, const Points *points, const Point *point) {
  Spec s = {.k = k, .plan = plan, .schedule = plan->schedule, .id = id, .quiet = map_new()};
  s.points = points, s.point = point;
  s.order = order_new(plan->sigma, id, k->diags);
  s.pieces = mem_array(callgraph_count(k->graph) + 1, sizeof *s.pieces);
  s.clone = mem_array(plan->activations.len + 1, sizeof *s.clone);
  return s;
}

static void declare_clones(Spec *s) {
  for (uint32_t a = 0; a < s->plan->activations.len; ++a) {
    const Activation *one = &s->plan->activations.at[a];
    if (one->function == CALLGRAPH_NONE) continue;
    LLVMValueRef original = callgraph_function(s->k->graph, one->function);
    char *name = mem_format("%s.s%u.t%u.a%u", function_name(s->k, original), s->id, one->thread, a);
    s->clone[a] = clone_declare(s, one->function, name);
    keep_apart(s, s->clone[a]);
    mem_free(name);
  }
}

static bool specialize_one(Module *k, const Plan *plan, uint32_t id, const Points *points, const Point *point,
                           size_t budget, LLVMValueRef *main, LLVMValueRef *descriptor) {
  Spec s = spec_begin(k, plan, id, points, point);
  size_t n = plan->activations.len;
  bool ok = s.order != NULL;
  if (ok) nodes_prepare(&s), declare_clones(&s);
  for (uint32_t a = 0; ok && a < n; ++a)
    if (s.clone[a])
      ok = clone_body(&s, &plan->activations.at[a], s.clone[a], false) && within_budget(k, budget);
  for (size_t q = 0; ok && q < s.quiet_bodies.len; ++q) {
    Quiet one = s.quiet_bodies.at[q];
    ok = clone_body(&s, &one.activation, one.clone, true) && within_budget(k, budget);
  }
  if (ok) *main = s.clone[0], *descriptor = schedule_constant(&s);
  if (ok) CHECKED(spec_check(&s));
  spec_end(&s);
  return ok;
}

// -- the checks

void module_check(const Module *k) {
  assert(callgraph_sites(k->graph) == k->sites && k->generic <= k->cloned);
  assert(map_count(k->texts) == intern_count(k->words));
  for (uint32_t f = 0; f < callgraph_count(k->graph); ++f) {
    LLVMValueRef own = callgraph_function(k->graph, f), address = k->address[f];
    assert(address == own || (maysync_enterable(k->sync, f) && !LLVMIsDeclaration(address)));
    assert(address == own || LLVMGetLinkage(own) == LLVMInternalLinkage);
  }
}

static void check_threads(const Spec *s) {
  const Event *events = s->schedule->events.at;
  for (uint32_t t = 0; t < s->schedule->threads; ++t) {
    const Event *end = s->exits[t] ? &events[s->exit_event[t]] : NULL;
    assert(!end || (end->kind == SYNC_EXIT && end->thread == t));
    assert(!s->exits[t] || s->exit_site[t] == SITE_NONE || s->exit_site[t] < sites_count(s->k->sites));
    assert(!t || (events[s->create[t]].kind == SYNC_CREATE && events[s->create[t]].other == t));
  }
}

// Each place is one event's.
static void check_places(const Spec *s) {
  size_t places = 0;
  bool *taken = mem_array(s->places.len + 1, sizeof *taken);
  for (uint32_t i = 0; i < s->schedule->events.len; ++i) {
    assert(s->before[i] <= order_position(s->order, i));
    assert(!s->node[i] || LLVMIsAGlobalVariable(s->node[i]));
    if (!s->place[i]) continue;
    assert(s->place[i] <= s->places.len && !taken[s->place[i]]);
    taken[s->place[i]] = true;
    ++places;
  }
  assert(places == s->places.len);
  mem_free(taken);
}

void spec_check(const Spec *s) {
  assert(s->plan->schedule == s->schedule && order_schedule(s->order) == s->schedule);
  assert(!s->point || s->point->before);
  check_threads(s);
  check_places(s);
  for (vec_each(a, &s->plan->activations)) {
    bool cloned = s->plan->activations.at[a].function != CALLGRAPH_NONE;
    assert(!s->clone[a] || (cloned && LLVMIsAFunction(s->clone[a])));
  }
  assert(map_count(s->quiet) == s->quiet_bodies.len);
  for (vec_each(i, &s->quiet_bodies)) {
    const Quiet *q = &s->quiet_bodies.at[i];
    uint64_t key = (uint64_t)q->activation.thread << 32 | q->activation.function;
    assert(!q->activation.steps.len && map_or(s->quiet, key, 0) == map_key(q->clone));
  }
}

// -- the choice in main

// What all schedules share: threads and the addresses of objects.
void runtime_state(Module *k, const CfspecInput *in) {
  uint32_t threads = 1, objects = 1;
  for (size_t i = 0; i < in->count; ++i) {
    const Schedule *c = in->sigma->schedules.at[in->schedules[i]];
    if (c->threads > threads) threads = c->threads;
    if (c->objects.len > objects) objects = (uint32_t)c->objects.len;
  }
  LLVMTypeRef line = LLVMArrayType2(LLVMInt8TypeInContext(k->c), sizeof(RtThr));
  LLVMTypeRef types[] = {LLVMArrayType2(line, threads), LLVMArrayType2(k->ptr, objects)};
  static const char *const names[] = {"rt_enf_threads", "rt_enf_objects"};
  for (int i = 0; i < 2; ++i) {
    LLVMValueRef g = LLVMAddGlobal(k->m, types[i], names[i]);
    LLVMSetInitializer(g, LLVMConstNull(types[i]));
    LLVMSetAlignment(g, 64);
  }
}

// Arguments as the original declares them. Never inlined: what is inlined into a function of no source line
// loses its own.
static LLVMValueRef call_main(Module *k, LLVMValueRef main, LLVMValueRef dispatcher) {
  LLVMValueRef args[3] = {LLVMGetParam(dispatcher, 0), LLVMGetParam(dispatcher, 1),
                          LLVMGetParam(dispatcher, 2)};
  LLVMTypeRef type = LLVMGlobalGetValueType(main);
  unsigned n = LLVMCountParams(main);
  LLVMValueRef call = LLVMBuildCall2(k->b, type, main, args, n < 3 ? n : 3, "");
  attribute_call_add(call, "noinline");
  LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);  // debuggers are to see main
  return call;
}

static void return_of(Module *k, LLVMValueRef result) {
  if (LLVMTypeOf(result) == k->i32)
    LLVMBuildRet(k->b, result);
  else
    LLVMBuildRet(k->b, LLVMConstInt(k->i32, 0, 0));
}

// Goes where nothing is decided yet; the points inside main decide.
static void call_later(Module *k, const Points *points, LLVMValueRef id, LLVMValueRef original,
                       LLVMValueRef f) {
  LLVMTypeRef type = LLVMFunctionType(k->none, NULL, 0, 0);
  LLVMBuildCall2(k->b, type, runtime_function(k, "rt_select_wait", type, true), NULL, 0, "");
  LLVMBuildStore(k->b, id, points->choice);
  LLVMBuildStore(k->b, LLVMGetParam(f, 0), points->argc);
  LLVMBuildStore(k->b, LLVMGetParam(f, 1), points->argv);
  return_of(k, call_main(k, original, f));
}

// The function that decides at main's entry; NULL: there is nothing to decide, or an error.
static LLVMValueRef entry_selector(Module *k, const CfspecInput *in, const Points *points) {
  uint32_t *ids = mem_array(in->count + 1, sizeof *ids);
  size_t n = 0;
  for (size_t i = 0; i < in->count; ++i)
    if (!points_of(points, i)) ids[n++] = in->schedules[i];
  LLVMValueRef f = n ? dispatch_function(k->m, in->sigma, ids, n, NULL, k->diags) : NULL;
  mem_free(ids);
  return f;
}

typedef struct {
  LLVMValueRef main, original, tell;
  LLVMTypeRef tell_type;
  LLVMBasicBlockRef none, later, unknown, cannot;
} Entry;

static Entry entry_begin(Module *k, const Points *points) {
  LLVMTypeRef types[] = {k->i32, k->ptr, k->ptr};
  Entry e = {.original = LLVMGetNamedFunction(k->m, "main")};
  e.tell_type = LLVMFunctionType(k->none, &k->i64, 1, 0);
  LLVMSetValueName2(e.original, "main.original", 13);
  LLVMSetLinkage(e.original, LLVMInternalLinkage);
  e.main = LLVMAddFunction(k->m, "main", LLVMFunctionType(k->i32, types, 3, 0));
  e.tell = runtime_function(k, "rt_select_tell", e.tell_type, true);
  LLVMPositionBuilderAtEnd(k->b, LLVMAppendBasicBlockInContext(k->c, e.main, ""));
  e.none = LLVMAppendBasicBlockInContext(k->c, e.main, "original");
  e.later = points->points.len ? LLVMAppendBasicBlockInContext(k->c, e.main, "later") : e.none;
  e.unknown = LLVMAppendBasicBlockInContext(k->c, e.main, "unknown");
  e.cannot = LLVMAppendBasicBlockInContext(k->c, e.main, "cannot");
  LLVMSetCurrentDebugLocation2(k->b, NULL);
  return e;
}

// What the person wants, or else what the constraints say.
static LLVMValueRef entry_choice(Module *k, const Entry *e, LLVMValueRef select) {
  LLVMTypeRef type = LLVMFunctionType(k->i64, NULL, 0, 0);
  LLVMValueRef f = runtime_function(k, "rt_select_choice", type, true);
  LLVMValueRef choice = LLVMBuildCall2(k->b, type, f, NULL, 0, "");
  if (!select) return choice;
  LLVMBasicBlockRef entry = LLVMGetInsertBlock(k->b);
  LLVMBasicBlockRef test = LLVMAppendBasicBlockInContext(k->c, e->main, "test");
  LLVMBasicBlockRef go = LLVMAppendBasicBlockInContext(k->c, e->main, "go");
  LLVMValueRef ask = LLVMConstInt(k->i64, (uint64_t)(int64_t)RT_CHOICE_TEST, 1);
  LLVMBuildCondBr(k->b, LLVMBuildICmp(k->b, LLVMIntEQ, choice, ask, ""), test, go);
  LLVMPositionBuilderAtEnd(k->b, test);
  LLVMValueRef args[] = {LLVMGetParam(e->main, 0), LLVMGetParam(e->main, 1), LLVMConstNull(k->ptr)};
  LLVMValueRef tested = LLVMBuildCall2(k->b, LLVMGlobalGetValueType(select), select, args, 3, "");
  LLVMBuildBr(k->b, go);
  LLVMPositionBuilderAtEnd(k->b, go);
  LLVMValueRef id = LLVMBuildPhi(k->b, k->i64, "");
  LLVMAddIncoming(id, (LLVMValueRef[]){choice, tested}, (LLVMBasicBlockRef[]){entry, test}, 2);
  return id;
}

// Data flow relies on the constraint: who asks for a schedule by its number gets it only if that holds.
static void entry_test(Module *k, const CfspecInput *in, const Entry *e, LLVMValueRef id, uint32_t schedule) {
  LLVMValueRef one = dispatch_function(k->m, in->sigma, &schedule, 1, NULL, k->diags);
  if (!one) return;
  LLVMBasicBlockRef fits = LLVMAppendBasicBlockInContext(k->c, e->main, "fits");
  LLVMBasicBlockRef unfit = LLVMAppendBasicBlockInContext(k->c, e->main, "unfit");
  LLVMValueRef args[] = {LLVMGetParam(e->main, 0), LLVMGetParam(e->main, 1), LLVMConstNull(k->ptr)};
  LLVMValueRef found = LLVMBuildCall2(k->b, LLVMGlobalGetValueType(one), one, args, 3, "");
  LLVMBuildCondBr(k->b, LLVMBuildICmp(k->b, LLVMIntEQ, found, id, ""), fits, unfit);
  LLVMPositionBuilderAtEnd(k->b, unfit);
  LLVMValueRef say = runtime_function(k, "rt_select_unfit", e->tell_type, false);
  LLVMBuildCall2(k->b, e->tell_type, say, &id, 1, "");
  LLVMBuildUnreachable(k->b);
  LLVMPositionBuilderAtEnd(k->b, fits);
}

static void entry_schedule(Module *k, const Entry *e, LLVMValueRef id, LLVMValueRef clone,
                           LLVMValueRef descriptor) {
  LLVMTypeRef type = LLVMFunctionType(k->none, &k->ptr, 1, 0), asks = LLVMFunctionType(k->i32, &k->ptr, 1, 0);
  LLVMBasicBlockRef ready = LLVMAppendBasicBlockInContext(k->c, e->main, "ready");
  LLVMValueRef is = runtime_function(k, k->rolled ? "rt_roll_ready" : "rt_enf_ready", asks, true);
  is = LLVMBuildCall2(k->b, asks, is, &descriptor, 1, "");
  LLVMBuildCondBr(k->b, LLVMBuildIsNull(k->b, is, ""), e->cannot, ready);
  LLVMPositionBuilderAtEnd(k->b, ready);
  LLVMBuildCall2(k->b, e->tell_type, e->tell, &id, 1, "");
  const char *begin = k->rolled ? "rt_roll_begin" : "rt_enf_begin";
  LLVMBuildCall2(k->b, type, runtime_function(k, begin, type, true), &descriptor, 1, "");
  return_of(k, call_main(k, clone, e->main));
}

// main asks what the person wants, then the constraints, says what it does, and goes there.
bool make_main(Module *k, const CfspecInput *in, const Points *points, const LLVMValueRef *mains,
               const LLVMValueRef *descriptors) {
  LLVMValueRef select = entry_selector(k, in, points);
  if (!select && diags_errors(k->diags)) return false;
  Entry e = entry_begin(k, points);
  LLVMValueRef id = entry_choice(k, &e, select);
  LLVMValueRef to = LLVMBuildSwitch(k->b, id, e.unknown, (unsigned)in->count + 2);
  LLVMAddCase(to, LLVMConstInt(k->i64, (uint64_t)(int64_t)RT_CHOICE_NONE, 1), e.none);
  LLVMAddCase(to, LLVMConstInt(k->i64, (uint64_t)(int64_t)-1, 1), e.later);
  for (size_t i = 0; i < in->count; ++i) {
    bool here = !points_of(points, i);
    LLVMBasicBlockRef b = here ? LLVMAppendBasicBlockInContext(k->c, e.main, "schedule") : e.later;
    LLVMAddCase(to, LLVMConstInt(k->i64, in->schedules[i], 0), b);
    LLVMPositionBuilderAtEnd(k->b, b);
    if (here && in->tested) entry_test(k, in, &e, id, in->schedules[i]);
    if (here) entry_schedule(k, &e, id, mains[i], descriptors[i]);
  }
  LLVMPositionBuilderAtEnd(k->b, e.none);
  LLVMBuildCall2(k->b, e.tell_type, e.tell, &id, 1, "");
  return_of(k, call_main(k, e.original, e.main));
  LLVMPositionBuilderAtEnd(k->b, e.cannot);
  return_of(k, call_main(k, e.original, e.main));
  LLVMPositionBuilderAtEnd(k->b, e.later);
  if (e.later != e.none) call_later(k, points, id, e.original, e.main);
  LLVMPositionBuilderAtEnd(k->b, e.unknown);
  LLVMValueRef unknown = runtime_function(k, "rt_select_unknown", e.tell_type, false);
  LLVMBuildCall2(k->b, e.tell_type, unknown, &id, 1, "");
  LLVMBuildUnreachable(k->b);
  return true;
}

bool is_usual_main(Module *k) {
  LLVMValueRef main = LLVMGetNamedFunction(k->m, "main");
  if (!main || LLVMIsDeclaration(main))
    diag_error(k->diags, "the module has no main");
  else if (LLVMCountParams(main) > 3)
    diag_at(k->diags, DIAG_ERROR, main, "main has more than three parameters");
  else
    return true;
  return false;
}

// The budget counts instructions as the program has them.
static size_t left_of_budget(const CfspecInput *in, Diags *diags) {
  size_t used = in->apart ? cfspec_size(in, diags) : 0;
  return used < in->budget ? in->budget - used : 0;
}

static bool specialize_all(Module *k, const CfspecInput *in, Plan *plans, CfspecFigures *out) {
  size_t left = left_of_budget(in, k->diags);
  LLVMValueRef *mains = mem_array(in->count + 1, sizeof *mains);
  LLVMValueRef *descriptors = mem_array(in->count + 1, sizeof *descriptors);
  bool *wanted = mem_array(callgraph_count(k->graph) + 1, sizeof *wanted), ok = is_usual_main(k);
  bool *left_code = mem_array(callgraph_count(k->graph) + 1, sizeof *left_code);
  Points points;
  if (!in->tails) forks_find(k);  // analyses look at one process
  for (size_t i = 0; ok && i < in->count; ++i)
    ok = plan_make(&plans[i], in->sigma, in->schedules[i], k->graph, in->soften, k->diags);
  if (ok) want_functions(k, plans, in->count, wanted), want_callees(k, wanted);
  if (ok) find_left(k, plans, in->count, left_code);
  ok = points_make(&points, k, in) && ok;
  for (size_t i = 0; ok && i < in->count; ++i)
    dump_schedule(k, in, &plans[i], points_of(&points, i), in->schedules[i]);
  ok = ok && prepare_functions(k, wanted, left_code);
  if (ok) points_locals(&points), stubs_make(k), runtime_state(k, in);
  if (ok) CHECKED(module_check(k));
  for (size_t i = 0; ok && i < in->count; ++i) {
    ok = specialize_one(k, &plans[i], in->schedules[i], &points, points_of(&points, i), in->budget, &mains[i],
                        &descriptors[i]);
    out->activations += plans[i].activations.len;
    out->events += plans[i].schedule->events.len;
  }
  out->instructions = k->cloned, out->generic = k->generic;
  if (ok && in->sigma->atomics.len) futexes_hold(k);
  if (ok && in->apart) threads_apart(k, left, out);
  if (ok) CHECKED(module_check(k));
  if (ok) points_state(&points, k);
  ok = ok && make_main(k, in, &points, mains, descriptors) && points_emit(&points, k, in, mains, descriptors);
  points_free(&points);
  mem_free(mains), mem_free(descriptors), mem_free(wanted), mem_free(left_code);
  return ok;
}

bool cfspec_specialize(const CfspecInput *in, CfspecFigures *out, Diags *diags) {
  assert(in->module && callgraph_sites(in->graph) == in->sites);
  for (size_t i = 0; i < in->count; ++i) {
    assert(in->schedules[i] < in->sigma->schedules.len);
    assert(!i || in->schedules[i - 1] < in->schedules[i]);
  }
  *out = (CfspecFigures){0};
  Module k = module_begin(in, diags);
  Plan *plans = mem_array(in->count + 1, sizeof *plans);
  bool ok = specialize_all(&k, in, plans, out);
  for (size_t i = 0; i < in->count; ++i) plan_free(&plans[i]);
  mem_free(plans);
  module_end(&k);
  if (in->sigma->atomics.len) atomics_raise(in->module);  // those of the original, and of generic code
  return ok && module_verify(in->module, "the specialized module", diags) && cfspec_check(in->module, diags);
}
