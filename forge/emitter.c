// Units: the program, the choice between schedules, the loops of clones, and of each schedule its threads, as
// many in one as are worth a unit, code that runs once apart from the rest. Clones call those of their own
// thread, so what is inlined in clones stays together.
#include "emitter.h"
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include "cache.h"
#include "cfspec/cfspec.h"
#include "heat.h"

enum { STACK_BYTES = 64 << 20 };
enum { UNIT_PROGRAM, UNIT_CHOICE, UNIT_CLONES };

// The program's are in no part.
typedef enum { HEAT_ONCE, HEAT_OFTEN, HEAT_LOOP } Heat;
enum { KEY_BITS = 30 };

typedef struct {
  uint64_t key;  // heat, schedule, thread; or of loops the function that they were in
  size_t size;
  uint32_t unit;
} Part;
typedef Vec(Part) Parts;
typedef struct {
  Parts parts;
  Map *known;  // by key: its place in parts
  Intern *functions;
  size_t least;
  uint32_t units;
  Vec(bool) alone;  // by unit: what runs once
} Partition;

static uint64_t part_key(Heat heat, uint32_t schedule, uint32_t thread) {
  assert(schedule < 1U << KEY_BITS && thread < 1U << KEY_BITS);
  return ((uint64_t)heat << KEY_BITS | schedule) << KEY_BITS | thread;
}

static Heat heat_of(uint64_t key) {
  return (Heat)(key >> 2 * KEY_BITS);
}

static bool key_of(const Partition *p, LLVMValueRef g, uint64_t *key) {
  uint32_t schedule, thread;
  size_t len;
  if (LLVMIsAFunction(g) && heat_is_loop(g, &len))
    *key = part_key(HEAT_LOOP, 0, intern_id(p->functions, LLVMGetValueName(g), len));
  else if (cfspec_belongs(g, &schedule, &thread))
    *key = part_key(LLVMIsAFunction(g) && !heat_is_cold(g) ? HEAT_OFTEN : HEAT_ONCE, schedule, thread);
  else
    return false;
  return true;
}

static int by_key(const void *a, const void *b) {
  uint64_t i = ((const Part *)a)->key, j = ((const Part *)b)->key;
  return (i > j) - (i < j);
}

static void find_parts(Partition *p, LLVMModuleRef m) {
  uint64_t key;
  for (all_symbols(g, m)) {
    if (!key_of(p, g, &key)) continue;
    uint64_t at = map_or(p->known, key, p->parts.len);
    map_put(p->known, key, at);
    if (at == p->parts.len) vec_push(&p->parts, ((Part){key, 0, 0}));
    if (LLVMIsAFunction(g)) p->parts.at[at].size += cut_size(g);
  }
  if (p->parts.len) qsort(p->parts.at, p->parts.len, sizeof *p->parts.at, by_key);
  for (vec_each(i, &p->parts)) map_put(p->known, p->parts.at[i].key, i);
}

static uint32_t add_unit(Partition *p, bool alone) {
  vec_push(&p->alone, alone);
  return (uint32_t)p->alone.len - 1;
}

// A module that is not worth a unit for each part of it has two.
static void fill_two(Partition *p) {
  uint32_t once = 0;
  add_unit(p, false);
  for (vec_each(i, &p->parts)) {
    bool is = heat_of(p->parts.at[i].key) == HEAT_ONCE;
    if (is && !once) once = add_unit(p, true);
    p->parts.at[i].unit = is ? once : 0;
  }
}

// Code that runs once is made about five times as fast as other code, and each unit costs a look at all
// symbols.
enum { ONCE_FASTER = 5 };

static size_t worth(const Partition *p, const Part *one) {
  return heat_of(one->key) == HEAT_ONCE ? ONCE_FASTER * p->least : p->least;
}

