// sigma/term: what terms_check notices.
#undef NDEBUG
#include "sigma/term.c"
#include "dies.h"

static void check(void *ts) {
  terms_check(ts);
}

static Term parsed(Terms *ts) {
  static const char text[] =
      "(and (= (argv 1) \"x\") (< (+ 1 2) argc) (= (mem int32 (addr x)) 3) (< 1.5 (double (var n))))";
  Diags *diags = diags_new();
  Term t = term_parse(ts, span_of(text, sizeof text - 1), diags, (Place){"test", 1, 1});
  assert(t != TERM_NONE);
  diags_free(diags);
  return t;
}

static Term first_of(const Terms *ts, TermOp op) {
  Term t = 0;
  while (term_at(ts, t).op != op) ++t;
  return t;
}

int main(void) {
  Terms *ts = terms_new();
  Term t = parsed(ts);
  terms_check(ts);
  TermNode *top = &ts->nodes.at[t], *sum = &ts->nodes.at[first_of(ts, TERM_ADD)];
  TermNode *real = &ts->nodes.at[first_of(ts, TERM_REAL)], *var = &ts->nodes.at[first_of(ts, TERM_VAR)];
  TermNode *mem = &ts->nodes.at[first_of(ts, TERM_MEM)];

  top->depth++;
  dies_in("check_node", check, ts);
  top->depth--, top->count--;
  dies_in("terms_check", check, ts);  // nobody has the last operand
  top->count++, top->first++;
  dies_in("terms_check", check, ts);
  top->first--, ts->operands.at[sum->first] = t;  // not made before
  dies_in("check_node", check, ts);
  ts->operands.at[sum->first] = first_of(ts, TERM_STRING);  // of another type
  dies_in("check_types", check, ts);
  ts->operands.at[sum->first] = first_of(ts, TERM_INT), sum->type = TERM_IS_DOUBLE;
  dies_in("check_types", check, ts);
  sum->type = TERM_IS_INT64, sum->access = TERM_AS_INT8;
  dies_in("check_node", check, ts);
  sum->access = 0, mem->access = TERM_AS_DOUBLE;
  dies_in("check_types", check, ts);
  mem->access = TERM_AS_INT32, real->as.d = HUGE_VAL;
  dies_in("check_node", check, ts);
  real->as.d = 1.5, var->as.text = intern_count(ts->texts);
  dies_in("check_node", check, ts);
  var->as.text = 0;
  terms_check(ts);
  ts->operands.len--;
  dies_in("terms_check", check, ts);
  ts->operands.len++;
  terms_free(ts);
  return 0;
}
