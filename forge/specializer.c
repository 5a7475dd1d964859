#include "specializer.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "capture/capture.h"
#include "cfspec/cfspec.h"
#include "app/app.h"
#include "alias/alias.h"
#include "roller.h"

// Why a schedule is not built; NULL: it is.
static const char *left_out(const Sigma *s, const IdVec *taken, uint32_t id, const SpecializerOptions *o) {
  const Schedule *c = s->schedules.at[id];
  if (c->incomplete) return "it is incomplete: `specialize record` said why";
  if (c->status == SIGMA_FALSE) return "its constraint is false (set one with `specialize constrain`)";
  if (c->status == SIGMA_UNPROVED && !o->trust) return "its constraint is unproved (accept it with --trust)";
  for (vec_each(i, taken)) {
    const Schedule *other = s->schedules.at[taken->at[i]];
    bool same_place = other->at_file == c->at_file && other->at_line == c->at_line;
    if (same_place && term_same(s->terms, other->when, s->terms, c->when))
      return "an earlier schedule has the same constraint";
  }
  return NULL;
}

static void tell_choice(Place w, uint32_t id, const char *why) {
  char *what = mem_format("schedule %u %s", id, why ? "is left out" : "is built");
  decided("schedules", w, what, why ? why : "its constraint can be tested, and no earlier one is the same");
  mem_free(what);
}

static bool choose(const Sigma *s, const SpecializerOptions *o, IdVec *chosen, Diags *d) {
  for (uint32_t id = 0; id < s->schedules.len; ++id) {
    const char *why = left_out(s, chosen, id, o);
    Place w = {s->file, s->schedules.at[id]->line, 0};
    if (decisions_wanted()) tell_choice(w, id, why);
    if (why)
      diag(d, DIAG_NOTE, w, "schedule %u dropped: %s", id, why);
    else
      vec_push(chosen, id);
  }
  if (!chosen->len) diag_error(d, "%s: none of the schedules can be built", s->file);
  return chosen->len > 0;
}

static bool fits(const Program *l, const char *app, const Sigma *s, Diags *d) {
  if (strcmp(sigma_text(s, s->module), l->hash_text)) {
    diag(d, DIAG_ERROR, (Place){s->file, s->module_line, 0},
         "belongs to another program: the module hash of %s is %s", app, l->hash_text);
    diag_note(d,
              "if the program has changed since the recording, `specialize rebase` keeps the schedules that "
              "still fit");
    return false;
  }
  return sigma_check(s, d) && sigma_validate(s, l->sites, l->graph, l->sync, d);
}

// A schedule that begins inside main has no main of its own to be looked at.
static bool tell_disjoint(Program *l, const Sigma *s, const IdVec *chosen, Diags *d) {
  bool open = targets_open(l->module, &l->app), ok = true;
  size_t marked = 0;
  for (size_t i = 0; ok && i < chosen->len; ++i) {
    const Schedule *one = s->schedules.at[chosen->at[i]];
    Place w = {s->file, one->line, 0};
    if (one->at_file != SIGMA_NONE)
      diag(d, DIAG_NOTE, w, "schedule %u begins inside main: --alias does not apply to it", chosen->at[i]);
    else
      ok = cfspec_disjoint(l->module, chosen->at[i], open, &marked, d);
  }
  if (ok) diag_note(d, "%zu instructions got alias information", marked);
  return ok;
}

// Sanitizers want to see every access, and without optimization nobody would listen.
static bool can_tell(const EmitOptions *e, Diags *d) {
  bool can = e->level && !e->extra_passes;
  if (!can)
    diag_note(d, "--alias has no effect: the program was compiled without optimization or with a sanitizer");
  return can;
}

// The passes that use what is told run while operations are still calls: LLVM takes an atomic access to touch
// all memory, whatever it is told, and inlined operations have some.
static const char early_passes[] = "function(sroa,early-cse<memssa>,gvn,dse)";

