// alias/datalog: what ruleset_check, layout_check and steps_check notice.
#undef NDEBUG
#include "alias/datalog/datalog.c"
#include "dies.h"

static void check_ruleset(void *d) {
  ruleset_check(&((Datalog *)d)->program);
}

static void check_layout(void *d) {
  layout_check(&((Datalog *)d)->order, &((Datalog *)d)->program);
}

static void check_steps(void *d) {
  steps_check(&((Datalog *)d)->plan, &((Datalog *)d)->program, &((Datalog *)d)->order);
}

static const char text[] =
    "V 16\nH 4\ne (a:V0, b:V1)\np (a:V0, b:V1, h:H0) a=b\n"
    "p(a,b,1) :- e(a,b).\np(a,c,h) :- p(a,b,h), e(b,c), p(c,a,h). split\n";

static void test_ruleset(Datalog *d) {
  Ruleset *r = &d->program;
  check_ruleset(d);
  r->domains.at[0].bits = 3;
  dies_in("ruleset_check", check_ruleset, d);
  r->domains.at[0].bits = 4, r->relations.at[1].wishes.at[0].right = 3;
  dies_in("ruleset_check", check_ruleset, d);
  r->relations.at[1].wishes.at[0].right = 1, r->rules.at[0].head.negated = true;
  dies_in("ruleset_check", check_ruleset, d);
  r->rules.at[0].head.negated = false, r->rules.at[1].variables.at[0].domain = 1;
  dies_in("term_check", check_ruleset, d);
  r->rules.at[1].variables.at[0].domain = 0, --r->rules.at[1].body.at[1].arguments.len;
  dies_in("term_check", check_ruleset, d);
  ++r->rules.at[1].body.at[1].arguments.len;
  check_ruleset(d);
}

static void test_layout(Datalog *d) {
  Layout *o = &d->order;
  check_layout(d);
  o->blocks.at[0].variables[0] = o->blocks.at[0].variables[1];
  dies_in("layout_check", check_layout, d);
  layout_number(o);
  ++o->variables;
  dies_in("layout_check", check_layout, d);
  --o->variables, o->blocks.at[1].bits = 5;
  dies_in("layout_check", check_layout, d);
  o->blocks.at[1].bits = 4, --o->groups.at[0].len;
  dies_in("layout_check", check_layout, d);
  ++o->groups.at[0].len;
  check_layout(d);
}

static void test_steps(Datalog *d) {
  Plan *p = &d->plan;
  check_steps(d);
  assert(p->steps.len == 3 && p->components == 2);
  p->steps.at[0].views.at[0] = (uint32_t)p->views.len;
  dies_in("steps_check", check_steps, d);
  p->steps.at[0].views.at[0] = 0, --p->steps.at[1].dropped.len;
  dies_in("steps_check", check_steps, d);
  ++p->steps.at[1].dropped.len, ++p->steps.at[2].component;
  dies_in("steps_check", check_steps, d);
  --p->steps.at[2].component, p->views.at[0].slots.at[0].block = (uint32_t)d->order.blocks.len;
  dies_in("steps_check", check_steps, d);
}

int main(void) {
  Diags *diags = diags_new();
  Datalog *d = datalog_parse("x.datalog", span_of((const unsigned char *)text, strlen(text)), NULL, diags);
  assert(d && !diags_count(diags));
  test_ruleset(d);
  test_layout(d);
  test_steps(d);
  datalog_free(d);
  diags_free(diags);
  return 0;
}
