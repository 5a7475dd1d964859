// cfspec/dispatch_tree: what tree_check notices.
#undef NDEBUG
#include "cfspec/dispatch_tree.c"
#include "dies.h"

static Values *values;

static void check(void *t) {
  tree_check(t, values);
}

static Value constraint(Terms *ts, const char *text) {
  Diags *d = diags_new();
  Term t = term_parse(ts, span_of(text, strlen(text)), d, (Place){0});
  assert(t != TERM_NONE);
  diags_free(d);
  return values_of_term(values, t);
}

static Step *step_with(Tree *t, StepKind kind) {
  for (vec_each(i, &t->steps))
    if (t->steps.at[i].kind == kind) return &t->steps.at[i];
  assert(!"there is such a step");
}

static void test_steps(Tree *t) {
  Step *choice = step_with(t, STEP_CHOICE), *test = step_with(t, STEP_TEST), kept = *choice;
  assert(choice->count >= 2);
  StepCase *cases = &t->cases.at[choice->first], first = cases[0];
  cases[0] = cases[1];  // the same literal twice
  dies_in("check_step", check, t);
  cases[0] = first, choice->count = (uint32_t)t->cases.len + 1;
  dies_in("check_step", check, t);
  *choice = kept, test->on = choice->on;  // no Bool
  dies_in("check_step", check, t);
}

static void test_order(Tree *t) {
  Step *test = step_with(t, STEP_TEST);
  uint32_t yes = test->yes, last = vec_last(&t->order);
  test->yes = (uint32_t)(test - t->steps.at);  // asked again
  dies_in("tree_check", check, t);
  test->yes = yes, vec_last(&t->order) = 0;
  dies_in("tree_check", check, t);
  vec_last(&t->order) = last;
  uint32_t place = t->place[test->on];
  t->place[test->on] = UINT32_MAX;
  dies_in("check_places", check, t);
  t->place[test->on] = last;  // behind its use
  dies_in("check_places", check, t);
  t->place[test->on] = place;
  tree_check(t, values);
}

int main(void) {
  Terms *ts = terms_new();
  values = values_new(ts);
  Value wholes[] = {constraint(ts, "(and (= argc 2) (> (atoi (argv 1)) 3))"), constraint(ts, "(= argc 3)")};
  int64_t results[] = {4, 7};
  Tree *t = tree_new(values, wholes, results, 2);
  test_order(t);
  test_steps(t);
  tree_free(t);
  values_free(values);
  terms_free(ts);
  return 0;
}