static bool make_disjoint(Program *l, const Sigma *s, const IdVec *chosen, const EmitOptions *e, Diags *d) {
  LLVMTargetMachineRef tm = emit_machine(l->module, e, d);
  bool ok = tm && tell_disjoint(l, s, chosen, d) && emit_passes(l->module, tm, early_passes, d);
  if (tm) LLVMDisposeTargetMachine(tm);
  return ok;
}

static void add_figures(DfspecFigures *sum, const DfspecFigures *f) {
  sum->before += f->before, sum->after += f->after;
  sum->values += f->values, sum->addresses += f->addresses, sum->loads += f->loads;
  sum->guards += f->guards, sum->left += f->left;
  sum->by_value += f->by_value, sum->by_solver += f->by_solver;
  sum->loops += f->loops, sum->loops_left += f->loops_left;
  if (f->rounds > sum->rounds) sum->rounds = f->rounds;
}

// Why the clones keep all their tests and loads; NULL: they need not.
static const char *no_dataflow(const SpecializerOptions *o, const EmitOptions *e) {
  if (o->no_dataflow) return "--no-dataflow";
  if (o->free) return "a run that leaves its schedule goes on (--on-divergence free): nothing holds then";
  return e->extra_passes ? "sanitizers want to see every access" : NULL;
}

// What a schedule makes true, put into its clones.
static bool use_facts(Program *l, const Sigma *s, const IdVec *chosen, const SpecializerOptions *o,
                      const EmitOptions *e, DfspecFigures *out, Diags *d) {
  bool ok = true;
  DfspecInput in = {.module = l->module, .sigma = s, .open = targets_open(l->module, &l->app)};
  in.optimize = e->level > 0, in.check = o->check_facts;
  for (size_t i = 0; ok && i < chosen->len; ++i) {
    DfspecFigures f;
    in.schedule = chosen->at[i];
    ok = dfspec_apply(&in, &f, d);
    add_figures(out, &f);
  }
  return ok;
}

static bool specialize_data(Program *l, const Sigma *s, const IdVec *chosen, const SpecializerOptions *o,
                            const EmitOptions *e, Timings *t, DfspecFigures *out, Diags *d) {
  const char *why = no_dataflow(o, e);
  decided("data flow", (Place){0}, why ? "not used" : "used",
          why ? why : "runs that leave their schedule stop");
  if (why) return true;
  Diags *found = diags_new();  // of code that nobody knows: building needs no word of it
  progress("putting in what the schedules make true");
  bool ok = use_facts(l, s, chosen, o, e, out, found);
  if (!ok) diags_append(d, found);
  diags_free(found);
  timings_mark(t, "data flow");
  return ok;
}

static bool emit(Program *l, const Sigma *s, const IdVec *chosen, const SpecializerOptions *o,
                 const EmitOptions *how, Timings *t, Objects *objects, EmitterFigures *figures, Diags *d) {
  EmitterOptions e = {.emit = *how, .emit_llvm = o->emit_llvm};
  e.jobs = o->jobs, e.unit = o->unit;
  bool alias = o->alias && can_tell(&e.emit, d), ok = !alias || make_disjoint(l, s, chosen, &e.emit, d);
  if (alias) timings_mark(t, "aliases");
  ok = ok && (!o->emit_llvm || emitter_write_ir(l->module, o->emit_llvm, "before.ll", d));
  return ok && emitter_run(l->module, &e, objects, figures, t, d);
}

// The first takes the module's place, the others stand behind it.
static bool write_objects(const char *dir, const Objects *objects, Strings *paths, Diags *d) {
  for (size_t i = 1; i < objects->len; ++i) {
    char *path = mem_format("%s/unit-%zu.o", dir, i);
    int err = file_write(path, objects->at[i].at, objects->at[i].len, 0);
    vec_push(paths, path);
    if (err) return diag_error(d, "%s: %s", path, strerror(err)), false;
  }
  return true;
}

