// A run from its beginning to its end. One thread runs at a time: the one whose event is the next. It keeps
// the turn until it comes to an event that is not yet to come, so the code between two events runs as late as
// it can. A thread that waits for another without an event, in a loop on a flag for example, would never come
// to its event: who has had QUANTUM instructions lets the others run as far as they can, with all events that
// the enforced order allows.
#include "run.h"
#include <assert.h>
#include "inside.h"
#include "machine.h"
#include "natural.h"

enum { QUANTUM = 1 << 20 };

struct Runner {
  const Program *program;
  const Sigma *sigma;
  LLVMModuleRef models;
  Bytecode *code;
  uint32_t *module_site;
  bool *ordinary;
  CodeFacts *facts;
  size_t known_sites;  // in module_site
  Map *site_of;        // of the module: of Σ + 1; NULL: nobody has asked
  Maysync *sync;       // own one, if sites are left out; else NULL
};

// What others have added since.
static void learn_sites(Runner *r) {
  const Sigma *s = r->sigma;
  if (r->module_site && r->known_sites == s->sites.len) return;
  mem_free(r->module_site);
  r->module_site = mem_array(s->sites.len + 1, sizeof *r->module_site);
  for (vec_each(i, &s->sites)) {
    const char *name = sigma_text(s, s->sites.at[i].name);
    r->module_site[i] = sites_find(r->program->sites, name, strlen(name));
  }
  r->known_sites = s->sites.len;
}

uint32_t runner_site(Runner *r, Sigma *s, uint32_t site) {
  const Program *p = r->program;
  const Maysync *sync = r->sync ? r->sync : p->sync;
  if (!r->site_of) r->site_of = map_new();
  uint64_t known = map_or(r->site_of, site, 0);
  if (known) return (uint32_t)known - 1;
  const Sync *is = maysync_operation(sync, site);
  if (is && !sync_events(is->kind)) is = NULL;
  char *name = sites_name(p->sites, site);
  Place w = where(sites_call(p->sites, site));
  uint32_t id = sigma_add_site(s, name, is ? (int)is->kind : EVENT_CALL);
  SigmaSite *to = &s->sites.at[id];
  if (!is || maysync_derived(sync, site)) to->derived = true;
  if (w.file && w.line) to->file = sigma_intern(s, w.file), to->line = w.line, to->column = w.column;
  mem_free(name);
  map_put(r->site_of, site, (uint64_t)id + 1);
  return id;
}

Runner *runner_new(const Program *p, const Sigma *s, Span models, Diags *diags) {
  Runner *r = mem_alloc(sizeof *r);
  r->program = p, r->sigma = s;
  r->facts = mem_alloc(sizeof *r->facts);
  r->models = module_parse(p->context, models, "models.bc", diags);
  if (!r->models) return runner_free(r), NULL;
  learn_sites(r);
  r->ordinary = sigma_ordinary_sites(s, p->sites);
  if (r->ordinary) r->sync = maysync_new_without(p->graph, r->ordinary);
  CodeSync sync = {r->sync ? r->sync : p->sync, p->graph};
  r->code = bytecode_new(p->module, r->models, p->sites, &sync, diags);
  if (!r->code) return runner_free(r), NULL;
  return r;
}

const Bytecode *runner_code(const Runner *r) {
  return r->code;
}

const CodeFacts *runner_facts(const Runner *r) {
  CodeFacts *f = r->facts;
  size_t pcs = r->code->insts.len;
  if (f->operands) return f;
  f->operands = mem_array(pcs + 1, sizeof *f->operands);
  f->addresses = mem_array(pcs + 1, sizeof *f->addresses);
  f->does = mem_array(pcs + 1, sizeof *f->does);
  for (size_t pc = 0; pc < pcs; ++pc) {
    f->operands[pc] = operands_of(r->code, &r->code->insts.at[pc]);
    f->does[pc] = (uint8_t)does_what(&r->code->insts.at[pc]);
    f->addresses[pc + 1] = f->addresses[pc] + addresses_of(&r->code->insts.at[pc]);
  }
  return f;
}

