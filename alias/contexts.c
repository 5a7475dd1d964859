#include "contexts.h"
#include "facts.h"

// The rules, put here by the assembler.
__asm__(
    ".pushsection .rodata\n.globl alias_points_to_rules\nalias_points_to_rules:\n.incbin \"" POINTS_TO_RULES
    "\"\n.byte 0\n.popsection\n");
extern const char alias_points_to_rules[];

static Datalog *solved(const Alias *a, uint64_t room, const AliasContexts *how, Diags *diags) {
  DatalogOptions options = {.seconds = how->seconds, .nodes = how->nodes, .explain = how->explain != NULL};
  Span rules = span_of((const unsigned char *)alias_points_to_rules, strlen(alias_points_to_rules));
  Datalog *d = datalog_parse("points-to.datalog", rules, &options, diags);
  assert(d && "points-to.datalog has an error");
  facts_give(a, room, how->clones && room > 1, d);
  DatalogEnd end = datalog_solve(d, diags);
  assert(end != DATALOG_WRONG);
  if (how->explain) datalog_explain(d, how->explain);
  if (end == DATALOG_SOLVED) return d;
  datalog_free(d);
  return NULL;
}

static bool add_row(void *self, const uint64_t *values) {
  Set *sets = self;
  set_add(&sets[values[0]], (uint32_t)values[1]);
  return true;
}

static bool add_object(void *self, const uint64_t *values) {
  bool *escaped = self;
  escaped[values[0]] = true;
  return true;
}

static Set *sets_of(const Alias *a, Datalog *d) {
  Set *sets = mem_array(a->sol->nodes, sizeof *sets);
  datalog_each(d, "flat", add_row, sets);
  return sets;
}

// Escaped objects are left out beside SPOT_UNKNOWN, here and there.
static void intersect(const Alias *a, Set *mine, const Set *old) {
  Set kept = {0};
  bool unknown = set_has(mine, SPOT_UNKNOWN), was_unknown = set_has(old, SPOT_UNKNOWN);
  for (set_each(at, mine)) {
    bool gone = at.id != SPOT_UNKNOWN && a->sol->escaped[spots_at(a->sys->spots, at.id).object];
    if (gone ? !unknown && (was_unknown || set_has(old, at.id)) : set_has(old, at.id)) set_add(&kept, at.id);
  }
  set_free(mine);
  *mine = kept;
}

bool contexts_refine(Alias *a, const AliasContexts *how, Diags *diags) {
  Datalog *d = NULL;
  for (int clones = how->clones; !d && clones >= 0; --clones) {
    AliasContexts now = *how;
    now.clones = clones;
    Diags *why = diags_new();
    d = solved(a, (uint64_t)1 << 62, &now, why);
    if (!d && diags && !clones) diags_append(diags, why), diag_note(diags, "callers are not told apart");
    if (d && diags && !clones && how->clones)
      diag_warning(diags, "what functions make is not told apart by their callers: a budget was spent on it");
    diags_free(why);
  }
  if (!d) return false;
  Solution *r = a->sol;
  Set *sets = sets_of(a, d);
  datalog_free(d);
  for (uint32_t n = 0; n < r->nodes; ++n) {
    const Set *old = solution_set(r, n);
    if (n < a->sys->nodes)
      intersect(a, &sets[n], old);
    else
      set_copy(&sets[n], old);  // of a cell
  }
  for (uint32_t n = 0; n < r->nodes; ++n) set_free(&r->sets[n]), r->same[n] = n;
  mem_free(r->sets);
  r->sets = sets;
  return true;
}

// -- for tests

// The set as far as solvers must agree on it: escaped objects count as a whole, and not beside SPOT_UNKNOWN.
static void reduce(const Alias *a, const Set *from, Set *out) {
  bool unknown = set_has(from, SPOT_UNKNOWN);
  for (set_each(at, from)) {
    uint32_t o = spots_at(a->sys->spots, at.id).object;
    bool gone = at.id != SPOT_UNKNOWN && a->sol->escaped[o];
    if (unknown && gone) continue;
    set_add(out, gone ? spots_count(a->sys->spots) + o : at.id);
  }
}

static size_t count_differences(const Alias *a, const Set *sets, bool within) {
  size_t differences = 0;
  for (uint32_t n = 0; n < a->sys->nodes; ++n) {
    Set mine = {0}, old = {0};
    reduce(a, &sets[n], &mine);
    reduce(a, solution_set(a->sol, n), &old);
    // With contexts a pointer may be known where it was not: escaped objects then stand there by themselves.
    bool hidden = within && set_has(&old, SPOT_UNKNOWN);
    for (set_each(at, &mine))
      if (!set_has(&old, at.id) && !(hidden && at.id >= spots_count(a->sys->spots))) differences++;
    if (!within && !set_within(&old, &mine)) differences++;
    set_free(&mine);
    set_free(&old);
  }
  return differences;
}

size_t alias_compare_contexts(const Alias *a, bool contexts, Diags *diags) {
  AliasContexts none = {.clones = true};
  Datalog *d = solved(a, contexts ? (uint64_t)1 << 62 : 1, &none, diags);
  if (!d) return SIZE_MAX;
  Set *sets = sets_of(a, d);
  bool *escaped = mem_array(a->sol->objects, sizeof *escaped);
  datalog_each(d, "escaped", add_object, escaped);
  datalog_free(d);
  size_t differences = count_differences(a, sets, contexts);
  for (uint32_t o = 1; o < a->sol->objects; ++o)
    differences += contexts ? escaped[o] && !a->sol->escaped[o] : escaped[o] != a->sol->escaped[o];
  for (uint32_t n = 0; n < a->sol->nodes; ++n) set_free(&sets[n]);
  mem_free(sets);
  mem_free(escaped);
  return differences;
}
