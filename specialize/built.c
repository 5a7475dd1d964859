#include "built.h"
#include <stdio.h>
#include <sys/resource.h>

void built_tell(const SpecializerOptions *o, const SpecializerFigures *f) {
  char *name = shown(o->out);
  fprintf(stderr, "specialize: %s: %zu schedule%s, %zu events, ", name, f->schedules,
          f->schedules == 1 ? "" : "s", f->clones.events);
  mem_free(name);
  if (f->rolled)
    fprintf(stderr, "rolled into %zu bytes, ", f->rolled);
  else
    fprintf(stderr, "%zu instructions cloned, ", f->clones.instructions);
  if (o->free && !f->rolled) fprintf(stderr, "%zu of them generic, ", f->clones.generic);
  fprintf(stderr, "%.1f s\n", timings_sum(&f->times));
}

static void tell_times(const Timings *t) {
  struct rusage use = {0};
  getrusage(RUSAGE_SELF, &use);
  for (size_t i = 0; i < t->len; ++i)
    fprintf(stderr, "specialize: %s: %.3f s, %.3f s of processor time\n", t->part[i], t->wall[i], t->cpu[i]);
  fprintf(stderr, "specialize: memory: %ld MB\n", use.ru_maxrss / 1024);
}

static void tell_heat(const HeatFigures *f) {
  fprintf(stderr,
          "specialize: loops: %zu in clones became %zu functions; %zu clones run once, %zu are optimized\n",
          f->loops, f->functions, f->cold, f->hot);
}

static void tell_apart(const CfspecFigures *f) {
  double share = f->apart_wanted ? 100.0 * (double)f->apart / (double)f->apart_wanted : 100;
  fprintf(stderr,
          "specialize: cloned per thread: %zu of %zu functions that never synchronize, %.1f %% of their %zu "
          "instructions\n",
          f->copies, f->copies_wanted, share, f->apart_wanted);
}

static void tell_facts(const DfspecFigures *f) {
  if (!f->rounds) return;
  fprintf(stderr,
          "specialize: data flow: %zu of %zu guards removed, %zu values and %zu addresses became constant "
          "(%zu loads), "
          "%zu of %zu loops are gone, %zu instructions became %zu\n",
          f->guards - f->left, f->guards, f->values, f->addresses, f->loads, f->loops - f->loops_left,
          f->loops, f->before, f->after);
}

void built_tell_timings(const SpecializerOptions *o, const SpecializerFigures *f) {
  tell_times(&f->times);
  tell_facts(&f->facts);
  if (o->apart) tell_apart(&f->clones);
  tell_heat(&f->units.heat);
  fprintf(stderr, "specialize: units: %zu, %zu of them from the cache\n", f->units.units, f->units.kept);
}