void runner_free(Runner *r) {
  if (!r) return;
  if (r->facts)
    mem_free(r->facts->operands), mem_free(r->facts->addresses), mem_free(r->facts->does), mem_free(r->facts);
  bytecode_free(r->code);
  map_free(r->site_of);
  maysync_free(r->sync);
  mem_free(r->ordinary), mem_free(r->module_site);
  if (r->models) LLVMDisposeModule(r->models);
  mem_free(r);
}

bool runner_models(Bytes *out, Diags *diags) {
  char *dir = self_dir(), *path = mem_format("%s/" SPECIALIZE_ENFORCE_PATH "/models.bc", dir);
  int error = file_read(path, out);
  if (error) diag_error(diags, "%s: %s", path, strerror(error));
  mem_free(path), mem_free(dir);
  return !error;
}

static void group_events(Machine *m) {
  Pairs pairs = {0};
  for (vec_each(i, &m->schedule->events)) pairs_add(&pairs, m->schedule->events.at[i].thread, (uint32_t)i);
  m->by_thread = lists_new(m->schedule->threads, &pairs);
  vec_free(&pairs);
}

static uint64_t global_named(const Machine *m, const char *name) {
  LLVMValueRef g = LLVMGetNamedGlobal(m->code->modules[1], name);
  return g ? map_or(m->code->global_at, map_key(g), 0) : 0;
}

static bool begin(Machine *m, Diags *diags) {
  const Memory *from = &m->code->start;
  if (!memory_init_from(&m->memory, from))
    return diag_error(diags, "no address space for interpreting"), false;
  m->errno_at = global_named(m, "specialize_errno");
  m->class_info[0] = global_named(m, "_ZTVN10__cxxabiv119__pointer_type_infoE");
  m->class_info[1] = global_named(m, "_ZTVN10__cxxabiv120__si_class_type_infoE");
  m->class_info[2] = global_named(m, "_ZTVN10__cxxabiv121__vmi_class_type_infoE");
  uint32_t start = bytecode_function(m->code, "specialize_start"), main = bytecode_function(m->code, "main");
  if (start == CODE_NONE || main == CODE_NONE)
    return diag_error(diags, "the program has no main that can be interpreted"), false;
  uint64_t args[] = {m->schedule->argv.len, bytecode_address(main)};
  Thread *t = thread_new(m, 0, start, args, 2);
  t->fresh = true;
  return true;
}

static StepEnd step(Machine *m, Thread *t, int64_t fuel) {
  m->fuel = m->granted = fuel;
  m->unused = 0, m->yields = false;
  StepEnd end = m->watch || m->partial ? machine_step_watched(m, t)
                : m->trace             ? machine_step_traced(m, t)
                                       : machine_step(m, t);
  m->executed += (uint64_t)(fuel - m->fuel - m->unused);
  m->granted = m->fuel = 0;
  if (m->trace && run_trace_bytes(m->trace) > UINT64_C(1000000) * LIMIT_TRACE)
    machine_stop(m, t, RUN_LIMIT, "its trace needs more than %d MB", LIMIT_TRACE);
  if (m->executed > m->limit)
    machine_stop(m, t, RUN_LIMIT, "more than %llu instructions", (unsigned long long)m->limit);
  return end;
}

static uint64_t random_below(Machine *m, uint64_t limit) {
  m->random ^= m->random << 13, m->random ^= m->random >> 7, m->random ^= m->random << 17;
  return m->random % limit;
}

// Whoever can go on does so. False: nobody can.
static bool let_others(Machine *m, const Thread *but) {
  bool any = false;
  m->ahead = true;
  for (uint32_t i = 0; i < m->schedule->threads && !m->over; ++i) {
    Thread *t = m->threads[i];
    if (!t) continue;
    uint64_t events = m->result->events;
    if (t == but || t->state == THREAD_ENDED) continue;
    any |= step(m, t, QUANTUM) != STEP_WAITS || m->result->events > events;
  }
  m->ahead = false;
  return any;
}

// How many instructions until others come: few or many, by the number of the order.
static uint64_t random_length(Machine *m) {
  static const uint64_t most[] = {4, 16, 64, 256, 4096};
  return 2 + random_below(m, most[m->tail % (sizeof most / sizeof *most)]);
}