// Sizes of all parts, in order, and the unit that each goes into.
static void fill_units(Partition *p) {
  size_t filled = 0;
  uint32_t unit = 0;
  for (int i = 0; i < UNIT_CLONES; ++i) add_unit(p, false);
  for (vec_each(i, &p->parts)) {
    Part *one = &p->parts.at[i];
    bool other = !i || one->key >> KEY_BITS != p->parts.at[i - 1].key >> KEY_BITS;
    if (other || filled >= worth(p, one)) unit = add_unit(p, heat_of(one->key) == HEAT_ONCE), filled = 0;
    one->unit = unit;
    filled += one->size;
  }
}

// And what the runtime keeps of any schedule, which is as large as the largest needs.
static bool is_choice(LLVMValueRef g) {
  const char *name = LLVMGetValueName(g);
  if (LLVMIsAGlobalVariable(g)) return !strncmp(name, "rt_enf_", 7);
  return LLVMIsAFunction(g) && (!strcmp(name, "main") || !strncmp(name, "specialize.dispatch", 19));
}

static bool goes_with_users(LLVMValueRef g) {
  LLVMLinkage l = LLVMGetLinkage(g);
  return LLVMIsAGlobalVariable(g) && (l == LLVMInternalLinkage || l == LLVMPrivateLinkage);
}

static void assign(LLVMModuleRef m, const Partition *p, bool two, IdVec *unit) {
  uint64_t key;
  for (all_symbols(g, m)) {
    uint32_t u = is_choice(g) && !two ? UNIT_CHOICE : goes_with_users(g) ? CUT_ANY : UNIT_PROGRAM;
    if (key_of(p, g, &key)) u = p->parts.at[map_or(p->known, key, 0)].unit;
    vec_push(unit, u);
  }
}

static size_t module_size(LLVMModuleRef m) {
  size_t n = 0;
  for (all_functions(f, m)) n += cut_size(f);
  return n;
}

typedef Vec(bool) Flags;

static const char *cut_parts(LLVMModuleRef m, size_t least, CutUnits *units, Flags *once) {
  Partition p = {.known = map_new(), .functions = intern_new(), .least = least};
  IdVec unit = {0};
  bool two = module_size(m) < least;
  find_parts(&p, m);
  if (two)
    fill_two(&p);
  else
    fill_units(&p);
  assign(m, &p, two, &unit);
  CutInput in = {m, unit.at, (uint32_t)p.alone.len, p.alone.at};
  const char *why = cut_module(&in, units);
  if (!why) vec_append(once, p.alone.at, p.alone.len);
  vec_free(&p.parts), vec_free(&p.alone), vec_free(&unit);
  map_free(p.known), intern_free(p.functions);
  return why;
}

// Sanitizers and profiles keep what belongs to a module in the module.
static void cut(LLVMModuleRef m, const EmitterOptions *o, CutUnits *units, Flags *once) {
  if (!o->emit.extra_passes && !cut_parts(m, o->unit ? o->unit : LIMIT_UNIT, units, once)) return;
  Bytes whole = {0};
  module_bitcode(m, &whole);
  vec_push(units, whole);
  vec_push(once, false);
}

typedef struct {
  uint8_t key[HASH_BYTES];
  Bytes code, object;
  Diags *diags;
  bool once;  // it has only code that runs once
  bool ok;
  int lost;                // why it is not in the cache; an errno value
  double passes, machine;  // seconds of processor
} Unit;

typedef struct {
  const EmitterOptions *o;
  Unit *units;
  size_t count;
  atomic_size_t next;
  size_t all, done, made;  // bytes of code, and units
  double begun;
  pthread_mutex_t telling;
} Work;

static double thread_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

bool emitter_write_ir(LLVMModuleRef m, const char *dir, const char *name, Diags *d) {
  mkdir(dir, 0777);
  char *path = file_join(dir, name), *text = LLVMPrintModuleToString(m);
  int err = file_write(path, text, strlen(text), 0);
  if (err) diag_error(d, "%s: %s", path, strerror(err));
  LLVMDisposeMessage(text);
  mem_free(path);
  return !err;
}

static bool write_ir(const Work *w, size_t i, LLVMModuleRef m, Diags *d) {
  if (!w->o->emit_llvm) return true;
  char *name = i ? mem_format("after.%zu.ll", i) : mem_string("after.ll");
  bool ok = emitter_write_ir(m, w->o->emit_llvm, name, d);
  mem_free(name);
  return ok;
}