// OUT is complete at any moment, or what it was before: the program is finished elsewhere.
static bool link_objects(const Program *l, const SpecializerOptions *o, const char *runtime,
                         const Objects *objects, const char *scratch, Diags *d) {
  char *dir = self_dir(), *made = file_join(scratch, "program");
  Strings more = {0};
  bool ok = write_objects(scratch, objects, &more, d);
  vec_push(&more, mem_format("%s/" SPECIALIZE_ENFORCE_PATH "/libspecialize-%s%s.a", dir, runtime,
                             o->chaos ? "-chaos" : ""));
  ok = ok && link_again(&l->app.recipe, span_of(objects->at[0].at, objects->at[0].len), &more, made, d) &&
       app_write(made, span_of(l->app.module.at, l->app.module.len), &l->app.recipe, d) &&
       link_place(made, o->out, d);
  strings_free(&more);
  mem_free(dir), mem_free(made);
  return ok;
}

bool link_specialized(const Program *l, const SpecializerOptions *o, const char *runtime,
                      const Objects *objects, Diags *d) {
  char *scratch = file_temp_dir();
  if (!scratch) return diag_error(d, "no temporary directory: %s", strerror(errno)), false;
  bool ok = link_objects(l, o, runtime, objects, scratch, d);
  file_remove_tree(scratch);
  mem_free(scratch);
  return ok;
}

static bool emit_and_link(Program *l, const Sigma *s, const IdVec *chosen, const SpecializerOptions *o,
                          const EmitOptions *how, Timings *t, EmitterFigures *figures, Diags *d) {
  Objects objects = {0};
  bool ok =
      emit(l, s, chosen, o, how, t, &objects, figures, d) && link_specialized(l, o, "enforce", &objects, d);
  timings_mark(t, "linking");
  emitter_free(&objects);
  return ok;
}

// Which operations are events depends on what is excluded.
static void leave_out_sites(Program *l, const Sigma *s, bool **ordinary) {
  mem_free(*ordinary);
  *ordinary = sigma_ordinary_sites(s, l->sites);
  if (!*ordinary) return;
  maysync_free(l->sync);
  l->sync = maysync_new_without(l->graph, *ordinary);
}

static size_t most_events(const Sigma *s, const IdVec *chosen) {
  size_t most = 0;
  for (vec_each(i, chosen))
    if (s->schedules.at[chosen->at[i]]->events.len > most) most = s->schedules.at[chosen->at[i]]->events.len;
  return most;
}

// The busiest locks are given up until it fits.
static bool keep_to_budget(Program *l, Sigma *s, CfspecInput *in, const IdVec *chosen, bool **ordinary,
                           size_t size, Diags *d) {
  if (size <= in->budget || size == SIZE_MAX) return size != SIZE_MAX;
  diag_warning(d, "the clones would need about %zu instructions; the limit 'clones' is %zu (--budget)", size,
               in->budget);
  limit_reached(LIMIT_OF_CLONES);
  ImportNames names = {l->sites, l->graph, l->sync, NULL};
  for (size_t events = most_events(s, chosen); size != SIZE_MAX && size > in->budget;) {
    Exclude e = {.most = (uint32_t)(events / 2)};
    size_t before = s->exclusions.len;
    if (!sigma_exclude(s, &names, &e, d)) return false;
    if (s->exclusions.len == before && events < 2) break;
    events /= 2;
    if (s->exclusions.len == before) continue;
    leave_out_sites(l, s, ordinary);
    in->sync = names.sync = l->sync;
    size = cfspec_size(in, d);
  }
  if (size <= in->budget) return true;
  if (size != SIZE_MAX)
    diag_error(d, "still about %zu instructions after excluding every lock that can be excluded", size);
  return false;
}