static StepEnd step_random(Machine *m, Thread *t) {
  m->pause = random_length(m);
  StepEnd end = step(m, t, QUANTUM);
  m->pause = 0;
  return end;
}

// Somebody else may go on to his next event.
static void other_random(Machine *m, const Thread *but) {
  Thread *t = m->threads[random_below(m, m->schedule->threads)];
  if (t && t != but && t->state != THREAD_ENDED && random_below(m, 2)) step_random(m, t);
}

static void recording_ends(Machine *m) {
  if (m->over) return;
  m->over = true;
  m->result->end = RUN_RECORDING_ENDS;
  m->result->why = mem_string("the recording ends here");
}

// Behind the last event of a recording that ends early: all go on as far as they can; the one that died
// first.
static void run_tail(Machine *m) {
  uint32_t first = m->schedule->crash_thread;
  uint64_t until = m->executed + 64 * (uint64_t)QUANTUM;
  bool any = true;
  Thread *t = first < m->schedule->threads && !m->random ? m->threads[first] : NULL;
  while (m->random && any && !m->over && m->executed < until) {
    any = false;
    for (uint32_t i = 0; i < 4 * m->schedule->threads && !m->over; ++i) {
      Thread *one = m->threads[random_below(m, m->schedule->threads)];
      if (one && one->state != THREAD_ENDED) any |= step_random(m, one) != STEP_WAITS;
    }
  }
  any = true;
  while (t && !m->over && t->state == THREAD_RUNS && step(m, t, QUANTUM) == STEP_FUEL && m->executed < until)
    let_others(m, t);
  while (any && !m->over && m->executed < until) any = let_others(m, NULL);
  recording_ends(m);
}

static void run_events(Machine *m) {
  unsigned idle = 0;
  while (!m->over) {
    if (m->next == m->schedule->events.len && m->schedule->incomplete) {
      run_tail(m);
      return;
    }
    // Behind the last event of a whole schedule its thread ends the process.
    uint32_t event = m->next < m->schedule->events.len ? m->next : m->next - 1;
    uint32_t id = m->schedule->events.at[event].thread;
    Thread *t = m->threads[id];
    if (!t) {
      machine_stop(m, NULL, RUN_LEFT, "event %u is of a thread that does not exist yet", event);
      return;
    }
    uint32_t before = m->next;
    if (t->state == THREAD_ENDED) {
      machine_stop(m, t, RUN_LEFT, "event %u is of a thread that has ended", event);
      return;
    }
    if (m->random) other_random(m, t);
    if (m->over) continue;
    StepEnd end = m->random ? step_random(m, t) : step(m, t, QUANTUM);
    if (m->over || end == STEP_ENDED || (m->random && end == STEP_FUEL)) continue;
    if (end == STEP_WAITS && m->next != before) {
      idle = 0;
      continue;
    }
    bool others = let_others(m, t);
    idle = others || m->next != before || (end == STEP_FUEL && !m->yields) ? 0 : idle + 1;
    if (idle > 64)
      machine_stop(m, t, RUN_LEFT, "nothing can go on: this thread waits, and no other can change that");
  }
}

// One thread goes on until it waits; a thread that runs and runs without an event may wait for another by
// memory.
static void run_natural(Machine *m) {
  enum { PATIENCE = 64 };
  uint32_t now = 0, waits = 0;
  for (int turns = 0; !m->over;) {
    Thread *t = m->threads[now];
    uint64_t events = m->result->events;
    StepEnd end = t->state == THREAD_ENDED ? STEP_WAITS : step(m, t, QUANTUM);
    if (m->over) return;
    bool went = end == STEP_FUEL || m->result->events > events;
    turns = end == STEP_FUEL && !m->yields ? turns + 1 : 0;
    if (turns && turns < PATIENCE) continue;
    waits = went ? 0 : waits + 1;
    now = (now + 1) % m->schedule->threads, turns = 0;
    if (waits > m->schedule->threads) {
      if (!natural_stuck(m)) machine_stop(m, t, RUN_LEFT, "all threads wait for each other");
      waits = 0;
    }
  }
}