// Code that runs once is not worth more.
static bool optimize(const Work *w, Unit *u, LLVMModuleRef m, LLVMTargetMachineRef tm) {
  static const char once[] =
      "always-inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg)";
  if (!u->once || !w->o->emit.level) return emit_optimize(m, tm, &w->o->emit, u->diags);
  return emit_lower(m, tm, u->diags) && emit_passes(m, tm, once, u->diags);
}

static bool emit_unit(const Work *w, size_t i, LLVMModuleRef m) {
  Unit *u = &w->units[i];
  double begun = thread_seconds();
  EmitOptions how = w->o->emit;
  if (u->once) how.level = 0;
  LLVMTargetMachineRef tm = emit_machine(m, &how, u->diags);
  bool ok = tm && optimize(w, u, m, tm) && write_ir(w, i, m, u->diags);
  u->passes = thread_seconds() - begun;
  ok = ok && emit_object(m, tm, &u->object, u->diags);
  u->machine = thread_seconds() - begun - u->passes;
  if (tm) LLVMDisposeTargetMachine(tm);
  return ok;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static size_t effort_of(const Unit *u) {
  return u->once ? u->code.len / ONCE_FASTER + 1 : u->code.len;
}

static void tell_made(Work *w, size_t effort) {
  pthread_mutex_lock(&w->telling);
  w->done += effort, ++w->made;
  double left = (now() - w->begun) * (double)(w->all - w->done) / (double)w->done;
  char *what = mem_format("compiling: %zu of %zu units, about %.0f s left", w->made, w->count, left);
  progress(what);
  mem_free(what);
  pthread_mutex_unlock(&w->telling);
}

static void make_unit(Work *w, size_t i) {
  Unit *u = &w->units[i];
  size_t effort = effort_of(u);
  LLVMContextRef c = module_context(u->diags);
  LLVMModuleRef m = module_parse(c, span_of(u->code.at, u->code.len), "specialized", u->diags);
  vec_free(&u->code);
  u->ok = m && emit_unit(w, i, m);
  if (m) LLVMDisposeModule(m);
  LLVMContextDispose(c);
  if (u->ok) u->lost = cache_put(u->key, span_of(u->object.at, u->object.len));
  tell_made(w, effort);
}

static void *work(void *data) {
  Work *w = data;
  for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;)
    if (!w->units[i].ok) make_unit(w, i);
  return NULL;
}

static unsigned processors(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

// This thread works too. Where no more can be had, those that there are do it all. Passes recurse deeply.
static void work_all(Work *w, unsigned jobs) {
  pthread_t *helpers = mem_array(jobs, sizeof *helpers);
  pthread_attr_t attributes;
  unsigned n = 0;
  w->begun = now();
  pthread_mutex_init(&w->telling, NULL);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK_BYTES);
  while (n + 1 < jobs && n + 1 < w->count && !pthread_create(&helpers[n], &attributes, work, w)) ++n;
  work(w);
  while (n-- > 0) pthread_join(helpers[n], NULL);
  pthread_attr_destroy(&attributes);
  pthread_mutex_destroy(&w->telling);
  progress(NULL);
  mem_free(helpers);
}

// The file is this one, as far as one can tell without reading it.
static char *file_state(const char *path) {
  struct stat st = {0};
  if (!path || stat(path, &st)) return mem_string("?");
  return mem_format("%ld %ld.%ld", (long)st.st_size, (long)st.st_mtim.tv_sec, (long)st.st_mtim.tv_nsec);
}

static char *llvm_state(void) {
  Dl_info library;
  union {
    void (*function)(LLVMContextRef);
    void *address;
  } some = {.function = LLVMContextDispose};
  return file_state(dladdr(some.address, &library) ? library.dli_fname : NULL);
}