// An operation is an instruction at least: of very long schedules nobody has to know more.
static size_t size_of_clones(const CfspecInput *in, const SpecializerOptions *o, Diags *d) {
  size_t operations = 0;
  if (o->rolled) return SIZE_MAX - 1;
  for (size_t i = 0; i < in->count; ++i) {
    const Schedule *c = in->sigma->schedules.at[in->schedules[i]];
    for (vec_each(e, &c->events)) operations += c->events.at[e].kind < EVENT_CALL;
  }
  return operations > in->budget ? operations : cfspec_size(in, d);
}

static bool can_roll(const CfspecInput *in, const SpecializerOptions *o, size_t size, Diags *d) {
  if (size <= in->budget || size == SIZE_MAX || !cfspec_can_roll(in, o->rolled, d)) return false;
  if (o->rolled) return true;
  limit_reached(LIMIT_OF_CLONES);
  diag_note(d,
            "the clones would need at least %zu instructions; the limit 'clones' is %zu (--budget): the "
            "original code is held to the schedules",
            size, in->budget);
  return true;
}

static void decided_forms(const Sigma *s, const IdVec *chosen, bool rolled, const SpecializerOptions *o,
                          const CfspecInput *in) {
  char *large =
      mem_format("its clones would have more instructions than the limit 'clones' allows: %zu", in->budget);
  for (vec_each(i, chosen)) {
    char *what = mem_format("schedule %u is %s", chosen->at[i], rolled ? "rolled" : "unrolled");
    Place w = {s->file, s->schedules.at[chosen->at[i]]->line, 0};
    decided("form", w, what, !rolled ? "its clones fit" : o->rolled ? "--rolled" : large);
    mem_free(what);
  }
  mem_free(large);
}

// Chosen when the runs were recorded, or here for the budget.
static void decided_exclusions(const Sigma *s) {
  for (vec_each(i, &s->exclusions)) {
    char *what = mem_format("%s %s is excluded", family_word(s->exclusions.at[i].family),
                            sigma_text(s, s->exclusions.at[i].name));
    decided("exclusion", (Place){0}, what, "its events are in no schedule: threads take it in any order");
    mem_free(what);
  }
}

static void tell_share(const Sigma *s, const IdVec *chosen, Diags *d) {
  decided_exclusions(s);
  for (vec_each(i, &s->exclusions))
    diag_note(d, "excluded: %s %s", family_word(s->exclusions.at[i].family),
              sigma_text(s, s->exclusions.at[i].name));
  for (vec_each(i, chosen)) {
    double share = schedule_share(s->schedules.at[chosen->at[i]]);
    if (share < 1)
      diag_note(d, "schedule %u enforces %.1f %% of the run's operations", chosen->at[i], 100 * share);
  }
}

bool specializer_divergence(const char *word, const char *where, bool *free, Diags *d) {
  *free = !strcmp(word, "free");
  if (*free || !strcmp(word, "abort")) return true;
  diag_error(d, "%s must be abort or free, not '%s'", where, word);
  return false;
}

