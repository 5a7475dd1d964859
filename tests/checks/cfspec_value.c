// cfspec/dispatch_value: what values_check notices.
#undef NDEBUG
#include "cfspec/dispatch_value.c"
#include "dies.h"

static void check(void *vs) {
  values_check(vs);
}

static ValueNode *node_with(Values *vs, TermOp op) {
  for (vec_each(i, &vs->nodes))
    if (vs->nodes.at[i].op == op) return &vs->nodes.at[i];
  assert(!"there is such a value");
}

int main(void) {
  static const char text[] = "(and (= argc 2) (or (> (atoi (argv 1)) 3) (distinct (argv 1) \"x\" \"y\")))";
  Terms *ts = terms_new();
  Diags *d = diags_new();
  Term t = term_parse(ts, span_of(text, strlen(text)), d, (Place){0});
  assert(t != TERM_NONE);
  Values *vs = values_new(ts);
  values_of_term(vs, t);
  values_check(vs);
  ValueNode *equal = node_with(vs, TERM_EQ), *any = node_with(vs, TERM_OR), kept = *any;
  equal->op = TERM_GT;  // must have become <
  dies_in("check_bool", check, vs);
  equal->op = TERM_EQ, equal->subject = VALUE_TRUE;
  dies_in("check_value", check, vs);
  equal->subject = vs->operands.at[equal->first];
  any->mentions = 0;
  dies_in("check_value", check, vs);
  *any = kept, any->count = 1;
  dies_in("check_bool", check, vs);
  *any = kept;
  Value *operand = &vs->operands.at[any->first], before = *operand;
  *operand = (Value)(any - vs->nodes.at);  // itself
  dies_in("check_value", check, vs);
  *operand = before, vec_last(&vs->of) = values_count(vs);
  dies_in("values_check", check, vs);
  values_free(vs);
  terms_free(ts);
  diags_free(d);
  return 0;
}