// All that objects depend on but their code: this tool, LLVM, the options.
static Bytes circumstances(const EmitterOptions *o) {
  Bytes all = {0};
  char *path = self_path(), *self = file_state(path), *llvm = llvm_state();
  char *how = mem_format("%s, %s, %s, %s, %d %d %d %d %s", SPECIALIZE_VERSION, self, SPECIALIZE_LLVM, llvm,
                         o->emit.level, o->emit.pic, o->emit.function_sections, o->emit.data_sections,
                         o->emit.extra_passes ? o->emit.extra_passes : "");
  vec_append(&all, how, strlen(how) + 1);
  mem_free(path), mem_free(self), mem_free(llvm), mem_free(how);
  return all;
}

static void take_over(const Diags *from, Diags *to) {
  for (size_t i = 0; i < diags_count(from); ++i) {
    const Diag *x = diags_at(from, i);
    diag(to, x->kind, (Place){x->file, x->line, x->column}, "%s", x->text);
  }
}

static void tell_unit(const EmitterOptions *o, const Unit *u, size_t i) {
  char *what = mem_format("unit %zu, %zu kB of bitcode", i, u->code.len / 1000);
  char *why = u->once ? mem_string("code that runs once: few passes, machine code without optimization")
                      : mem_format("all passes of -O%d", o->emit.level);
  decided("units", (Place){0}, what, why);
  mem_free(what), mem_free(why);
}

static Work prepare(const EmitterOptions *o, CutUnits *units, const Flags *once, EmitterFigures *figures) {
  Work w = {.o = o, .count = units->len, .units = mem_array(units->len, sizeof *w.units)};
  Bytes all = circumstances(o);
  for (size_t i = 0; i < w.count; ++i) {
    Unit *u = &w.units[i];
    u->code = units->at[i];
    units->at[i] = (Bytes){0};
    u->diags = diags_new();
    u->once = once->at[i];
    if (decisions_wanted()) tell_unit(o, u, i);
    unsigned char kind = u->once;
    hash_bytes((Span[]){{all.at, all.len}, {&kind, 1}, {u->code.at, u->code.len}}, 3, u->key);
    u->ok = !o->emit_llvm && cache_get(u->key, &u->object);
    figures->kept += u->ok;
    if (u->ok)
      ++w.made;
    else
      w.all += effort_of(u);
  }
  vec_free(&all);
  figures->units = w.count;
  return w;
}

static bool finish_units(Work *w, Objects *out, double *passes, double *machine, Diags *d) {
  bool ok = true;
  int lost = 0;
  *passes = *machine = 0;
  for (size_t i = 0; i < w->count; ++i) {
    Unit *u = &w->units[i];
    ok &= u->ok;
    if (u->lost) lost = u->lost;
    *passes += u->passes, *machine += u->machine;
    take_over(u->diags, d);
    diags_free(u->diags);
    vec_free(&u->code);
    vec_push(out, u->object);
  }
  mem_free(w->units);
  if (lost) diag_note(d, "cannot write the build cache: %s", strerror(lost));
  return ok;
}

bool emitter_run(LLVMModuleRef m, const EmitterOptions *o, Objects *out, EmitterFigures *figures, Timings *t,
                 Diags *diags) {
  CutUnits units = {0};
  Flags once = {0};
  double passes, machine;
  *figures = (EmitterFigures){0};
  emit_targets();
  cache_check(diags);
  if (o->emit.level && !o->emit.extra_passes) heat_split(m, &figures->heat);
  timings_mark(t, "loops");
  cut(m, o, &units, &once);
  Work w = prepare(o, &units, &once, figures);
  cut_free(&units);
  vec_free(&once);
  timings_mark(t, "units");
  // Files for people get modes by the umask, which cannot be asked for in several threads (core/file).
  work_all(&w, o->emit_llvm ? 1 : o->jobs ? o->jobs : processors());
  bool ok = finish_units(&w, out, &passes, &machine, diags), made = figures->kept < figures->units;
  timings_mark_two(t, "passes", passes, "machine code", machine);
  if (made) cache_trim();
  return ok;
}

void emitter_free(Objects *o) {
  for (vec_each(i, o)) vec_free(&o->at[i]);
  vec_free(o);
}