bool specializer_build(Program *l, const char *app, Sigma *s, const SpecializerOptions *o,
                       SpecializerFigures *out, Diags *d) {
  IdVec chosen = {0};
  *out = (SpecializerFigures){0};
  timings_begin(&out->times);
  program_suit(l, s);
  bool ok = fits(l, app, s, d) && choose(s, o, &chosen, d);
  bool *ordinary = NULL;
  if (ok) leave_out_sites(l, s, &ordinary);
  CfspecInput in = {.module = l->module, .sites = l->sites, .graph = l->graph, .sync = l->sync, .sigma = s};
  in.schedules = chosen.at, in.count = chosen.len, in.soften = true, in.apart = o->apart, in.free = o->free;
  in.budget = o->budget ? o->budget : LIMIT_CLONES;
  EmitOptions e = emit_options(&l->app.recipe, d);
  in.tested = !no_dataflow(o, &e);
  in.segments = o->segments, in.branches = o->branches;
  size_t size = ok ? size_of_clones(&in, o, d) : 0;
  bool rolled = ok && can_roll(&in, o, size, d);
  if (ok && !rolled && !diags_errors(d) && size > in.budget) size = cfspec_size(&in, d);
  ok = ok && !diags_errors(d) && (rolled || keep_to_budget(l, s, &in, &chosen, &ordinary, size, d));
  if (ok) decided_forms(s, &chosen, rolled, o, &in);
  if (ok) tell_share(s, &chosen, d);
  timings_mark(&out->times, "checks");
  if (rolled) {
    ok = ok && roller_build(l, app, &in, ordinary, &e, o, out, d);
  } else {
    progress("cloning");
    ok = ok && cfspec_specialize(&in, &out->clones, d);
    timings_mark(&out->times, "clones");
    ok = ok && !diags_errors(d) && specialize_data(l, s, &chosen, o, &e, &out->times, &out->facts, d);
    ok = ok && emit_and_link(l, s, &chosen, o, &e, &out->times, &out->units, d);
    progress(NULL);
  }
  out->schedules = chosen.len;
  vec_free(&chosen);
  mem_free(ordinary);
  return ok;
}

bool specializer_clones(Program *l, const char *app, Sigma *s, uint32_t schedule, DfspecNotes *notes,
                        Diags *d) {
  CfspecFigures figures;
  DfspecFigures facts;
  bool *ordinary = NULL;
  IdVec chosen = {0};
  if (schedule >= s->schedules.len) return diag_error(d, "%s: no schedule %u", s->file, schedule), false;
  vec_push(&chosen, schedule);
  program_suit(l, s);
  bool ok = fits(l, app, s, d);
  if (ok) leave_out_sites(l, s, &ordinary);
  CfspecInput in = {.module = l->module, .sites = l->sites, .graph = l->graph, .sync = l->sync, .sigma = s};
  in.schedules = chosen.at, in.count = chosen.len, in.budget = LIMIT_CLONES, in.soften = true;
  ok = ok && keep_to_budget(l, s, &in, &chosen, &ordinary, cfspec_size(&in, d), d) &&
       cfspec_specialize(&in, &figures, d);
  Diags *found = diags_new();
  DfspecInput with = {
      .module = l->module, .sigma = s, .schedule = schedule, .notes = notes, .optimize = true};
  with.open = ok && targets_open(l->module, &l->app);
  if (ok && !dfspec_apply(&with, &facts, found)) ok = false, diags_append(d, found);
  diags_free(found);
  vec_free(&chosen);
  mem_free(ordinary);
  return ok;
}

ViewResult specializer_view(Program *l, const char *app, Sigma *s, uint32_t schedule, bool keep,
                            size_t budget, Diags *d) {
  CfspecFigures figures;
  bool *ordinary = NULL;
  IdVec chosen = {0};
  if (schedule >= s->schedules.len)
    return diag_error(d, "%s: no schedule %u", s->file, schedule), VIEW_FAILED;
  vec_push(&chosen, schedule);
  program_suit(l, s);
  bool ok = fits(l, app, s, d);
  if (ok) leave_out_sites(l, s, &ordinary);
  CfspecInput in = {.module = l->module, .sites = l->sites, .graph = l->graph, .sync = l->sync, .sigma = s};
  in.schedules = chosen.at, in.count = chosen.len, in.budget = budget ? budget : LIMIT_CLONES,
  in.apart = in.soften = in.tails = true;
  bool small = ok && keep_to_budget(l, s, &in, &chosen, &ordinary, cfspec_size(&in, d), d);
  ViewResult result = !ok ? VIEW_FAILED : small ? VIEW_REFUSED : VIEW_TOO_LARGE;
  ok = small;
  if (ok) tell_share(s, &chosen, d);
  ok = ok && cfspec_specialize(&in, &figures, d) && cfspec_view(l->module, schedule, keep, d);
  vec_free(&chosen);
  mem_free(ordinary);
  return ok ? VIEW_MADE : result;
}
