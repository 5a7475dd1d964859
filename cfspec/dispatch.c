// From constraints to one function: values (dispatch_value), the order of questions (dispatch_tree), names
// (dispatch_var), then code (dispatch_emit).
#include "dispatch.h"
#include <assert.h>
#include <stdlib.h>
#include "dispatch_emit.h"

typedef struct {
  const Sigma *s;
  Values *vs;
  Variables *variables;
  Readings *readings;
  Diags *diags;
  Vec(uint32_t) seen;  // by term: schedule and one that looked at it last
} Builder;

// A constraint names something that is not there, or that can be read in no such way.
static bool resolve(Builder *b, uint32_t schedule, Term t) {
  const Terms *ts = b->s->terms;
  TermNode n = term_at(ts, t);
  if (n.op != TERM_VAR && n.op != TERM_ADDR) return true;
  Value v = values_of_term(b->vs, t);
  const Schedule *c = b->s->schedules.at[schedule];
  Place where = {b->s->file, c->when_line, 0};
  const char *name = term_text(ts, t);
  Reading r;
  char *why = n.op == TERM_VAR ? variable_read(b->variables, name, (TermAccess)n.access, &r)
                               : variable_address(b->variables, name, &r);
  bool ok = !why;
  if (why)
    diag(b->diags, DIAG_ERROR, where, "schedule %u: (%s %s): %s", schedule, term_op_word((TermOp)n.op), name,
         why);
  else if (r.guessed)
    diag(b->diags, DIAG_WARNING, where,
         "schedule %u: (var %s): no debug information; read as a signed integer of %u bits", schedule, name,
         r.bits);
  while (b->readings->len <= v) vec_push(b->readings, (Reading){0});
  b->readings->at[v] = r;
  mem_free(why);
  return ok;
}

static bool resolve_all(Builder *b, uint32_t schedule, Term t) {
  const Terms *ts = b->s->terms;
  Vec(Term) open = {0};
  bool ok = true;
  while (b->seen.len < terms_count(ts)) vec_push(&b->seen, 0);
  vec_push(&open, t);
  while (open.len) {
    Term i = vec_pop(&open);
    if (b->seen.at[i] == schedule + 1) continue;
    b->seen.at[i] = schedule + 1;
    ok = resolve(b, schedule, i) && ok;
    for (uint32_t k = 0; k < term_at(ts, i).count; ++k) vec_push(&open, term_operand(ts, i, k));
  }
  vec_free(&open);
  return ok;
}

static int by_id(const void *a, const void *b) {
  int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
  return (i > j) - (i < j);
}

LLVMValueRef dispatch_function(LLVMModuleRef m, const Sigma *s, const uint32_t *schedules, size_t count,
                               const DispatchPlace *place, Diags *d) {
  Readings readings = {0};
  Builder b = {.s = s,
               .vs = values_new(s->terms),
               .variables = variables_new(m, place),
               .readings = &readings,
               .diags = d};
  int64_t *ids = mem_array(count + 1, sizeof *ids);
  Value *wholes = mem_array(count + 1, sizeof *wholes);
  LLVMValueRef f = NULL;
  bool ok = true;
  for (size_t i = 0; i < count; ++i) {
    assert(schedules[i] < s->schedules.len);
    ids[i] = schedules[i];
  }
  if (count) qsort(ids, count, sizeof *ids, by_id);
  for (size_t i = 0; i < count; ++i) {
    const Schedule *c = s->schedules.at[ids[i]];
    wholes[i] = c->status == SIGMA_FALSE ? VALUE_FALSE : values_of_term(b.vs, c->when);
    if (c->status != SIGMA_FALSE) ok = resolve_all(&b, (uint32_t)ids[i], c->when) && ok;
  }
  if (ok) {
    Tree *t = tree_new(b.vs, wholes, ids, count);
    f = dispatch_emit(m, b.vs, t, &readings);
    tree_free(t);
  }
  assert(f || diags_errors(d));
  vec_free(&readings);
  vec_free(&b.seen);
  variables_free(b.variables);
  values_free(b.vs);
  mem_free(ids);
  mem_free(wholes);
  return f;
}
