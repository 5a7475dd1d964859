// A small program, its clones for one schedule, and what flow/ makes of them.
#pragma once
#include "alias/alias.h"
#include "calls.h"
#include "cfspec/cfspec.h"
#include "flow/flow.h"

// main creates a thread, which stores 5 to @given under @lock; joins it, and uses what it left. `marks` take
// values that the test asks about: what is handed to them cannot be computed away.
static const char flow_ir[] =
    "@lock = internal global [40 x i8] zeroinitializer\n"
    "@given = internal global i32 0\n"
    "@flag = internal global i32 7\n"
    "@wild = internal global i32 7\n"
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare i32 @pthread_mutex_unlock(ptr)\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare i32 @pthread_join(i64, ptr)\n"
    "declare void @mark(i32)\n"
    "declare i32 @ask()\n"
    "define internal ptr @work(ptr %x) {\n"
    "  %a = call i32 @pthread_mutex_lock(ptr @lock)\n"
    "  store i32 5, ptr @given\n"
    "  %b = call i32 @pthread_mutex_unlock(ptr @lock)\n"
    "  ret ptr null\n"
    "}\n"
    "define i32 @main() {\n"
    "  %id = alloca i64\n"
    "  %c = call i32 @pthread_create(ptr %id, ptr null, ptr @work, ptr null)\n"
    "  %t = load i64, ptr %id\n"
    "  %j = call i32 @pthread_join(i64 %t, ptr null)\n"
    "  %left = load i32, ptr @given\n"
    "  call void @mark(i32 %left)\n"
    "  %seen = load volatile i32, ptr @wild\n"
    "  call void @mark(i32 %seen)\n"
    "  %asked = call i32 @ask()\n"
    "  %again = icmp ne i32 %asked, 3\n"
    "  br i1 %again, label %more, label %on\n"
    "more:\n"
    "  store i32 8, ptr @flag\n"
    "  br label %on\n"
    "on:\n"
    "  br i1 %again, label %bad, label %good\n"
    "bad:\n"
    "  %l = call i32 @pthread_mutex_lock(ptr @lock)\n"
    "  br label %good\n"
    "good:\n"
    "  %u = call i32 @pthread_mutex_lock(ptr @lock)\n"
    "  %now = load i32, ptr @flag\n"
    "  call void @mark(i32 %now)\n"
    "  %sum = add i32 %asked, 1\n"
    "  %four = icmp eq i32 %sum, 4\n"
    "  %wide = zext i1 %four to i32\n"
    "  call void @mark(i32 %wide)\n"
    "  %v = call i32 @pthread_mutex_unlock(ptr @lock)\n"
    "  ret i32 0\n"
    "}\n";

static const char flow_schedule[] =
    "sigma 1\nprogram app\nmodule 00000000000000000000000000000000\nschedules 1\n"
    "site 0 main#0 create\nsite 1 work#0 lock\nsite 2 work#1 unlock\nsite 3 main#1 join\n"
    "site 4 main#6 lock\nsite 5 main#9 unlock\n"
    "schedule 0\norigin recorded argv \"./app\" exit 0\norder hb\nat main\nwhen by-hand true\n"
    "object m0 mutex name lock\n"
    "t0 create 0 t1\nt1 enter work\nt1 lock 1 m0\nt1 unlock 2 m0\nt1 exit\nt0 join 3 t1\n"
    "t0 lock 4 m0\nt0 unlock 5 m0\nt0 exit\nend 9\n";

typedef struct {
  Calls c;
  Sigma *s;
  Order *order;
  Flow *flow;
  Diags *d;
} FlowSet;

static inline void fail_if(const FlowSet *x, bool bad) {
  if (bad) diags_print(x->d, stderr, "flow");
  assert(!bad);
}

static inline FlowSet flow_set_up(bool only_scheduled, bool volatile_known) {
  FlowSet x = {.c = calls_of(flow_ir), .d = diags_new()};
  uint32_t one = 0;
  CfspecFigures figures;
  x.s = sigma_parse(span_of(flow_schedule, strlen(flow_schedule)), "app.sigma", x.d);
  fail_if(&x, !x.s);
  CfspecInput in = {
      .module = x.c.module, .sites = x.c.sites, .graph = x.c.graph, .sync = x.c.may, .sigma = x.s};
  in.schedules = &one, in.count = 1, in.budget = 10000, in.soften = true;
  fail_if(&x, !cfspec_specialize(&in, &figures, x.d) || !cfspec_view(x.c.module, 0, false, x.d));
  x.order = order_new(x.s, 0, x.d);
  static const AliasOptions how = {.summaries = cfspec_view_summaries};
  FlowInput flow = {.view = x.c.module, .order = x.order, .alias = &how};
  flow.only_scheduled = only_scheduled, flow.volatile_known = volatile_known;
  x.flow = flow_new(&flow, x.d);
  fail_if(&x, !x.flow);
  return x;
}

static inline void flow_tear_down(FlowSet *x) {
  flow_free(x->flow);
  order_free(x->order);
  sigma_free(x->s);
  calls_free(&x->c);
  diags_free(x->d);
}