static void finish(Machine *m) {
  RunResult *r = m->result;
  r->instructions = m->executed;
  r->memory = m->memory.used;
  if (m->trace) {
    m->trace->instructions = m->executed;
    m->trace->schedule = m->schedule;
    for (uint32_t i = 0; i < m->schedule->threads; ++i) {
      const Thread *t = m->threads[i];
      for (size_t k = 0; t && k < t->frames.len; ++k) {
        bool inner = k + 1 == t->frames.len;
        uint32_t pc = inner ? t->pc : t->frames.at[k + 1].call;
        bool begun =
            !inner || m->code->insts.at[pc].op == OP_HOST || t->frames.at[k].trace == m->trace->fault_frame;
        m->trace->frames.at[t->frames.at[k].trace].stopped = pc + begun;
      }
    }
    CHECKED(run_trace_check(m->trace));
  }
  CHECKED(memory_check(&m->memory));
}

static void machine_free(Machine *m) {
  for (uint32_t i = 0; i < m->schedule->threads; ++i) thread_free(m->threads[i]);
  mem_free(m->threads), vec_free(&m->locks), vec_free(&m->jumps);
  map_free(m->object_at);
  mem_free(m->address_of), mem_free(m->past);
  order_free(m->order);
  natural_free(m->natural);
  watch_free(m->watch);
  partial_free(m->partial);
  lists_free(&m->by_thread);
  files_free(&m->files);
  memory_free(&m->memory);
}

bool runner_run(Runner *r, const RunOptions *o, RunResult *out, Diags *diags) {
  *out = (RunResult){0};
  assert(o->sigma == r->sigma && o->schedule < o->sigma->schedules.len);
  const Schedule *c = o->sigma->schedules.at[o->schedule];
  if (!c->argv.len)
    return diag_error(diags, "schedule %u does not say which arguments the run had", o->schedule), false;
  if (!c->events.len && !c->incomplete && !o->natural)
    return diag_error(diags, "schedule %u has no events", o->schedule), false;
  Machine m = {.code = r->code,
               .sigma = o->sigma,
               .schedule = c,
               .module_site = r->module_site,
               .trace = o->trace,
               .result = out,
               .diags = diags,
               .object_at = map_new()};
  learn_sites(r);
  m.module_site = r->module_site;
  if (o->natural) m.natural = natural_new(&m, o->natural, o->schedule, r);
  m.limit = o->limit ? o->limit : UINT64_C(1000000) * LIMIT_INTERPRET;
  m.address_of = mem_array(c->objects.len + 1, sizeof *m.address_of);
  m.threads = mem_array((m.natural ? (size_t)NATURAL_THREADS : c->threads) + 1, sizeof *m.threads);
  m.past = mem_array(c->events.len + 1, sizeof *m.past);
  m.order = m.natural ? NULL : order_new(o->sigma, o->schedule, diags);
  if (o->trace) run_trace_clear(o->trace);
  assert(!o->check || o->trace);
  assert(!o->watch_count || o->trace);
  assert(!o->tail || o->trace);
  m.tail = o->tail, m.random = o->tail * UINT64_C(0x9E3779B97F4A7C15);
  if (o->watch_count || o->tail) m.watch = watch_new(r->code, o->watch, o->watch_count, o->values);
  files_init(&m.files, o->sigma, c, &out->out, &out->err);
  if (!m.natural) group_events(&m);
  bool ok = (m.order || m.natural) && begin(&m, diags);
  if (ok && o->check && !(m.partial = partial_new(&m, o->check)))
    ok = false, diag_error(diags, "no address space for the check");
  if (ok && m.natural) run_natural(&m);
  if (ok && !m.natural) run_events(&m);
  if (ok) finish(&m);
  machine_free(&m);
  return ok;
}

void run_result_free(RunResult *r) {
  mem_free(r->why), mem_free(r->file);
  vec_free(&r->out), vec_free(&r->err);
  strings_free(&r->assumed);
  *r = (RunResult){0};
}

const char *run_end_word(RunEnd end) {
  static const char *const words[] = {"exited",  "died", "recording ends", "left the recording",
                                      "refused", "limit"};
  assert(end <= RUN_LIMIT);
  return words[end];
}
