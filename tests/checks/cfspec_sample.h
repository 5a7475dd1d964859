// A small program and a schedule of it, for the checks of cfspec/: main creates a thread, which locks and
// unlocks in a function that it calls; main calls that function, too, and there nothing happens.
#pragma once
#include "cfspec/specializer.h"
#include "tests/unit/calls.h"

static const char sample_ir[] =
    "@lock = internal global [40 x i8] zeroinitializer\n"
    "declare i32 @pthread_mutex_lock(ptr)\n"
    "declare i32 @pthread_mutex_unlock(ptr)\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare i32 @pthread_join(i64, ptr)\n"
    "define internal void @helper(i32 %n) {\n"
    "  %more = icmp sgt i32 %n, 0\n"
    "  br i1 %more, label %go, label %end\n"
    "go:\n"
    "  %a = call i32 @pthread_mutex_lock(ptr @lock)\n"
    "  %b = call i32 @pthread_mutex_unlock(ptr @lock)\n"
    "  br label %end\n"
    "end:\n"
    "  ret void\n"
    "}\n"
    "define internal ptr @work(ptr %x) {\n"
    "  call void @helper(i32 1)\n"
    "  ret ptr null\n"
    "}\n"
    "define i32 @main() {\n"
    "  %id = alloca i64\n"
    "  %c = call i32 @pthread_create(ptr %id, ptr null, ptr @work, ptr null)\n"
    "  call void @helper(i32 0)\n"
    "  %t = load i64, ptr %id\n"
    "  %j = call i32 @pthread_join(i64 %t, ptr null)\n"
    "  ret i32 0\n"
    "}\n";

static const char sample_schedule[] =
    "sigma 1\nprogram app\nmodule 00000000000000000000000000000000\nschedules 1\n"
    "site 0 main#0 create\nsite 1 main#1 call\nsite 2 main#2 join\nsite 3 work#0 call\n"
    "site 4 helper#0 lock\nsite 5 helper#1 unlock\n"
    "schedule 0\norigin recorded argv \"./app\" exit 0\norder hb\nat main\nwhen by-hand true\n"
    "object m0 mutex name lock\n"
    "t0 create 0 t1\nt1 enter work\nt1 call 3\nt1 lock 4 m0\nt1 unlock 5 m0\nt1 ret 3\nt1 exit\n"
    "t0 call 1\nt0 ret 1\nt0 join 2 t1\nt0 exit\nend 11\n";

typedef struct {
  Calls c;
  Sigma *sigma;
  Diags *d;
} Sample;

static inline Sample sample_new(void) {
  Sample x = {.c = calls_of(sample_ir), .d = diags_new()};
  x.sigma = sigma_parse(span_of(sample_schedule, strlen(sample_schedule)), "app.sigma", x.d);
  if (!x.sigma) diags_print(x.d, stderr, "sample");
  assert(x.sigma);
  return x;
}

static inline void sample_free(Sample *x) {
  sigma_free(x->sigma);
  calls_free(&x->c);
  diags_free(x->d);
}
